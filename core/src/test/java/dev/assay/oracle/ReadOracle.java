package dev.assay.oracle;

import dev.assay.level.AnomalyType;
import dev.assay.oracle.Resolution.Source;
import dev.assay.oracle.SmallHistory.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The read-consistency anomalies of levels.md, straight from their definitions.
 *
 * <p>Readings of levels.md that are settled here:
 *
 * <ul>
 *   <li>Only reads of transactions that count as committed are judged.
 *   <li>T⊥ and aborted transactions are "another transaction" for not-my-own-write, and an aborted
 *       transaction's write that is not its last is read both aborted and intermediate; a thin-air
 *       value is of no transaction.
 *   <li>not-my-last-write is about own writes before the read; a later own write is a future read.
 *   <li>Different results are different versions, whoever wrote them.
 *   <li>The version a list read saw is named by its last element. thin-air, aborted and future
 *       reads look at all elements, because each of them was read.
 *   <li>A list read must end in the own appends made since the previous read of the key, in their
 *       order; what else it ends in is not an own write, even if nobody wrote it. What stands
 *       before them must be what the previous read saw: an append is made on a version, so for
 *       lists, unlike registers, an own write in between does not excuse another version.
 *   <li>Two list reads are compatible when one is a prefix of the other, by the appends that they
 *       are said to show: a list has one order of its appends.
 *   <li>A list read is compatible with the appends of a transaction that did not abort when each of
 *       them that it shows stands behind all earlier ones, whoever reads.
 *   <li>dirty-update: in a trace, an aborted element stands before one that counts.
 *   <li>Elements of a set are items of their own, absent or added, so an own addition in between
 *       excuses reads that differ in that element only. A set read is intermediate when it shows
 *       something that another transaction added to the set and lacks something that it added first
 *       at a later place.
 *   <li>duplicate-write: one append, or an element that nobody appended, occurs twice in one read.
 * </ul>
 */
final class ReadOracle {
  /** The anomalies this oracle decides for registers, lists and sets. */
  static final Set<AnomalyType> DECIDED =
      Collections.unmodifiableSet(
          EnumSet.of(
              AnomalyType.THIN_AIR_READ,
              AnomalyType.ABORTED_READ,
              AnomalyType.FUTURE_READ,
              AnomalyType.NOT_MY_OWN_WRITE,
              AnomalyType.NOT_MY_LAST_WRITE,
              AnomalyType.INTERMEDIATE_READ,
              AnomalyType.NON_REPEATABLE_READ,
              AnomalyType.DIRTY_UPDATE,
              AnomalyType.DUPLICATE_WRITE,
              AnomalyType.INCOMPATIBLE_ORDER));

  private final Resolution resolution;
  private final Set<AnomalyType> found = EnumSet.noneOf(AnomalyType.class);

  private ReadOracle(Resolution resolution) {
    this.resolution = resolution;
  }

  /** The anomalies under one choice of writers. */
  static Set<AnomalyType> anomalies(Resolution resolution) {
    return anomalies(resolution, t -> true);
  }

  /** Those that the reads of some transactions show. */
  static Set<AnomalyType> anomalies(Resolution resolution, IntPredicate readers) {
    ReadOracle oracle = new ReadOracle(resolution);
    List<Trace> lists = new ArrayList<>();
    for (int t = 0; t < resolution.history.txns().size(); t++) {
      if (resolution.counts(t) && readers.test(t)) {
        List<Op> ops = resolution.history.txns().get(t).ops();
        for (int i = 0; i < ops.size(); i++) {
          if (ops.get(i) instanceof Op.Read || ops.get(i) instanceof Op.OtherRead) {
            oracle.judgeElements(t, i);
            oracle.judgeIntermediate(t, i);
            oracle.judgeRegister(t, i);
          } else if (ops.get(i) instanceof Op.ListRead read) {
            oracle.judgeElements(t, i);
            oracle.judgeIntermediate(t, i);
            oracle.judgeList(t, i, read);
            oracle.judgeTrace(t, i, read);
            lists.add(oracle.withoutAborted(t, i, read));
          } else if (ops.get(i) instanceof Op.SetRead read) {
            oracle.judgeElements(t, i);
            oracle.judgeSet(t, i, read);
          }
        }
      }
    }
    oracle.judgeOrders(lists);
    return oracle.found;
  }

  /**
   * The anomalies that may be reported: those that are there under every choice of writers, and,
   * where no choice is without an anomaly, those of any choice.
   */
  static Set<AnomalyType> defensible(SmallHistory history) {
    Set<AnomalyType> defensible = EnumSet.noneOf(AnomalyType.class);
    for (Resolution resolution : Resolution.all(history)) {
      Set<AnomalyType> anomalies = anomalies(resolution);
      if (anomalies.isEmpty()) {
        return certain(history);
      }
      defensible.addAll(anomalies);
    }
    return defensible;
  }

