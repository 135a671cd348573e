package dev.assay.check.weak;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.history.Cores;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the edges that causal order forces without vector clocks: takes 64 readers at a time, and
 * one sweep down the order, as far as their candidates reach, marks for every transaction which of
 * them it precedes. The cost depends on how old the versions read are, not on the number of
 * sessions.
 */
final class BatchScan {
  private final DirectPast past;
  private final CommitOrder order;
  private final List<Candidates> parts;

  /** For each rank, its reads that have candidates: part and place there. */
  private final Grouping readParts;

  private final int[] readPlace;

  /** The ranks that have such reads. */
  private final int[] readers;

  BatchScan(DirectPast past, List<Candidates> parts) {
    this.past = past;
    this.order = past.order();
    this.parts = parts;
    Grouping.Builder builder = new Grouping.Builder(order.size());
    for (Candidates some : parts) {
      for (int i = 0; i < some.size(); i++) {
        builder.count(some.reader(i));
      }
    }
    int[] part = new int[builder.total()];
    this.readPlace = new int[part.length];
    for (int p = 0; p < parts.size(); p++) {
      for (int i = 0; i < parts.get(p).size(); i++) {
        int at = builder.place(parts.get(p).reader(i));
        part[at] = p;
        readPlace[at] = i;
      }
    }
    this.readParts = builder.build(part);
    this.readers = IntStream.range(0, order.size()).filter(r -> readParts.size(r) > 0).toArray();
  }

  /** Maximum number of steps to direct predecessors that a run takes. */
  long steps() {
    long steps = 0;
    for (int batch = 0; batch < batches(); batch++) {
      steps += past.end(readers[end(batch) - 1]) - past.first(lowest(batch));
    }
    return steps;
  }

  /** The edges t2 → t1, labelled with the reader and marked with the key. */
  EdgeList run(Extent extent) {
    EdgeList[] found = new EdgeList[batches()];
    Cores.each(
        past.history(),
        found.length,
        () -> new Strand(order.size(), parts, extent.part()),
        (strand, batch) -> {
          if (strand.goesOn) {
            found[batch] = new EdgeList();
            boolean whole = scan(batch, strand, found[batch], extent);
            strand.goesOn = strand.work.addToTotals() && whole;
          }
        });
    EdgeList all = new EdgeList();
    for (EdgeList part : found) {
      if (part != null) {
        all.addAll(part);
      }
    }
    return all;
  }

  /** What one thread needs for all its batches. */
  private static final class Strand {
    private final long[] precedes;
    private final List<MarkedWriters> marked;
    private final Extent.Part work;
    private boolean goesOn = true;

    Strand(int size, List<Candidates> parts, Extent.Part work) {
      this.precedes = new long[size];
      this.marked = parts.stream().map(part -> new MarkedWriters(part, precedes)).toList();
      this.work = work;
    }
  }

  /** Returns whether to continue. */
  private boolean scan(int batch, Strand strand, EdgeList found, Extent extent) {
    long[] precedes = strand.precedes;
    int from = start(batch);
    int to = end(batch);
    int lowest = lowest(batch);
    for (int i = from; i < to; i++) {
      precedes[readers[i]] = 1L << (i - from);
    }
    sweep(readers[to - 1], lowest, precedes);
    strand.marked.forEach(MarkedWriters::reset);
    boolean goesOn = true;
    for (int i = from; i < to; i++) {
      for (int r = readParts.first(readers[i]); r < readParts.end(readers[i]) && goesOn; r++) {
        MarkedWriters marked = strand.marked.get(readParts.item(r));
        int before = found.size();
        int tests = collect(marked, readPlace[r], 1L << (i - from), found, extent);
        goesOn = strand.work.goesOn(tests, found.size() - before);
      }
    }
    Arrays.fill(precedes, lowest, readers[to - 1] + 1, 0);
    return goesOn;
  }

  /** Propagates marks from each rank to its direct predecessors. */
  private void sweep(int highest, int lowest, long[] precedes) {
    for (int rank = highest; rank > lowest; rank--) {
      long marks = precedes[rank];
      if (marks != 0) {
        int end = past.end(rank);
        for (int i = past.first(rank); i < end; i++) {
          int before = past.predecessor(i);
          if (before >= lowest) {
            precedes[before] |= marks;
          }
        }
      }
    }
  }

  /** Adds the edges of one read; returns the number of writers examined. */
  private int collect(MarkedWriters marked, int read, long mark, EdgeList found, Extent extent) {
    Candidates part = marked.part();
    int t1 = part.source(read);
    int t3 = order.at(part.reader(read));
    // Of many writers, those next to the source are the most useful.
    marked.start(read, mark, extent.isAll());
    int added = 0;
    for (int w = marked.next(); w >= 0 && added < extent.perRead(); w = marked.next()) {
      int t2 = order.at(part.writer(w));
      if (t2 != t1) {
        found.add(t2, t1, t3, part.key(read));
        added++;
      }
    }
    return marked.examined();
  }

  private int batches() {
    return (readers.length + Long.SIZE - 1) / Long.SIZE;
  }

  private static int start(int batch) {
    return batch * Long.SIZE;
  }

  private int end(int batch) {
    return Math.min(start(batch) + Long.SIZE, readers.length);
  }

  /** The lowest rank that matters to a batch: that of a reader or of a candidate. */
  private int lowest(int batch) {
    int lowest = readers[start(batch)];
    for (int r = readParts.first(lowest); r < readParts.end(readers[end(batch) - 1]); r++) {
      Candidates part = parts.get(readParts.item(r));
      lowest = Math.min(lowest, part.writer(part.firstWriter(readPlace[r])));
    }
    return lowest;
  }
}
