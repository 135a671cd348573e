package dev.assay.window;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LostWrites;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrder;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.check.weak.SplitOperations;
import dev.assay.check.weak.WeakChecker;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Asks what is known of the transactions between two clean cuts, by the same checkers as a whole
 * history.
 *
 * <p>That a level holds is asked with the state carried over as the initial state, and with the
 * versions seen after the second cut as the last ones. That it is violated is asked of a part of
 * the whole history. A level for which both answers are no needs more transactions.
 */
public final class PartCheck {
  private final History between;
  private List<Chain> pins;
  private final Supplier<History> part;
  private final boolean isPart;
  private final Budget budget;

  /** Whether all anomalies are listed that a history of this size is searched for. */
  private boolean lists = true;

  /**
   * A check.
   *
   * @param between the transactions, with the state carried over as the initial state
   * @param pins orders that make the versions seen after the second cut the last ones
   * @param part the transactions and those they read from, reduced to the writes that were read
   * @param isPart whether the transactions have read nothing that was carried over, and so are a
   *     part of the whole history as they are
   */
  public PartCheck(
      History between, List<Chain> pins, Supplier<History> part, boolean isPart, Budget budget) {
    this.between = between;
    this.pins = pins;
    this.part = part;
    this.isPart = isPart;
    this.budget = budget;
  }

  /**
   * Other pins to try where those given prove too little. That versions are the last ones matters
   * only where they are seen later, so each level may have its own, unless they are.
   */
  interface Orders {
    /** Pins by an order that may prove a level, or null if there is none. */
    List<Chain> pinsBy(Level level);

    /** These pins are taken instead of those given. */
    void take();

    /** Where these pins differ from those given, they prove something nevertheless. */
    void differ();
  }

  /** Null for none. */
  private Orders orders;

  PartCheck orWith(Orders newOrders) {
    orders = newOrders;
    return this;
  }

  /** What transactions saw, to run them one after another before all else; null not to. */
  private ReadsFrom reads;

  /**
   * First runs the transactions one after another, which may prove everything at once.
   *
   * @param ofBetween what the transactions saw
   */
  public PartCheck inOrderFirst(ReadsFrom ofBetween) {
    reads = ofBetween;
    return this;
  }

  /** Looks only for what decides a level, or what needs no search for an order. */
  PartCheck decidingOnly() {
    lists = false;
    return this;
  }

  /**
   * What is known.
   *
   * @param part a part of the whole history, with its anomalies; null where nothing is violated
   * @param open levels that can neither be proven nor refuted here
   * @param unknown levels that no checker can decide here
   * @param needsMore whether more transactions after the cut may help; else more from before
   */
  public record Answer(
      Report part, Set<Level> open, Map<Level, Verdict.Unknown> unknown, boolean needsMore) {}

  /** Asks about levels. */
  public Answer ask(Set<Level> levels) {
    Map<Level, Verdict.Unknown> unknown = new EnumMap<>(Level.class);
    if (reads != null && isProvenInOrder(levels)) {
      return new Answer(null, Set.of(), unknown, false);
    }
    if (pins.isEmpty() && isPart) {
      Report report = named(between, levels, levels);
      levels.forEach(level -> note(level, report.verdict(level), unknown));
      return new Answer(report, Set.of(), unknown, false);
    }
    Set<Level> open = unproven(levels);
    Set<Level> withoutPins = EnumSet.noneOf(Level.class);
    if (!open.isEmpty() && !pins.isEmpty()) {
      withoutPins.addAll(levels);
      Report unpinned = check(between, open, List.of());
      open.stream().filter(level -> !unpinned.holds(level)).forEach(withoutPins::remove);
      if (!Collections.disjoint(open, withoutPins)) {
        open = unprovenOtherwise(levels, withoutPins, open);
      }
    }
    if (open.isEmpty()) {
      return new Answer(null, Set.of(), unknown, false);
    }
    Report found = named(part.get(), levels, open);
    for (Level level : Set.copyOf(open)) {
      note(level, found.verdict(level), unknown);
      if (found.violated(level) || unknown.containsKey(level)) {
        open.remove(level);
      }
    }
    return new Answer(found, open, unknown, !open.isEmpty() && withoutPins.containsAll(open));
  }

  /**
   * Whether running the transactions one after another proves all levels. It is not tried where it
   * is not known what each saw, or where final reads may show more than that.
   */
  private boolean isProvenInOrder(Set<Level> levels) {
    if (between.metadata().containsKey(History.FINAL_SESSION)) {
      return false;
    }
    LongIndex written = new LongIndex();
    for (int op = 0; op < between.operationCount(); op++) {
      if (between.kind(op).writesNamed()) {
        long pair = (long) between.key(op) << 32 | between.value(op) & 0xFFFFFFFFL;
        int before = written.size();
        boolean isInitial = between.kind(op) == OpKind.WRITE && between.hasInitialValue(op);
        if (isInitial || written.indexOf(pair) < before) {
          return false;
        }
      }
    }
    return SerialOrder.provesAll(between, reads, pins, levels, budget);
  }