  /** The anomalies that are there under every choice of writers. */
  static Set<AnomalyType> certain(SmallHistory history) {
    Set<AnomalyType> certain = EnumSet.allOf(AnomalyType.class);
    Resolution.all(history).forEach(resolution -> certain.retainAll(anomalies(resolution)));
    return certain;
  }

  private void judgeElements(int t, int i) {
    for (Source source : resolution.elements(t, i)) {
      if (source.equals(Source.THIN_AIR)) {
        found.add(AnomalyType.THIN_AIR_READ);
      } else if (resolution.isAborted(source)) {
        found.add(AnomalyType.ABORTED_READ);
      } else if (source.txn() == t && source.op() > i) {
        found.add(AnomalyType.FUTURE_READ);
      }
    }
  }

  /** A register read against the own writes and reads of its key before it. */
  private void judgeRegister(int t, int i) {
    Source version = resolution.version(t, i);
    int lastOwn = lastWrite(t, resolution.op(t, i).key(), i);
    if (version.txn() == t) {
      if (version.op() < lastOwn) {
        found.add(AnomalyType.NOT_MY_LAST_WRITE);
      }
    } else if (lastOwn >= 0 && !version.equals(Source.THIN_AIR)) {
      found.add(AnomalyType.NOT_MY_OWN_WRITE);
    }
    int before = previousRead(t, i);
    if (before > lastOwn && !sameResult(t, before, i)) {
      found.add(AnomalyType.NON_REPEATABLE_READ);
    }
  }

  /** A list read against the own appends and reads of its key before it. */
  private void judgeList(int t, int i, Op.ListRead read) {
    int lastOwn = lastWrite(t, read.key(), i);
    int before = previousRead(t, i);
    List<Source> appended = new ArrayList<>();
    for (int j = before + 1; j < i; j++) {
      if (resolution.op(t, j) instanceof Op.Append append && append.key() == read.key()) {
        appended.add(new Source(t, j));
      }
    }
    List<Source> sources = resolution.elements(t, i);
    int rest = sources.size() - appended.size();
    boolean endsInOwn = rest >= 0 && sources.subList(rest, sources.size()).equals(appended);
    boolean lostOwn = lastOwn >= 0 && !resolution.version(t, i).equals(new Source(t, lastOwn));
    if (!endsInOwn || lostOwn) {
      Source version = resolution.version(t, i);
      found.add(
          version.txn() == t && version.op() < lastOwn
              ? AnomalyType.NOT_MY_LAST_WRITE
              : AnomalyType.NOT_MY_OWN_WRITE);
    }
    if (endsInOwn && before >= 0) {
      Op.ListRead earlier = (Op.ListRead) resolution.op(t, before);
      if (!read.elements().subList(0, rest).equals(earlier.elements())) {
        found.add(AnomalyType.NON_REPEATABLE_READ);
      }
    }
  }

  /** A set read against what its transaction and those it read from did with the set. */
  private void judgeSet(int t, int i, Op.SetRead read) {
    Set<Integer> own = added(t, read.key(), 0, i);
    if (!read.elements().containsAll(own)) {
      found.add(AnomalyType.NOT_MY_OWN_WRITE);
    }
    for (Source source : resolution.elements(t, i)) {
      if (source.isWrite() && source.txn() != t && stopsShort(source, read)) {
        found.add(AnomalyType.INTERMEDIATE_READ);
      }
    }
    for (int j = i - 1; j >= 0; j--) {
      if (resolution.op(t, j) instanceof Op.SetRead before && before.key() == read.key()) {
        Set<Integer> different = new HashSet<>(read.elements());
        different.removeAll(before.elements());
        before.elements().stream()
            .filter(e -> !read.elements().contains(e))
            .forEach(different::add);
        different.removeAll(added(t, read.key(), j, i));
        if (!different.isEmpty()) {
          found.add(AnomalyType.NON_REPEATABLE_READ);
        }
        return;
      }
    }
  }

  /** Whether a set lacks what the transaction of one of its elements added later than that. */
  private boolean stopsShort(Source source, Op.SetRead read) {
    int element = resolution.op(source.txn(), source.op()).written();
    int place = 0;
    while (!added(source.txn(), read.key(), 0, place + 1).contains(element)) {
      place++;
    }
    Set<Integer> later = added(source.txn(), read.key(), place, Integer.MAX_VALUE);
    later.removeAll(added(source.txn(), read.key(), 0, place));
    return !read.elements().containsAll(later);
  }

  /** What a transaction added to a set from one place on and before another. */
  private Set<Integer> added(int t, int key, int from, int to) {
    List<Op> ops = resolution.history.txns().get(t).ops();
    Set<Integer> elements = new HashSet<>();
    for (int i = from; i < Math.min(to, ops.size()); i++) {
      if (ops.get(i) instanceof Op.Add && ops.get(i).key() == key) {
        elements.add(ops.get(i).written());
      }
    }
    return elements;
  }

