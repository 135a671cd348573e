package dev.assay.check.mixed;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.history.LongIndex;

/** Pairs of transactions of which one must commit before the other, each with its reason. */
final class Links {
  /** What puts one before the other. */
  enum Why {
    /** The other reads from it; labelled with the reading operation. */
    READ,
    /** Versions of a key are known to follow each other; labelled with the key. */
    VERSIONS,
    /** A reader of the other's version must see it; labelled with the reading operation. */
    SEEN
  }

  private static final Why[] REASONS = Why.values();

  private final EdgeList links = new EdgeList();
  private final LongIndex known = new LongIndex();

  /** Adds a pair; of several reasons the first is kept. */
  void add(int first, int second, Why why, int label) {
    long pair = (long) first << Integer.SIZE | second;
    if (first != second && known.find(pair) < 0) {
      known.indexOf(pair);
      links.add(first, second, label, why.ordinal());
    }
  }

  int first(int link) {
    return links.from(link);
  }

  int second(int link) {
    return links.to(link);
  }

  Why why(int link) {
    return REASONS[links.mark(link)];
  }

  int label(int link) {
    return links.label(link);
  }

  int size() {
    return links.size();
  }

  /** The links by the transaction that comes second. */
  Grouping bySecond(int transactions) {
    return Grouping.of(transactions, links.size(), links::to);
  }
}
