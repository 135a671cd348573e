package dev.assay.check.strong;

import dev.assay.check.Anomaly;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LikelyOrder;
import dev.assay.check.LostUpdates;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.replay.SerialSearch;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.level.Orders;
import dev.assay.resolve.Assumption;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Decides the strong levels of one history. A level is encoded as a {@link
 * dev.assay.solve.Polygraph} and given to the solver: an order that it finds proves the level, a
 * refutation is turned into an argument ({@link Refutation}). Levels without session order are hard
 * for the solver, so a cheap guess, {@link SampledRefutation} and {@link Relaxation} are tried
 * before the full search.
 *
 * <p>Once a level is violated, {@link ViolationListing} looks for further violations.
 */
final class StrongRun {
  /**
   * The order in which levels are decided, so that each verdict settles most of the later ones:
   * levels that forbid most cycles first, and of those the variant with sessions, which most often
   * decides the others.
   */
  private static final List<Level> ORDER = new ArrayList<>();

  static {
    for (ForbiddenCycles cycles : ForbiddenCycles.values()) {
      for (Orders orders : List.of(Orders.NONE, Orders.REAL_TIME, Orders.SESSIONS)) {
        Level.find(cycles, orders).ifPresent(level -> ORDER.add(0, level));
      }
    }
  }

  private final Subject subject;
  private final History history;
  private final Ledger ledger;
  private final Map<Level, int[]> commitOrders = new EnumMap<>(Level.class);
  private final List<String> notes = new ArrayList<>();

  /** Levels that were decided, or given up, for the sake of weaker ones. */
  private final Set<Level> tried = EnumSet.noneOf(Level.class);

  private final Effort effort = new Effort();
  private Instance instance;
  private int[] likely;
  private Boolean lostUpdates;
  private boolean timed;

  /** Whether further violations have been looked for, or need not be. */
  private boolean listed;

  /** Whether memory ran out during the search for an argument. */
  private boolean outOfMemory;

  /**
   * A run.
   *
   * @param lists whether to look for further violations once there is one
   */
  StrongRun(Subject subject, boolean lists) {
    this.subject = subject;
    this.listed = !lists;
    this.history = subject.history();
    this.ledger = subject.ledger();
  }

  Map<Level, Verdict> verdicts() {
    return ledger.answers();
  }

  List<Anomaly> anomalies() {
    return ledger.anomalies();
  }

  List<String> notes() {
    return notes;
  }

  Effort effort() {
    return effort;
  }

  /**
   * For each level found to hold, its events in order: twice the transaction, plus one for its
   * commit.
   */
  Map<Level, int[]> commitOrders() {
    return commitOrders;
  }

  void decide() {
    // The start order of timestamps is not part of the events considered here.
    timed = history.hasTimes() && !subject.versions().given().assumes(Assumption.TIMESTAMPS);
    boolean asked = false;
    tryInOrder();
    for (Level level : ORDER) {
      boolean wanted = subject.levels().contains(level);
      boolean possible = timed || !level.needsRealTime();
      asked |= wanted && possible;
      if (wanted && possible && ledger.isOpen(level)) {
        decide(level);
      }
    }
    if (asked && !ledger.violated().isEmpty() && !subject.budget().expired()) {
      list();
    }
  }

  /**
   * Runs the transactions one after another. Where each finds what it saw, that is an order that
   * proves every level, without clocks and constraints.
   */
  private void tryInOrder() {
    boolean open = subject.levels().stream().anyMatch(ledger::isOpen);
    if (!open || !ledger.violated().isEmpty() || !subject.versions().given().isNothing()) {
      return;
    }
    long start = System.nanoTime();
    int[] order;
    try {
      order = SerialSearch.run(history, subject.reads(), subject.budget());
    } catch (OutOfMemoryError e) {
      // There are other ways.
      order = null;
    }
    effort.searched(start);
    if (order == null || !agreesWithVersions(order)) {
      return;
    }
    int[] events = new int[2 * order.length];
    for (int i = 0; i < order.length; i++) {
      events[2 * i] = 2 * order[i];
      events[2 * i + 1] = 2 * order[i] + 1;
    }
    Level proven = SerialOrderChecker.proven(history, order);
    for (Level level : ORDER) {
      if (subject.levels().contains(level) && proven.implies(level) && ledger.isOpen(level)) {
        commitOrders.put(level, events);
        ledger.answer(level, new Verdict.Holds("a commit order explains every read"));
      }
    }
  }

