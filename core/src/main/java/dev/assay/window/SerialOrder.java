package dev.assay.window;

import dev.assay.check.Budget;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.Set;

/**
 * The transactions of a window, run one after another: of those that see what they saw, the next is
 * the first in candidate order that replaces nothing that others have still to see. Where they have
 * run in this way up to a cut, and all those before the cut and no others have, their order proves
 * what no search needs to find any more.
 *
 * <p>Of two writers of a register the wrong one may come first. That shows when no transaction can
 * run; then all begins again, with the other one first.
 */
final class SerialOrder implements LastVersions {
  /** Maximum number of times to begin again. */
  private static final int MOST_ATTEMPTS = 24;

  /** Maximum number of transactions that cannot run yet. */
  private static final int MOST_DEFERRED = 100;

  /** Which part of a window has to run at least, so that it is worthwhile. */
  private static final int LEAST_SHARE = 8;

  /** Number of transactions of each session between a cut and one that cannot run. */
  private static final int DISTANCE = 4;

  private static final int NO_TRANSACTION = -1;

  private final History history;
  private final ReadsFrom reads;
  private final int size;
  private final Footprints footprints;
  private final boolean timed;

  /** For each version the transactions that find it. */
  private final Grouping finders;

  /** For each version when the last of these began. */
  private final long[] lastStart;

  /** For each transaction the one before it in its session that counts, or −1. */
  private final int[] previous;

  /** For each transaction when the first of those from there on ended. */
  private final long[] laterEnds;

  /** For each register the transactions that write it. */
  private final Grouping writers;

  /** Pairs of transactions of which the first must come first. */
  private final IntList first = new IntList();

  private final IntList second = new IntList();

  /** Such pairs that turned out to be wrong. */
  private final LongIndex mistakes = new LongIndex();

  // ---- one attempt

  private final int[] current;
  private final int[] unseen;
  private final boolean[] placed;
  private int[] order;
  private int placedInOrder;
  private int placedInAll;
  private int highest;
  private int next;
  private final int[] deferred = new int[MOST_DEFERRED];
  private int deferring;

  /** The cuts before which all those before them and no others have run. */
  private final IntList cuts = new IntList();

  /** For each of these cuts the number of transactions that count. */
  private final IntList counting = new IntList();

  /** For each list the appends before the cut; null before they are asked for. */
  private IntList[] appends;

  private SerialOrder(Window window) {
    this.history = window.history;
    this.reads = window.reads;
    this.size = window.size();
    this.timed = history.hasTimes();
    this.footprints = new Footprints(window);
    this.previous = new int[size];
    this.laterEnds = new long[size + 1];
    this.finders = footprints.finders();
    this.lastStart = new long[footprints.versions()];
    this.writers = footprints.writers();
    this.current = new int[history.keys().count()];
    this.unseen = new int[footprints.versions()];
    this.placed = new boolean[size];
    this.order = new int[size];
    prepare();
  }

  /**
   * An order up to a cut that proves all these levels; null if none is found.
   *
   * @param floor the cut must be beyond this
   * @param limit the last cut that is allowed
   */
  static SerialOrder proving(
      Window window, Set<Level> levels, int floor, int limit, Budget budget) {
    if (!window.canRunInOrder()) {
      return null;
    }
    SerialOrder order = new SerialOrder(window);
    if (order.footprints.isImpossible()) {
      return null;
    }
    order.run(limit);
    if (order.cut() <= Math.max(floor, limit / LEAST_SHARE)) {
      return null;
    }
    Level proven = order.proven(budget);
    return proven != null && proven.andWeaker().containsAll(levels) ? order : null;
  }

  /** The last cut that the order has; 0 for none. */
  int cut() {
    return cuts.isEmpty() ? 0 : cuts.last();
  }

  private void prepare() {
    int[] last = new int[history.sessionCount()];
    Arrays.fill(last, NO_TRANSACTION);
    for (int txn = 0; txn < size; txn++) {
      previous[txn] = last[history.session(txn)];
      if (reads.counts(txn)) {
        last[history.session(txn)] = txn;
      }
    }
    laterEnds[size] = Long.MAX_VALUE;
    for (int txn = size - 1; txn >= 0; txn--) {
      long end = reads.counts(txn) ? history.knownEnd(txn) : History.ABSENT;
      laterEnds[txn] =
          end == History.ABSENT ? laterEnds[txn + 1] : Math.min(end, laterEnds[txn + 1]);
    }
    Arrays.fill(lastStart, History.ABSENT);
    for (int version = 0; version < lastStart.length; version++) {
      for (int i = finders.first(version); i < finders.end(version); i++) {
        lastStart[version] = Math.max(lastStart[version], history.start(finders.item(i)));
      }
    }
  }

