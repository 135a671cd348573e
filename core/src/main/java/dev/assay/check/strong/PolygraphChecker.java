package dev.assay.check.strong;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.TypesAsRegisters;
import dev.assay.check.Verdict;
import dev.assay.graph.IntList;
import dev.assay.level.Level;
import dev.assay.solve.Effort;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides the strong levels exactly even if version orders are unknown: a level holds iff some
 * order of the writers of every key satisfies it. Input: the history, its reads and the known
 * version orders. Output: verdicts, commit orders for the levels that hold and cycles for those
 * that do not.
 */
public final class PolygraphChecker implements LevelChecker {
  /** The levels to decide; null for all that are asked for. */
  private final Set<Level> some;

  /** Decides all levels, and lists further violations once there is one. */
  public PolygraphChecker() {
    this(null);
  }

  private PolygraphChecker(Set<Level> some) {
    this.some = some;
  }

  /**
   * Decides some levels, with one argument against each that is violated. Others are known to be
   * violated, and need neither a search for an order nor another argument.
   */
  public static PolygraphChecker only(Set<Level> levels) {
    return new PolygraphChecker(Set.copyOf(levels));
  }

  @Override
  public String name() {
    return "strong-levels";
  }

  @Override
  public Findings check(Subject subject) {
    return TypesAsRegisters.check(subject, this::examined);
  }

  private Findings examined(Subject subject) {
    Decided decided =
        some == null ? decide(subject) : decided(new StrongRun(subject.about(some), false));
    Map<Level, Verdict> verdicts = decided.findings().verdicts();
    Verdict unexamined = verdicts.isEmpty() ? null : subject.unexamined();
    if (unexamined != null) {
      verdicts.replaceAll(
          (level, verdict) -> verdict instanceof Verdict.Holds ? unexamined : verdict);
    }
    return decided.findings();
  }

  /**
   * The findings for registers and lists alone.
   *
   * @param orders for each level found to hold its events in order: twice the transaction, plus one
   *     where it commits
   */
  public record Decided(Findings findings, Map<Level, int[]> orders) {}

  /** Decides by registers and lists, ignoring other data types. */
  public static Decided decide(Subject subject) {
    return decided(new StrongRun(subject, true));
  }

  /** A commit order that proves a level, by registers and lists; null if none is found. */
  public static int[] commitOrder(Subject subject, Level level) {
    Map<Level, int[]> orders = decided(new StrongRun(subject, false)).orders();
    int[] events = orders.get(level);
    if (events == null) {
      // The level may have been settled by a stronger one, whose order proves it too.
      Optional<Level> stronger =
          orders.keySet().stream().filter(it -> it.implies(level)).findFirst();
      if (stronger.isEmpty()) {
        return null;
      }
      events = orders.get(stronger.get());
    }
    IntList order = new IntList(events.length);
    for (int event : events) {
      // A transaction commits at an odd event.
      if ((event & 1) != 0) {
        order.add(event >> 1);
      }
    }
    return order.toArray();
  }

  private static Decided decided(StrongRun run) {
    run.decide();
    Findings findings =
        new Findings(run.verdicts(), run.anomalies(), run.notes(), stages(run.effort()));
    return new Decided(findings, run.commitOrders());
  }

  private static Map<String, Long> stages(Effort effort) {
    Map<String, Long> stages = new LinkedHashMap<>();
    for (int stage = 0; stage < effort.stages(); stage++) {
      stages.put(effort.name(stage), effort.millis(stage));
    }
    return stages;
  }
}