  /** Whether what is known of the order of versions is so in an order of transactions. */
  private boolean agreesWithVersions(int[] order) {
    int[] place = new int[history.transactionCount()];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i + 1;
    }
    EdgeList known = subject.versions().order();
    for (int edge = 0; edge < known.size(); edge++) {
      int from = place[known.from(edge)];
      if (from == 0 || from >= place[known.to(edge)]) {
        return false;
      }
    }
    return true;
  }

  /** Lists violations once one is known. */
  private void list() {
    if (listed) {
      return;
    }
    listed = true;
    List<Model> models = new ArrayList<>();
    for (Level level : List.of(Level.STRONG_SESSION_SERIALIZABLE, Level.STRICT_SERIALIZABLE)) {
      if (timed || !level.needsRealTime()) {
        models.add(Model.of(level));
      }
    }
    try {
      new ViolationListing(instance(), refutation(), models, subject.budget())
          .run()
          .forEach(ledger::foundMore);
    } catch (OutOfMemoryError e) {
      outOfMemory = true;
    }
  }

  private Refutation refutation() {
    return new Refutation(this::isRefuted, timed, subject.budget());
  }

  private Instance instance() {
    if (instance == null) {
      long start = System.nanoTime();
      instance = Instance.whole(history, subject.reads(), List.of(subject.versions().order()));
      likely = LikelyOrder.of(history);
      effort.constructed(start);
    }
    return instance;
  }

  private void decide(Level level) {
    Model model = Model.of(level);
    if (level.cycles() == ForbiddenCycles.FLOW_AND_LOST_UPDATES && hasLostUpdates()) {
      return;
    }
    if (model.facts() == Model.Facts.ALL) {
      // Most histories that satisfy the level respect real time and sessions too, which prunes a
      // lot.
      for (Orders orders : List.of(Orders.REAL_TIME, Orders.SESSIONS)) {
        Optional<Level> stronger = level.over(orders).filter(other -> isHelpful(other, level));
        if (stronger.isPresent() && ledger.isOpen(level)) {
          tried.add(stronger.get());
          decide(Model.of(stronger.get()), subject.levels().contains(stronger.get()));
        }
      }
    }
    if (ledger.isOpen(level)) {
      decide(model, true);
    }
  }

  /** Whether it may help to decide a stronger level first. */
  private boolean isHelpful(Level stronger, Level level) {
    return stronger != level
        && stronger.implies(level)
        && ledger.isOpen(stronger)
        && !tried.contains(stronger)
        && (timed || !stronger.needsRealTime());
  }

  /**
   * Decides a level by the solver.
   *
   * @param asked whether an argument is needed if there is no order
   */
  private void decide(Model model, boolean asked) {
    if (subject.budget().expired()) {
      ledger.answer(model.level(), Verdict.Unknown.TIMEOUT);
      return;
    }
    Answer answer = answer(model, asked);
    Choices choices = answer.choices();
    Decision.Result result = answer.result();
    if (result instanceof Decision.Result.Found found) {
      if (choices.ignored()) {
        ledger.answer(model.level(), ambiguous("some reads saw a value written more than once"));
      } else {
        hold(model.level(), found.events());
      }
    } else if (result instanceof Decision.Result.Expired) {
      ledger.answer(model.level(), Verdict.Unknown.TIMEOUT);
    } else if (asked && result instanceof Decision.Result.Refuted refuted) {
      long start = System.nanoTime();
      explain(model, refuted, choices.incomplete());
      effort.explained(start);
    }
  }

  private Answer answer(Model model, boolean asked) {
    if (model.realTime() || model.facts() != Model.Facts.ALL) {
      return plainly(model, asked ? Long.MAX_VALUE : Relaxation.MAX_CONFLICTS);
    }
    // With session order, next to nothing is left to search in most histories.
    Answer answer = model.sessions() ? plainly(model, Relaxation.MAX_CONFLICTS) : null;
    if (answer != null && !(answer.result() instanceof Decision.Result.Expired)) {
      return answer;
    }
    if (!model.sessions()) {
      // Without session order, a greedy schedule may succeed where sessions would mislead.
      answer = plainly(model, Long.MAX_VALUE, Decision::guess);
      if (answer.result() instanceof Decision.Result.Found) {
        return answer;
      }
    }
    int[] order = instance().inOrder(likely);
    answer = new SampledRefutation(instance, order, subject.budget(), effort).refute(model);
    if (answer == null) {
      answer = new Relaxation(instance, order, subject.budget(), effort).decide(model, timed);
    }
    return answer == null ? plainly(model, Long.MAX_VALUE) : answer;
  }

  private Answer plainly(Model model, long mostConflicts) {
    return plainly(model, mostConflicts, Decision::runFromAnywhere);
  }

  private Answer plainly(
      Model model, long mostConflicts, BiFunction<Decision, int[], Decision.Result> how) {
    Choices choices = Choices.all(instance());
    Decision.Result result =
        new NarrowingSolver(
                instance(),
                model,
                choices,
                Assumptions.NOTHING,
                mostConflicts,
                subject.budget()::expired)
            .ask(how, instance().inOrder(likely), effort);
    return new Answer(result, choices);
  }

  private static Verdict ambiguous(String why) {
    return new Verdict.Unknown(Verdict.Reason.AMBIGUOUS, why);
  }

  private void hold(Level level, int[] events) {
    int[] order = new int[events.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = 2 * instance.members[events[i] >> 1] + (events[i] & 1);
    }
    commitOrders.put(level, order);
    ledger.answer(level, new Verdict.Holds("a commit order explains every read"));
  }

  private void explain(Model model, Decision.Result.Refuted refuted, boolean incomplete) {
    if (model.level().implies(Level.CURSOR_STABILITY) && hasLostUpdates()) {
      return;
    }
    list();
    if (!ledger.isOpen(model.level())) {
      return;
    }
    List<Anomaly> found = argument(model, refuted);
    if (found.isEmpty() && incomplete) {
      ledger.answer(
          model.level(),
          ambiguous(
              "some reads saw a value that a transaction of unknown outcome may have written"));
      return;
    }
    if (found.isEmpty()) {
      ledger.answer(
          model.level(),
          new Verdict.Violated(
              List.of(),
              "no order of the transactions explains every read; "
                  + (outOfMemory || subject.budget().expired()
                      ? (outOfMemory ? "memory" : "time") + " ran out before the reason was found"
                      : "the argument, through values written more than once, needs too many"
                          + " transactions to show")));
    }
    found.forEach(ledger::foundMore);
  }

  /** An argument; none if time or memory does not suffice. */
  private List<Anomaly> argument(Model model, Decision.Result.Refuted refuted) {
    try {
      return outOfMemory ? List.of() : refutation().explain(instance, model, refuted.blamed());
    } catch (OutOfMemoryError e) {
      outOfMemory = true;
      return List.of();
    }
  }

  private boolean hasLostUpdates() {
    if (lostUpdates == null) {
      Anomaly found =
          new LostUpdates(
                  history,
                  subject.reads(),
                  subject.versions().lists().access(),
                  key -> true,
                  List.of(),
                  subject.budget().maxWitnesses())
              .anomaly()
              .orElse(null);
      lostUpdates = found != null;
      if (found != null) {
        ledger.foundMore(found);
      }
    }
    return lostUpdates;
  }

  private boolean isRefuted(Instance some, Model model, Choices choices) {
    return new NarrowingSolver(some, model, choices, subject.budget()::expired)
            .ask(Decision::run, some.natural(), new Effort())
        instanceof Decision.Result.Refuted;
  }
}
