package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The version order by each source, as edges between versions of {@link RegisterInteractions},
 * labelled with the key and marked with a reason. Sizes are linear in the history, except for
 * versions that overlapped in time: each is ordered after each of those before.
 */
final class VersionSources {
  /** Maximum number of edges per version; beyond it the real-time order of a key is not listed. */
  private static final int MAX_EDGES_PER_VERSION = 128;

  /** Maximum number of versions of a key that have one number and are ordered among the others. */
  private static final int MAX_OF_ONE_NUMBER = 64;

  private static final int NONE = RegisterInteractions.NONE;

  private final History history;
  private final RegisterInteractions interactions;
  private final EdgeList reasons;
  private final List<VersionCycle> ownCycles = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private boolean sharedNumbers;

  VersionSources(History history, RegisterInteractions interactions, EdgeList reasons) {
    this.history = history;
    this.interactions = interactions;
    this.reasons = reasons;
  }

  /** Cycles within the last source, for the caller to report. */
  List<VersionCycle> ownCycles() {
    return ownCycles;
  }

  List<String> notes() {
    return notes;
  }

  private int addReason(Reason.Source source, int earlier, int later) {
    reasons.add(earlier, later, source.ordinal(), 0);
    return reasons.size() - 1;
  }

  EdgeList initial() {
    EdgeList edges = new EdgeList();
    for (int key = 0; key < interactions.keyCount(); key++) {
      int initial = interactions.firstVersion[key];
      for (int v = initial + 1; v < interactions.firstVersion[key + 1]; v++) {
        int reason = addReason(Reason.Source.INITIAL, NONE, interactions.writeOf(v));
        edges.add(initial, v, key, reason);
      }
    }
    return edges;
  }

  /** Versions in the order of their numbers; those without one, or with the same, have no order. */
  EdgeList versionNumbers() {
    EdgeList edges = new EdgeList();
    int unused = 0;
    for (int key = 0; key < interactions.keyCount(); key++) {
      IntList numbered = new IntList();
      for (int v = interactions.firstVersion[key] + 1;
          v < interactions.firstVersion[key + 1];
          v++) {
        if (history.values().isVersioned(history.value(interactions.writeOf(v)))) {
          numbered.add(v);
        }
      }
      int[] ordered = Sorted.by(numbered.toArray(), this::versionNumber);
      int[] before = {};
      int from = 0;
      while (from < ordered.length) {
        int to = from + 1;
        while (to < ordered.length && versionNumber(ordered[to]) == versionNumber(ordered[from])) {
          to++;
        }
        if (to - from > MAX_OF_ONE_NUMBER) {
          unused++;
        } else {
          int[] next = Arrays.copyOfRange(ordered, from, to);
          linkNumbered(edges, key, before, next);
          before = next;
        }
        noteSharedNumber(ordered, from, to);
        from = to;
      }
    }
    if (unused > 0) {
      notes.add(
          "version numbers that more than %d writes of a key have order nothing"
              .formatted(MAX_OF_ONE_NUMBER));
    }
    return edges;
  }

  private long versionNumber(int version) {
    return history.values().version(history.value(interactions.writeOf(version)));
  }

  private void linkNumbered(EdgeList edges, int key, int[] before, int[] next) {
    for (int v : before) {
      for (int u : next) {
        int earlier = interactions.writeOf(v);
        int reason = addReason(Reason.Source.VERSION_NUMBER, earlier, interactions.writeOf(u));
        edges.add(v, u, key, reason);
      }
    }
  }

  private void noteSharedNumber(int[] ordered, int from, int to) {
    if (to - from > 1 && !sharedNumbers) {
      sharedNumbers = true;
      int first = interactions.writeOf(ordered[from]);
      notes.add(
          "%s and %s both wrote version %d of %s; versions with the same number have no order"
              .formatted(
                  history.label(history.transactionOf(first)),
                  history.label(history.transactionOf(interactions.writeOf(ordered[from + 1]))),
                  versionNumber(ordered[from]),
                  history.keys().text(history.key(first))));
    }
  }

