package dev.assay.driver;

import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is asked of a write as generated keys.
 *
 * @param columns those that the application asked for, and then the hidden ones; null where the
 *     application asked in a way that cannot be added to
 * @param visible how many of them the application asked for
 */
record ReturnedKeys(String[] columns, int visible) {
  /** The keys of a statement, or null if it is no write. */
  static ReturnedKeys of(Dialect dialect, Plan plan, Object asked) {
    if (!(plan instanceof Plan.Write write)) {
      return null;
    }
    boolean returns = write.deletes() ? dialect.returnsDeleted() : dialect.returnsRows();
    List<String> names = names(dialect, write.table(), asked);
    if (!returns || names == null) {
      return new ReturnedKeys(null, 0);
    }
    List<String> all = new ArrayList<>(names);
    all.addAll(write.table().hidden());
    return new ReturnedKeys(all.toArray(String[]::new), names.size());
  }

  private static List<String> names(Dialect dialect, Table table, Object asked) {
    if (asked == null || asked.equals(Statement.NO_GENERATED_KEYS)) {
      return List.of();
    }
    if (asked instanceof String[] names) {
      return Arrays.asList(names);
    }
    // PostgreSQL's driver then returns all columns; which ones others return is not known.
    boolean all = asked.equals(Statement.RETURN_GENERATED_KEYS);
    return all && dialect == Dialect.POSTGRES ? table.all() : null;
  }
}
