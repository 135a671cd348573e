package dev.assay.cli;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Predicates;
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
        if (asks && !known.get(number)) {
          known.set(number);
          requireCondition(history, txn, conditions, number);
        }
      }
    }
  }

  private static void requireCondition(History history, int txn, Conditions conditions, int number)
      throws ParseException {
    try {
      conditions.get(number);
    } catch (ConditionException e) {
      if (!e.isUnsupported()) {
        throw wrong(history, txn, e);
      }
    }
  }

  private static ParseException wrong(History history, int txn, ConditionException e) {
    String at = e.place().isEmpty() ? "" : " at " + e.place();
    String found = "a condition that has" + at + " " + e.found();
    String name = history.origin().name();
    String hint = "docs/predicates.md says what a condition is";
    return switch (history.origin().unit()) {
      case LINE ->
          ParseException.atLine(
              name, history.position(txn), ParseException.NONE, found, e.expected(), hint);
      case OFFSET ->
          ParseException.atOffset(name, history.position(txn), found, e.expected(), hint);
      case NONE -> ParseException.ofFile(name, found, e.expected(), hint);
    };
  }
}
