package dev.assay.check.mixed;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.graph.TopologicalOrder;
import dev.assay.history.History;
import dev.assay.level.Axiom;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * What transactions at levels with an {@link Axiom} must see. A reader t3 of x from t1 that must
 * see t2, which also wrote x, shows that t2 comes before t1. Of a session only the last such writer
 * is named: the others come before it.
 */
final class SeenWriters {
  private static final int NONE = -1;

  /** Maximum number of entries of all clocks, which causal order needs. */
  private static final long MAX_CLOCKS = 1L << 27;

  private final History history;
  private final ReadsFrom reads;
  private final Promises promises;
  private final Links links;

  /** The reads of initial versions that missed a writer they must see, and these. */
  private final IntList missing = new IntList();

  private final IntList missed = new IntList();

  /** For each transaction and session the number of that session's transactions before it. */
  private int[] clocks;

  private Grouping writersOfKey;

  SeenWriters(History history, ReadsFrom reads, Promises promises, Links links) {
    this.history = history;
    this.reads = reads;
    this.promises = promises;
    this.links = links;
  }

  /** Finds them; false if causal order would take too much memory. */
  boolean find() {
    boolean causal = promises.used().stream().anyMatch(level -> level.axiom() == Axiom.CAUSAL);
    if (causal && !makeClocks()) {
      return false;
    }
    int[] lastWriter = new int[history.keys().count()];
    int[] ofSession = new int[lastWriter.length];
    Arrays.fill(ofSession, NONE);
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        if (reads.counts(txn)) {
          findSeenBy(txn, lastWriter, ofSession);
          for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
            if (history.kind(op).isWrite()) {
              lastWriter[history.key(op)] = txn;
              ofSession[history.key(op)] = session;
            }
          }
        }
      }
    }
    return true;
  }

  private void findSeenBy(int reader, int[] lastWriter, int[] ofSession) {
    Axiom axiom = promises.of(reader).axiom();
    if (axiom == null) {
      return;
    }
    IntList sources = new IntList();
    if (axiom == Axiom.READ_ATOMIC) {
      for (int op = history.firstOp(reader); op < history.endOp(reader); op++) {
        addSource(sources, writer(op, reader));
      }
    }
    for (int op = history.firstOp(reader); op < history.endOp(reader); op++) {
      int source = writer(op, reader);
      if (source == reader || source < ReadsFrom.INITIAL) {
        continue;
      }
      int key = history.key(op);
      if (axiom == Axiom.CAUSAL) {
        findInPast(reader, op);
      } else {
        for (int i = 0; i < sources.size(); i++) {
          sees(sources.get(i), op, source);
        }
      }
      if (axiom == Axiom.READ_ATOMIC && ofSession[key] == history.session(reader)) {
        sees(lastWriter[key], op, source);
      }
      addSource(sources, source);
    }
  }

  private static void addSource(IntList sources, int source) {
    if (source >= 0) {
      sources.add(source);
    }
  }

  /** The transaction that an operation read from, itself included; negative if there is none. */
  private int writer(int op, int reader) {
    int write = history.kind(op).isWrite() ? ReadsFrom.NONE : reads.versionSource(op);
    return write >= 0 ? history.transactionOf(write) : write;
  }

  /** The reader of an operation must see a transaction: if that wrote the key, it is earlier. */
  private void sees(int seen, int op, int source) {
    int reader = history.transactionOf(op);
    if (seen == source || seen == reader || history.lastWrite(seen, history.key(op)) < 0) {
      return;
    }
    if (source == ReadsFrom.INITIAL) {
      missing.add(op);
      missed.add(seen);
    } else {
      links.add(seen, source, Links.Why.SEEN, op);
    }
  }

  /** Reads of initial versions that must see a writer of their key. */
  int missingReads() {
    return missing.size();
  }

  int missingRead(int i) {
    return missing.get(i);
  }

  int missedWriter(int i) {
    return missed.get(i);
  }

  // ---- causal order

  /** Computes what precedes what by sessions and reads; leaves it out if that has a cycle. */
  private boolean makeClocks() {
    int sessions = history.sessionCount();
    int transactions = history.transactionCount();
    if ((long) sessions * transactions > MAX_CLOCKS) {
      return false;
    }
    EdgeList edges = causalEdges();
    int[] order =
        TopologicalOrder.of(
            Digraph.predecessors(transactions, edges), TopologicalOrder.natural(transactions));
    writersOfKey = writersOfKey();
    if (order == null) {
      return true;
    }
    Digraph before = Digraph.predecessors(transactions, edges);
    clocks = new int[sessions * transactions];
    for (int txn : order) {
      for (int i = before.first(txn); i < before.end(txn); i++) {
        int earlier = before.neighbour(i);
        for (int session = 0; session < sessions; session++) {
          int known = Math.max(clock(txn, session), clock(earlier, session));
          clocks[txn * sessions + session] = known;
        }
        int own = txn * sessions + history.session(earlier);
        clocks[own] = Math.max(clocks[own], history.placeInSession(earlier) + 1);
      }
    }
    return true;
  }

  private int clock(int txn, int session) {
    return clocks[txn * history.sessionCount() + session];
  }

  /** Steps of session order, labelled −1, and of reads, labelled with the operation. */
  EdgeList causalEdges() {
    EdgeList edges = new EdgeList();
    for (int session = 0; session < history.sessionCount(); session++) {
      int previous = NONE;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        if (!reads.counts(txn)) {
          continue;
        }
        if (previous != NONE) {
          edges.add(previous, txn, NONE, 0);
        }
        previous = txn;
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int source = promises.ignoresReads(txn) ? NONE : writer(op, txn);
          if (source >= 0 && source != txn) {
            edges.add(source, txn, op, 0);
          }
        }
      }
    }
    return edges;
  }

  /** The writers of each key, session by session, in session order. */
  private Grouping writersOfKey() {
    IntList keys = new IntList();
    IntList writers = new IntList();
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
          if (history.kind(op).isWrite()) {
            keys.add(history.key(op));
            writers.add(txn);
          }
        }
      }
    }
    return Grouping.of(history.keys().count(), keys, writers);
  }

  /** The last writer of the key in each session, of those that precede the reader causally. */
  private void findInPast(int reader, int op) {
    int key = history.key(op);
    int source = writer(op, reader);
    int last = NONE;
    for (int i = writersOfKey.first(key); clocks != null && i < writersOfKey.end(key); i++) {
      int writer = writersOfKey.item(i);
      if (last != NONE && history.session(last) != history.session(writer)) {
        sees(last, op, source);
        last = NONE;
      }
      if (history.placeInSession(writer) < clock(reader, history.session(writer))) {
        last = writer;
      }
    }
    if (last != NONE) {
      sees(last, op, source);
    }
  }
}
