package dev.assay.check;

import dev.assay.history.History;
import dev.assay.infer.predicates.PredicateDependencies.Updated;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Finds transactions that read the same version of a key and all write the key. An update by a
 * predicate does both at once.
 */
public final class LostUpdates {
  private final History history;
  private final ReadsFrom reads;
  private final int maxWitnesses;

  /** Rows that updates changed, by key. */
  private final Map<Integer, List<Updated>> updated = new TreeMap<>();

  private final List<Evidence> witnesses = new ArrayList<>();
  private long count;

  /**
   * Finds lost updates.
   *
   * @param lists the accesses to each list
   * @param isKnown whether the source of each read of a key is known at every level
   * @param byUpdates which versions updates by predicates changed, as far as that is known
   */
  public LostUpdates(
      History history,
      ReadsFrom reads,
      KeyAccess lists,
      IntPredicate isKnown,
      List<Updated> byUpdates,
      int maxWitnesses) {
    this.history = history;
    this.reads = reads;
    this.maxWitnesses = maxWitnesses;
    List<KeyAccess> all = new ArrayList<>(reads.access());
    all.add(lists);
    for (Updated row : byUpdates) {
      updated.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row);
    }
    Set<Integer> rest = new TreeSet<>(updated.keySet());
    for (KeyAccess access : all) {
      for (int i = 0; i < access.size(); i++) {
        if (isKnown.test(access.key(i))) {
          find(access, i);
          rest.remove(access.key(i));
        }
      }
    }
    for (int key : rest) {
      find(key, new long[updated.get(key).size()], 0);
    }
  }

  /** All lost updates, counted as pairs. */
  public Optional<Anomaly> anomaly() {
    return count == 0
        ? Optional.empty()
        : Optional.of(Anomaly.of(AnomalyType.LOST_UPDATE, count, witnesses));
  }

  private void find(KeyAccess access, int index) {
    int from = access.firstWriter(index);
    int to = access.endWriter(index);
    if (to - from < 2) {
      return;
    }
    int[] writers = new int[to - from];
    for (int i = from; i < to; i++) {
      writers[i - from] = access.writer(i);
    }
    int key = access.key(index);
    int byUpdates = updated.getOrDefault(key, List.of()).size();
    long[] updates = new long[access.endRead(index) - access.firstRead(index) + byUpdates];
    int size = 0;
    for (int i = access.firstRead(index); i < access.endRead(index); i++) {
      int reader = access.reader(i);
      if (reads.counts(reader) && Arrays.binarySearch(writers, reader) >= 0) {
        updates[size++] = ((long) access.source(i) << 32) | reader;
      }
    }
    find(key, updates, size);
  }

  /**
   * Finds lost updates among pairs of source and reader.
   *
   * @param updates the pairs by reads, with room for those by updates
   */
  private void find(int key, long[] updates, int byReads) {
    int size = byReads;
    for (Updated row : updated.getOrDefault(key, List.of())) {
      long source = history.transactionOf(row.write());
      updates[size++] = (source << 32) | history.transactionOf(row.operation());
    }
    Arrays.sort(updates, 0, size);
    for (int i = 0, end; i < size; i = end) {
      int distinct = 1;
      for (end = i + 1; end < size && updates[end] >> 32 == updates[i] >> 32; end++) {
        distinct += updates[end] == updates[end - 1] ? 0 : 1;
      }
      count += (long) distinct * (distinct - 1) / 2;
      if (distinct > 1) {
        int last = (int) updates[end - 1];
        keep(witness(key, (int) (updates[i] >> 32), (int) updates[i], last));
      }
    }
  }

  private void keep(Evidence evidence) {
    witnesses.add(evidence);
    witnesses.sort(Comparator.comparingInt(this::size));
    if (witnesses.size() > maxWitnesses) {
      witnesses.remove(maxWitnesses);
    }
  }

  private int size(Evidence evidence) {
    int size = 0;
    for (Edge edge : evidence.edges()) {
      size += history.endOp(edge.from()) - history.firstOp(edge.from());
    }
    return size;
  }

  /** Each read the version that the other replaced. */
  private Evidence witness(int key, int source, int one, int other) {
    Edge first = read(one, key, source);
    Edge second = read(other, key, source);
    return Evidence.ofEdges(List.of(overwritten(first, second), overwritten(second, first)));
  }

  private Edge overwritten(Edge read, Edge others) {
    return new Edge(
        read.to(),
        others.to(),
        EdgeKind.RW,
        read.key(),
        read.toOp(),
        history.lastWrite(others.to(), read.key()),
        List.of(read, others));
  }

  private Edge read(int txn, int key, int source) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int write = history.key(op) == key ? reads.versionSource(op) : ReadsFrom.NONE;
      if ((write >= 0 ? history.transactionOf(write) : write) == source) {
        return Edge.of(source, txn, EdgeKind.WR, key, Math.max(write, -1), op);
      }
    }
    for (Updated row : updated.getOrDefault(key, List.of())) {
      boolean same =
          history.transactionOf(row.write()) == source
              && history.transactionOf(row.operation()) == txn;
      if (same) {
        return Edge.of(source, txn, EdgeKind.WR, key, row.write(), row.operation());
      }
    }
    throw new IllegalStateException("no read of this version");
  }
}
