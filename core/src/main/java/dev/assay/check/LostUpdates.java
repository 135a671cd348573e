package dev.assay.check;

import dev.assay.history.History;
import dev.assay.infer.KeyAccess;
import dev.assay.infer.ReadsFrom;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Finds transactions that read the same version of a key and all write the key. */
public final class LostUpdates {
  private final History history;
  private final ReadsFrom reads;
  private final int maxWitnesses;
  private final List<Evidence> witnesses = new ArrayList<>();
  private long count;

  /**
   * Looks for them.
   *
   * @param lists who accessed which list
   * @param isTold whether a key's reads tell what they saw at every level
   */
  public LostUpdates(
      History history, ReadsFrom reads, KeyAccess lists, IntPredicate isTold, int maxWitnesses) {
    this.history = history;
    this.reads = reads;
    this.maxWitnesses = maxWitnesses;
    List<KeyAccess> all = new ArrayList<>(reads.access());
    all.add(lists);
    for (KeyAccess access : all) {
      for (int i = 0; i < access.size(); i++) {
        if (isTold.test(access.key(i))) {
          find(access, i);
        }
      }
    }
  }

  /** All of them, counted as pairs. */
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
    long[] updates = new long[access.endRead(index) - access.firstRead(index)];
    int size = 0;
    for (int i = access.firstRead(index); i < access.endRead(index); i++) {
      int reader = access.reader(i);
      if (reads.counts(reader) && Arrays.binarySearch(writers, reader) >= 0) {
        updates[size++] = ((long) access.source(i) << 32) | reader;
      }
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
        keep(witness(access.key(index), (int) (updates[i] >> 32), (int) updates[i], last));
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
        Edge.Kind.RW,
        read.key(),
        read.toOp(),
        history.lastWrite(others.to(), read.key()),
        List.of(read, others));
  }

  private Edge read(int txn, int key, int source) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int write = history.key(op) == key ? reads.versionSource(op) : ReadsFrom.NONE;
      if ((write >= 0 ? history.transactionOf(write) : write) == source) {
        return Edge.of(source, txn, Edge.Kind.WR, key, Math.max(write, -1), op);
      }
    }
    throw new IllegalStateException("no read of this version");
  }
}
