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
  /** A user ended it. */
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

  /** What the exit code of {@code assay check} says about a run. */
  public static RunStatus ofExitCode(int code) {
    return switch (code) {
      case 0 -> HEALTHY;
      case 1 -> BUGGY;
      case 2 -> UNKNOWN;
      default -> FAILED;
    };
  }
}
