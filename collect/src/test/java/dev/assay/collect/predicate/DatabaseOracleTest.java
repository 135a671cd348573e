package dev.assay.collect.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.assay.predicate.Aggregate;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import dev.assay.predicate.Matcher;
import dev.assay.predicate.SqlTerms;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The second oracle: a real database evaluates the same conditions over the same rows. */
class DatabaseOracleTest {
  private static final List<String> COLUMNS = List.of("a", "b", "c", "t");
  private static final SqlTerms TERMS = name -> '"' + name + '"';
  private static final int ROWS = 24;

  private Connection connection;
  private Statement statement;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:");
    statement = connection.createStatement();
    statement.execute(
        "create table rows (\"k\" bigint primary key, \"a\" bigint, \"b\" bigint, \"c\" bigint,"
            + " \"t\" varchar)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void theSameRowsMatch() throws Exception {
    Random random = new Random(1);
    RandomConditions conditions = new RandomConditions(random, false);
    Map<Long, List<Object>> rows = Map.of();
    int matched = 0;
    int unmatched = 0;
    for (int i = 0; i < 2500; i++) {
      if (i % 100 == 0) {
        rows = newRows(random);
      }
      Condition condition = parsed("{\"where\":" + conditions.truth(4) + "}");
      Matcher matcher = condition.bind(COLUMNS);
      List<Long> selected = new ArrayList<>();
      try (ResultSet result = query(condition, "\"k\"")) {
        while (result.next()) {
          selected.add(result.getLong(1));
        }
      }
      for (Map.Entry<Long, List<Object>> row : rows.entrySet()) {
        boolean matches = matcher.matches(row.getKey(), row.getValue());
        assertThat(matches)
            .as("%s of %s", condition, row)
            .isEqualTo(selected.contains(row.getKey()));
        matched += matches ? 1 : 0;
        unmatched += matches ? 0 : 1;
      }
      assertThat(Condition.parse(condition.toString())).isEqualTo(condition);
    }
    assertThat(matched).isGreaterThan(10_000);
    assertThat(unmatched).isGreaterThan(10_000);
  }

  @Test
  void aggregatesAreTheSame() throws Exception {
    Random random = new Random(2);
    RandomConditions conditions = new RandomConditions(random, false);
    Map<Long, List<Object>> rows = Map.of();
    int nulls = 0;
    for (int i = 0; i < 1500; i++) {
      if (i % 100 == 0) {
        rows = newRows(random);
      }
      String select =
          List.of(
                  "\"count\"",
                  "\"count\",\"a\"",
                  "\"sum\",\"b\"",
                  "\"min\",\"c\"",
                  "\"max\",\"a\"",
                  "\"min\",\"t\"",
                  "\"max\",\"k\"",
                  "\"avg\",\"b\"")
              .get(i % 8);
      Condition condition =
          parsed("{\"select\":[" + select + "],\"where\":" + conditions.truth(3) + "}");
      Object expected;
      try (ResultSet result = query(condition, condition.aggregateSql(TERMS))) {
        result.next();
        expected = scalar(result.getObject(1));
      }
      Matcher matcher = condition.bind(COLUMNS);
      Object found = matcher.aggregate(rows.entrySet());
      Aggregate aggregate = matcher.aggregate();
      rows.forEach(aggregate::add);
      assertThat(aggregate.gives(expected)).as("%s of %s: %s", condition, rows, found).isTrue();
      if (condition.form() != Condition.Form.AVG) {
        assertThat(found).as("%s of %s", condition, rows).isEqualTo(expected);
      }
      nulls += found == null ? 1 : 0;
      checkDeciding(condition, found, rows);
    }
    assertThat(nulls).isBetween(50, 1000);
  }

  /** The rows that decide a result have the same result on their own, and so has nothing else. */
  private static void checkDeciding(
      Condition condition, Object result, Map<Long, List<Object>> rows) throws ConditionException {
    Matcher deciding = condition.refined(result).bind(COLUMNS);
    Map<Long, List<Object>> alone = new TreeMap<>(rows);
    alone.entrySet().removeIf(row -> !deciding.matches(row.getKey(), row.getValue()));
    assertThat(condition.bind(COLUMNS).aggregate(alone.entrySet()))
        .as("%s of %s", condition, alone)
        .isEqualTo(result);
    boolean extreme =
        condition.form() == Condition.Form.MIN || condition.form() == Condition.Form.MAX;
    if (extreme && result == null) {
      assertThat(alone).as("%s of %s", condition, rows).isEmpty();
    }
  }

