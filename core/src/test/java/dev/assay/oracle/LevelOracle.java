package dev.assay.oracle;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.Facts.WrittenRead;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides levels by trying everything: every choice of writers for ambiguous reads, and for each
 * every total order of the transactions that count. An order serves twice: as the commit order CM
 * of the axioms, and as the source of a version order for Adya's graph. The second loses nothing:
 * every level forbids cycles of ww, so the version orders of all keys extend to one total order.
 *
 * <p>Readings of levels.md that are settled here:
 *
 * <ul>
 *   <li>{@code strong-session-X} and {@code strong-X} forbid the read anomalies that X forbids.
 *   <li>{@code pram} is a session guarantee: it forbids the read anomalies the four forbid.
 *   <li>{@code causal-non-transactional} forbids what is left of the read anomalies once every
 *       operation is a transaction; which transactions count is settled before.
 *   <li>WR relates different transactions; of a list it comes from the writer of the last element.
 *   <li>{@code lost-update} is about reads from other transactions, T⊥ included, that no own write
 *       of the key precedes: who wrote before it read made no update.
 *   <li>{@code read-uncommitted} of registers rests on no inferred order but T⊥ first.
 * </ul>
 *
 * Without times the {@code strong-X} levels are decided as if no transaction ended before another
 * began: what is violated so is violated whatever the times were.
 */
final class LevelOracle {
  /** Every level that levels.md defines. */
  static final Set<Level> DECIDED = Collections.unmodifiableSet(EnumSet.copyOf(Level.surveyed()));

  /** The levels that are about real time. */
  static final Set<Level> REAL_TIME =
      DECIDED.stream().filter(Level::needsRealTime).collect(Collectors.toUnmodifiableSet());

  private static final Set<AnomalyType> BROKEN_TRACES =
      EnumSet.of(
          AnomalyType.DUPLICATE_WRITE, AnomalyType.INCOMPATIBLE_ORDER, AnomalyType.CYCLIC_VERSIONS);
  private static final Set<AnomalyType> UNCOMMITTED_READS =
      with(
          BROKEN_TRACES,
          AnomalyType.THIN_AIR_READ,
          AnomalyType.ABORTED_READ,
          AnomalyType.INTERMEDIATE_READ,
          AnomalyType.FUTURE_READ,
          AnomalyType.DIRTY_UPDATE);
  private static final Set<AnomalyType> UNORDERED_READS =
      with(UNCOMMITTED_READS, AnomalyType.NOT_MY_OWN_WRITE, AnomalyType.NOT_MY_LAST_WRITE);
  private static final Set<AnomalyType> CUT_READS = EnumSet.of(AnomalyType.NON_REPEATABLE_READ);
  private static final Set<AnomalyType> ALL_READS =
      with(UNORDERED_READS, AnomalyType.NON_REPEATABLE_READ);

  private LevelOracle() {}

  private static Set<AnomalyType> with(Set<AnomalyType> some, AnomalyType... more) {
    Set<AnomalyType> all = EnumSet.copyOf(some);
    all.addAll(List.of(more));
    return all;
  }

  /** The paragraph "Who forbids what". */
  static Set<AnomalyType> forbiddenReads(Level level) {
    return switch (level) {
      case READ_UNCOMMITTED, STRONG_SESSION_READ_UNCOMMITTED, STRONG_READ_UNCOMMITTED ->
          BROKEN_TRACES;
      case ADYA_READ_COMMITTED,
          STRONG_SESSION_ADYA_READ_COMMITTED,
          STRONG_ADYA_READ_COMMITTED,
          CURSOR_STABILITY ->
          UNCOMMITTED_READS;
      case READ_COMMITTED,
          MONOTONIC_ATOMIC_VIEW,
          READ_YOUR_WRITES,
          MONOTONIC_READS,
          MONOTONIC_WRITES,
          WRITES_FOLLOW_READS,
          PRAM ->
          UNORDERED_READS;
      case CUT_ISOLATION -> CUT_READS;
      default -> ALL_READS;
    };
  }

  /** The levels a history has. */
  static Set<Level> holding(SmallHistory history) {
    return holding(history, List.of());
  }

  /** The levels a history has by some order of versions that agrees with given pairs. */
  static Set<Level> holding(SmallHistory history, List<SmallHistory.Before> given) {
    Set<Level> result = EnumSet.noneOf(Level.class);
    Resolution.all(history).forEach(resolution -> addHolding(resolution, given, result));
    return result;
  }

  private static void addHolding(
      Resolution resolution, List<SmallHistory.Before> given, Set<Level> result) {
    Set<AnomalyType> anomalies = ReadOracle.anomalies(resolution);
    Set<Level> open = EnumSet.noneOf(Level.class);
    for (Level level : DECIDED) {
      if (Collections.disjoint(anomalies, forbiddenReads(level))) {
        open.add(level);
      }
    }
    open.removeAll(result);
    open.remove(Level.CAUSAL_NON_TRANSACTIONAL);
    if (open.remove(Level.CUT_ISOLATION)) {
      result.add(Level.CUT_ISOLATION);
    }
    if (isCausal(resolution.split())) {
      result.add(Level.CAUSAL_NON_TRANSACTIONAL);
    }
    Facts facts = new Facts(resolution);
    given.forEach(facts::take);
    for (int[] place : Orders.of(facts.size)) {
      if (open.isEmpty()) {
        break;
      }
      if (facts.knownOrder.isWithin(place)) {
        DependencyGraph graph = new DependencyGraph(facts, place);
        CommitOrder order = new CommitOrder(facts, place);
        open.removeIf(
            level -> {
              boolean satisfied =
                  CommitOrder.LEVELS.contains(level)
                      ? order.satisfies(level)
                      : graph.satisfies(level);
              return satisfied && result.add(level);
            });
      }
    }
  }

  /**
   * Causal for as many transactions as there may be operations. The causal axiom does not look at
   * CM to say what CM must contain, so a CM exists exactly when that is acyclic.
   */
  static boolean isCausal(Resolution resolution) {
    if (!Collections.disjoint(ReadOracle.anomalies(resolution), forbiddenReads(Level.CAUSAL))) {
      return false;
    }
    Facts facts = new Facts(resolution);
    Relation required = facts.causalOrder.or(facts.knownOrder);
    for (WrittenRead read : facts.reads) {
      for (int t2 = 0; t2 < facts.size; t2++) {
        boolean forced =
            t2 != read.writer()
                && t2 != read.reader()
                && facts.writes(t2, read.key())
                && facts.causalOrder.has(t2, read.reader());
        if (forced && read.writer() == Facts.INITIAL) {
          return false;
        }
        if (forced) {
          required.add(t2, read.writer());
        }
      }
    }
    return required.isAcyclic();
  }

  /**
   * The levels that levels.md defines twice, by the graph with session order instead of by the
   * axiom.
   */
  static Set<Level> holdingByGraph(SmallHistory history) {
    Set<Level> result = EnumSet.noneOf(Level.class);
    for (Resolution resolution : Resolution.all(history)) {
      if (Collections.disjoint(ReadOracle.anomalies(resolution), ALL_READS)) {
        Facts facts = new Facts(resolution);
        for (int[] place : Orders.of(facts.size)) {
          if (facts.knownOrder.isWithin(place)) {
            DependencyGraph graph = new DependencyGraph(facts, place);
            for (Level level : DependencyGraph.ALSO_BY_AXIOM) {
              if (graph.satisfies(level)) {
                result.add(level);
              }
            }
          }
        }
      }
    }
    return result;
  }
}
