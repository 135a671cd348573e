package dev.assay.check.weak;

import dev.assay.check.Edge;
import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.level.Axiom;
import dev.assay.level.EdgeKind;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Decides whether an {@link Axiom} requires a reader t3 of x to see another writer t2 of x. */
final class AxiomPremises {
  private static final int SMALL = 4;

  /** The reads of transactions with more operations than this are indexed. */
  private static final int WIDE = 256;

  private final Causality causality;
  private final History history;
  private final int wide;

  /** For each transaction the first of each session that reads from it. */
  private Grouping firstReaders;

  /** Transactions that read from others, and all after them in their sessions. */
  private final BitSet hasRead = new BitSet();

  /** The reads of wide transactions; several threads ask. */
  private final Map<Integer, ReadIndex> indexes = new ConcurrentHashMap<>();

  AxiomPremises(Causality causality) {
    this(causality, WIDE);
  }

  /** For tests, with another bound beyond which the reads of a transaction are indexed. */
  AxiomPremises(Causality causality, int wide) {
    this.causality = causality;
    this.history = causality.history();
    this.wide = wide;
  }

  /** Must be called once before testing axioms that depend on earlier reads of a session. */
  void prepareReaders() {
    if (firstReaders != null) {
      return;
    }
    int transactions = causality.transactions();
    Grouping.Builder builder = new Grouping.Builder(transactions);
    int[] lastSession = new int[transactions];
    Arrays.fill(lastSession, Causality.NONE);
    eachFirstReader(lastSession, (writer, txn) -> builder.count(writer));
    int[] reader = new int[builder.total()];
    Arrays.fill(lastSession, Causality.NONE);
    eachFirstReader(lastSession, (writer, txn) -> reader[builder.place(writer)] = txn);
    firstReaders = builder.build(reader);
  }

  private interface Pair {
    void accept(int writer, int reader);
  }

