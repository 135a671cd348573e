package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import dev.assay.collect.workload.SplitMix;
import dev.assay.collect.workload.Workload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;

/**
 * The isolation a simulated store gives: no less than the level it names, and visibly no more. Some
 * stores abort transactions on their own, besides those whose clients ask for it: snapshot
 * isolation where two write the same key, read atomic and read committed where two append to the
 * same list.
 */
public enum StoreLevel {
  /** One transaction at a time; strictly serializable. */
  SERIALIZABLE("strong-session-serializable"),
  /** Snapshots from the start, first committer wins; strong snapshot isolation. */
  SNAPSHOT_ISOLATION("strong-session-snapshot-isolation"),
  /** Replicas that converge; registers only. */
  CAUSAL("causal"),
  /** All or nothing of every transaction, as stale as it may be. */
  READ_ATOMIC("read-atomic"),
  /** The version committed last, at each read. */
  READ_COMMITTED("read-committed"),
  /** Writes are visible at once. */
  NONE(null);

  private final String guarantee;

  StoreLevel(String guarantee) {
    this.guarantee = guarantee;
  }

  /** The name used on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The level with this {@link #id()}. */
  public static StoreLevel fromId(String id) {
    for (StoreLevel level : values()) {
      if (level.id().equals(id)) {
        return level;
      }
    }
    String known = Arrays.stream(values()).map(StoreLevel::id).collect(Collectors.joining(", "));
    throw new IllegalArgumentException(
        "there is no simulated store '%s'; choose one of %s".formatted(id, known));
  }

  /**
   * The canonical id of the strongest level that every history of the store satisfies whether or
   * not it has times, or null where none is promised.
   */
  public String guarantee() {
    return guarantee;
  }

  /**
   * A new, empty store for the clients of a workload.
   *
   * @param spec what the clients ask
   * @param workload where their values come from
   * @param random decides what the level leaves open
   * @param lists where a store of lists keeps them
   */
  public Store open(WorkloadSpec spec, Workload workload, SplitMix random, Lists lists) {
    int clients = spec.sessions();
    if (spec.kind() == WorkloadKind.VERSIONS && (this == CAUSAL || this == NONE)) {
      throw new IllegalArgumentException(
          "the store '%s' has no numbers of versions: it has no one order of commits"
              .formatted(id()));
    }
    IntBinaryOperator effect = spec.usesLists() ? lists::append : (before, value) -> value;
    return switch (this) {
      case SERIALIZABLE ->
          spec.everyTransactionCommits() && !spec.usesLists()
              ? new AllCommitStore(workload.issuedValues())
              : new SerializableStore(table(spec), effect);
      case SNAPSHOT_ISOLATION -> new SnapshotStore(clients, table(spec), effect);
      case CAUSAL -> {
        if (spec.usesLists()) {
          throw new IllegalArgumentException(
              "the causal store has no lists: replicas that accept appends on their own cannot"
                  + " agree on the order of the elements; use registers or another store");
        }
        yield new CausalStore(clients, random, i -> table(spec));
      }
      case READ_ATOMIC -> new ReadAtomicStore(clients, random, table(spec), effect, locks(spec));
      case READ_COMMITTED -> new ReadCommittedStore(clients, table(spec), effect, locks(spec));
      case NONE -> new UnisolatedStore(clients, table(spec), effect);
    };
  }

  private static IntTable table(WorkloadSpec spec) {
    return IntTable.forKeys(spec.keys(), spec.expectedWrites());
  }

  private static KeyLocks locks(WorkloadSpec spec) {
    return spec.usesLists() ? new KeyLocks(table(spec)) : null;
  }
}
