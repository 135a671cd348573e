package dev.assay.proof;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.check.linear.Divided;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.CertainOutcomes;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Finds what proves the verdicts of a report. */
public final class Proofs {
  private static final String NOT_MIXED =
      "proofs do not cover mixed with levels that cannot be mixed, or by other names";

  /** The largest number of choices of writers that are tried for one level. */
  private static final int MOST_CHOICES = 400;

  private final History history;
  private final Report report;
  private final Budget budget;
  private final Sources sources;
  private final List<Sources.Place> ambiguous;
  private final Given given;

  /** What is given and contradicts nothing; if something does, then also all of it. */
  private final List<GivenOrders> givenOrders;

  private final boolean canBeMixed;
  private final boolean counters;
  private final List<Proof.Order> orders = new ArrayList<>();
  private final List<Argument> arguments = new ArrayList<>();
  private final Map<Level, Integer> proven = new EnumMap<>(Level.class);
  private final Set<Level> byContradiction = EnumSet.noneOf(Level.class);
  private Arguments plainArguments;
  private Arguments contradicted;
  private Orders plainOrders;
  private RepeatedElements repeatedElements;
  private CounterOrders counterOrders;
  private int tried;

  private Proofs(Report report, Given given, Budget budget) {
    this.history = CertainOutcomes.of(report.history(), given);
    this.report = report;
    this.given = given;
    this.givenOrders = GivenOrders.of(history, given);
    this.budget = budget;
    this.sources = new Sources(history);
    this.ambiguous = sources.ambiguous();
    this.counters = history.uses(OpKind.Type::isNumber);
    this.canBeMixed =
        IntStream.range(0, history.transactionCount())
            .filter(txn -> history.outcome(txn) != Outcome.ABORTED)
            .allMatch(txn -> Rule.canBeMixed(Rule.promised(history, txn)));
  }

  /**
   * Proves the verdicts of a report, each as far as that can be done.
   *
   * @param given what the verdicts rest on beside the history
   * @param budget the time for it; what it does not suffice for is not proven
   */
  public static Proof of(Report report, Given given, Budget budget) {
    return new Proofs(report, given, budget).prove();
  }

  private Proof prove() {
    String uncovered = uncovered();
    List<Level> levels = new ArrayList<>(report.verdicts().keySet());
    if (uncovered == null) {
      List<Level> strongestFirst = new ArrayList<>(levels);
      strongestFirst.removeIf(
          level -> level.ofParts() != null || (level == Level.MIXED && !canBeMixed));
      strongestFirst.sort((a, b) -> b.andWeaker().size() - a.andWeaker().size());
      strongestFirst.stream().filter(report::holds).forEach(this::order);
      Collections.reverse(strongestFirst);
      strongestFirst.stream()
          .filter(level -> report.violated(level) && !(counters && level == Level.MIXED))
          .forEach(this::argue);
      levels.stream().filter(level -> level.ofParts() != null).forEach(this::proveParts);
    }
    List<Proof.Claim> claims = new ArrayList<>();
    for (Level level : levels) {
      claims.add(claim(level, uncovered));
    }
    List<GivenOrders> premises = uncovered == null ? givenOrders : List.of(GivenOrders.NOTHING);
    return new Proof(history.transactionCount(), premises, orders, arguments, claims);
  }

  private Proof.Claim claim(Level level, String uncovered) {
    Verdict verdict = report.verdict(level);
    int number = proven.getOrDefault(level, -1);
    String why = uncovered == null ? uncovered(level) : uncovered;
    if (verdict instanceof Verdict.Unknown || number >= 0) {
      why = null;
    } else if (why == null && budget.expired()) {
      why = Budget.RAN_OUT;
    } else if (why == null && counters) {
      why =
          report.holds(level)
              ? "no order of the increments was found that proves it"
              : "no argument about sums was found";
    } else if (why == null && givenOrders.size() > 1) {
      why = "what is given contradicts the history";
    } else if (why == null) {
      why =
          ambiguous.isEmpty()
              ? "too many transactions are involved"
              : "there are too many choices of the writes that reads saw";
    }
    int premise = byContradiction.contains(level) ? 1 : 0;
    return new Proof.Claim(level, verdict, number, premise, why);
  }

  /** What proofs do not cover of a level, or null. */
  private String uncovered(Level level) {
    return level == Level.MIXED && !canBeMixed ? NOT_MIXED : null;
  }