  @Test
  void updatesLeaveTheSameRows() throws Exception {
    Random random = new Random(3);
    RandomConditions conditions = new RandomConditions(random, false);
    int changed = 0;
    for (int i = 0; i < 600; i++) {
      Map<Long, List<Object>> rows = newRows(random);
      boolean deletes = i % 6 == 0;
      String effect =
          deletes
              ? "\"delete\":true"
              : "\"set\":{\"a\":%s,\"c\":%s,\"t\":%s}"
                  .formatted(conditions.integer(3), conditions.integer(1), conditions.text());
      Condition condition = parsed("{\"where\":" + conditions.truth(3) + "," + effect + "}");
      Matcher matcher = condition.bind(COLUMNS);
      String where = " where " + condition.whereSql(TERMS);
      changed +=
          statement.executeUpdate(
              deletes
                  ? "delete from rows" + where
                  : "update rows set " + condition.setSql(TERMS) + where);
      Map<Long, Object> expected = new TreeMap<>();
      rows.forEach(
          (key, value) -> {
            Object left = matcher.matches(key, value) ? matcher.updated(key, value) : value;
            if (left != null) {
              expected.put(key, left);
            }
          });
      assertThat(stored()).as("%s of %s", condition, rows).isEqualTo(expected);
    }
    assertThat(changed).isGreaterThan(1000);
  }

  /**
   * A database may evaluate in another order than ours and so come across an error or not; alone in
   * its select list an expression has no other order. Each row is asked separately.
   */
  @Test
  void whatHasNoResultHasNoneInTheDatabase() throws Exception {
    Random random = new Random(4);
    RandomConditions conditions = new RandomConditions(random, true);
    Map<Long, List<Object>> rows = Map.of();
    int failed = 0;
    for (int i = 0; i < 400; i++) {
      if (i % 50 == 0) {
        rows = newRows(random);
      }
      Condition condition = parsed("{\"set\":{\"a\":" + conditions.integer(3) + "}}");
      Matcher matcher = condition.bind(COLUMNS);
      Condition compared = parsed("{\"where\":[\"<\",\"k\"," + conditions.integer(3) + "]}");
      Matcher comparing = compared.bind(COLUMNS);
      for (Map.Entry<Long, List<Object>> row : rows.entrySet()) {
        Long key = row.getKey();
        String assigned = condition.setSql(TERMS).substring("\"a\" = ".length());
        Object ours = result(() -> ((List<?>) matcher.updated(key, row.getValue())).get(0));
        Object theirs = result(() -> single(assigned, key));
        assertThat(ours).as("%s of %s", condition, row).isEqualTo(theirs);
        failed += ours == NO_RESULT ? 1 : 0;
        Object matches = result(() -> comparing.matches(key, row.getValue()));
        Object selected = result(() -> single(compared.whereSql(TERMS), key) == Boolean.TRUE);
        assertThat(matches).as("%s of %s", compared, row).isEqualTo(selected);
        failed += matches == NO_RESULT ? 1 : 0;
      }
    }
    assertThat(failed).isGreaterThan(300);
  }

  private static final String NO_RESULT = "no result";

  private interface Evaluation {
    Object result() throws SQLException;
  }

  private static Object result(Evaluation evaluation) {
    try {
      return evaluation.result();
    } catch (EvaluationException | SQLException e) {
      return NO_RESULT;
    }
  }

  private Object single(String sql, long key) throws SQLException {
    try (ResultSet result =
        statement.executeQuery("select " + sql + " from rows where \"k\" = " + key)) {
      result.next();
      return scalar(result.getObject(1));
    }
  }

  // ---- the table

  private Map<Long, List<Object>> newRows(Random random) throws SQLException {
    statement.execute("truncate table rows");
    Map<Long, List<Object>> rows = new TreeMap<>();
    try (PreparedStatement insert =
        connection.prepareStatement("insert into rows values (?, ?, ?, ?, ?)")) {
      for (long key = 0; key < ROWS; key++) {
        List<Object> row =
            Arrays.asList(integer(random), integer(random), integer(random), text(random));
        rows.put(key, row);
        insert.setObject(1, key);
        for (int i = 0; i < row.size(); i++) {
          insert.setObject(i + 2, row.get(i));
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
    return rows;
  }

  private static Long integer(Random random) {
    return random.nextInt(5) == 0 ? null : Long.valueOf(random.nextInt(9) - 3);
  }

  private static String text(Random random) {
    List<String> texts = RandomConditions.TEXTS;
    return random.nextInt(5) == 0
        ? null
        : texts.get(random.nextInt(texts.size())).replace("\\\\", "\\");
  }

  private Map<Long, Object> stored() throws SQLException {
    Map<Long, Object> rows = new TreeMap<>();
    try (ResultSet result = statement.executeQuery("select * from rows")) {
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 0; i < COLUMNS.size(); i++) {
          row.add(scalar(result.getObject(i + 2)));
        }
        rows.put(result.getLong(1), row);
      }
    }
    return rows;
  }

  private ResultSet query(Condition condition, String selected) throws SQLException {
    String sql = "select " + selected + " from rows where " + condition.whereSql(TERMS);
    try {
      return statement.executeQuery(sql);
    } catch (SQLException e) {
      return fail(condition + " as " + sql, e);
    }
  }

  private static Object scalar(Object value) {
    if (value instanceof Integer integer) {
      return integer.longValue();
    }
    boolean whole =
        value instanceof BigDecimal decimal && decimal.stripTrailingZeros().scale() <= 0;
    return whole ? (Object) ((BigDecimal) value).longValueExact() : value;
  }

  private static Condition parsed(String json) {
    try {
      return Condition.parse(json);
    } catch (ConditionException e) {
      throw new AssertionError(json, e);
    }
  }
}
