package dev.assay;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Predicates;
import dev.assay.history.Values;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Refuses histories whose predicate operations cannot be what a client recorded. Formats keep
 * conditions as texts and do not look into them; checkers rely on it.
 */
public final class SoundPredicates {
  private static final String OF_CONDITION = "docs/predicates.md says what a condition is";
  private static final String OF_RESULT = "leave out a predicate operation without a result";

  private final History history;
  private final Predicates predicates;
  private final Conditions conditions;

  /** For each key the row it was seen in last. */
  private final int[] rowOfKey;

  private int txn;
  private int op;

  private SoundPredicates(History history) {
    this.history = history;
    this.predicates = history.predicates();
    this.conditions = Conditions.of(predicates);
    this.rowOfKey = new int[history.keys().count()];
    Arrays.fill(rowOfKey, -1);
  }

  /** The same history, {@linkplain #require looked at}. */
  static History required(History history) throws ParseException {
    require(history);
    return history;
  }

  /**
   * Looks at each predicate operation.
   *
   * @throws ParseException at the first transaction with one that is a mistake in the file
   */
  public static void require(History history) throws ParseException {
    if (history.predicates().count() > 0) {
      new SoundPredicates(history).requireAll();
    }
  }

  private void requireAll() throws ParseException {
    for (txn = 0; txn < history.transactionCount(); txn++) {
      for (op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        if (history.kind(op).isPredicate()) {
          requireOne();
        }
      }
    }
  }

  /**
   * A text that is not a condition is a mistake in the file. A condition with an operator that is
   * not supported is not: what it did cannot be known, and checkers say so.
   */
  private void requireOne() throws ParseException {
    try {
      Condition condition = conditions.get(predicates.conditionNumber(history.value(op)));
      requireFit(condition);
      requireResult(condition.form());
    } catch (ConditionException e) {
      if (!e.isUnsupported()) {
        String at = e.place().isEmpty() ? "" : " at " + e.place();
        String found = "a condition that is wrong" + at + ": " + e.found();
        throw wrong(found, e.expected(), OF_CONDITION);
      }
      if (hasRows() && hasResult()) {
        throw wrong(place() + " gave both rows and a value", "one of them", OF_RESULT);
      }
    }
    requireRows();
  }

  private void requireFit(Condition condition) throws ParseException {
    boolean selects = history.kind(op) == OpKind.SELECT;
    if (selects && !condition.fitsSelect()) {
      String expected = "only what rows to select, and [\"min\",column] and the like";
      throw wrong("a select with a condition that changes rows", expected, OF_CONDITION);
    }
    if (!selects && !condition.fitsUpdate()) {
      String expected = "only what rows to update, and set or delete";
      throw wrong("an update with a condition that selects a value", expected, OF_CONDITION);
    }
  }

  private void requireResult(Condition.Form form) throws ParseException {
    if (!form.isAggregate()) {
      if (hasResult()) {
        throw wrong(
            place() + " asks for rows and gave " + shown(result()),
            "an array of rows, such as [[\"x\",1]], or [] for none",
            OF_RESULT);
      }
      return;
    }
    String function = form.name().toLowerCase(Locale.ROOT);
    String expected =
        form == Condition.Form.COUNT ? "an integer" : "one value, null where there was nothing";
    if (hasRows() || !hasResult()) {
      throw wrong(place() + " asks for a " + function + " and gave rows", expected, OF_RESULT);
    }
    Object result = result();
    boolean fits =
        form == Condition.Form.COUNT
            ? result instanceof Long || result instanceof BigInteger
            : !(result instanceof List);
    if (!fits) {
      String found = place() + " asks for a " + function + " and gave " + shown(result);
      throw wrong(found, expected, OF_RESULT);
    }
  }

  /**
   * An update leaves each row in one state. A select may show two of them, or one twice, where a
   * database is wrong, which checkers report.
   */
  private void requireRows() throws ParseException {
    boolean updates = history.kind(op) == OpKind.UPDATE;
    for (int row = op + 1; row < history.nextOp(op); row++) {
      if (history.value(row) == Values.UNKNOWN) {
        throw wrong(place() + " gave a row without a value", "[key, value]", OF_RESULT);
      }
      int before = rowOfKey[history.key(row)];
      rowOfKey[history.key(row)] = row;
      if (updates && before > op) {
        String key = shown(history.keys().get(history.key(row)));
        throw wrong(place() + " gave the row " + key + " twice", "each row once", null);
      }
    }
  }

  private boolean hasRows() {
    return history.nextOp(op) > op + 1;
  }

  private boolean hasResult() {
    return predicates.result(history.value(op)) != Values.UNKNOWN;
  }

  private Object result() {
    return history.values().get(predicates.result(history.value(op)));
  }

  /** The operation, as its client counts. */
  private String place() {
    String kind = history.kind(op) == OpKind.SELECT ? "the select" : "the update";
    return kind + " that is operation " + (history.ordinal(txn, op) + 1);
  }

  private static String shown(Object value) {
    return value == null ? "null" : value instanceof List ? "a vector" : value.toString();
  }

  private ParseException wrong(String found, String expected, String hint) {
    String name = history.origin().name();
    return switch (history.origin().unit()) {
      case LINE ->
          ParseException.atLine(
              name, history.position(txn), ParseException.NONE, found, expected, hint);
      case OFFSET -> ParseException.atOffset(name, history.position(txn), found, expected, hint);
      case NONE -> ParseException.ofFile(name, found, expected, hint);
    };
  }
}