  /** The chains of a certificate; writers that do not count are skipped. */
  EdgeList certificate(VersionCertificate certificate) {
    EdgeList edges = new EdgeList();
    for (VersionCertificate.Chain chain : certificate.chains()) {
      int before = NONE;
      int beforeOp = NONE;
      for (int i = 0; i < chain.size(); i++) {
        int write = chain.write(i);
        int version =
            write == VersionCertificate.INITIAL
                ? interactions.firstVersion[chain.key()]
                : interactions.versionLeftBy(write);
        if (version == NONE || version == before) {
          continue;
        }
        if (before != NONE) {
          int reason = addReason(Reason.Source.CERTIFICATE, beforeOp, write);
          edges.add(before, version, chain.key(), reason);
        }
        before = version;
        beforeOp = write;
      }
    }
    return edges;
  }

  /** Versions in the order of their writers, by the places given here or else in the history. */
  EdgeList transactionOrder(int[] expected) {
    long[] place = new long[history.transactionCount()];
    for (int txn = 0; txn < place.length; txn++) {
      place[txn] = expected.length > 0 ? History.ABSENT : history.serialPosition(txn);
    }
    for (int i = 0; i < expected.length; i++) {
      place[expected[i]] = i;
    }
    return byWriter(Reason.Source.TRANSACTION_ORDER, place);
  }

  EdgeList timestamps() {
    long[] time = new long[history.transactionCount()];
    for (int txn = 0; txn < time.length; txn++) {
      time[txn] = history.commitTs(txn);
    }
    return byWriter(Reason.Source.TIMESTAMPS, time);
  }

  private EdgeList byWriter(Reason.Source source, long[] place) {
    Spans spans = new Spans(interactions.versionCount());
    for (int v = 0; v < interactions.versionCount(); v++) {
      int writer = interactions.writer(v);
      if (writer >= 0) {
        spans.meet(v, interactions.writeOf(v), place[writer], place[writer]);
      }
    }
    return inTime(source, spans);
  }

  EdgeList writesFollowReads() {
    EdgeList edges = new EdgeList();
    for (int key = 0; key < interactions.keyCount(); key++) {
      for (int i = interactions.first[key]; i < interactions.first[key + 1]; i++) {
        int read = interactions.readOp(i);
        int write = interactions.writeOp(i);
        link(edges, Reason.Source.WRITES_FOLLOW_READS, key, i, read, i, write);
      }
    }
    return edges;
  }

  /** Orders the versions of a key as each session accessed them. */
  EdgeList sequentialKeys() {
    EdgeList edges = new EdgeList();
    int[] last = new int[history.sessionCount()];
    Arrays.fill(last, NONE);
    for (int key = 0; key < interactions.keyCount(); key++) {
      for (int i = interactions.first[key]; i < interactions.first[key + 1]; i++) {
        int session = history.session(interactions.txn(i));
        int before = last[session];
        if (before >= interactions.first[key]) {
          linkAll(edges, key, before, i);
        }
        last[session] = i;
      }
    }
    return edges;
  }

  private void linkAll(EdgeList edges, int key, int a, int b) {
    Reason.Source source = Reason.Source.SEQUENTIAL_KEYS;
    link(edges, source, key, a, interactions.readOp(a), b, interactions.readOp(b));
    link(edges, source, key, a, interactions.readOp(a), b, interactions.writeOp(b));
    link(edges, source, key, a, interactions.writeOp(a), b, interactions.readOp(b));
    link(edges, source, key, a, interactions.writeOp(a), b, interactions.writeOp(b));
  }

  /**
   * Orders the version accessed by one interaction before that of another, unless they are the
   * same.
   */
  private void link(
      EdgeList edges, Reason.Source source, int key, int a, int earlier, int b, int later) {
    if (earlier == NONE || later == NONE) {
      return;
    }
    int from = version(a, earlier);
    int to = version(b, later);
    if (from != to) {
      edges.add(from, to, key, addReason(source, earlier, later));
    }
  }

