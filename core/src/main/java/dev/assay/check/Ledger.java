package dev.assay.check;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * The verdicts so far. Everything that decides levels asks here which are still open and records
 * its findings here; the lattice does the rest. A level that implies a violated one is violated,
 * and one that is implied by a level that holds holds.
 *
 * <p>Anomalies take precedence over answers: a checker's own condition may be met although another
 * checker found the level violated.
 */
public final class Ledger {
  /** Answers as they were given, for the levels they were given for. */
  private final Map<Level, Verdict> answers = new EnumMap<>(Level.class);

  /** One for each type. */
  private final List<Anomaly> anomalies = new ArrayList<>();

  /** The violated levels, and all that imply one of these. */
  private final Set<Level> violated = EnumSet.noneOf(Level.class);

  /** Levels that were known to hold from the start, and all that these imply. */
  private final Set<Level> heldBefore = EnumSet.noneOf(Level.class);

  /** A ledger with nothing in it. */
  public Ledger() {}

  /**
   * A ledger with no answers yet that knows what was settled before.
   *
   * @param violated levels that are violated
   * @param holding levels that hold
   */
  public Ledger(Collection<Level> violated, Collection<Level> holding) {
    violated.forEach(level -> this.violated.addAll(level.andStronger()));
    holding.forEach(level -> heldBefore.addAll(level.andWeaker()));
  }

  /** A ledger that starts from settled verdicts. */
  public static Ledger of(Map<Level, Verdict> verdicts, List<Anomaly> anomalies) {
    Ledger ledger = new Ledger();
    verdicts.forEach(ledger::answer);
    anomalies.forEach(ledger::found);
    return ledger;
  }

  /** Whether a level, or one that it implies, is violated. */
  public boolean isViolated(Level level) {
    return violated.contains(level);
  }

  /**
   * Whether a level was found to hold, or one that implies it. An answer for a level that is
   * violated says nothing about weaker ones.
   */
  public boolean holds(Level level) {
    if (violated.contains(level)) {
      return false;
    }
    Map<Level, Verdict> standing = new EnumMap<>(answers);
    standing.keySet().removeAll(violated);
    return heldBefore.contains(level) || holds(standing, level);
  }

