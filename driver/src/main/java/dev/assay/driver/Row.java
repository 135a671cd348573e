package dev.assay.driver;

import java.util.ArrayList;
import java.util.List;

/**
 * A version of a row.
 *
 * @param values of the {@linkplain Table#columns columns} as JSON; null where the row is gone
 */
record Row(Table table, String key, String version, List<String> values) {
  /** Between the parts of a row, and in place of null, where rows come as one text. */
  static final char PART = '\u0001';

  static final char NULL = '\u0002';
  static final char ROW = '\u0003';

  /** A row from its {@linkplain Table#hidden hidden} columns; null for one that is not there. */
  static Row of(Table table, List<String> hidden) {
    int versions = table.version().size();
    StringBuilder version = new StringBuilder();
    for (int i = 0; i < versions; i++) {
      if (hidden.get(i) == null) {
        return null;
      }
      append(version, hidden.get(i));
    }
    List<String> key = hidden.subList(versions, versions + table.key().size());
    if (key.contains(null)) {
      return null;
    }
    List<String> values = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      values.add(table.columns().get(i).json(hidden.get(versions + key.size() + i)));
    }
    return new Row(table, table.keyOf(key), version.toString(), values);
  }

  /** PostgreSQL's (0,5) is shorter as 0.5. */
  private static void append(StringBuilder version, String part) {
    if (version.length() > 0) {
      version.append(':');
    }
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c != '(' && c != ')') {
        version.append(c == ',' ? '.' : c);
      }
    }
  }

  /** The rows of an aggregated column. */
  static List<Row> all(Table table, String text) {
    List<Row> rows = new ArrayList<>();
    if (text != null) {
      for (String row : text.split(String.valueOf(ROW), -1)) {
        List<String> parts = new ArrayList<>();
        for (String part : row.split(String.valueOf(PART), -1)) {
          parts.add(part.equals(String.valueOf(NULL)) ? null : part);
        }
        if (parts.size() != table.width()) {
          throw new IllegalStateException("a text in them has control characters");
        }
        Row one = of(table, parts);
        if (one != null) {
          rows.add(one);
        }
      }
    }
    return rows;
  }

  /** The row after it was deleted: a version that nothing matches. */
  static Row gone(Table table, String key, String version) {
    return new Row(table, key, version, null);
  }
}