  /** What proofs do not cover in the history, or null. */
  private String uncovered() {
    if (given.certificate().hasVersionSets() || given.assumes(Assumption.TIMESTAMPS)) {
      return "proofs do not cover snapshots that are given";
    }
    if (!givenOrders.get(0).isNothing() && !ambiguous.isEmpty()) {
      return "proofs do not cover values written more than once with a certificate or assumption";
    }
    if (history.uses(OpKind.Type.PREDICATE)) {
      return "proofs do not cover predicate operations";
    }
    if (counters && history.countersBeginAnywhere()) {
      return "proofs do not cover counters from any start";
    }
    if (counters && !(ambiguous.isEmpty() && givenOrders.get(0).isNothing())) {
      return "proofs do not cover counters beside values written more than once, certificates or"
          + " assumptions";
    }
    if (hasKeysOfSeveralTypes()) {
      return "proofs do not cover keys of several types";
    }
    long elements =
        ambiguous.stream().filter(place -> history.kind(place.op()).type().commutes()).count();
    return elements > 0 && elements < ambiguous.size()
        ? "proofs do not cover elements added more than once beside values written more than once"
        : null;
  }

  /** Whether it is elements of sets that reads may have seen from several writes. */
  private boolean ofElements() {
    boolean elements =
        !ambiguous.isEmpty() && history.kind(ambiguous.get(0).op()).type().commutes();
    if (elements && repeatedElements == null) {
      repeatedElements = new RepeatedElements(report, history, sources, MOST_CHOICES, budget);
    }
    return elements;
  }

