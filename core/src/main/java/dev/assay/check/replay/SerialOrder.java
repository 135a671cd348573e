package dev.assay.check.replay;

import dev.assay.check.Budget;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The transactions of a window, run one after another: of those that see what they saw, the next is
 * the first in candidate order that replaces nothing that others have still to see. Where they have
 * run in this way up to a cut, and all those before the cut and no others have, their order proves
 * what no search needs to find any more.
 *
 * <p>Of two writers of a register the wrong one may come first. That shows when no transaction can
 * run; then it goes back, and takes the other one first.
 */
public final class SerialOrder implements LastVersions {
  /** Maximum number of times to go back, and how often transactions may run on average. */
  private static final int MOST_ATTEMPTS = 24;

  /** How often transactions of a whole history may run; other ways of deciding it are left. */
  private static final int MOST_TIMES_IN_WHOLE = 4;

  /** In large windows, one more for each so many transactions. */
  private static final int SHARE_OF_ATTEMPTS = 64;

  /** The budget is checked when the bits of the next transaction's number in this mask are 0. */
  private static final int BUDGET_MASK = 0xfff;

  private static final int NOTHING_LEARNED = -1;

  /** Maximum number of transactions that cannot run yet. */
  private static final int MOST_DEFERRED = 100;

  /** Maximum number of transactions that are asked to run early for the sake of one. */
  private static final int MOST_ASKED = 200;

  /** Number of transactions of each session between a cut and one that cannot run. */
  private static final int DISTANCE = 4;

  private static final int NO_TRANSACTION = -1;

  private final History history;

  /** The same with the conditions that failed. */
  private final History recorded;

  private final Excluded excluded;
  private final ReadsFrom reads;
  private final int size;
  private final Footprints footprints;
  private final boolean timed;

  /** For each version the transactions that find it. */
  private final Grouping finders;

  /** For each version the transaction that leaves it, or −1. */
  private final int[] leaver;

  /** For each version when the last of these began. */
  private final long[] lastStart;

  /** For each transaction the one before it in its session that counts, or −1. */
  private final int[] previous;

  /** For each transaction when the first of those from there on ended. */
  private final long[] laterEnds;

  private final Writers writers;

  private final LearnedPairs pairs;

  // ---- one attempt

  private final int[] current;

  /** For each version that was left the one that it replaced. */
  private final int[] replaced;

  private long placements;
  private final int[] unseen;
  private final boolean[] placed;
  private int[] order;

  /** For each that was placed its place in the order. */
  private final int[] place;

  private int placedInOrder;
  private int placedInAll;
  private int highest = -1;
  private int next;
  private final int[] deferred = new int[MOST_DEFERRED];
  private int deferring;

  /** When each transaction was last asked to run early, and the number of times this was begun. */
  private final int[] asked;

  private int asking;
  private int asks;

  private final CutList cuts = new CutList();

  /** For each list the appends before the cut; null before they are asked for. */
  private IntList[] appends;

  private final GivenPairs given;

  private final Budget budget;
  private boolean proven;

  private SerialOrder(
      History recorded, History history, ReadsFrom reads, List<Chain> given, Budget budget) {
    this.budget = budget;
    this.recorded = recorded;
    this.history = history;
    this.reads = reads;
    this.size = history.transactionCount();
    this.timed = history.hasTimes();
    this.footprints = new Footprints(history, reads);
    this.excluded = new Excluded(recorded, footprints);
    this.given = new GivenPairs(history, given);
    this.previous = footprints.previousInSessions();
    this.laterEnds = footprints.laterEnds();
    this.finders = footprints.finders();
    this.lastStart = footprints.lastStarts(finders);
    this.current = new int[history.keys().count()];
    this.replaced = new int[footprints.endLeft(size - 1)];
    this.unseen = new int[footprints.versions()];
    this.placed = new boolean[size];
    this.writers = new Writers(footprints, history.keys().count(), laterEnds, placed);
    this.order = new int[size];
    this.place = new int[size];
    this.asked = new int[size];
    this.pairs = new LearnedPairs(size);
    this.leaver = footprints.leavers();
  }

