package dev.assay.explain;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import dev.assay.predicate.EvaluationException;
import dev.assay.predicate.Matcher;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether predicate operations may stay in a part of a history: whether what explains their results
 * in the whole also explains them in the part.
 *
 * <p>A key without any write in the part has only its initial version, which matches nothing, so
 * its rows are removed from all results. For any other key
 *
 * <ul>
 *   <li>a select that returns no row of it saw a version that does not match, so it needs all such
 *       versions, unless the part has no write that matches;
 *   <li>a select that returns a row of it says which version it saw, and needs that as a read does;
 *   <li>an update that returns a row of it saw a version that matches and that it could turn into
 *       what it wrote, so it needs all such versions.
 * </ul>
 *
 * <p>An aggregate over no rows is like a select that returns none. Any other aggregate needs all
 * writes of each key with a version that may affect its result. An operation whose condition cannot
 * be evaluated needs all writes.
 */
final class PredicateNeeds {
  private final History history;
  private final List<String> names;
  private final BitSet writes = new BitSet();

  /**
   * Of the operations last passed in: the writes that stay, their keys, and the writes left out.
   */
  private final BitSet kept = new BitSet();

  private final BitSet keptKeys = new BitSet();
  private final BitSet gone = new BitSet();

  /** Writes left out of keys that have other writes in the part. */
  private final BitSet goneOfKept = new BitSet();

  PredicateNeeds(History history) {
    this.history = history;
    this.names = names(history);
    for (int op = 0; op < history.operationCount(); op++) {
      writes.set(op, history.kind(op) == OpKind.WRITE);
    }
  }

  /** The columns of rows, or null if the history declares them in a way Assay cannot parse. */
  private static List<String> names(History history) {
    try {
      return Columns.parse(history.metadata().get(Columns.METADATA));
    } catch (ConditionException e) {
      return null;
    }
  }

  /** Removes the predicate operations that may not stay. */
  void close(BitSet operations) {
    lookAt(operations);
    for (int op = operations.nextSetBit(0); op >= 0; op = operations.nextSetBit(op + 1)) {
      if (history.kind(op).isPredicate() && !mayStay(op, operations)) {
        operations.clear(op);
      }
    }
  }

  /** The writes that predicate operations among some operations need. */
  BitSet writesNeeded(BitSet operations) {
    lookAt(operations);
    BitSet all = new BitSet();
    for (int op = operations.nextSetBit(0); op >= 0; op = operations.nextSetBit(op + 1)) {
      if (history.kind(op).isPredicate()) {
        addNeeded(op, all);
      }
    }
    return all;
  }

  private void addNeeded(int op, BitSet all) {
    Needed needed = needed(op);
    if (needed == null) {
      all.or(writes);
      return;
    }
    for (int write = writes.nextSetBit(0); write >= 0; write = writes.nextSetBit(write + 1)) {
      boolean asked = needed.ofAllKeys() || keptKeys.get(history.key(write));
      if (asked && needed.write(write)) {
        all.set(write);
      }
    }
  }

  private void lookAt(BitSet operations) {
    kept.clear();
    kept.or(writes);
    kept.and(operations);
    gone.clear();
    gone.or(writes);
    gone.andNot(kept);
    keptKeys.clear();
    for (int write = kept.nextSetBit(0); write >= 0; write = kept.nextSetBit(write + 1)) {
      keptKeys.set(history.key(write));
    }
    goneOfKept.clear();
    for (int write = gone.nextSetBit(0); write >= 0; write = gone.nextSetBit(write + 1)) {
      goneOfKept.set(write, keptKeys.get(history.key(write)));
    }
  }

  private boolean mayStay(int op, BitSet operations) {
    for (int row = op + 1; row < history.nextOp(op); row++) {
      if (!operations.get(row) && keptKeys.get(history.key(row))) {
        return false;
      }
    }
    Needed needed = needed(op);
    if (needed == null) {
      return gone.isEmpty();
    }
    BitSet missing = needed.ofAllKeys() ? gone : goneOfKept;
    for (int write = missing.nextSetBit(0); write >= 0; write = missing.nextSetBit(write + 1)) {
      if (needed.write(write)) {
        return false;
      }
    }
    return true;
  }

  /** Which writes an operation needs. */
  private interface Needed {
    boolean write(int op);

    /** Whether this includes keys that have no write in the part. */
    default boolean ofAllKeys() {
      return false;
    }
  }

  /** Null for all writes. */
  private Needed needed(int op) {
    if (names == null) {
      return null;
    }
    try {
      int predicate = history.value(op);
      int number = history.predicates().conditionNumber(predicate);
      Condition condition = Conditions.of(history.predicates()).get(number);
      if (!condition.form().isAggregate()) {
        return ofRows(op, condition.bind(names));
      }
      int code = history.predicates().result(predicate);
      if (code == Values.UNKNOWN) {
        return write -> false;
      }
      Object result = history.values().get(code);
      Matcher deciding = condition.refined(result).bind(names);
      return isEmpty(condition, result)
          ? ofRows(op, deciding)
          : new OfAggregate(keysMatching(deciding, writes));
    } catch (ConditionException e) {
      return null;
    }
  }

  /** Whether the result of an aggregate says that there was no row. */
  private static boolean isEmpty(Condition condition, Object result) {
    return condition.form() == Condition.Form.COUNT
        ? condition.aggregated() == null && Long.valueOf(0).equals(result)
        : result == null;
  }

  private Needed ofRows(int op, Matcher matcher) {
    Map<Integer, Integer> given = new HashMap<>();
    for (int row = op + 1; row < history.nextOp(op); row++) {
      given.put(history.key(row), row);
    }
    BitSet mayMatch = keysMatching(matcher, kept);
    return write -> {
      Integer row = given.get(history.key(write));
      return row == null
          ? mayMatch.get(history.key(write)) && !matches(matcher, write, false)
          : history.kind(row) == OpKind.WRITE && mayHaveBecome(matcher, write, row);
    };
  }

  /** Whether an update may have turned one version into another. */
  private boolean mayHaveBecome(Matcher matcher, int before, int after) {
    if (!matches(matcher, before, true)) {
      return false;
    }
    try {
      return matcher.mayLeave(key(before), value(before), value(after));
    } catch (EvaluationException e) {
      return true;
    }
  }

  /** The keys with a write among these that may match. */
  private BitSet keysMatching(Matcher matcher, BitSet writes) {
    BitSet keys = new BitSet();
    for (int write = writes.nextSetBit(0); write >= 0; write = writes.nextSetBit(write + 1)) {
      int key = history.key(write);
      if (!keys.get(key) && matches(matcher, write, true)) {
        keys.set(key);
      }
    }
    return keys;
  }

  private boolean matches(Matcher matcher, int write, boolean ifUndecided) {
    try {
      return matcher.matches(key(write), value(write));
    } catch (EvaluationException e) {
      return ifUndecided;
    }
  }

  private Object key(int op) {
    return history.keys().get(history.key(op));
  }

  private Object value(int op) {
    return history.values().get(history.value(op));
  }

  private final class OfAggregate implements Needed {
    private final BitSet deciding;

    OfAggregate(BitSet deciding) {
      this.deciding = deciding;
    }

    @Override
    public boolean write(int op) {
      return deciding.get(history.key(op));
    }

    @Override
    public boolean ofAllKeys() {
      return true;
    }
  }
}