  private boolean hasKeysOfSeveralTypes() {
    OpKind.Type[] types = new OpKind.Type[history.keys().count()];
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind.Type type = history.kind(op).type();
      int key = history.key(op);
      if (types[key] != null && types[key] != type) {
        return true;
      }
      types[key] = type;
    }
    return false;
  }

  // ---- levels of parts of transactions

  /** Proves a level of parts as the level of transactions that the parts must have. */
  private void proveParts(Level level) {
    if (!report.holds(level) && !report.violated(level)) {
      return;
    }
    Rewriting parts = Divided.of(history, level);
    Report divided = Assay.check(parts.rewritten(), Set.of(level.ofParts()), budget);
    Proof found = of(divided, Given.NOTHING, budget);
    Proof.Claim claim = found.claims().get(0);
    boolean same = claim.verdict().id().equals(report.verdict(level).id());
    if (!claim.isProven() || !same) {
      return;
    }
    OfParts back = new OfParts(parts);
    if (report.holds(level)) {
      proven.put(level, orders.size());
      orders.add(back.order(found.orders().get(claim.proof())));
    } else {
      proven.put(level, arguments.size());
      arguments.add(back.argument(found.arguments().get(claim.proof())));
    }
  }

  // ---- levels that hold

  private void order(Level level) {
    Integer known = ofRelated(level, true);
    if (known == null) {
      tried = 0;
      Proof.Order found = level == Level.CAUSAL_NON_TRANSACTIONAL ? ofOperations() : null;
      if (found == null) {
        // Checkers want results that name their versions, as each choice gives them.
        boolean plain = ambiguous.isEmpty() && !history.hasVersionNumbers();
        if (counters) {
          found = ofCounters(level);
        } else {
          found =
              plain
                  ? plainOrder(level)
                  : ofElements() ? repeatedElements.order(level) : choose(level, new HashMap<>());
        }
      }
      if (found != null) {
        known = orders.size();
        orders.add(found);
      }
    }
    if (known != null) {
      proven.put(level, known);
    }
  }

  /**
   * The proof of a related level, which proves this one too: an order by which a stronger level
   * holds, or an argument against a weaker one.
   */
  private Integer ofRelated(Level level, boolean holds) {
    if (level == Level.CAUSAL_NON_TRANSACTIONAL) {
      return null;
    }
    for (Map.Entry<Level, Integer> other : proven.entrySet()) {
      Level from = other.getKey();
      boolean implied = holds ? from.implies(level) : level.implies(from);
      boolean same =
          report.holds(from) == holds
              && from != Level.CAUSAL_NON_TRANSACTIONAL
              && !byContradiction.contains(from);
      if (implied && same && (holds || refutesStronger(arguments.get(other.getValue())))) {
        return other.getValue();
      }
    }
    return null;
  }

  /** The operations in an order by which causal consistency holds, or null if there is none. */
  private Proof.Order ofOperations() {
    boolean causal = proven.containsKey(Level.CAUSAL) && report.holds(Level.CAUSAL);
    if (!causal) {
      return null;
    }
    Proof.Order order = orders.get(proven.get(Level.CAUSAL));
    IntStream operations =
        Arrays.stream(order.order())
            .flatMap(txn -> IntStream.range(history.firstOp(txn), history.endOp(txn)));
    return new Proof.Order(order.from(), operations.toArray());
  }

  /** Whether an argument also refutes stronger levels; these forbid the cycles of lost updates. */
  private static boolean refutesStronger(Argument argument) {
    if (argument instanceof Argument.Split split) {
      return split.cases().stream().allMatch(Proofs::refutesStronger);
    }
    return !(argument instanceof Argument.OfRead read
        && read.anomaly().equals(AnomalyType.LOST_UPDATE.id()));
  }

  /** An order by some order of the increments; one of operations comes from one of transactions. */
  private Proof.Order ofCounters(Level level) {
    if (counterOrders == null) {
      counterOrders = new CounterOrders(history, MOST_CHOICES, budget);
    }
    return level == Level.CAUSAL_NON_TRANSACTIONAL ? null : counterOrders.of(level);
  }

  private Proof.Order plainOrder(Level level) {
    if (plainOrders == null) {
      plainOrders = new Orders(history, givenOrders.get(0), sources, budget);
    }
    int[] order = plainOrders.of(level);
    return order == null ? null : new Proof.Order(Map.of(), order);
  }

  /** An order for some choice of writers, or null. */
  private Proof.Order choose(Level level, Map<Sources.Place, Integer> choices) {
    Sources.Place next = next(choices);
    Report chosen = check(level, choices);
    if (chosen == null || chosen.violated(level)) {
      return null;
    }
    if (next == null) {
      Sources unique = new Sources(chosen.history());
      int[] order = new Orders(chosen.history(), givenOrders.get(0), unique, budget).of(level);
      return order == null ? null : new Proof.Order(new HashMap<>(choices), order);
    }
    Proof.Order found = null;
    for (int write : sources.candidates(next.op(), next.element())) {
      if (found == null) {
        choices.put(next, write);
        found = choose(level, choices);
        choices.remove(next);
      }
    }
    return found;
  }

  private Sources.Place next(Map<Sources.Place, Integer> choices) {
    return choices.size() == ambiguous.size() ? null : ambiguous.get(choices.size());
  }

  /** The verdict for one choice of writers, or null if there are too many. */
  private Report check(Level level, Map<Sources.Place, Integer> choices) {
    if (tried++ >= MOST_CHOICES || budget.expired()) {
      return null;
    }
    return Assay.check(ChosenWrites.of(history, sources, choices), Set.of(level), budget);
  }

  // ---- levels that are violated

  private void argue(Level level) {
    Integer known = ofRelated(level, false);
    if (known == null) {
      tried = 0;
      Argument found = plain(level);
      if (found == null && !ambiguous.isEmpty()) {
        found = ofElements() ? repeatedElements.argument(level) : split(level, new HashMap<>());
      }
      if (found == null && givenOrders.size() > 1) {
        found = contradiction(level);
      }
      if (found != null && !arguments.contains(found)) {
        arguments.add(found);
      }
      known = found == null ? null : Integer.valueOf(arguments.indexOf(found));
    }
    if (known != null) {
      proven.put(level, known);
    }
  }

  /** An argument by what is certain whatever is chosen, or null. */
  private Argument plain(Level level) {
    if (plainArguments == null) {
      plainArguments = new Arguments(report, history, givenOrders.get(0), sources, budget);
    }
    return ambiguous.isEmpty() ? plainArguments.against(level) : plainArguments.ofLostWrite(level);
  }

  /** An argument by all that is given, where that contradicts itself or the history; or null. */
  private Argument contradiction(Level level) {
    if (contradicted == null) {
      contradicted = new Arguments(report, history, givenOrders.get(1), sources, budget);
    }
    Argument found = contradicted.ofCycle(level);
    if (found != null) {
      byContradiction.add(level);
    }
    return found;
  }

  /** An argument for every choice of writers, or null. */
  private Argument split(Level level, Map<Sources.Place, Integer> choices) {
    Report chosen = check(level, choices);
    if (chosen == null) {
      return null;
    }
    if (chosen.violated(level)) {
      Sources unique = new Sources(chosen.history());
      Argument found =
          new Arguments(chosen, chosen.history(), givenOrders.get(0), unique, budget)
              .against(level);
      if (found != null && !isOpenBefore(found, choices)) {
        return found;
      }
    }
    Sources.Place next = next(choices);
    if (next == null) {
      return null;
    }
    int[] writes = sources.candidates(next.op(), next.element());
    List<Argument> cases = new ArrayList<>();
    for (int write : writes) {
      choices.put(next, write);
      Argument found = split(level, choices);
      choices.remove(next);
      if (found == null) {
        return null;
      }
      cases.add(found);
    }
    return new Argument.Split(next, writes, cases);
  }

  /** Whether a read differs from one before it, with another between them that is not chosen. */
  private boolean isOpenBefore(Argument argument, Map<Sources.Place, Integer> choices) {
    if (!(argument instanceof Argument.OfRead read
        && read.anomaly().equals(AnomalyType.NON_REPEATABLE_READ.id()))) {
      return false;
    }
    int txn = history.transactionOf(read.op());
    return ambiguous.stream()
        .filter(place -> !choices.containsKey(place))
        .mapToInt(Sources.Place::op)
        .anyMatch(
            op ->
                op < read.op()
                    && history.transactionOf(op) == txn
                    && history.key(op) == history.key(read.op()));
  }
}
