package dev.assay.check.mixed;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.graph.RealTimeChain;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * A history of registers that has snapshot isolation exactly if each transaction of the original
 * has the level that it ran at. Every transaction becomes one or two, its parts:
 *
 * <ul>
 *   <li>at snapshot isolation, itself;
 *   <li>at a prefix level, its reads and then its writes, so that other writers may come between;
 *   <li>at a serial level, itself, and after it the reads of the keys that it does not write once
 *       more. What overwrites these must come later than the repeated reads, and so later than the
 *       commit, instead of merely later than the begin;
 *   <li>at a level with an axiom, its writes. What its reads imply is known: {@link Links}.
 * </ul>
 *
 * A link becomes a key that one writes and the other reads. Real time is a chain of transactions
 * that do nothing else.
 */
final class Parts {
  /** For operations that are not links. */
  static final int NO_LINK = -1;

  /** For the link between the parts of one transaction, and those of the chain of real time. */
  static final int OWN_LINK = -2;

  private static final BitSet NOTHING = new BitSet();

  private final History history;
  private final ReadsFrom reads;
  private final Promises promises;
  private final Links links;
  private final Rewriting.Builder builder;

  /** For each operation of the result the link that it stands for. */
  private final IntList linkOf = new IntList();

  /** Transactions that come first in some link. */
  private final BitSet first = new BitSet();

  private final Grouping bySecond;
  private final EdgeList ended = new EdgeList();
  private final EdgeList began = new EdgeList();
  private int instants;
  private final Rewriting rewriting;