  // ---- the order

  private void run(int limit) {
    int attempts = 0;
    do {
      attempt();
    } while (deferring > 0 && learn() && ++attempts < MOST_ATTEMPTS);
    int most = limit;
    if (deferring > 0) {
      // The reason why it cannot run may be a choice a little earlier.
      most = Math.min(limit, deferred[0] - DISTANCE * history.sessionCount());
    }
    while (!cuts.isEmpty() && cuts.last() > most) {
      cuts.removeLast();
      counting.removeLast();
    }
  }

  private void attempt() {
    Arrays.fill(placed, false);
    for (int key = 0; key < current.length; key++) {
      current[key] = footprints.initial(key);
    }
    for (int version = 0; version < unseen.length; version++) {
      unseen[version] = finders.size(version);
    }
    placedInOrder = 0;
    placedInAll = 0;
    highest = -1;
    deferring = 0;
    cuts.clear();
    counting.clear();
    next = 0;
    while (next < size && deferring < MOST_DEFERRED) {
      int txn = next++;
      if (placed[txn]) {
        continue;
      }
      if (canRun(txn)) {
        place(txn);
        runDeferred();
      } else {
        deferred[deferring++] = txn;
        if (runFinders(txn)) {
          runDeferred();
        }
      }
    }
  }

  private void runDeferred() {
    int i = 0;
    while (i < deferring) {
      int txn = deferred[i];
      if (canRun(txn)) {
        System.arraycopy(deferred, i + 1, deferred, i, --deferring - i);
        place(txn);
        i = 0;
      } else {
        i++;
      }
    }
  }

