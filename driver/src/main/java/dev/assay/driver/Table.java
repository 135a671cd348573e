package dev.assay.driver;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A table whose rows can be recorded.
 *
 * @param label its name in the history, with the schema where that is not the current one
 * @param all the names of all its columns, in their order
 * @param key the columns of its primary key
 * @param columns the columns that conditions may be about
 * @param version what names a version of a row: system columns, or a column of the table
 * @param closed whether nothing but statements on the table itself changes its rows
 */
record Table(
    String label,
    List<String> all,
    List<Column> key,
    List<Column> columns,
    List<String> version,
    boolean closed) {

  /** What a condition can do with a column. */
  enum Kind {
    INTEGER,
    DECIMAL,
    BOOLEAN,
    TEXT,
    UUID,
    OTHER
  }

  record Column(String name, Kind kind) {
    /** A value of this column as the driver gives it as text, as JSON. */
    String json(String text) {
      if (text == null) {
        return "null";
      }
      return switch (kind) {
        case INTEGER -> text;
        case DECIMAL -> text.equals("NaN") ? "{\"double\":\"NaN\"}" : text;
        case BOOLEAN -> Boolean.toString(text.startsWith("t") || text.startsWith("T"));
        case UUID, TEXT, OTHER -> Json.quoted(shortened(text));
      };
    }
  }

  private static final int MAX_TEXT = 60;

  /** Long texts by their beginning and a hash: conditions ask only whether they are equal. */
  static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT / 2) + "…" + digest(text);
  }

  private static String digest(String text) {
    try {
      byte[] all =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(all, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The columns to fetch beside what was asked for, in the order that {@link Row} expects. */
  List<String> hidden() {
    List<String> hidden = new ArrayList<>(version);
    key.forEach(column -> hidden.add(column.name()));
    columns.forEach(column -> hidden.add(column.name()));
    return hidden;
  }

  /** How many these are. */
  int width() {
    return version.size() + key.size() + columns.size();
  }

  /** The column of this name that conditions may be about; null if there is not exactly one. */
  Column column(String name) {
    Column found = null;
    for (Column column : columns) {
      if (column.name().equalsIgnoreCase(name)) {
        if (found != null) {
          return null;
        }
        found = column;
      }
    }
    return found;
  }

  String keyOf(List<String> values) {
    if (values.size() == 1) {
      return label + "/" + values.get(0);
    }
    // Commas within values are told from those between them.
    StringBuilder text = new StringBuilder(label);
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? '/' : ',');
      text.append(values.get(i).replace("\\", "\\\\").replace(",", "\\,"));
    }
    return text.toString();
  }
}
