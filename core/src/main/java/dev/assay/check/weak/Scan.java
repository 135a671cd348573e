package dev.assay.check.weak;

import dev.assay.graph.EdgeList;
import dev.assay.history.Cores;
import dev.assay.infer.KeyAccess;
import dev.assay.infer.ReadsFrom;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Looks for commit-order edges t2 → t1 that an axiom forces. An edge is labelled with the reader t3
 * and marked with the key; an edge into {@link ReadsFrom#INITIAL} is a violation by itself.
 */
final class Scan {
  private final Causality causality;
  private final Premises premises;
  private final List<KeyAccess> access;

  Scan(Causality causality, Premises premises, List<KeyAccess> access) {
    this.causality = causality;
    this.premises = premises;
    this.access = access;
  }

  /** Which pairs of writers are of interest. */
  interface Region {
    /** The lowest rank of t2 to look at, for a given rank of t1 (−1 for the initial version). */
    int lowest(int rankOfT1);

    /** One past the highest rank of t2 to look at. */
    int end(int rankOfT1, int rankOfT3);
  }

  /** Edges that point backwards: t2 after t1 in the order. */
  static final Region BACKWARDS =
      new Region() {
        @Override
        public int lowest(int rankOfT1) {
          return rankOfT1 + 1;
        }

        @Override
        public int end(int rankOfT1, int rankOfT3) {
          return rankOfT3;
        }
      };

  /** After so many keys somebody looks at the clock. */
  private static final int KEYS_AT_A_TIME = 64;

  private Stream<KeyAccess> parts() {
    return Cores.over(causality.history(), access);
  }

  /** The edges of each axiom, in a fixed order. */
  EdgeList[] run(List<Axiom> axioms, CommitOrder order, CausalPast past, Region region) {
    return run(axioms, order, past, region, () -> false);
  }

  /** The same, unless it is told to stop; what it has then is not all. */
  EdgeList[] run(
      List<Axiom> axioms, CommitOrder order, CausalPast past, Region region, BooleanSupplier stop) {
    if (axioms.stream().anyMatch(Premises::needsReaders)) {
      premises.prepareReaders();
    }
    List<EdgeList[]> parts =
        parts().map(part -> scan(part, axioms, order, past, region, stop)).toList();
    EdgeList[] result = empty(axioms.size());
    for (EdgeList[] part : parts) {
      for (int i = 0; i < result.length; i++) {
        result[i].addAll(part[i]);
      }
    }
    return result;
  }

  /** Whether any edge may point backwards: some writer stands between a source and a reader. */
  boolean hasCandidates(CommitOrder order) {
    return parts().anyMatch(part -> hasCandidates(part, order));
  }

  private boolean hasCandidates(KeyAccess part, CommitOrder order) {
    Writers writers = new Writers();
    for (int k = 0; k < part.size(); k++) {
      writers.load(part, k, order);
      for (int r = part.firstRead(k); r < part.endRead(k); r++) {
        boolean between =
            counts(part, r)
                && writers.hasBetween(rankOf(order, part.source(r)), order.rank(part.reader(r)));
        if (between) {
          return true;
        }
      }
    }
    return false;
  }

  /** The reads that have candidates in a region, part by part. */
  List<Candidates> candidates(CommitOrder order, Region region) {
    return parts().map(part -> candidates(part, order, region)).toList();
  }

  private Candidates candidates(KeyAccess part, CommitOrder order, Region region) {
    Candidates found = new Candidates();
    Writers writers = new Writers();
    for (int k = 0; k < part.size(); k++) {
      writers.load(part, k, order);
      boolean begun = false;
      for (int r = part.firstRead(k); r < part.endRead(k); r++) {
        if (!counts(part, r)) {
          continue;
        }
        int source = rankOf(order, part.source(r));
        int reader = order.rank(part.reader(r));
        int first = writers.firstAtOrAfter(region.lowest(source));
        int end = writers.firstAtOrAfter(Math.min(region.end(source, reader), reader));
        if (first < end) {
          if (!begun) {
            found.begin(writers.ranks, writers.size);
            begun = true;
          }
          found.add(reader, part.source(r), part.key(k), first, end, writers.size);
        }
      }
    }
    return found;
  }

  private boolean counts(KeyAccess part, int read) {
    int t1 = part.source(read);
    return causality.counts(part.reader(read)) && (t1 == ReadsFrom.INITIAL || causality.counts(t1));
  }

  private static EdgeList[] empty(int size) {
    EdgeList[] lists = new EdgeList[size];
    for (int i = 0; i < size; i++) {
      lists[i] = new EdgeList();
    }
    return lists;
  }

  private static int rankOf(CommitOrder order, int t1) {
    return t1 == ReadsFrom.INITIAL ? -1 : order.rank(t1);
  }

  private EdgeList[] scan(
      KeyAccess part,
      List<Axiom> axioms,
      CommitOrder order,
      CausalPast past,
      Region region,
      BooleanSupplier stop) {
    EdgeList[] found = empty(axioms.size());
    Writers writers = new Writers();
    for (int k = 0; k < part.size() && !(k % KEYS_AT_A_TIME == 0 && stop.getAsBoolean()); k++) {
      writers.load(part, k, order);
      for (int r = part.firstRead(k); r < part.endRead(k); r++) {
        int t1 = part.source(r);
        int t3 = part.reader(r);
        if (!counts(part, r)) {
          continue;
        }
        int rank = rankOf(order, t1);
        int end = Math.min(region.end(rank, order.rank(t3)), order.rank(t3));
        int lowest = region.lowest(rank);
        for (int w = writers.firstAtOrAfter(end) - 1; w >= 0 && writers.rank(w) >= lowest; w--) {
          int t2 = order.at(writers.rank(w));
          if (t2 != t1 && t2 != t3) {
            for (int a = 0; a < found.length; a++) {
              if (premises.test(axioms.get(a), past, t1, t2, t3, part.key(k))) {
                found[a].add(t2, t1, t3, part.key(k));
              }
            }
          }
        }
      }
    }
    return found;
  }

  /** The ranks of the writers of one key, ascending. */
  private static final class Writers {
    private int[] ranks = new int[64];
    private int size;

    void load(KeyAccess part, int k, CommitOrder order) {
      int count = part.endWriter(k) - part.firstWriter(k);
      if (count > ranks.length) {
        ranks = new int[Math.max(count, ranks.length * 2)];
      }
      size = 0;
      boolean sorted = true;
      for (int w = part.firstWriter(k); w < part.endWriter(k); w++) {
        int rank = order.rank(part.writer(w));
        if (rank >= 0) {
          sorted &= size == 0 || ranks[size - 1] < rank;
          ranks[size++] = rank;
        }
      }
      if (!sorted) {
        Arrays.sort(ranks, 0, size);
      }
    }

    int rank(int index) {
      return ranks[index];
    }

    int firstAtOrAfter(int rank) {
      int found = Arrays.binarySearch(ranks, 0, size, rank);
      return found < 0 ? -found - 1 : found;
    }

    /** Whether some writer is strictly between. */
    boolean hasBetween(int low, int high) {
      int index = firstAtOrAfter(high);
      return index > 0 && ranks[index - 1] > low;
    }
  }
}
