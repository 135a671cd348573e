package dev.assay.check.weak;

import dev.assay.graph.EdgeList;
import dev.assay.history.Cores;
import dev.assay.level.Axiom;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds commit-order edges t2 → t1 that an axiom forces. An edge is labelled with the reader t3 and
 * marked with the key; an edge into {@link ReadsFrom#INITIAL} is already a violation.
 */
final class Scan {
  /** If more than one in so many transactions has moved, looking at all reads is no slower. */
  private static final int WORTH_A_LOOK = 4;

  private final Causality causality;
  private final AxiomPremises premises;
  private final List<KeyAccess> access;
  private final boolean circular;

  /**
   * Prepares to look.
   *
   * @param circular whether causal order has cycles
   */
  Scan(Causality causality, AxiomPremises premises, List<KeyAccess> access, boolean circular) {
    this.causality = causality;
    this.premises = premises;
    this.access = access;
    this.circular = circular;
  }

  /** The pairs of writers to examine. */
  interface Region {
    /** The lowest rank of t2 to look at, for a given rank of t1 (−1 for the initial version). */
    int lowest(int rankOfT1);

    /** One past the highest rank of t2 to look at. */
    int end(int rankOfT1, int rankOfT3);

    /** If not null, only t1, t2 and t3 are looked at of which one is among these transactions. */
    default BitSet among() {
      return null;
    }
  }

  /** Edges that point backwards: t2 after t1 in the order. */
  static final Region BACKWARDS = new Backwards(null);

  private record Backwards(BitSet among) implements Region {
    @Override
    public int lowest(int rankOfT1) {
      return rankOfT1 + 1;
    }

    @Override
    public int end(int rankOfT1, int rankOfT3) {
      return rankOfT3;
    }
  }

  /**
   * Edges that point backwards in an order, but did not in the one it was made from: for these t1,
   * t2 and t3 are in another order than before, so one of them has moved.
   */
  static Region newlyBackwards(CommitOrder order) {
    boolean few = order.moved().cardinality() < order.size() / WORTH_A_LOOK;
    return few ? new Backwards(order.moved()) : BACKWARDS;
  }

  private Stream<KeyAccess> parts() {
    return Cores.over(causality.history(), access);
  }

  /** The edges of an axiom, in a fixed order. */
  EdgeList run(Axiom axiom, CommitOrder order, CausalPast past, Region region, Extent extent) {
    if (AxiomPremises.needsReaders(axiom)) {
      premises.prepareReaders();
    }
    EdgeList result = new EdgeList();
    parts()
        .map(part -> scan(part, axiom, order, past, region, extent))
        .toList()
        .forEach(result::addAll);
    return result;
  }

  /** Whether any edge may point backwards: some writer is between a source and a reader. */
  boolean hasCandidates(CommitOrder order) {
    return parts().anyMatch(part -> hasCandidates(part, order));
  }

  private static boolean hasCandidates(KeyAccess part, CommitOrder order) {
    KeyWriters writers = new KeyWriters();
    for (int k = 0; k < part.size(); k++) {
      writers.load(part, k, order);
      for (int r = part.firstRead(k); r < part.endRead(k); r++) {
        boolean between =
            counts(part, r, order)
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
    Candidates[] found = new Candidates[access.size()];
    Cores.each(
        causality.history(),
        found.length,
        Finder::new,
        (finder, part) -> found[part] = finder.find(access.get(part), order, region));
    return List.of(found);
  }

  /** Finds the candidates of one part at a time. */
  private static final class Finder {
    private final Candidates found = new Candidates();
    private final SomeWriters some = new SomeWriters();

    Candidates find(KeyAccess part, CommitOrder order, Region region) {
      for (int k = 0; k < part.size(); k++) {
        some.begin(part, k, order, region.among());
        find(part, k, order, region);
      }
      return found.taken();
    }

    private void find(KeyAccess part, int k, CommitOrder order, Region region) {
      boolean begun = false;
      for (int r = part.firstRead(k); r < part.endRead(k); r++) {
        if (!some.any(r) || !counts(part, r, order)) {
          continue;
        }
        int source = rankOf(order, part.source(r));
        int reader = order.rank(part.reader(r));
        int below = Math.min(region.end(source, reader), reader);
        KeyWriters writers = some.of(r);
        int end = writers.firstAtOrAfter(below);
        int first = writers.firstAtOrAfter(region.lowest(source));
        if (first < end) {
          if (writers != some.all()) {
            writers = some.all();
            end = writers.firstAtOrAfter(below);
            first = writers.firstAtOrAfter(region.lowest(source));
          }
          if (!begun) {
            found.begin(writers.ranks(), writers.size());
            begun = true;
          }
          found.add(reader, part.source(r), part.key(k), first, end, writers.size());
        }
      }
    }
  }

  /** Whether reader and source of a read count and so have a rank. */
  private static boolean counts(KeyAccess part, int read, CommitOrder order) {
    int t1 = part.source(read);
    return order.rank(part.reader(read)) >= 0 && (t1 == ReadsFrom.INITIAL || order.rank(t1) >= 0);
  }

  private static int rankOf(CommitOrder order, int t1) {
    return t1 == ReadsFrom.INITIAL ? -1 : order.rank(t1);
  }

  private EdgeList scan(
      KeyAccess part,
      Axiom axiom,
      CommitOrder order,
      CausalPast past,
      Region region,
      Extent extent) {
    EdgeList found = new EdgeList();
    SomeWriters some = new SomeWriters();
    KeyWriters writers = some.all();
    LastWriters last = new LastWriters(causality, premises, order, circular, writers, extent);
    Extent.Part work = extent.part();
    for (int k = 0; k < part.size(); k++) {
      some.begin(part, k, order, region.among());
      last.begin(part, k);
      for (int r = part.firstRead(k); r < part.endRead(k); r++) {
        if (!some.any(r) || !counts(part, r, order)) {
          continue;
        }
        int rank = rankOf(order, part.source(r));
        int lowest = region.lowest(rank);
        int reader = order.rank(part.reader(r));
        int end = Math.min(region.end(rank, reader), reader);
        int before = found.size();
        long tests = 0;
        if (!extent.isAll()) {
          tests = last.find(axiom, past, r, lowest, end, found);
        } else {
          int t1 = part.source(r);
          int t3 = part.reader(r);
          KeyWriters tried = some.of(r);
          for (int w = tried.firstAtOrAfter(end) - 1; w >= 0 && tried.rank(w) >= lowest; w--) {
            int t2 = order.at(tried.rank(w));
            tests++;
            if (t2 != t1 && t2 != t3 && premises.test(axiom, past, t1, t2, t3, part.key(k))) {
              found.add(t2, t1, t3, part.key(k));
            }
          }
          if (tests > 0) {
            tests *= premises.cost(axiom, t3);
          }
        }
        if (!work.goesOn(tests, found.size() - before)) {
          return found;
        }
      }
    }
    work.addToTotals();
    return found;
  }
}
