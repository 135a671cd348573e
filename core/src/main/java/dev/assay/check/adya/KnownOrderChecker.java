package dev.assay.check.adya;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.TypesAsRegisters;
import dev.assay.check.Verdict;
import dev.assay.infer.Dependencies;
import dev.assay.infer.predicates.Deadline;
import dev.assay.infer.predicates.PredicateDependencies;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides the levels that forbid cycles in Adya's graph, as far as the order of versions is known.
 *
 * <p>Every known edge is there in every version order that agrees with the reads, so a cycle that a
 * level forbids refutes it. A level that depends on ww and wr only holds if these have no cycle:
 * the rest of each version order can follow a topological order. The others hold if all orders are
 * known, or if the unknown ones (appends that no read shows) can be chosen so that the condition is
 * met; what is still open is left to checkers that search for a choice.
 */
public final class KnownOrderChecker implements LevelChecker {
  /** Why all levels hold. */
  static final String NO_CYCLE = "the dependencies have no cycle and every order is known";

  /** The levels to decide; null for all that are asked for. */
  private final Set<Level> some;

  /** Decides all levels. */
  public KnownOrderChecker() {
    this(null);
  }

  private KnownOrderChecker(Set<Level> some) {
    this.some = some;
  }

  /**
   * Decides some levels. Others are known to be violated: their cycles are listed as far as they
   * are found soon.
   */
  public static KnownOrderChecker only(Set<Level> levels) {
    return new KnownOrderChecker(Set.copyOf(levels));
  }

  @Override
  public String name() {
    return "known-orders";
  }

  @Override
  public Findings check(Subject subject) {
    return TypesAsRegisters.check(subject, this::decide);
  }

  private Findings decide(Subject subject) {
    boolean wanted =
        subject.levels().stream()
            .anyMatch(level -> level.cycles() != null && !subject.holding().contains(level));
    // An assumption that contradicts the history is reported even if no level depends on it.
    boolean assumes = !subject.versions().given().assumptions().equals(Assumption.DEFAULT);
    if (!wanted && !assumes) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    Level proven = assumes ? null : new AgreedOrder(subject).proven();
    if (proven != null) {
      return new Findings(holding(proven), List.of(), List.of());
    }
    try {
      return run(subject);
    } catch (Deadline.Expired e) {
      return new Findings(Map.of(), List.of(), List.of());
    }
  }

  private Findings run(Subject subject) {
    PredicateDependencies predicates =
        PredicateDependencies.of(
            subject.history(),
            subject.reads(),
            subject.versions(),
            new Deadline(subject.budget()::expired));
    Dependencies dependencies =
        new Dependencies(
            subject.history(),
            subject.reads(),
            subject.versions(),
            predicates != null && predicates.isComplete());
    if (subject.budget().expired()) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    return new KnownOrderRun(subject, some, dependencies, predicates).run();
  }

  private static Map<Level, Verdict> holding(Level proven) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    for (Level level : Level.definedByCycles()) {
      if (proven.implies(level)) {
        verdicts.put(level, new Verdict.Holds(NO_CYCLE));
      }
    }
    return verdicts;
  }
}