  /**
   * An order up to a cut, which may prove all these levels.
   *
   * @param recorded the history with its conditions that failed
   * @param history the same where it is not known what these read
   * @param floor the cut must be beyond this
   * @param limit the last cut that is allowed
   */
  public static SerialOrder proving(
      History recorded,
      History history,
      ReadsFrom reads,
      Set<Level> levels,
      int floor,
      int limit,
      Budget budget) {
    SerialOrder order = new SerialOrder(recorded, history, reads, List.of(), budget);
    order.run(limit, MOST_ATTEMPTS);
    order.proven = order.cut() > Math.max(floor, 0) && order.proves(levels);
    return order;
  }

  /** Whether the order proves the levels it was asked for. */
  public boolean isProof() {
    return proven;
  }

  /**
   * Whether an order of all transactions is found that proves all these levels and that agrees with
   * orders of writes that are given.
   */
  public static boolean provesAll(
      History history, ReadsFrom reads, List<Chain> given, Set<Level> levels, Budget budget) {
    SerialOrder order = new SerialOrder(history, history, reads, given, budget);
    if (order.size == 0 || order.footprints.isImpossible()) {
      return false;
    }
    order.run(order.size, MOST_ATTEMPTS);
    return order.cut() == order.size && order.given.areKept(order.place) && order.proves(levels);
  }

  /** An order of all transactions that count, in which each finds what it saw; null if none. */
  static int[] ofAll(History history, ReadsFrom reads, Budget budget) {
    SerialOrder order = new SerialOrder(history, history, reads, List.of(), budget);
    if (order.size == 0 || order.footprints.isImpossible()) {
      return null;
    }
    order.run(order.size, MOST_TIMES_IN_WHOLE);
    return order.cut() < order.size ? null : Arrays.copyOf(order.order, order.placedInOrder);
  }

  /** The last cut that the order has; 0 for none. */
  public int cut() {
    return cuts.last();
  }

  // ---- the order

  /**
   * Runs transactions.
   *
   * @param limit the last cut that is allowed
   * @param times how often transactions may run on average
   */
  private void run(int limit, int times) {
    begin();
    long mostPlacements = (long) times * size;
    int from = 0;
    int attempts = MOST_ATTEMPTS + size / SHARE_OF_ATTEMPTS;
    while (from >= 0) {
      attempt();
      boolean again =
          deferring > 0 && --attempts > 0 && placements < mostPlacements && !budget.expired();
      from = again ? learn() : NOTHING_LEARNED;
      if (from >= 0) {
        rewind(from);
      }
    }
    int most = limit;
    if (deferring > 0) {
      // The reason why it cannot run may be a choice a little earlier.
      most = Math.min(limit, deferred[0] - DISTANCE * history.sessionCount());
    }
    cuts.limit(most);
  }

  private void begin() {
    for (int key = 0; key < current.length; key++) {
      current[key] = footprints.initial(key);
    }
    for (int version = 0; version < unseen.length; version++) {
      unseen[version] = finders.size(version);
    }
  }

  /** Goes back to the last cut before a place in the order. */
  private void rewind(int to) {
    cuts.rewind(to);
    while (placedInOrder > cuts.place()) {
      takeBack(order[--placedInOrder]);
    }
    Arrays.fill(placed, cut(), highest + 1, false);
    placedInAll = cut();
    highest = cut() - 1;
    next = cut();
    deferring = 0;
  }