  private int version(int interaction, int op) {
    return op == interactions.readOp(interaction)
        ? interactions.versionRead(interaction)
        : interactions.versionWritten(interaction);
  }

  /**
   * The versions of a linearizable key are current one after another. A transaction that read or
   * wrote a version proves that it existed when the transaction ended and was not yet overwritten
   * when it began. So v comes before u if some transaction that accessed v ended before one that
   * accessed u began; only the first end and the last beginning for each version matter.
   */
  EdgeList linearizableKeys() {
    Spans spans = new Spans(interactions.versionCount());
    for (int key = 0; key < interactions.keyCount(); key++) {
      for (int i = interactions.first[key]; i < interactions.first[key + 1]; i++) {
        int txn = interactions.txn(i);
        long end = history.isAcknowledged(txn) ? history.end(txn) : History.ABSENT;
        if (interactions.readOp(i) != NONE) {
          spans.meet(interactions.versionRead(i), interactions.readOp(i), end, history.start(txn));
        }
        if (interactions.writeOp(i) != NONE) {
          spans.meet(
              interactions.versionWritten(i), interactions.writeOp(i), end, history.start(txn));
        }
      }
    }
    for (int key = 0; key < interactions.keyCount(); key++) {
      // The initial version is before all others anyway.
      spans.end[interactions.firstVersion[key]] = History.ABSENT;
    }
    return inTime(Reason.Source.LINEARIZABLE_KEYS, spans);
  }

  /**
   * For each version the first end and the last beginning of a transaction that accessed it, with
   * the operation.
   */
  private static final class Spans {
    final long[] end;
    final long[] begin;
    final int[] endOp;
    final int[] beginOp;

    Spans(int versions) {
      end = new long[versions];
      begin = new long[versions];
      endOp = new int[versions];
      beginOp = new int[versions];
      Arrays.fill(end, History.ABSENT);
      Arrays.fill(begin, History.ABSENT);
    }

    void meet(int version, int op, long ended, long began) {
      if (ended != History.ABSENT && (end[version] == History.ABSENT || ended < end[version])) {
        end[version] = ended;
        endOp[version] = op;
      }
      if (began != History.ABSENT && began > begin[version]) {
        begin[version] = began;
        beginOp[version] = op;
      }
    }
  }

  private EdgeList inTime(Reason.Source source, Spans spans) {
    EdgeList edges = new EdgeList();
    int unused = 0;
    String example = null;
    for (int key = 0; key < interactions.keyCount(); key++) {
      int first = interactions.firstVersion[key];
      int count = interactions.firstVersion[key + 1] - first;
      if (count < 2) {
        continue;
      }
      IntervalOrder order =
          new IntervalOrder(
              count,
              Arrays.copyOfRange(spans.end, first, first + count),
              Arrays.copyOfRange(spans.begin, first, first + count));
      int[] cycle = order.cycle();
      if (cycle != null) {
        int u = first + cycle[0];
        int v = first + cycle[1];
        ownCycles.add(
            new VersionCycle(
                key, source, List.of(step(source, spans, u, v), step(source, spans, v, u))));
      } else if (order.size() > (long) MAX_EDGES_PER_VERSION * count) {
        unused++;
        example = example == null ? history.keys().text(key) : example;
      } else {
        int ofKey = key;
        order.forEach(
            (v, u) -> {
              int reason = addReason(source, spans.endOp[first + v], spans.beginOp[first + u]);
              edges.add(first + v, first + u, ofKey, reason);
            });
      }
    }
    if (unused > 0) {
      notes.add(
          source.id()
              + " was not used for "
              + (unused == 1 ? "key " : unused + " keys, such as ")
              + example
              + ", where too many versions overlap in time");
    }
    return edges;
  }

  private VersionCycle.Step step(Reason.Source source, Spans spans, int from, int to) {
    return new VersionCycle.Step(
        interactions.writer(from),
        interactions.writer(to),
        new Reason(source, spans.endOp[from], spans.beginOp[to]));
  }
}
