package dev.assay.check.weak;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.level.Axiom;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Of the writers that a reader must see, those from which the others follow: the last of each
 * session, because what precedes it there precedes it in every commit order, and every writer that
 * the reader itself read from, because these are separate anomaly types.
 */
final class LastWriters {
  /** Transactions with more sources than this are processed in one pass, if candidates are few. */
  private static final int WIDE = 4;

  private final Causality causality;
  private final AxiomPremises premises;
  private final History history;
  private final CommitOrder order;
  private final boolean circular;
  private final KeyWriters writers;
  private final Extent extent;
  private final WideReads wide;

  private KeyAccess part;
  private int index;

  /**
   * For each read of the key the place in its session of the read before, or −1; null if unknown.
   */
  private int[] readBefore;

  // The current read and the relevant writers.
  private Axiom axiom;
  private CausalPast past;
  private int t1;
  private int t3;
  private int lowest;
  private int end;

  /** For the key, once enough of its writers were tested one by one; otherwise null. */
  private FirstReads firstReads;

  private long testedWriters;

  private int lastSourcesOf = Causality.NONE;
  private int[] lastSources;

  private int[] bound = new int[64];
  private int size;
  private long tests;

  /**
   * For one thread.
   *
   * @param circular whether causal order has cycles
   */
  LastWriters(
      Causality causality,
      AxiomPremises premises,
      CommitOrder order,
      boolean circular,
      KeyWriters writers,
      Extent extent) {
    this.causality = causality;
    this.premises = premises;
    this.history = causality.history();
    this.order = order;
    this.circular = circular;
    this.writers = writers;
    this.extent = extent;
    this.wide = new WideReads(causality);
  }

  /** Begins a key whose writers are loaded. */
  void begin(KeyAccess ofPart, int k) {
    part = ofPart;
    index = k;
    readBefore = null;
    firstReads = null;
    testedWriters = 0;
  }

  /**
   * Adds the edges for a read.
   *
   * @return the number of tests
   */
  long find(Axiom byAxiom, CausalPast byPast, int read, int fromRank, int toRank, EdgeList found) {
    axiom = byAxiom;
    past = byPast;
    t1 = part.source(read);
    t3 = part.reader(read);
    lowest = fromRank;
    end = toRank;
    size = 0;
    tests = 1;
    int first = writers.firstAtOrAfter(lowest);
    int last = writers.firstAtOrAfter(end);
    if (last - first <= extent.few()) {
      testAll(first, last);
    } else {
      look(read, first, last);
    }
    Arrays.sort(bound, 0, size);
    int added = 0;
    for (int i = size - 1; i >= 0 && added < extent.perRead(); i--) {
      if (i == size - 1 || bound[i] != bound[i + 1]) {
        found.add(bound[i], t1, t3, part.key(index));
        added++;
      }
    }
    return tests;
  }

  private void look(int read, int first, int last) {
    switch (axiom) {
      case READ_COMMITTED -> readEarlier();
      case READ_ATOMIC -> {
        readByReader(read, first, last);
        inOwnSession();
      }
      case READ_YOUR_WRITES -> inOwnSession();
      case MONOTONIC_WRITES -> inSessionsReadFrom();
      case MONOTONIC_READS -> readBySession(read, first, last);
      case PRAM -> {
        inOwnSession();
        inSessionsReadFrom();
        readBySession(read, first, last);
      }
      case WRITES_FOLLOW_READS -> {
        if (premises.followsReads(t3)) {
          readBySources(first, last);
        }
      }
      case CAUSAL -> {
        readByReader(read, first, last);
        inAnySession(first, last);
      }
    }
  }

  private void testAll(int first, int last) {
    // Of many writers, those next to the source are the most useful.
    for (int w = first; w < last && size < extent.perRead(); w++) {
      int t2 = order.at(writers.rank(w));
      tests++;
      if (premises.test(axiom, past, t1, t2, t3, part.key(index))) {
        keep(t2);
      }
    }
  }

  private void keep(int t2) {
    if (t2 == t1 || t2 == t3) {
      return;
    }
    if (size == bound.length) {
      bound = Arrays.copyOf(bound, size * 2);
    }
    bound[size++] = t2;
  }

