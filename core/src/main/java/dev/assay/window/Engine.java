package dev.assay.window;

import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.check.replay.LastVersions;
import dev.assay.check.replay.SerialOrder;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges transactions as they come, window by window. For one thread.
 *
 * <p>Each {@link #round} looks at what is not judged for good, finds its clean cuts, has what is
 * before the last of them {@linkplain Judge judged}, and forgets it but for what is carried over. A
 * level that is violated in a part of the history is violated. A level holds if it does in all
 * windows.
 */
final class Engine {
  private static final Duration TIME_FOR_WINDOW = Duration.ofSeconds(60);

  /** Maximum number of cuts of a window that are tried. */
  private static final int MOST_ATTEMPTS = 3;

  private static final int SLICE = 1000;

  /** There is no cut: the window has to grow by what follows. */
  private static final int NONE = 0;

  /** There was no cut, and the window grew by what came before. */
  private static final int JOINED = -1;

  private final MonitorOptions options;

  /** Transactions of each session that a window leaves out: others of that time may come yet. */
  private final double lag;

  final Context context;
  private final Violations violations;
  private final Map<Level, Verdict.Unknown> unknown = new EnumMap<>(Level.class);

  /** What is not judged for good, in candidate order once it is sorted. */
  private final List<Arrived> waiting = new ArrayList<>();

  private boolean sorted = true;

  /** Ended when judging is to end soon. */
  private final Budget budget = Budget.unlimited();

  private volatile boolean abandoned;

  /** Why nothing more is judged, or null. */
  private Verdict.Unknown stopped;

  private long accepted;
  private long committed;
  private long judged;
  private long late;
  private long lastTime = Long.MIN_VALUE;

  /** A cut must be beyond this many transactions, because one before it did not suffice. */
  private int floor;

  /** Number of past windows to join next, where what was carried over does not suffice. */
  private int join = 1;

  /**
   * Number of transactions to look at together. Searching for an order takes more than linear time,
   * so windows are small where they can be, and larger after a round without success.
   */
  private int slice = SLICE;

  /**
   * Number of transactions that are left out of a window beside those of {@link #lag}, because
   * others that began among them may have seen old versions. It follows how far back such reads
   * reached, so that windows are not judged twice again and again.
   */
  private int held;

  /** Number of transactions of a round without success, which is not tried again; 0 for none. */
  private int stuckAt;

  private final Silence silence;

  /**
   * The last transaction for which windows were taken back, or null. A cut before it may have them
   * taken back again.
   */
  private Arrived reopener;

  /** Called when the verdict so far changed. */
  private Runnable onChange = () -> {};

  /** What the caller saved with the state, if one was taken up; else null. */
  private byte[] note;

  Engine(MonitorOptions options, double lag) {
    this.options = options;
    this.silence = new Silence(options.lateness());
    this.lag = lag;
    this.context = new Context(options);
    this.violations = new Violations(options, context);
    context.oldestWaiting(this::oldestBlock);
    context.restore(this::restoreHead, this::restore);
  }

  private long oldestBlock(long next) {
    long oldest = next;
    for (Arrived arrived : waiting) {
      oldest = Math.min(oldest, arrived.block.number);
    }
    return oldest;
  }

  void onChange(Runnable newOnChange) {
    onChange = newOnChange;
  }

  // ---- transactions come in

  void accept(History finished) {
    boolean whole = options.levels().stream().anyMatch(Level::isDecidedByName);
    if (whole || Stopped.isUnsupported(finished)) {
      stop(Stopped.UNSUPPORTED);
    }
    silence.heard();
    Block block = context.block(finished);
    if (context.isLost()) {
      stop(Stopped.DROPPED);
    } else if (context.isTooMuch()) {
      stop(Stopped.TOO_MUCH);
    }
    block.noteTypes().ifPresent(key -> stop(Stopped.ofSeveralTypes(key)));
    for (int txn = 0; txn < finished.transactionCount(); txn++) {
      committed += finished.isCommitted(txn) ? 1 : 0;
      SessionState session = context.session(finished.sessionName(finished.session(txn)));
      session.accepted++;
      session.time = Math.max(session.time, time(finished, txn));
      lastTime = Math.max(lastTime, session.time);
      accepted++;
      if (stopped == null) {
        add(new Arrived(block, txn, session.time, accepted, session.accepted));
        reopenForLate(finished, txn);
      }
    }
  }

  void metadata(String name, String text) {
    context.metadata.put(name, text);
  }

  /** Where a transaction is in the candidate order by itself. */
  private long time(History history, int txn) {
    long time = Math.max(history.start(txn), history.end(txn));
    return time == History.ABSENT ? lastTime : time;
  }

  private void add(Arrived arrived) {
    sorted &= waiting.isEmpty() || waiting.get(waiting.size() - 1).compareTo(arrived) <= 0;
    waiting.add(arrived);
  }

  /** One that ended before another began which is judged already must be judged with it. */
  private void reopenForLate(History history, int txn) {
    long end = history.knownEnd(txn);
    int window = end == History.ABSENT ? -1 : context.past.windowSince(end);
    if (window >= 0) {
      late++;
      reopen(window);
    }
  }

  /** Takes windows back; the number of their transactions. */
  private int reopen(int pastWindow) {
    if (pastWindow < context.past.first()) {
      stop(Stopped.DROPPED);
      return 0;
    }
    List<Arrived> back = context.past.reopen(pastWindow);
    violations.forgetSince(context.past.size());
    judged -= back.size();
    waiting.addAll(0, back);
    sorted = false;
    slice += back.size();
    stuckAt = 0;
    return back.size();
  }

  // ---- rounds

  /** Judges what can be judged for good. */
  void round() {
    judge(false);
  }

  private void judge(boolean last) {
    try {
      while (stopped == null && window(last) && !abandoned) {}
      if (abandoned && !waiting.isEmpty()) {
        stop(Verdict.Unknown.TIMEOUT);
      }
    } catch (OutOfMemoryError e) {
      stop(Verdict.Unknown.OUT_OF_MEMORY);
    }
  }

  /** Ends judging soon, from another thread. */
  void abandon() {
    abandoned = true;
    budget.end();
  }

  /** Judges nothing more: levels that are not violated are unknown. */
  private void stop(Verdict.Unknown reason) {
    stopped = stopped == null ? reason : stopped;
    waiting.clear();
  }

  private boolean window(boolean last) {
    if (!sorted) {
      waiting.sort(null);
      sorted = true;
    }
    int released = last ? waiting.size() : released();
    boolean all = released <= slice;
    boolean quiet = !last && all && released == waiting.size() && silence.isNew(accepted);
    int lagging = quiet ? 0 : Math.max(held, (int) (lag * context.sessions()));
    boolean ends = last && all;
    int size = all ? released : slice;
    if (!all && size <= lagging) {
      slice = 2 * lagging;
      return true;
    }
    boolean tried = size < stuckAt + stuckAt / 4;
    if (size == 0 || !ends && !quiet && all && (size <= lagging + held / 4 || tried)) {
      return false;
    }
    Window window = new Window(List.copyOf(waiting.subList(0, size)), context, ends);
    if (context.isLost()) {
      stop(Stopped.DROPPED);
      return false;
    }
    if (window.reopens() >= 0) {
      reopener = window.reopener();
      int back = reopen(window.reopens());
      held = Math.max(held, back);
      floor = floor == 0 ? 0 : floor + back;
      return true;
    }
    int limit = ends ? size : size - lagging;
    SerialOrder order = window.inOrder(open(), least(), limit, budget);
    if (order != null) {
      close(window, order, order.cut());
      return last || quiet || !all;
    }
    Cuts cuts = new Cuts(window, Level.STRONG_READ_UNCOMMITTED.andWeaker().containsAll(open()));
    int least = least();
    int[] clean = Arrays.stream(cuts.upTo(limit)).filter(cut -> cut > least).toArray();
    int cut = settle(window, cuts, clean, ends);
    if (cut > 0) {
      close(window, cuts, cut);
      return last || quiet || !all;
    }
    if (cut == JOINED) {
      return true;
    }
    if (size >= options.window()) {
      stop(Stopped.TOO_LARGE);
      return false;
    }
    slice = clean.length == 0 ? 4 * size : size + size / 2 + 1;
    stuckAt = all ? size : 0;
    if (quiet) {
      silence.tried(accepted);
    }
    return !all;
  }

  /** Number of waiting transactions beyond which a cut must be. */
  private int least() {
    int least = floor;
    while (reopener != null
        && least + 1 < waiting.size()
        && waiting.get(least + 1).compareTo(reopener) <= 0) {
      least++;
    }
    return least;
  }

  /** Number of waiting transactions before which no others are expected, as far as it matters. */
  private int released() {
    long lateness = options.lateness().toNanos();
    long now = System.nanoTime();
    int most = Math.min(waiting.size(), slice + 1);
    int released = 0;
    while (released < most && isReleased(waiting.get(released), lateness, now)) {
      released++;
    }
    return released;
  }

  private boolean isReleased(Arrived arrived, long lateness, long now) {
    return lastTime - arrived.time >= lateness || now - arrived.block.nanos >= lateness;
  }

  /** The cut before which everything is settled, {@link #NONE} or {@link #JOINED}. */
  private int settle(Window window, Cuts cuts, int[] clean, boolean last) {
    Set<Level> before = Set.copyOf(violations.levels());
    Judge judge = null;
    Judge.Judgement largest = null;
    int place = clean.length - 1;
    for (int attempt = 1; attempt <= MOST_ATTEMPTS && place >= 0; attempt++) {
      int cut = clean[place];
      judge = new Judge(window, cuts, budget.atMost(TIME_FOR_WINDOW));
      Judge.Judgement judgement = judge.judge(cut, open(), last && cut == window.size());
      place = place == 0 ? -1 : place / 2;
      boolean canTryAgain = attempt < MOST_ATTEMPTS && place >= 0;
      if (!(canTryAgain && judgement.ranOut()) && accepts(judgement, window)) {
        violations.count(judge, judgement, cut, before, context.past.size());
        return cut;
      }
      largest = largest == null ? judgement : largest;
    }
    if (last && context.past.isEmpty()) {
      // All there is was judged: what is not decided by now is unknown.
      accepts(largest, window);
      violations.count(judge, largest, window.size(), before, context.past.size());
      return window.size();
    }
    return largest == null || largest.needsMore() || context.past.isEmpty() ? NONE : joinPast();
  }

  /** Joins what waits with past windows, twice as many each time, and cuts beyond them. */
  private int joinPast() {
    int first = context.past.first();
    // Where nothing is left to join, the first window was dropped.
    int from = Math.max(first, context.past.size() - join);
    floor = reopen(from == context.past.size() ? first - 1 : from);
    join *= 2;
    return JOINED;
  }

  private Set<Level> open() {
    Set<Level> open = EnumSet.copyOf(options.levels());
    open.removeAll(violations.levels());
    open.removeAll(unknown.keySet());
    return open;
  }

  /** Whether all levels are settled before a cut; what is violated there is announced. */
  private boolean accepts(Judge.Judgement judgement, Window window) {
    if (judgement.part() != null) {
      violations.found(judgement, window, accepted);
      onChange.run();
    }
    if (!judgement.open().isEmpty()) {
      return false;
    }
    judgement.unknown().forEach(unknown::putIfAbsent);
    return true;
  }

  // ---- cuts

  private void close(Window window, LastVersions versions, int cut) {
    List<Arrived> transactions = List.copyOf(waiting.subList(0, cut));
    new Carrying(window, versions, cut, context.past.new Closing(transactions)).carry();
    waiting.subList(0, cut).clear();
    judged += cut;
    held = Math.max(0, held - (cut + 3) / 4);
    floor = 0;
    join = 1;
    slice = SLICE;
    stuckAt = 0;
    onChange.run();
  }

  // ---- results

  Standing standing() {
    return new Standing(accepted, committed, judged, verdicts(), violations.counts(), late);
  }

  private Map<Level, Verdict> verdicts() {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    for (Level level : options.levels()) {
      verdicts.put(level, verdict(level));
    }
    return verdicts;
  }

  private Verdict verdict(Level level) {
    if (violations.levels().contains(level)) {
      return new Verdict.Violated(List.of(), "shown by a part of the history");
    }
    if (stopped != null) {
      return stopped;
    }
    return unknown.containsKey(level)
        ? unknown.get(level)
        : new Verdict.Holds("it holds in every window, one after the other");
  }

  /** Judges what is left, and the whole. */
  Report finish() {
    if (stopped == null) {
      CutOff.apply(waiting, context);
    }
    judge(true);
    if (stopped == null && !waiting.isEmpty()) {
      throw new IllegalStateException(waiting.size() + " transactions were not judged");
    }
    Report report = violations.report(verdicts());
    boolean named = stopped != null || violations.levels().isEmpty() || accepted > Together.MOST;
    return named ? report : new Together(context).name(report, budget.atMost(TIME_FOR_WINDOW));
  }

  // ---- states

  /** What the caller saved with the state that was taken up, or null. */
  byte[] note() {
    return note;
  }

  /** Saves the state, with something of the caller's. */
  void save(byte[] newNote) {
    context.save(
        out -> {
          out.bytes(newNote);
          out.names(options.levels());
        },
        this::save);
  }

  private void restoreHead(StateInput in) throws IOException {
    note = in.bytes();
    Set<Level> levels = in.names(Level.class);
    if (!levels.equals(options.levels())) {
      throw new IOException("it is about other levels than those asked for");
    }
  }

  private void save(StateOutput out) throws IOException {
    for (long number : new long[] {accepted, committed, judged, late, lastTime}) {
      out.writeLong(number);
    }
    for (int number : new int[] {floor, join, slice, stuckAt, held}) {
      out.writeInt(number);
    }
    out.writeBoolean(sorted);
    Segments.write(waiting, out);
    out.writeInt(unknown.size());
    for (Map.Entry<Level, Verdict.Unknown> entry : unknown.entrySet()) {
      out.text(entry.getKey().name());
      out.unknown(entry.getValue());
    }
    out.writeBoolean(stopped != null);
    if (stopped != null) {
      out.unknown(stopped);
    }
    violations.save(out);
  }

  private void restore(StateInput in) throws IOException {
    accepted = in.readLong();
    committed = in.readLong();
    judged = in.readLong();
    late = in.readLong();
    lastTime = in.readLong();
    floor = in.readInt();
    join = in.readInt();
    slice = in.readInt();
    stuckAt = in.readInt();
    held = in.readInt();
    sorted = in.readBoolean();
    waiting.addAll(Segments.read(context, System.nanoTime(), in));
    for (int i = in.readInt(); i > 0; i--) {
      unknown.put(in.name(Level.class), in.unknown());
    }
    if (in.readBoolean()) {
      stopped = in.unknown();
    }
    violations.restore(in);
  }

  /** Removes what is on disk, but for the state that was saved. */
  void close() {
    context.close();
  }
}
