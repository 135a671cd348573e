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
 * @param places where the hidden columns of the table are, from 1; each column is asked for once,
 *     because a batch of H2 has it only once
 */
record ReturnedKeys(String[] columns, int visible, int[] places) {
  /** The keys of a statement, or null if it is no write. */
  static ReturnedKeys of(Dialect dialect, Plan plan, Object asked) {
    if (!(plan instanceof Plan.Write write)) {
      return null;
    }
    boolean returns = write.deletes() ? dialect.returnsDeleted() : dialect.returnsRows();
    List<String> names = names(dialect, write.table(), asked);
    if (!returns || names == null) {
      return new ReturnedKeys(null, 0, null);
    }
    List<String> all = new ArrayList<>(names);
    List<String> hidden = write.table().hidden();
    int[] places = new int[hidden.size()];
    for (int i = 0; i < places.length; i++) {
      if (!all.contains(hidden.get(i))) {
        all.add(hidden.get(i));
      }
      places[i] = all.indexOf(hidden.get(i)) + 1;
    }
    return new ReturnedKeys(all.toArray(String[]::new), names.size(), places);
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