  private void judgeIntermediate(int t, int i) {
    Source version = resolution.version(t, i);
    int key = resolution.op(t, i).key();
    if (version.isWrite()
        && version.txn() != t
        && version.op() < lastWrite(version.txn(), key, Integer.MAX_VALUE)) {
      found.add(AnomalyType.INTERMEDIATE_READ);
    }
  }

  /**
   * Both the result and who is said to have written it. A condition that failed says nothing of the
   * result but who wrote it.
   */
  private boolean sameResult(int t, int i, int j) {
    boolean condition =
        resolution.op(t, i) instanceof Op.OtherRead || resolution.op(t, j) instanceof Op.OtherRead;
    boolean thinAir = resolution.elements(t, i).contains(Source.THIN_AIR);
    boolean value =
        !thinAir
            && resolution.op(t, i) instanceof Op.Read a
            && resolution.op(t, j) instanceof Op.Read b
            && a.value() == b.value();
    return (condition || value || resolution.op(t, i).equals(resolution.op(t, j)))
        && resolution.elements(t, i).equals(resolution.elements(t, j));
  }

  /** The place of a transaction's last write of a key before a place, or −1. */
  private int lastWrite(int t, int key, int before) {
    List<Op> ops = resolution.history.txns().get(t).ops();
    for (int i = Math.min(before, ops.size()) - 1; i >= 0; i--) {
      if (ops.get(i).isWrite() && ops.get(i).key() == key) {
        return i;
      }
    }
    return -1;
  }

  /** The place of the read of the same key before this read in the same transaction, or −1. */
  private int previousRead(int t, int place) {
    for (int i = place - 1; i >= 0; i--) {
      if (resolution.version(t, i) != null
          && resolution.op(t, i).key() == resolution.op(t, place).key()) {
        return i;
      }
    }
    return -1;
  }

  private void judgeTrace(int t, int i, Op.ListRead read) {
    boolean onAborted = false;
    for (Source source : resolution.elements(t, i)) {
      if (resolution.isAborted(source)) {
        onAborted = true;
      } else if (onAborted && source.isWrite()) {
        found.add(AnomalyType.DIRTY_UPDATE);
      }
    }
    judgeAppendOrder(resolution.elements(t, i), read.key());
    List<Shown> shown = shown(t, i, read);
    if (new HashSet<>(shown).size() < shown.size()) {
      found.add(AnomalyType.DUPLICATE_WRITE);
    }
  }

  /**
   * What a transaction appended shows behind all that it had appended to the list before, unless it
   * had seen the append before it made it: that is a future-read, and when it was made is unclear.
   */
  private void judgeAppendOrder(List<Source> shown, int key) {
    for (Source append : shown) {
      if (resolution.isAborted(append) || isForeseen(append)) {
        continue;
      }
      for (int i = 0; i < append.op(); i++) {
        boolean earlier =
            resolution.op(append.txn(), i) instanceof Op.Append
                && resolution.op(append.txn(), i).key() == key;
        if (earlier
            && !shown.subList(0, shown.indexOf(append)).contains(new Source(append.txn(), i))) {
          found.add(AnomalyType.INCOMPATIBLE_ORDER);
        }
      }
    }
  }

  private boolean isForeseen(Source append) {
    for (int i = 0; i < append.op(); i++) {
      if (resolution.op(append.txn(), i) instanceof Op.ListRead
          && resolution.elements(append.txn(), i).contains(append)) {
        return true;
      }
    }
    return false;
  }

  /** An element of a list, and who is said to have appended it. */
  private record Shown(Source source, int element) {}

  private record Trace(int key, List<Shown> shown) {}

  private List<Shown> shown(int t, int i, Op.ListRead read) {
    List<Source> sources = resolution.elements(t, i);
    List<Shown> shown = new ArrayList<>();
    for (int place = 0; place < sources.size(); place++) {
      shown.add(new Shown(sources.get(place), read.elements().get(place)));
    }
    return shown;
  }

  /** Aborted transactions count only as the source of aborted reads and dirty updates. */
  private Trace withoutAborted(int t, int i, Op.ListRead read) {
    List<Shown> lasting = shown(t, i, read);
    lasting.removeIf(one -> resolution.isAborted(one.source));
    return new Trace(read.key(), lasting);
  }

  private void judgeOrders(List<Trace> reads) {
    for (Trace a : reads) {
      for (Trace b : reads) {
        int common = Math.min(a.shown.size(), b.shown.size());
        boolean compatible = a.shown.subList(0, common).equals(b.shown.subList(0, common));
        if (a.key == b.key && !compatible) {
          found.add(AnomalyType.INCOMPATIBLE_ORDER);
        }
      }
    }
  }
}
