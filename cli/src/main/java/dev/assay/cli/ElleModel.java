package dev.assay.cli;

import dev.assay.collect.config.UsageException;
import dev.assay.level.Level;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The models of elle-cli: what must hold of a history of each, or why it is not checked. */
enum ElleModel {
  LIST_APPEND("list-append", Level.STRICT_SERIALIZABLE, "G0"),
  RW_REGISTER("rw-register", Level.STRICT_SERIALIZABLE, "G0"),
  /** Knossos. */
  CAS_REGISTER("cas-register", Level.LINEARIZABLE, ""),
  /** Jepsen compares reads with bounds; this is exact. */
  COUNTER("counter", Level.STRICT_SERIALIZABLE, ""),
  SET("set", Level.STRICT_SERIALIZABLE, ""),
  SET_FULL("set-full", Level.STRICT_SERIALIZABLE, ""),
  LONG_FORK("long-fork", Level.SNAPSHOT_ISOLATION, ""),
  BANK("bank", null, "wrong-total"),
  MUTEX("mutex", "Assay reads no :acquire and :release; write them as a :cas of a register"),
  COMMENTS("comments", "its reads return sets of what other operations wrote as registers"),
  SEQUENTIAL("sequential", "it needs a number of keys, which elle-cli has no option for either");

  private final String id;
  private final Level level;
  private final String anomalies;
  private final String refusal;

  ElleModel(String id, Level level, String anomalies) {
    this(id, level, anomalies, null);
  }

  ElleModel(String id, String refusal) {
    this(id, null, "", refusal);
  }

  ElleModel(String id, Level level, String anomalies, String refusal) {
    this.id = id;
    this.level = level;
    this.anomalies = anomalies;
    this.refusal = refusal;
  }

  static ElleModel of(String id) {
    ElleModel model =
        Arrays.stream(values())
            .filter(known -> known.id.equals(id))
            .findFirst()
            .orElseThrow(
                () -> new UsageException("unknown model " + id + "; assay elle has " + checked()));
    if (model.refusal != null) {
      throw new UsageException(
          "model " + id + " is not checked: " + model.refusal + "; assay elle has " + checked());
    }
    return model;
  }

  static String checked() {
    return Arrays.stream(values())
        .filter(model -> model.refusal == null)
        .map(model -> model.id)
        .collect(Collectors.joining(", "));
  }

  /** The level that must hold if none is asked for; empty where only anomalies count. */
  String level() {
    return level == null ? "" : level.id();
  }

  /** The anomalies that must be absent if none are named. */
  String anomalies() {
    return anomalies;
  }
}