  Parts(History history, ReadsFrom reads, Promises promises, Links links) {
    this.history = history;
    this.reads = reads;
    this.promises = promises;
    this.links = links;
    this.builder = new Rewriting.Builder(history);
    this.bySecond = links.bySecond(history.transactionCount());
    for (int link = 0; link < links.size(); link++) {
      first.set(links.first(link));
    }
    if (promises.needRealTime()) {
      chainRealTime();
    }
    Grouping instantsBefore = Grouping.of(history.transactionCount(), began.size(), began::to);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (reads.counts(txn)) {
        add(txn, instantsBefore);
      }
    }
    addInstants();
    rewriting = builder.build();
  }

  Rewriting rewriting() {
    return rewriting;
  }

  /** The link that an operation of the rewritten history stands for, or another constant. */
  int link(int rewrittenOp) {
    return rewrittenOp < 0 ? NO_LINK : linkOf.get(rewrittenOp);
  }

  // ---- real time

  private void chainRealTime() {
    int[] counting = IntStream.range(0, history.transactionCount()).filter(reads::counts).toArray();
    int[] beginning =
        Arrays.stream(counting)
            .filter(txn -> promises.of(txn).needsRealTime() && history.start(txn) != History.ABSENT)
            .toArray();
    int[] ending =
        Arrays.stream(counting).filter(txn -> history.knownEnd(txn) != History.ABSENT).toArray();
    RealTimeChain.build(
        beginning,
        history::start,
        ending,
        history::knownEnd,
        new RealTimeChain.Sink() {
          @Override
          public int instant(int before) {
            return instants++;
          }

          @Override
          public void ended(int txn, int instant) {
            first.set(txn);
            ended.add(txn, instant, 0, 0);
          }

          @Override
          public void began(int instant, int txn) {
            began.add(instant, txn, 0, 0);
          }
        });
  }

  private void addInstants() {
    if (instants == 0) {
      return;
    }
    Grouping byInstant = Grouping.of(instants, ended.size(), ended::to);
    int session = builder.history().session(unusedName());
    for (int instant = 0; instant < instants; instant++) {
      builder.beginOther(session);
      write(instantKey(instant), instant);
      if (instant > 0) {
        readLink(instantKey(instant - 1), instant - 1, OWN_LINK);
      }
      for (int i = byInstant.first(instant); i < byInstant.end(instant); i++) {
        int txn = ended.from(byInstant.item(i));
        readLink(commitKey(txn), txn, OWN_LINK);
      }
    }
  }

  private String unusedName() {
    String name = "real time";
    for (int session = 0; session < history.sessionCount(); session++) {
      // A name that is longer than all others is not among them.
      name += " ".repeat(Math.max(0, history.sessionText(session).length() - name.length() + 1));
    }
    return name;
  }

  // ---- a transaction

  private void add(int txn, Grouping instantsBefore) {
    Promises.Kind kind = promises.kind(txn);
    boolean writes = hasWrites(txn);
    boolean splits = kind == Promises.Kind.PREFIX && writes && readsOthers(txn, NOTHING);
    builder.beginCommitted(txn);
    for (int i = instantsBefore.first(txn); i < instantsBefore.end(txn); i++) {
      int instant = began.from(instantsBefore.item(i));
      readLink(instantKey(instant), instant, OWN_LINK);
    }
    if (kind.compareTo(Promises.Kind.PREFIX) >= 0) {
      addReads(txn, NOTHING);
    }
    if (splits) {
      write(splitKey(txn), txn);
      builder.beginCommitted(txn);
      readLink(splitKey(txn), txn, OWN_LINK);
    }
    for (int i = bySecond.first(txn); i < bySecond.end(txn); i++) {
      int link = bySecond.item(i);
      readLink(commitKey(links.first(link)), links.first(link), link);
    }
    addWrites(txn);
    BitSet written = kind == Promises.Kind.SERIAL && writes ? keysWritten(txn) : null;
    boolean repeats = written != null && readsOthers(txn, written);
    if (first.get(txn) || repeats) {
      write(commitKey(txn), txn);
    }
    if (repeats) {
      builder.beginCommitted(txn);
      readLink(commitKey(txn), txn, OWN_LINK);
      addReads(txn, written);
    }
  }

  private boolean hasWrites(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite()) {
        return true;
      }
    }
    return false;
  }

  private BitSet keysWritten(int txn) {
    BitSet keys = new BitSet();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite()) {
        keys.set(history.key(op));
      }
    }
    return keys;
  }

  /** Whether a transaction reads from others, other keys than these. */
  private boolean readsOthers(int txn, BitSet without) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (isRead(op, txn) && !without.get(history.key(op))) {
        return true;
      }
    }
    return false;
  }

  /** Whether an operation read the initial version or one of another transaction. */
  private boolean isRead(int op, int txn) {
    if (history.kind(op).isWrite()) {
      return false;
    }
    int write = reads.versionSource(op);
    return write == ReadsFrom.INITIAL || (write >= 0 && history.transactionOf(write) != txn);
  }

  private void addReads(int txn, BitSet without) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (isRead(op, txn) && !without.get(history.key(op))) {
        int write = reads.versionSource(op);
        builder.from(op);
        long seen = write < 0 ? RawScalars.NIL : history.transactionOf(write);
        put(OpKind.READ, history.key(op), seen, NO_LINK);
      }
    }
  }

  private void addWrites(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite() && history.lastWrite(txn, history.key(op)) == op) {
        builder.from(op);
        put(OpKind.WRITE, history.key(op), txn, NO_LINK);
      }
    }
  }

  private void write(long key, int value) {
    builder.from(Rewriting.NO_OPERATION);
    put(OpKind.WRITE, key, value, OWN_LINK);
  }

  private void readLink(long key, int value, int link) {
    builder.from(Rewriting.NO_OPERATION);
    put(OpKind.READ, key, value, link);
  }

  private void put(OpKind kind, long key, long value, int link) {
    linkOf.add(link);
    builder.history().op(kind, key, value);
  }

  // Keys that the original does not have.

  private long commitKey(int txn) {
    return -1L - txn;
  }

  private long splitKey(int txn) {
    return commitKey(txn) - history.transactionCount();
  }

  private long instantKey(int instant) {
    return splitKey(instant) - history.transactionCount();
  }
}
