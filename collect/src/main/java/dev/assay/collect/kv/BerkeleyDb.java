package dev.assay.collect.kv;

import dev.assay.collect.client.Isolation;
import dev.assay.level.Level;
import java.util.List;

/** Berkeley DB Java Edition, with the four levels that its manual names. */
final class BerkeleyDb extends LibraryStore {
  static final String READ_UNCOMMITTED = "read-uncommitted";
  static final String READ_COMMITTED = "read-committed";
  static final String SERIALIZABLE = "serializable";

  BerkeleyDb() {
    super(
        "berkeleydb",
        "Berkeley DB JE",
        List.of(
            Isolation.of(READ_UNCOMMITTED, Level.READ_UNCOMMITTED),
            Isolation.of(READ_COMMITTED, Level.ADYA_READ_COMMITTED),
            Isolation.of("repeatable-read", Level.REPEATABLE_READ),
            Isolation.of(SERIALIZABLE, Level.SERIALIZABLE)));
  }

  @Override
  String versionName() {
    return "berkeleydb";
  }

  @Override
  String artifact() {
    return "com.sleepycat:je";
  }

  @Override
  String marker() {
    return "com.sleepycat.je.Environment";
  }

  @Override
  String adapter() {
    return "dev.assay.collect.kv.BerkeleyDbEngine";
  }
}
