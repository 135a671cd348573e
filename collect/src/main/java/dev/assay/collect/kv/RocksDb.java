package dev.assay.collect.kv;

import dev.assay.collect.client.Isolation;
import dev.assay.level.Level;
import java.util.List;

/**
 * RocksDB with transactions, pessimistic or optimistic. Its manual names no isolation levels: reads
 * see what is committed, or a snapshot that the transaction sets, against which writes are checked
 * then; {@code GetForUpdate} makes reads count as writes do.
 */
final class RocksDb extends LibraryStore {
  static final String READ_COMMITTED = "read-committed";
  static final String SERIALIZABLE = "serializable";

  RocksDb(String id, String title) {
    super(
        id,
        title,
        List.of(
            Isolation.of(READ_COMMITTED, Level.ADYA_READ_COMMITTED),
            Isolation.of("snapshot", Level.SNAPSHOT_ISOLATION),
            Isolation.of(SERIALIZABLE, Level.SERIALIZABLE)));
  }

  @Override
  String versionName() {
    return "rocksdb";
  }

  @Override
  String artifact() {
    return "org.rocksdb:rocksdbjni";
  }

  @Override
  String marker() {
    return "org.rocksdb.TransactionDB";
  }

  @Override
  String adapter() {
    return "dev.assay.collect.kv.RocksDbEngine";
  }
}
