package dev.assay.cli;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Predicates;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import java.util.BitSet;

/** Reads a history for a command. */
final class Reading {
  private Reading() {}

  /**
   * Reads a history with at least one transaction; a null format means by content. Memory that does
   * not suffice is an answer to the user, like any other reason why the input cannot be read.
   */
  static History read(Input input, HistoryFormat format) throws ParseException {
    History history;
    try {
      history = format == null ? Formats.read(input) : Formats.read(input, format);
    } catch (OutOfMemoryError e) {
      throw ParseException.ofFile(
          input.name(),
          "is too large for the memory given",
          "a history that fits",
          "give more with ASSAY_JAVA_OPTS=-Xmx8g");
    }
    if (history.transactionCount() == 0) {
      throw ParseException.ofFile(
          input.name(), "is a history without transactions", "at least one transaction", null);
    }
    requireConditions(history);
    return history;
  }

  /**
   * A condition that is none is a mistake in the file. One with an operator that nobody here knows
   * is not: of what it did nothing can be told, and who judges says so.
   */
  private static void requireConditions(History history) throws ParseException {
    Predicates predicates = history.predicates();
    if (predicates.count() == 0) {
      return;
    }
    Conditions conditions = Conditions.of(predicates);
    BitSet known = new BitSet();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        boolean asks = history.kind(op).isPredicate();
        int number = asks ? predicates.conditionNumber(history.value(op)) : 0;
        boolean selects = history.kind(op) == OpKind.SELECT;
        int use = 2 * number + (selects ? 1 : 0);
        if (asks && !known.get(use)) {
          known.set(use);
          requireCondition(history, txn, conditions, number, selects);
        }
      }
    }
  }

  private static void requireCondition(
      History history, int txn, Conditions conditions, int number, boolean selects)
      throws ParseException {
    try {
      Condition condition = conditions.get(number);
      if (selects && !condition.fitsSelect()) {
        String expected = "only what rows to select, and [\"min\",column] and the like";
        throw wrong(history, txn, "a select with a condition that changes rows", expected);
      }
      if (!selects && !condition.fitsUpdate()) {
        String expected = "only what rows to update, and set or delete";
        throw wrong(history, txn, "an update with a condition that selects a value", expected);
      }
    } catch (ConditionException e) {
      if (!e.isUnsupported()) {
        String at = e.place().isEmpty() ? "" : " at " + e.place();
        String found = "a condition that is wrong" + at + ": " + e.found();
        throw wrong(history, txn, found, e.expected());
      }
    }
  }

  private static ParseException wrong(History history, int txn, String found, String expected) {
    String name = history.origin().name();
    String hint = "docs/predicates.md says what a condition is";
    return switch (history.origin().unit()) {
      case LINE ->
          ParseException.atLine(
              name, history.position(txn), ParseException.NONE, found, expected, hint);
      case OFFSET -> ParseException.atOffset(name, history.position(txn), found, expected, hint);
      case NONE -> ParseException.ofFile(name, found, expected, hint);
    };
  }
}
