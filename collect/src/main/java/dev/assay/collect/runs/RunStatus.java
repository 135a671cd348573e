package dev.assay.collect.runs;

import java.util.Locale;

/** What became of a run. */
public enum RunStatus {
  /** Waits for its turn. */
  PENDING,
  RUNNING,
  /** Every judged level holds. */
  HEALTHY,
  /** A judged level is violated. */
  BUGGY,
  /** Nothing judged is violated, and not everything judged is decided. */
  UNKNOWN,
  /** It could not be run or its history could not be read. */
  FAILED,
  /** Somebody ended it. */
  STOPPED;

  /** The name in files and addresses. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name for people. */
  public String title() {
    return name().charAt(0) + id().substring(1);
  }

  public boolean isOver() {
    return this != PENDING && this != RUNNING;
  }

  /** The status with this id; failed for what no version ever wrote. */
  public static RunStatus of(String id) {
    for (RunStatus status : values()) {
      if (status.id().equals(id)) {
        return status;
      }
    }
    return FAILED;
  }
}
