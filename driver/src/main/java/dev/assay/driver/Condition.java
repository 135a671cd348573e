package dev.assay.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The condition of a statement, whose parameters are filled in later.
 *
 * @param columns those that it is about
 */
record Condition(Table table, Set<String> columns, Term term) {
  /** A part of a condition. */
  interface Term {
    /** The part as JSON, or null if these parameters cannot be expressed. */
    String json(Parameters parameters);
  }

  /** A constant or a parameter that is compared with a column. */
  interface Constant {
    /** The value as text as the database writes it, empty for null; null if it is not known. */
    Optional<String> text(Parameters parameters);
  }

  /** The key of one row, from constants and parameters. */
  record Key(Table table, List<Constant> parts) {
    /** The name of the row in the history, or null if it cannot be said. */
    String text(Parameters parameters) {
      List<String> values = new ArrayList<>();
      for (Constant part : parts) {
        Optional<String> text = part.text(parameters);
        if (text == null || text.isEmpty()) {
          return null;
        }
        values.add(text.get());
      }
      return table.keyOf(values);
    }
  }

  /** The values of the parameters of a statement. */
  interface Parameters {
    /** In place of a value that is not known. */
    Object UNKNOWN = new Object();

    Object get(int index);
  }

  /** As the history has it, or null if it cannot be expressed. */
  String json(Parameters parameters) {
    String guard = "[\"=\",\"table\",{\"text\":" + Json.quoted(table.label()) + "}]";
    if (term == null) {
      return "{\"where\":" + guard + "}";
    }
    String json = term.json(parameters);
    return json == null ? null : "{\"where\":[\"and\"," + guard + "," + json + "]}";
  }
}
