package dev.assay.collect.workload;

import java.util.Locale;

/** What the transactions of a workload do with a key. */
public enum WorkloadKind {
  /** Reads and blind writes of registers. */
  REGISTER,
  /** Reads of and appends to lists. */
  LIST_APPEND,
  /** Registers again, but each write directly follows a read of its key. */
  READ_MODIFY_WRITE;

  /** The name used on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