  /** Visits each writer with the first transaction of each session that reads from it. */
  private void eachFirstReader(int[] lastSession, Pair pair) {
    for (int session = 0; session < history.sessionCount(); session++) {
      boolean any = false;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        any |= causality.firstSource(txn) < causality.endSource(txn);
        hasRead.set(txn, any);
        for (int s = causality.firstSource(txn); s < causality.endSource(txn); s++) {
          int writer = causality.source(s);
          if (lastSession[writer] != session) {
            lastSession[writer] = session;
            pair.accept(writer, txn);
          }
        }
      }
    }
  }

  static boolean needsReaders(Axiom axiom) {
    return switch (axiom) {
      case PRAM, MONOTONIC_READS, WRITES_FOLLOW_READS -> true;
      default -> false;
    };
  }

  /** Approximate cost of a {@link #test}, relative to the cheapest. */
  int cost(Axiom axiom, int t3) {
    return switch (axiom) {
      case READ_COMMITTED -> 1 + (history.endOp(t3) - history.firstOp(t3)) / SMALL;
      case MONOTONIC_WRITES, PRAM, WRITES_FOLLOW_READS ->
          1 + (causality.endSource(t3) - causality.firstSource(t3)) / SMALL;
      default -> 1;
    };
  }

  /** Whether t3, reading {@code key} from t1, must see t2. */
  boolean test(Axiom axiom, CausalPast past, int t1, int t2, int t3, int key) {
    return switch (axiom) {
      case CAUSAL -> past.covers(t2) && past.contains(t2, t3);
      case READ_ATOMIC -> causality.precedesInSession(t2, t3) || causality.readsFrom(t3, t2);
      case READ_COMMITTED -> readsBefore(t1, t2, t3, key);
      case READ_YOUR_WRITES -> causality.precedesInSession(t2, t3);
      case MONOTONIC_READS -> sessionHasRead(t2, t3);
      case MONOTONIC_WRITES -> readsLaterInSession(t2, t3);
      case WRITES_FOLLOW_READS ->
          readsFromSessionThatRead(t2, t3) || readThroughWriter(t2, t3) >= 0;
      case PRAM ->
          causality.precedesInSession(t2, t3)
              || readsLaterInSession(t2, t3)
              || sessionHasRead(t2, t3);
    };
  }

  /** Whether t3 reads anything from t2 earlier than some read of the key from t1. */
  private boolean readsBefore(int t1, int t2, int t3, int key) {
    if (!causality.readsFrom(t3, t2)) {
      return false;
    }
    if (isWide(t3)) {
      return firstRead(t2, t3) < lastRead(t1, t3, key);
    }
    boolean seen = false;
    for (int op = history.firstOp(t3); op < history.endOp(t3); op++) {
      int source = causality.sourceOf(op);
      if (seen && source == t1 && history.key(op) == key) {
        return true;
      }
      seen |= source == t2;
    }
    return false;
  }

  private boolean isWide(int txn) {
    return history.endOp(txn) - history.firstOp(txn) > wide;
  }

  private ReadIndex index(int txn) {
    return indexes.computeIfAbsent(txn, t -> new ReadIndex(causality, t));
  }

  /**
   * The steps by which this axiom requires t3, reading {@code key} from t1, to see t2; {@link
   * #test} must be true. Causal order may take many steps and is left to {@link Paths}.
   */
  List<Edge> steps(Axiom axiom, int t1, int t2, int t3, int key) {
    return switch (axiom) {
      case READ_ATOMIC ->
          causality.readsFrom(t3, t2) ? List.of(read(t2, t3)) : List.of(session(t2, t3));
      case READ_COMMITTED -> List.of(read(t2, t3));
      case READ_YOUR_WRITES -> List.of(session(t2, t3));
      case MONOTONIC_READS -> {
        int between = readerInSession(t2, t3);
        yield List.of(read(t2, between), session(between, t3));
      }
      case MONOTONIC_WRITES -> {
        int between = laterSource(t2, t3);
        yield List.of(session(t2, between), read(between, t3));
      }
      case WRITES_FOLLOW_READS -> {
        int last = sourceWhoseSessionRead(t2, t3);
        if (last < 0) {
          int op = readThroughWriter(t2, t3);
          int writer = causality.sourceOf(op);
          yield List.of(read(t2, writer), readAt(op));
        }
        int between = readerInSession(t2, last);
        yield List.of(read(t2, between), session(between, last), read(last, t3));
      }
      case PRAM -> {
        if (causality.precedesInSession(t2, t3)) {
          yield steps(Axiom.READ_YOUR_WRITES, t1, t2, t3, key);
        }
        Axiom other = laterSource(t2, t3) >= 0 ? Axiom.MONOTONIC_WRITES : Axiom.MONOTONIC_READS;
        yield steps(other, t1, t2, t3, key);
      }
      case CAUSAL -> throw new IllegalArgumentException("causal order has any number of steps");
    };
  }

  private static Edge session(int from, int to) {
    return Edge.of(from, to, EdgeKind.SO, -1, -1, -1);
  }

  /** The edge that a transaction read from another: its first such read. */
  Edge read(int from, int to) {
    return readAt(firstRead(from, to));
  }

  private Edge readAt(int op) {
    int from = causality.sourceOf(op);
    int to = history.transactionOf(op);
    return Edge.of(from, to, EdgeKind.WR, history.key(op), causality.sourceOp(op), op);
  }

  /** The first read by t3 of a key other than this one from t2, or −1. */
  int otherKeyRead(int t2, int t3, int key) {
    if (isWide(t3)) {
      return index(t3).otherKeyRead(t2, key);
    }
    for (int op = history.firstOp(t3); op < history.endOp(t3); op++) {
      if (history.key(op) != key && causality.sourceOf(op) == t2) {
        return op;
      }
    }
    return Causality.NONE;
  }

  /** The last read of a key from a transaction (or the initial version) by t3, or −1. */
  int lastRead(int t1, int t3, int key) {
    if (isWide(t3)) {
      return index(t3).lastRead(t1, key);
    }
    for (int op = history.endOp(t3) - 1; op >= history.firstOp(t3); op--) {
      if (history.key(op) == key && causality.sourceOf(op) == t1) {
        return op;
      }
    }
    return Causality.NONE;
  }

  private boolean sessionHasRead(int t2, int t3) {
    return readerInSession(t2, t3) >= 0;
  }

  /** A transaction before t3 in its session that reads from t2, or −1. */
  private int readerInSession(int t2, int t3) {
    int reader = readerIn(history.session(t3), t2);
    return reader >= 0 && causality.precedesInSession(reader, t3) ? reader : Causality.NONE;
  }

  /** The first transaction of a session that reads from t2, or −1. */
  int readerIn(int session, int t2) {
    int low = firstReaders.first(t2);
    int high = firstReaders.end(t2);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (history.session(firstReaders.item(middle)) < session) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    boolean reads =
        low < firstReaders.end(t2) && history.session(firstReaders.item(low)) == session;
    return reads ? firstReaders.item(low) : Causality.NONE;
  }

  /** The first readers of a transaction in each session are those at these places. */
  int firstReader(int txn) {
    return firstReaders.first(txn);
  }

  int endReader(int txn) {
    return firstReaders.end(txn);
  }

  int reader(int place) {
    return firstReaders.item(place);
  }

  /** Whether a transaction reads from one that has read itself, or whose session has before. */
  boolean followsReads(int txn) {
    if (isWide(txn)) {
      return index(txn).readsFromAny(hasRead);
    }
    for (int i = causality.firstSource(txn); i < causality.endSource(txn); i++) {
      if (hasRead.get(causality.source(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean readsLaterInSession(int t2, int t3) {
    return laterSource(t2, t3) >= 0;
  }

  /** A transaction after t2 in its session that t3 reads from, or −1. */
  private int laterSource(int t2, int t3) {
    if (isWide(t3)) {
      int last = index(t3).lastSource(history.session(t2));
      return last >= 0 && causality.precedesInSession(t2, last) ? last : Causality.NONE;
    }
    for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
      if (causality.precedesInSession(t2, causality.source(i))) {
        return causality.source(i);
      }
    }
    return Causality.NONE;
  }

  private boolean readsFromSessionThatRead(int t2, int t3) {
    return sourceWhoseSessionRead(t2, t3) >= 0;
  }

  /** A transaction that t3 reads from and before which its session read from t2, or −1. */
  private int sourceWhoseSessionRead(int t2, int t3) {
    if (isWide(t3)) {
      for (int i = firstReaders.first(t2); i < firstReaders.end(t2); i++) {
        int last = index(t3).lastSource(history.session(firstReaders.item(i)));
        if (last >= 0 && causality.precedesInSession(firstReaders.item(i), last)) {
          return last;
        }
      }
      return Causality.NONE;
    }
    for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
      if (readerInSession(t2, causality.source(i)) >= 0) {
        return causality.source(i);
      }
    }
    return Causality.NONE;
  }

  /** A read by t3 of a write before which the writer had itself read from t2, or −1. */
  private int readThroughWriter(int t2, int t3) {
    if (isWide(t3) && !followsReads(t3)) {
      return Causality.NONE;
    }
    for (int op = history.firstOp(t3); op < history.endOp(t3); op++) {
      int writer = writerRead(op, t3);
      if (writer >= 0 && hadRead(t2, writer, op)) {
        return op;
      }
    }
    return Causality.NONE;
  }

  /** The other transaction, if it counts, that an operation of t3 read from, or −1. */
  int writerRead(int op, int t3) {
    int writer = causality.sourceOf(op);
    boolean other = writer >= 0 && writer != t3 && causality.counts(writer);
    return other ? writer : Causality.NONE;
  }

  /** Whether a transaction had read from t2 before it wrote what an operation read. */
  boolean hadRead(int t2, int writer, int op) {
    return causality.readsFrom(writer, t2) && firstRead(t2, writer) < causality.sourceOp(op);
  }

  /** The first operation of a transaction that read from another one, from which it did read. */
  private int firstRead(int from, int to) {
    if (isWide(to)) {
      return index(to).firstRead(from);
    }
    int op = history.firstOp(to);
    while (causality.sourceOf(op) != from) {
      op++;
    }
    return op;
  }
}