  /** Runs those who have still to see what a transaction replaces. */
  private boolean runFinders(int txn) {
    boolean any = false;
    for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
      int version = current[footprints.leftKey(i)];
      for (int j = finders.first(version); unseen[version] > 0 && j < finders.end(version); j++) {
        int finder = finders.item(j);
        if (finder >= next && !placed[finder] && canRun(finder)) {
          place(finder);
          any = true;
        }
      }
    }
    return any;
  }

  private void place(int txn) {
    placed[txn] = true;
    placedInAll++;
    highest = Math.max(highest, txn);
    if (reads.counts(txn)) {
      order[placedInOrder++] = txn;
      for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
        unseen[footprints.foundVersion(i)]--;
      }
      for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
        int key = footprints.leftKey(i);
        int version = footprints.leftVersion(i);
        current[key] = version == Footprints.AT_THE_END ? footprints.longest(key) : version;
      }
    }
    if (highest == placedInAll - 1) {
      cuts.add(placedInAll);
      counting.add(placedInOrder);
    }
  }

  private boolean canRun(int txn) {
    if (!reads.counts(txn)) {
      return true;
    }
    if (previous[txn] >= 0 && !placed[previous[txn]] || timed && followsUnplaced(txn)) {
      return false;
    }
    for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
      if (current[footprints.foundKey(i)] != footprints.foundVersion(i)) {
        return false;
      }
    }
    for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
      if (!canReplace(txn, i)) {
        return false;
      }
    }
    return followsLearned(txn);
  }

  private boolean followsUnplaced(int txn) {
    long start = history.start(txn);
    if (start == History.ABSENT) {
      return false;
    }
    if (laterEnds[next] < start) {
      return true;
    }
    for (int i = 0; i < deferring; i++) {
      if (endedBefore(deferred[i], start)) {
        return true;
      }
    }
    return false;
  }

  private boolean canReplace(int txn, int left) {
    int key = footprints.leftKey(left);
    int before = current[key];
    if (unseen[before] > 0 && unseen[before] > timesFound(txn, before)) {
      return false;
    }
    int version = footprints.leftVersion(left);
    if (version == Footprints.AT_THE_END) {
      return before == footprints.longest(key);
    }
    return overtaken(txn, key, version) < 0;
  }

  private int timesFound(int txn, int version) {
    int times = 0;
    for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
      times += footprints.foundVersion(i) == version ? 1 : 0;
    }
    return times;
  }

  /**
   * One that has not run, but must before a transaction writes this version: it wrote the same
   * register, and ended before some transaction began which sees the version. −1 if there is none.
   */
  private int overtaken(int txn, int key, int version) {
    long seen = timed && version >= 0 ? lastStart[version] : History.ABSENT;
    for (int i = writers.first(key); seen != History.ABSENT && i < writers.end(key); i++) {
      int other = writers.item(i);
      if (placed[other] || other == txn) {
        continue;
      }
      if (laterEnds[other] >= seen) {
        break;
      }
      if (endedBefore(other, seen)) {
        return other;
      }
    }
    return NO_TRANSACTION;
  }

  private boolean followsLearned(int txn) {
    for (int i = 0; i < second.size(); i++) {
      if (second.get(i) == txn && !placed[first.get(i)]) {
        return false;
      }
    }
    return true;
  }

  /** Finds a writer that came too early, or that was put after another wrongly; false for none. */
  private boolean learn() {
    WaitCycle cycle = WaitCycle.find(this, size);
    int[] place = places();
    int latest = -1;
    int wrong = -1;
    for (int i = 0; i < cycle.length(); i++) {
      int early = cycle.why(i);
      if (early < WaitCycle.FORCED) {
        wrong = WaitCycle.FORCED - 1 - early;
      } else if (early != WaitCycle.FORCED && learned(early, cycle.waiting(i)) >= 0) {
        // It came first because that was learned.
        wrong = learned(early, cycle.waiting(i));
      } else if (early != WaitCycle.FORCED && isNew(cycle.waiting(i), early)) {
        latest = latest < 0 || place[early] > place[cycle.why(latest)] ? i : latest;
      }
    }
    if (latest >= 0) {
      first.add(cycle.waiting(latest));
      second.add(cycle.why(latest));
    } else if (wrong >= 0) {
      mistakes.indexOf(pair(first.get(wrong), second.get(wrong)));
      first.set(wrong, NO_TRANSACTION);
      second.set(wrong, NO_TRANSACTION);
    }
    return latest >= 0 || wrong >= 0;
  }

  /** Takes a transaction that another one waits for, and {@linkplain WaitCycle why}. */
  interface Awaited {
    void accept(int txn, int why);
  }

  int deferring() {
    return deferring;
  }

  int deferred(int place) {
    return deferred[place];
  }

  /** Visits those that have to run before one can; the first of them where there are several. */
  void forEachAwaited(int txn, Awaited action) {
    Awaited unplaced =
        (other, why) -> {
          if (other >= 0 && !placed[other]) {
            action.accept(other, why);
          }
        };
    unplaced.accept(previous[txn], WaitCycle.FORCED);
    for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
      unplaced.accept(writer(footprints.foundVersion(i)), WaitCycle.FORCED);
    }
    for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
      int key = footprints.leftKey(i);
      int replaced = current[key];
      for (int j = finders.first(replaced); j < finders.end(replaced); j++) {
        // Without a writer in the window it has to be the first one: WaitCycle.FORCED.
        unplaced.accept(finders.item(j), writer(replaced));
      }
      unplaced.accept(overtaken(txn, key, footprints.leftVersion(i)), WaitCycle.FORCED);
    }
    for (int i = 0; timed && i < deferring; i++) {
      if (endedBefore(deferred[i], history.start(txn))) {
        unplaced.accept(deferred[i], WaitCycle.FORCED);
      }
    }
    for (int i = 0; i < second.size(); i++) {
      if (second.get(i) == txn) {
        unplaced.accept(first.get(i), WaitCycle.FORCED - 1 - i);
      }
    }
  }

  /** The transaction that writes a version of a register; −1 if that is before the window. */
  private int writer(int version) {
    return version < history.operationCount() ? history.transactionOf(version) : NO_TRANSACTION;
  }

  private boolean endedBefore(int txn, long start) {
    long end = history.knownEnd(txn);
    return end != History.ABSENT && end < start;
  }

  private int[] places() {
    int[] places = new int[size];
    for (int i = 0; i < placedInOrder; i++) {
      places[order[i]] = i;
    }
    return places;
  }

  private static long pair(int one, int other) {
    return (long) one << 32 | other;
  }

  /** The number of the pair by which one transaction must come before another, or −1. */
  private int learned(int one, int other) {
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i) == one && second.get(i) == other) {
        return i;
      }
    }
    return -1;
  }

  /** Whether it has not turned out to be wrong to have one transaction before another. */
  private boolean isNew(int one, int other) {
    return mistakes.find(pair(one, other)) < 0;
  }

  // ---- what it proves

  /** The strongest level that the order proves of what is before the cut, or null for none. */
  private Level proven(Budget budget) {
    order = Arrays.copyOf(order, counting.last());
    return SerialOrderChecker.explains(history, order, budget)
        ? SerialOrderChecker.proven(history, order)
        : null;
  }

  @Override
  public int[] lastVersions(int cut) {
    return footprints.lastWrites(order);
  }

  @Override
  public int[] elements(int key, int cut) {
    if (appends == null) {
      appends = footprints.appends(order);
    }
    return appends[key] == null ? new int[0] : appends[key].toArray();
  }
}
