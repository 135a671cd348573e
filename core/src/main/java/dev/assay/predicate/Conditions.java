package dev.assay.predicate;

import dev.assay.history.Predicates;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** The conditions of a history by their numbers, each parsed once. */
public final class Conditions {
  /** Weak keys: entries are dropped with their histories, so no value may refer to one. */
  private static final Map<Predicates, Conditions> KNOWN =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Condition[] parsed;
  private final ConditionException[] wrong;

  private Conditions(Predicates predicates) {
    parsed = new Condition[predicates.conditionCount()];
    wrong = new ConditionException[parsed.length];
    for (int predicate = 0; predicate < predicates.count(); predicate++) {
      int number = predicates.conditionNumber(predicate);
      if (parsed[number] == null && wrong[number] == null) {
        try {
          parsed[number] = Condition.parse(predicates.condition(predicate));
        } catch (ConditionException e) {
          wrong[number] = e;
        }
      }
    }
  }

  /** The conditions of the predicate operations of a history. */
  public static Conditions of(Predicates predicates) {
    return KNOWN.computeIfAbsent(predicates, Conditions::new);
  }

  /** How many there are. */
  public int count() {
    return parsed.length;
  }

  /**
   * A condition.
   *
   * @param number the {@linkplain Predicates#conditionNumber number of a condition}
   * @throws ConditionException if it is not a condition
   */
  public Condition get(int number) throws ConditionException {
    if (wrong[number] != null) {
      throw wrong[number];
    }
    return parsed[number];
  }
}
