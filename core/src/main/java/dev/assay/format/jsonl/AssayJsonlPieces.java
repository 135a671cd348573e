package dev.assay.format.jsonl;

import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@code assay-jsonl} piece by piece. The header, and the transactions that load the initial
 * state, are kept for the pieces after the first.
 */
final class AssayJsonlPieces implements PieceReader {
  private final String name;
  private final Origin origin;
  private final Set<String> unknownFields = new LinkedHashSet<>();

  /** The first line of the first file, which may be its header. */
  private AssayJsonlBlock header;

  /** The transactions that load the initial state; null for none. */
  private History loaders;

  /** Lines of the file that were read. */
  private long lines;

  /** Whether some of them were not blank. */
  private boolean afterOthers;

  /** Whether there were transactions that do not load the initial state. */
  private boolean begun;

  /** The number of transactions of each session so far. */
  private final Map<Object, Integer> places = new HashMap<>();

  private boolean ended;

  AssayJsonlPieces(String name) {
    this.name = name;
    this.origin = new Origin(name, AssayJsonl.ID, Origin.Unit.LINE, List.of());
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    return PieceReader.wholeLines(bytes, from, to);
  }

  @Override
  public History read(byte[] bytes, int from, int to) throws ParseException {
    HistoryBuilder builder = builder();
    BitSet loading = new BitSet();
    int next = from;
    while (!afterOthers && next < to) {
      // The header alone, so that later pieces need nothing else of this one.
      int end = lineEnd(bytes, next, to);
      AssayJsonlBlock first = parse(bytes, next, end);
      if (header == null && !first.isEmpty()) {
        header = first;
        first.declareTo(builder);
      }
      add(first, builder, loading);
      next = end;
    }
    if (next < to) {
      add(parse(bytes, next, to), builder, loading);
    }
    if (ended) {
      AssayJsonlReader.note(unknownFields, builder);
    }
    return withoutLoaders(builder, loading);
  }

  private static int lineEnd(byte[] bytes, int from, int to) {
    int end = from;
    while (end < to && bytes[end] != '\n') {
      end++;
    }
    return Math.min(end + 1, to);
  }

  private AssayJsonlBlock parse(byte[] bytes, int from, int to) {
    return AssayJsonlBlock.parse(name, bytes, from, to, lines == 0);
  }

  private void add(AssayJsonlBlock block, HistoryBuilder builder, BitSet loading)
      throws ParseException {
    block.addTransactionsTo(builder, lines, afterOthers, loading::set);
    lines += block.lineCount();
    afterOthers |= !block.isEmpty();
    unknownFields.addAll(block.unknownFields());
  }

  @Override
  public History finish(byte[] bytes, int from, int to) throws ParseException {
    ended = true;
    return read(bytes, from, to);
  }

  @Override
  public void nextFile() {
    lines = 0;
    afterOthers = false;
  }

  private HistoryBuilder builder() {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(origin);
    if (header != null) {
      header.declareTo(builder);
    }
    return builder;
  }

  // ---- the initial state that transactions load

  /**
   * The piece without the transactions that load the initial state, which it declares instead.
   *
   * @param loading those that say so themselves
   */
  private History withoutLoaders(HistoryBuilder builder, BitSet loading) throws ParseException {
    Object session = header == null ? null : header.loader();
    if (loading.isEmpty() && session == null && loaders == null) {
      begun |= builder.transactionCount() > 0;
      builder.nameAfter(places);
      return builder.build();
    }
    History all = builder.build();
    for (int txn = 0; session != null && txn < all.transactionCount(); txn++) {
      if (session.equals(all.sessionName(all.session(txn)))) {
        loading.set(txn);
      }
    }
    // What a loader rolled back is a transaction like any other.
    for (int txn = loading.nextSetBit(0); txn >= 0; txn = loading.nextSetBit(txn + 1)) {
      if (all.outcome(txn) == Outcome.ABORTED) {
        loading.clear(txn);
      }
    }
    if (!loading.isEmpty()) {
      keep(all, loading);
    }
    begun |= loading.cardinality() < all.transactionCount();
    HistoryBuilder loaded = builder();
    if (loaders != null) {
      OperationCopy copy = new OperationCopy(loaders, loaded);
      for (int txn = 0; txn < loaders.transactionCount(); txn++) {
        loaded.loader(add(loaders, txn, copy, loaded));
      }
    }
    all.metadata().forEach(loaded::metadata);
    copyInto(loaded, all, loading);
    loaded.nameAfter(places);
    return loaded.build();
  }

  private void keep(History all, BitSet loading) throws ParseException {
    int first = loading.nextSetBit(0);
    if (begun) {
      throw ParseException.atLine(
          name,
          all.position(first),
          ParseException.NONE,
          "a transaction that loads the initial state, after a piece with others",
          "the loader at the beginning of the file",
          "a history with its loader elsewhere can only be read as a whole");
    }
    HistoryBuilder kept = new HistoryBuilder();
    if (loaders != null) {
      copyInto(kept, loaders, new BitSet());
    }
    BitSet others = new BitSet();
    others.set(0, all.transactionCount());
    others.andNot(loading);
    copyInto(kept, all, others);
    loaders = kept.build();
  }

  /** Adds the transactions of a history, but for some. */
  private static void copyInto(HistoryBuilder builder, History history, BitSet without) {
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!without.get(txn)) {
        add(history, txn, copy, builder);
      }
    }
  }

  private static int add(History history, int from, OperationCopy copy, HistoryBuilder builder) {
    int txn = copy.begin(from);
    builder.id(txn, builder.scalars().of(history.ownId(from)));
    for (int op = history.firstOp(from); op < history.endOp(from); op = history.nextOp(op)) {
      copy.add(op);
    }
    return txn;
  }
}