  private void takeBack(int txn) {
    for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
      unseen[footprints.foundVersion(i)]++;
    }
    for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
      int key = footprints.leftKey(i);
      current[key] = replaced[i];
      writers.takeBack(key, txn);
    }
  }

  private void attempt() {
    while (next < size && deferring < MOST_DEFERRED && !isOver()) {
      int txn = next++;
      if (placed[txn]) {
        continue;
      }
      if (canRun(txn)) {
        place(txn);
        runDeferred();
      } else {
        deferred[deferring++] = txn;
        asking++;
        asks = 0;
        if (runAwaited(txn)) {
          runDeferred();
        }
      }
    }
  }

  private boolean isOver() {
    return (next & BUDGET_MASK) == 0 && budget.expired();
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

  /**
   * Runs those that a transaction waits for although they come later in candidate order: because
   * their client was slow to tell that they had committed, or because they saw an old version.
   */
  private boolean runAwaited(int txn) {
    int before = placedInAll;
    asked[txn] = asking;
    forEachAwaited(txn, (awaited, why) -> runEarly(awaited));
    return placedInAll > before;
  }

  /** Runs one that comes later, after those that it waits for. */
  private void runEarly(int txn) {
    if (txn < next || placed[txn] || asked[txn] == asking) {
      return;
    }
    if (!canRun(txn) && asks++ < MOST_ASKED) {
      runAwaited(txn);
    }
    if (!placed[txn] && canRun(txn)) {
      place(txn);
    }
  }

  private void place(int txn) {
    placed[txn] = true;
    placedInAll++;
    placements++;
    place[txn] = placedInOrder;
    highest = Math.max(highest, txn);
    if (reads.counts(txn)) {
      order[placedInOrder++] = txn;
      for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
        unseen[footprints.foundVersion(i)]--;
      }
      for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
        int key = footprints.leftKey(i);
        int version = footprints.leftVersion(i);
        replaced[i] = current[key];
        current[key] = version == Footprints.AT_THE_END ? footprints.longest(key) : version;
      }
    }
    if (highest == placedInAll - 1) {
      cuts.add(placedInAll, placedInOrder);
    }
  }

  private boolean canRun(int txn) {
    if (!reads.counts(txn)) {
      return true;
    }
    if (previous[txn] >= 0 && !placed[previous[txn]] || timed && followsUnplaced(txn)) {
      return false;
    }
    if (footprints.isImpossible(txn)) {
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
    return excluded.current(txn, current) < 0
        && given.missing(txn, placed) < 0
        && pairs.allow(txn, placed);
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
      if (footprints.endedBefore(deferred[i], start)) {
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
    if (seen == History.ABSENT) {
      return NO_TRANSACTION;
    }
    return writers.endedBefore(key, txn, seen);
  }

  /** Learns from a cycle; the place in the order to go back to, or −1 if nothing was learned. */
  private int learn() {
    int changed = WaitCycle.find(this).learn(pairs, place);
    return changed < 0
        ? NOTHING_LEARNED
        : placed[changed] ? place[changed] : cuts.placeBefore(changed);
  }

  int deferring() {
    return deferring;
  }

  int deferred(int place) {
    return deferred[place];
  }

  /** Visits those that have to run before one can; the first of them where there are several. */
  void forEachAwaited(int txn, WaitCycle.Awaited action) {
    WaitCycle.Awaited unplaced =
        (other, why) -> {
          if (other >= 0 && other != txn && !placed[other]) {
            action.accept(other, why);
          }
        };
    unplaced.accept(previous[txn], WaitCycle.FORCED);
    unplaced.accept(given.missing(txn, placed), WaitCycle.FORCED);
    for (int i = footprints.firstFound(txn); i < footprints.endFound(txn); i++) {
      unplaced.accept(leaver[footprints.foundVersion(i)], WaitCycle.FORCED);
    }
    for (int i = footprints.firstLeft(txn); i < footprints.endLeft(txn); i++) {
      int key = footprints.leftKey(i);
      int replaced = current[key];
      for (int j = finders.first(replaced); j < finders.end(replaced); j++) {
        // Without a writer in the window it has to be the first one: WaitCycle.FORCED.
        unplaced.accept(finders.item(j), footprints.writer(replaced));
      }
      unplaced.accept(overtaken(txn, key, footprints.leftVersion(i)), WaitCycle.FORCED);
    }
    for (int i = 0; timed && i < deferring; i++) {
      if (footprints.endedBefore(deferred[i], history.start(txn))) {
        unplaced.accept(deferred[i], WaitCycle.FORCED);
      }
    }
    int failed = excluded.current(txn, current);
    if (failed >= 0) {
      // Somebody else has to write it first, or what was written there came too early.
      int next = writers.next(failed, txn);
      action.accept(next < 0 ? txn : next, footprints.writer(current[failed]));
    }
    pairs.forEachBefore(
        txn, (other, number) -> unplaced.accept(other, WaitCycle.FORCED - 1 - number));
  }

  // ---- what it proves

  /** Whether the order proves all these levels of what is before the cut. */
  private boolean proves(Set<Level> levels) {
    order = Arrays.copyOf(order, cuts.place());
    return SerialOrderChecker.explains(recorded, order, budget)
        && levels.stream().allMatch(SerialOrderChecker.proven(history, order)::provesInOrder);
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