  private boolean isCandidate(int txn) {
    int rank = order.rank(txn);
    return rank >= lowest && rank < end && writers.contains(rank);
  }

  /**
   * Adds the transactions that the reader itself read from. If it read the key from several, these
   * must precede each other, which is reported once for each; nothing else matters then.
   */
  private void readByReader(int read, int first, int last) {
    int other = otherSource(read);
    if (!circular && other >= 0 && other != t1 && order.rank(other) >= 0) {
      if (isCandidate(other)) {
        keep(other);
      }
      return;
    }
    if (last - first < sources()) {
      for (int w = first; w < last; w++) {
        tests++;
        if (causality.readsFrom(t3, order.at(writers.rank(w)))) {
          keep(order.at(writers.rank(w)));
        }
      }
      return;
    }
    for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
      tests++;
      if (isCandidate(causality.source(i))) {
        keep(causality.source(i));
      }
    }
  }

  private int sources() {
    return causality.endSource(t3) - causality.firstSource(t3);
  }

  /** The cyclically previous source of the key among those of the reader, or NONE. */
  private int otherSource(int read) {
    if (read > part.firstRead(index) && part.reader(read - 1) == t3) {
      return part.source(read - 1);
    }
    int end = read;
    while (end + 1 < part.endRead(index) && part.reader(end + 1) == t3) {
      end++;
    }
    return end == read ? ReadsFrom.NONE : part.source(end);
  }

  /**
   * Adds the transactions that the reader read from before it read the key from t1. If it read the
   * key from s in between, all that it had read until then must precede s, and s must precede t1.
   */
  private void readEarlier() {
    if (circular || sources() <= WIDE * extent.few()) {
      for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
        int t2 = causality.source(i);
        tests += history.endOp(t3) - history.firstOp(t3);
        if (isCandidate(t2) && premises.test(axiom, past, t1, t2, t3, part.key(index))) {
          keep(t2);
        }
      }
      return;
    }
    wide.load(t3, part.key(index));
    int until = wide.lastRead(t1);
    int since = history.firstOp(t3);
    int before = wide.readBefore(until, t1);
    if (before >= 0) {
      since = wide.operation(before);
      if (wide.source(before) >= 0 && isCandidate(wide.source(before))) {
        keep(wide.source(before));
      }
    }
    for (int i = wide.firstSource(since); i < wide.sources(); i++) {
      if (wide.firstRead(i) >= until) {
        break;
      }
      tests++;
      if (isCandidate(wide.sourceAt(i))) {
        keep(wide.sourceAt(i));
      }
    }
  }

  private void inOwnSession() {
    lastOf(history.session(t3), t2 -> causality.precedesInSession(t2, t3));
  }

  private void inSessionsReadFrom() {
    for (int source : lastSources()) {
      lastOf(history.session(source), t2 -> causality.precedesInSession(t2, source));
    }
  }

  /**
   * Adds the first writers from which a source of the reader, or its session before, had read: the
   * same as {@link #testAll}.
   */
  private void readBySources(int first, int last) {
    testedWriters += last - first;
    int operations = history.endOp(t3) - history.firstOp(t3);
    if (testedWriters <= writers.size() || operations > WIDE * (last - first)) {
      testAll(first, last);
      return;
    }
    if (firstReads == null) {
      firstReads = new FirstReads(history, premises, order, writers);
    }
    IntList found = new IntList();
    for (int source : lastSources()) {
      int group = firstReads.group(history.session(source));
      int place = history.placeInSession(source);
      int w = group < 0 ? last : firstReads.next(group, first, place);
      // The source and the reader may be among them, and do not count.
      for (int i = 0; w < last && i < 2L + extent.perRead(); i++) {
        found.add(w);
        w = firstReads.next(group, w + 1, place);
        tests++;
      }
    }
    for (int op = history.firstOp(t3); op < history.endOp(t3); op++) {
      int writer = premises.writerRead(op, t3);
      int end = writer < 0 ? 0 : causality.endSource(writer);
      for (int i = writer < 0 ? 0 : causality.firstSource(writer); i < end; i++) {
        int t2 = causality.source(i);
        tests++;
        if (isCandidate(t2) && premises.hadRead(t2, writer, op)) {
          found.add(writers.firstAtOrAfter(order.rank(t2)));
        }
      }
    }
    found.sortDistinct();
    for (int i = 0; i < found.size() && size < extent.perRead(); i++) {
      keep(order.at(writers.rank(found.get(i))));
    }
  }

  /** Of the sources of the reader the last of each session. */
  private int[] lastSources() {
    if (lastSourcesOf != t3) {
      lastSourcesOf = t3;
      lastSources = findLastSources();
    }
    return lastSources;
  }

  private int[] findLastSources() {
    long[] places = new long[sources()];
    for (int i = 0; i < places.length; i++) {
      int source = causality.source(causality.firstSource(t3) + i);
      places[i] = ((long) history.session(source) << 32) | history.placeInSession(source);
    }
    Arrays.sort(places);
    int[] found = new int[places.length];
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      if (i + 1 == places.length || places[i] >> 32 != places[i + 1] >> 32) {
        found[count++] = history.sessionTransaction((int) (places[i] >> 32), (int) places[i]);
      }
    }
    return Arrays.copyOf(found, count);
  }

  private void inAnySession(int first, int last) {
    writers.group(history, order);
    if (writers.sessions() > last - first) {
      testAll(first, last);
      return;
    }
    for (int group = 0; group < writers.sessions() && size < extent.perRead(); group++) {
      int any = order.at(writers.inGroup(writers.first(group)));
      if (past.covers(any)) {
        lastOfGroup(group, t2 -> past.contains(t2, t3));
      }
    }
  }

  private void lastOf(int session, IntPredicate precedes) {
    writers.group(history, order);
    int group = writers.groupOf(session);
    if (group >= 0) {
      lastOfGroup(group, precedes);
    }
  }

  /**
   * If a writer precedes, all writers before it in its session do too, so binary search finds the
   * last.
   */
  private void lastOfGroup(int group, IntPredicate precedes) {
    int low = writers.first(group);
    int high = writers.end(group);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int rank = writers.inGroup(middle);
      tests++;
      if (rank < end && precedes.test(order.at(rank))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low > writers.first(group) && writers.inGroup(low - 1) >= lowest) {
      keep(order.at(writers.inGroup(low - 1)));
    }
  }

  /**
   * Adds what the reader's session read before. If it read the key before, from s, then all that it
   * had read until then must precede s, and s must precede t1; so only what it has read since
   * matters.
   */
  private void readBySession(int read, int first, int last) {
    int session = history.session(t3);
    int place = history.placeInSession(t3);
    int since = Math.max(before(read), 0);
    if (circular || place - since > last - first) {
      testAll(first, last);
      return;
    }
    for (int i = since; i < place; i++) {
      int reader = history.sessionTransaction(session, i);
      for (int s = causality.firstSource(reader); s < causality.endSource(reader); s++) {
        tests++;
        if (isCandidate(causality.source(s))) {
          keep(causality.source(s));
        }
      }
    }
  }

  /** The place in the reader's session of the last transaction before that read the key, or −1. */
  private int before(int read) {
    int from = part.firstRead(index);
    if (readBefore == null) {
      int count = part.endRead(index) - from;
      readBefore = new int[count];
      long[] sorted = new long[count];
      int counted = 0;
      for (int i = 0; i < count; i++) {
        int source = part.source(from + i);
        boolean counts =
            causality.counts(part.reader(from + i))
                && (source == ReadsFrom.INITIAL || causality.counts(source));
        if (counts) {
          int reader = part.reader(from + i);
          sorted[counted++] =
              ((long) history.session(reader) << 32) | history.placeInSession(reader);
        }
      }
      Arrays.sort(sorted, 0, counted);
      int distinct = 0;
      for (int i = 0; i < counted; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
          sorted[distinct++] = sorted[i];
        }
      }
      for (int i = 0; i < count; i++) {
        readBefore[i] = before(sorted, distinct, part.reader(from + i));
      }
    }
    return readBefore[read - from];
  }

  private int before(long[] sorted, int counted, int reader) {
    long session = (long) history.session(reader) << 32;
    int at = Arrays.binarySearch(sorted, 0, counted, session | history.placeInSession(reader));
    at = at < 0 ? -at - 1 : at;
    return at > 0 && sorted[at - 1] >= session ? (int) sorted[at - 1] : -1;
  }
}
