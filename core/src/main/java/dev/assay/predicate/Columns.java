package dev.assay.predicate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The columns of a table: the key, and the parts of a row's value. */
public final class Columns {
  /** The column that is the key of the row. */
  public static final String KEY = "k";

  /** The only other column where the columns have no names: the value itself. */
  public static final String VALUE = "v";

  /** The metadata of a history that names the columns. */
  public static final String METADATA = "columns";

  static final int KEY_SLOT = -1;

  private final List<String> names;

  private Columns(List<String> names) {
    this.names = names;
  }

  /**
   * The names in a history's metadata {@code columns}, such as {@code val,ver}; none for null.
   *
   * @throws ConditionException if a name is empty, repeated or that of the key
   */
  public static List<String> parse(String metadata) throws ConditionException {
    if (metadata == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (String name : metadata.split(",", -1)) {
      names.add(name.strip());
    }
    return of(names).names;
  }

  /**
   * What reads a column of rows with these columns: {@code k}, one of the names, or {@code v} where
   * there are no names. Of a row that has other columns it gives something that is neither null nor
   * a number, so that an index by this column leaves the row to be evaluated, which reports it.
   *
   * @throws ConditionException if there is no such column
   */
  public static RowValue column(List<String> names, String column) throws ConditionException {
    Columns columns = of(names);
    Integer slot = columns.slot(column);
    if (slot == null) {
      throw new ConditionException(
          "",
          "the column " + SentenceText.quoted(column),
          "one of the columns " + columns.listed());
    }
    RowValue item = new Compiler(columns).column(slot);
    return (key, value) -> value == null || columns.fit(value) ? item.of(key, value) : columns;
  }

  /** The columns with these names; where there are none a row's value is the column {@code v}. */
  public static Columns of(List<String> names) throws ConditionException {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (name.isEmpty() || name.equals(KEY) || !seen.add(name)) {
        throw new ConditionException(
            "columns",
            SentenceText.quoted(String.join(",", names)),
            "different names of columns other than the key's, " + KEY);
      }
    }
    return new Columns(List.copyOf(names));
  }

  /** The place of a column in a row's value, {@link #KEY_SLOT} for the key, null if unknown. */
  Integer slot(String name) {
    if (name.equals(KEY)) {
      return KEY_SLOT;
    }
    if (names.isEmpty()) {
      return name.equals(VALUE) ? 0 : null;
    }
    int slot = names.indexOf(name);
    return slot < 0 ? null : slot;
  }

  /** The columns as messages list them. */
  String listed() {
    return KEY + ", " + (names.isEmpty() ? VALUE : String.join(", ", names));
  }

  /** Whether vectors are split into columns; without column names they are values like others. */
  boolean areNamed() {
    return !names.isEmpty();
  }

  /** Whether a value has these columns. */
  private boolean fit(Object value) {
    return names.isEmpty() || count(value) == names.size();
  }

  private static int count(Object value) {
    return value instanceof List<?> list ? list.size() : 1;
  }

  /** Throws if a value has other columns than these. */
  void check(Object value) {
    if (!fit(value)) {
      throw new EvaluationException(
          "a row has %d columns, not %d (%s)"
              .formatted(count(value), names.size(), String.join(", ", names)));
    }
  }

  /** The value with some columns replaced. */
  Object replaced(Object value, int[] slots, Object[] replacements) {
    if (!(areNamed() && value instanceof List<?> list)) {
      if (replacements[0] == null) {
        throw new EvaluationException(
            "the only column of a row cannot be set to null, which says that there is no row");
      }
      return replacements[0];
    }
    List<Object> copy = new ArrayList<>(list);
    for (int i = 0; i < slots.length; i++) {
      copy.set(slots[i], replacements[i]);
    }
    return Collections.unmodifiableList(copy);
  }
}
