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

  /** Number of transactions up to which a window grows before it is judged in a lesser way. */
  private static final int PATIENCE = 8_000;

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

  /** Keys of which nothing may be seen that is carried over the cut that was found last. */
  private Set<KeyState> unsettled = Set.of();

  private long accepted;
  private long committed;
  private long judged;
  private long late;
  private long lastTime = Long.MIN_VALUE;

  private final Pace pace = new Pace();

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
    unknown.putAll(Stopped.undecidable(options.levels()));
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
    if (Stopped.isUnsupported(finished)) {
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
    pace.slice += back.size();
    pace.stuckAt = 0;
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
    boolean all = released <= pace.slice;
    boolean quiet = !last && all && released == waiting.size() && silence.isNew(accepted);
    int lagging = quiet ? 0 : Math.max(pace.held, (int) (lag * context.sessions()));
    boolean ends = last && all;
    int size = all ? released : pace.slice;
    if (!all && size <= lagging) {
      pace.slice = 2 * lagging;
      return true;
    }
    boolean tried = size < pace.stuckAt + pace.stuckAt / 4;
    if (size == 0 || !ends && !quiet && all && (size <= lagging + pace.held / 4 || tried)) {
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
      pace.held = Math.max(pace.held, back);
      pace.floor = pace.floor == 0 ? 0 : pace.floor + back;
      return true;
    }
    int limit = ends ? size : size - lagging;
    boolean only = isProvenInOrderOnly(window);
    SerialOrder order = window.inOrder(open(), least(), limit, only, budget);
    if (order != null) {
      close(window, order, order.cut(), Set.of());
      return last || quiet || !all;
    }
    if (only && !ends && !quiet && size < PATIENCE) {
      pace.stuck(size, all);
      return !all;
    }
    Cuts cuts = new Cuts(window, Level.STRONG_READ_UNCOMMITTED.andWeaker().containsAll(open()));
    int least = least();
    int[] clean = Arrays.stream(cuts.upTo(limit)).filter(cut -> cut > least).toArray();
    int cut = settle(window, cuts, clean, ends);
    if (cut > 0) {
      close(window, cuts, cut, unsettled);
      return last || quiet || !all;
    }
    if (cut == JOINED) {
      return true;
    }
    if (size >= options.window()) {
      stop(Stopped.TOO_LARGE);
      return false;
    }
    pace.stuck(size, all);
    pace.slice = clean.length == 0 ? 4 * size : pace.slice;
    if (quiet) {
      silence.tried(accepted);
    }
    return !all;
  }

  /** Whether some level that is open can only be proven by running transactions in order. */
  private boolean isProvenInOrderOnly(Window window) {
    Set<Level> open = open();
    return open.stream().anyMatch(Level::isDecidedByName)
        || !open.isEmpty() && window.hasConditions(window.size());
  }

  /** Number of waiting transactions beyond which a cut must be. */
  private int least() {
    int least = pace.floor;
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
    int most = Math.min(waiting.size(), pace.slice + 1);
    int released = 0;
    while (released < most
        && (lastTime - waiting.get(released).time >= lateness
            || now - waiting.get(released).block.nanos >= lateness)) {
      released++;
    }
    return released;
  }

  /** The cut before which everything is settled, {@link #NONE} or {@link #JOINED}. */
  private int settle(Window window, Cuts cuts, int[] clean, boolean last) {
    Set<Level> before = Set.copyOf(violations.levels());
    Judge judge = null;
    Judge.Judgement judgement = null;
    int[] attempts = Pace.attempts(clean, window.reached());
    for (int i = 0; i < attempts.length; i++) {
      int cut = attempts[i];
      boolean ends = last && cut == window.size();
      judge = new Judge(window, cuts, budget.atMost(TIME_FOR_WINDOW));
      judgement = judge.judge(cut, asked(ends), ends);
      boolean canTryAgain = i + 1 < attempts.length;
      if (!(canTryAgain && judgement.ranOut()) && accepts(judgement, window)) {
        leaveOpen(window, cut, ends);
        unsettled = judge.unsettled();
        violations.count(judge, judgement, cut, before, context.past.size());
        return cut;
      }
    }
    if (last && context.past.isEmpty()) {
      // All there is was judged: what is not decided by now is unknown.
      accepts(judgement, window);
      leaveOpen(window, window.size(), true);
      violations.count(judge, judgement, window.size(), before, context.past.size());
      return window.size();
    }
    return judgement == null || judgement.needsMore() || context.past.isEmpty() ? NONE : joinPast();
  }

  /** Joins what waits with past windows, twice as many each time, and cuts beyond them. */
  private int joinPast() {
    int first = context.past.first();
    // Where nothing is left to join, the first window was dropped.
    int from = Math.max(first, context.past.size() - pace.join);
    pace.floor = reopen(from == context.past.size() ? first - 1 : from);
    pace.join *= 2;
    return JOINED;
  }

  /**
   * The levels to ask the checkers about. Those that are decided by name are not asked of windows
   * that others follow: what they need to be carried over is not known.
   */
  private Set<Level> asked(boolean last) {
    Set<Level> asked = open();
    asked.removeIf(level -> !last && level.isDecidedByName());
    return asked;
  }

  /** Leaves levels open that were not asked about, or not with all that is known. */
  private void leaveOpen(Window window, int cut, boolean ends) {
    boolean conditions = window.hasConditions(cut);
    Set<Level> asked = asked(ends);
    for (Level level : open()) {
      if (conditions || !asked.contains(level)) {
        unknown.put(level, conditions ? Stopped.CONDITIONS : Stopped.BY_NAME);
      }
    }
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

  private void close(Window window, LastVersions versions, int cut, Set<KeyState> unsettled) {
    List<Arrived> transactions = List.copyOf(waiting.subList(0, cut));
    Past.Closing closing = context.past.new Closing(transactions);
    new Carrying(window, versions, cut, unsettled, closing).carry();
    waiting.subList(0, cut).clear();
    judged += cut;
    pace.closed(cut);
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
    pace.save(out);
    out.writeBoolean(sorted);
    Segments.write(waiting, out);
    out.unknowns(unknown);
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
    pace.restore(in);
    sorted = in.readBoolean();
    waiting.addAll(Segments.read(context, System.nanoTime(), in));
    unknown.putAll(in.unknowns());
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