  /** Whether one of these answers says that a level holds, or one that implies it. */
  public static boolean holds(Map<Level, Verdict> answers, Level level) {
    for (Map.Entry<Level, Verdict> entry : answers.entrySet()) {
      if (entry.getValue() instanceof Verdict.Holds && entry.getKey().implies(level)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a level is still to be decided. */
  public boolean isOpen(Level level) {
    return !violated.contains(level) && !holds(level);
  }

  /** Whether an answer was recorded for the level itself. */
  public boolean isAnswered(Level level) {
    return answers.containsKey(level);
  }

  /** The levels that are violated. */
  public Set<Level> violated() {
    Set<Level> copy = EnumSet.noneOf(Level.class);
    copy.addAll(violated);
    return copy;
  }

  /** The levels that hold. */
  public Set<Level> holding() {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    for (Level level : Level.values()) {
      if (holds(level)) {
        holding.add(level);
      }
    }
    return holding;
  }

  /** The answers that were recorded here, each for the level it was given for. */
  public Map<Level, Verdict> answers() {
    return new EnumMap<>(answers);
  }

  /** What was found so far, in the order it was found. */
  public List<Anomaly> anomalies() {
    return Collections.unmodifiableList(anomalies);
  }

  /** Records an answer. A decision replaces unknown and is final. */
  public void answer(Level level, Verdict verdict) {
    Verdict known = answers.get(level);
    if (known instanceof Verdict.Holds || known instanceof Verdict.Violated) {
      return;
    }
    answers.put(level, verdict);
    if (verdict instanceof Verdict.Violated) {
      violated.addAll(level.andStronger());
    }
  }

  /** Records why a level is not decided, unless there is an answer or another reason already. */
  public void leaveOpen(Level level, Verdict.Unknown why) {
    answers.putIfAbsent(level, why);
  }

  /**
   * Records an anomaly. There is one entry for each type: the count and the witnesses of the
   * checker that found it first, and the witnesses of others where they violate more.
   */
  public void found(Anomaly anomaly) {
    add(anomaly, Ledger::merged);
  }

  /** Records instances of an anomaly that are not among those recorded before. */
  public void foundMore(Anomaly anomaly) {
    add(anomaly, Anomaly::and);
  }

  private void add(Anomaly anomaly, BinaryOperator<Anomaly> merging) {
    anomaly.violates().forEach(level -> violated.addAll(level.andStronger()));
    for (int i = 0; i < anomalies.size(); i++) {
      if (anomalies.get(i).type() == anomaly.type()) {
        anomalies.set(i, merging.apply(anomalies.get(i), anomaly));
        return;
      }
    }
    anomalies.add(anomaly);
  }

  private static Anomaly merged(Anomaly known, Anomaly other) {
    Set<Level> violates = EnumSet.copyOf(known.violates());
    List<Evidence> witnesses = new ArrayList<>(known.witnesses());
    if (violates.addAll(other.violates())) {
      witnesses.addAll(other.witnesses());
    }
    boolean lowerBound = known.countIsLowerBound() || other.countIsLowerBound();
    long count = Math.max(known.count(), witnesses.size());
    return new Anomaly(known.type(), violates, count, lowerBound, witnesses);
  }

  /** Replaces each anomaly by its explained form. */
  public void explain(UnaryOperator<Anomaly> explanation) {
    anomalies.replaceAll(explanation);
  }

  /** The verdicts that follow from anomalies, answers and the lattice. */
  public Map<Level, Verdict> settle(Set<Level> wanted) {
    Map<AnomalyType, Set<Level>> against = new EnumMap<>(AnomalyType.class);
    anomalies.forEach(anomaly -> against.put(anomaly.type(), andStronger(anomaly.violates())));
    Map<Level, Verdict> standing = new EnumMap<>(answers);
    against.values().forEach(standing.keySet()::removeAll);
    Map<Level, Verdict> settled = new EnumMap<>(Level.class);
    for (Level level : wanted) {
      List<AnomalyType> types = new ArrayList<>();
      for (Anomaly anomaly : anomalies) {
        if (against.get(anomaly.type()).contains(level)) {
          types.add(anomaly.type());
        }
      }
      settled.put(level, types.isEmpty() ? byLattice(level, standing) : violated(types));
    }
    return settled;
  }

  private static Verdict violated(List<AnomalyType> types) {
    return new Verdict.Violated(types, "forbids " + types.get(0).title());
  }

  private static Verdict byLattice(Level level, Map<Level, Verdict> answers) {
    for (Map.Entry<Level, Verdict> entry : answers.entrySet()) {
      if (entry.getValue() instanceof Verdict.Violated violated && level.implies(entry.getKey())) {
        return violated;
      }
    }
    for (Map.Entry<Level, Verdict> entry : answers.entrySet()) {
      if (entry.getValue() instanceof Verdict.Holds holds && entry.getKey().implies(level)) {
        return entry.getKey() == level ? holds : new Verdict.Holds("implied by " + entry.getKey());
      }
    }
    Verdict own = answers.get(level);
    return own != null
        ? own
        : new Verdict.Unknown(
            Verdict.Reason.UNSUPPORTED,
            "none of the requested checkers decides this level; nothing found violates it");
  }

  /** The anomalies that violate one of the wanted levels, in the order of their types. */
  public List<Anomaly> shown(Set<Level> wanted) {
    List<Anomaly> shown = new ArrayList<>();
    for (Anomaly anomaly : anomalies) {
      if (!Collections.disjoint(wanted, andStronger(anomaly.violates()))) {
        shown.add(anomaly);
      }
    }
    shown.sort(Comparator.comparing(Anomaly::type));
    return shown;
  }

  private static Set<Level> andStronger(Set<Level> levels) {
    Set<Level> stronger = EnumSet.noneOf(Level.class);
    levels.forEach(level -> stronger.addAll(level.andStronger()));
    return stronger;
  }
}