  /**
   * The levels that are not proven with other pins either.
   *
   * @param possible the levels that hold without pins
   * @param open the levels that are not proven with the pins given
   */
  private Set<Level> unprovenOtherwise(Set<Level> levels, Set<Level> possible, Set<Level> open) {
    if (orders == null) {
      return open;
    }
    List<Chain> given = pins;
    Level strongest = Level.maximal(possible).get(0);
    if (open.contains(strongest)) {
      List<Chain> others = orders.pinsBy(strongest);
      pins = others == null ? given : others;
      Set<Level> left = others == null ? open : unproven(levels);
      if (Collections.disjoint(left, possible)) {
        orders.take();
        return left;
      }
      pins = given;
    }
    Set<Level> left = EnumSet.copyOf(open);
    Set<Level> asked = EnumSet.copyOf(open);
    asked.retainAll(possible);
    for (Level level : Level.maximal(asked)) {
      Set<Level> proven = EnumSet.copyOf(asked);
      proven.removeIf(other -> !level.implies(other) || !left.contains(other));
      List<Chain> own = orders.pinsBy(level);
      if (own != null) {
        pins = own;
        proven.removeAll(unproven(proven));
        pins = given;
        if (left.removeAll(proven)) {
          orders.differ();
        }
      }
    }
    return left;
  }

  /** The levels that are not proven to hold. */
  private Set<Level> unproven(Set<Level> levels) {
    Set<Level> open = EnumSet.noneOf(Level.class);
    if (levels.isEmpty()) {
      return open;
    }
    Report proven = check(between, levels, pins);
    // An order that contradicts what was read is not used, so nothing would be proven with it.
    boolean contradicts = proven.shows(AnomalyType.CERTIFICATE_CONTRADICTION);
    levels.stream().filter(level -> contradicts || !proven.holds(level)).forEach(open::add);
    Level ofOperations = Level.CAUSAL_NON_TRANSACTIONAL;
    if (proven.verdicts().containsKey(ofOperations) && !isProvenByCausal(proven)) {
      open.remove(ofOperations);
      if (contradicts || !holdsForOperations()) {
        open.add(ofOperations);
      }
    }
    return open;
  }

  private static boolean isProvenByCausal(Report proven) {
    return proven.verdicts().containsKey(Level.CAUSAL) && proven.holds(Level.CAUSAL);
  }

  /**
   * Whether causal consistency holds for operations as transactions: that level does not use orders
   * that are given, so it is asked of these.
   */
  private boolean holdsForOperations() {
    History split = SplitOperations.of(between, ReadsFrom.of(between)).rewritten();
    Report report = check(split, EnumSet.of(Level.CAUSAL), ofOperations(pins, split));
    return report.holds(Level.CAUSAL) && !report.shows(AnomalyType.CERTIFICATE_CONTRADICTION);
  }

  private static List<Chain> ofOperations(List<Chain> pins, History split) {
    List<Chain> ofOperations = new ArrayList<>();
    for (Chain pin : pins) {
      // Operations keep their numbers.
      int[] writes = pin.writes().stream().mapToInt(Integer::intValue).toArray();
      ofOperations.add(Chain.of(split.key(writes[0]), writes));
    }
    return ofOperations;
  }

  private static void note(Level level, Verdict verdict, Map<Level, Verdict.Unknown> unknown) {
    if (verdict instanceof Verdict.Unknown reason) {
      unknown.put(level, reason);
    }
  }

  /**
   * The anomalies of levels that are violated. They are listed as far as they are found soon.
   *
   * @param decided levels that are decided in this part; null for only what single reads show
   */
  static Report list(History part, Set<Level> violated, Set<Level> decided, Budget budget) {
    Set<Level> all = EnumSet.copyOf(violated);
    all.addAll(decided == null ? Set.of() : decided);
    CheckOptions options = CheckOptions.of(all).within(budget);
    return Assay.check(
        part,
        decided == null
            ? options.onlyBy(List.of(new ReadConsistency(), new LostWrites()))
            : options.searchingFor(decided));
  }

  /** What there is in a part of the whole. */
  private Report named(History history, Set<Level> all, Set<Level> open) {
    CheckOptions options = CheckOptions.of(all).within(budget);
    // Those that are decided by name are decided as other levels, of other histories.
    boolean complete = lists || open.stream().anyMatch(Level::isDecidedByName);
    return Assay.check(history, complete ? options : options.searchingFor(open));
  }

  private Report check(History history, Set<Level> levels, List<Chain> orders) {
    return Assay.check(history, CheckOptions.of(levels).given(given(orders)).within(budget));
  }

  private static Given given(List<Chain> orders) {
    VersionCertificate certificate =
        orders.isEmpty() ? VersionCertificate.NONE : new VersionCertificate(orders, new int[0]);
    return new Given(Assumption.DEFAULT, certificate);
  }

  /**
   * The operations in an order of commits by which a level holds; null if none is found.
   *
   * @param pins orders of writes that are given
   */
  static int[] operationOrder(History history, List<Chain> pins, Level level, Budget budget) {
    if (level == Level.CAUSAL_NON_TRANSACTIONAL) {
      History split = SplitOperations.of(history, ReadsFrom.of(history)).rewritten();
      // Each operation is a transaction there, and has its number.
      return commitOrder(split, ofOperations(pins, split), Level.CAUSAL, budget);
    }
    int[] order = commitOrder(history, pins, level, budget);
    return order == null
        ? null
        : Arrays.stream(order)
            .flatMap(txn -> IntStream.range(history.firstOp(txn), history.endOp(txn)))
            .toArray();
  }

  private static int[] commitOrder(History history, List<Chain> pins, Level level, Budget budget) {
    Subject subject = Subject.of(history, given(pins), EnumSet.of(level), budget);
    if (subject.versions().hasContradiction()) {
      return null;
    }
    if (level.cycles() != null) {
      return PolygraphChecker.commitOrder(subject, level);
    }
    return level.axiom() == null ? null : WeakChecker.commitOrder(subject, level);
  }
}
