package dev.assay.collect.workload;

import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the transactions of a workload do with a key. */
public enum WorkloadKind {
  /** Reads and blind writes of registers. */
  REGISTER(true, OpKind.Type.REGISTER),
  /** Reads of and appends to lists. */
  LIST_APPEND(true, OpKind.Type.LIST),
  /** Registers again, but each write directly follows a read of its key. */
  READ_MODIFY_WRITE(true, OpKind.Type.REGISTER),
  /**
   * Registers of which some writes directly follow a read of their key: with half of the accesses
   * reads, the mix of King Cobra's generator (50 % reads, 35 % writes, 15 % read-modify-writes).
   */
  REGISTER_MIX(true, OpKind.Type.REGISTER),
  /** Registers that are compared and set; in databases also inserted if absent, and deleted. */
  CAS(true, OpKind.Type.REGISTER),
  /** Reads and blind writes of registers, with the version numbers that the store gives. */
  VERSIONS(true, OpKind.Type.REGISTER),
  /** Reads of and insertions into sets. */
  SET_INSERT(false, OpKind.Type.SET),
  /** Reads and increments of counters. */
  COUNTER(false, OpKind.Type.COUNTER),
  /** Lists and registers in the same transactions, half of the keys each. */
  MIXED(false, OpKind.Type.LIST, OpKind.Type.REGISTER);

  /** The share of writes that follow a read of their key. */
  private static final double READ_FIRST = 0.3;

  private final boolean simulated;
  private final List<OpKind.Type> types;

  WorkloadKind(boolean simulated, OpKind.Type... types) {
    this.simulated = simulated;
    this.types = List.of(types);
  }

  /** The kinds that the simulated stores understand; databases understand all. */
  public static WorkloadKind[] simulated() {
    return Arrays.stream(values()).filter(kind -> kind.simulated).toArray(WorkloadKind[]::new);
  }

  public List<OpKind.Type> types() {
    return types;
  }

  /** The type of data behind a place of the distribution. */
  OpKind.Type type(int place) {
    return types.get(place % types.size());
  }

  /** Whether the next write of a register directly follows a read of its key. */
  public boolean readsFirst(SplitMix random) {
    return this == READ_MODIFY_WRITE || (this == REGISTER_MIX && random.chance(READ_FIRST));
  }

  /** The name used on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
