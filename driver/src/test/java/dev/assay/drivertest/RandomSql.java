package dev.assay.drivertest;

import java.util.List;
import java.util.Random;

/** Random statements on the tables of {@link #SCHEMA}, some of them wrong. */
final class RandomSql {
  /** For both databases; VERSION stands for a version column where one is needed. */
  static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE t (id SERIAL PRIMARY KEY, a INT, b BOOLEAN, c VARCHAR(40), d NUMERIC(8,2),"
              + " \"Odd Name\" VARCHAR(20) DEFAULT 'o'VERSION)",
          "CREATE TABLE u (k1 INT, k2 VARCHAR(9), t_id INT, x INT, PRIMARY KEY (k1, k2)VERSION)",
          "CREATE TABLE n (a INT, c VARCHAR(9)VERSION)",
          "CREATE TABLE \"Mixed\" (\"Key\" INT PRIMARY KEY, \"from\" VARCHAR(9),"
              + " \"a b\" INTVERSION)",
          "CREATE VIEW v AS SELECT id, a FROM t",
          "CREATE SCHEMA s2",
          "CREATE TABLE s2.t (code VARCHAR(5) PRIMARY KEY, a BIGINTVERSION)",
          "INSERT INTO t (a, b, c, d) VALUES (1, true, 'x', 1.5), (2, false, NULL, 2),"
              + " (NULL, NULL, 'it''s', -1), (2, true, 'a,b', NULL)",
          "INSERT INTO u (k1, k2, t_id, x) VALUES (1, 'a', 1, 5), (1, 'b', 2, 6), (2, 'a', 2, 7)",
          "INSERT INTO n (a, c) VALUES (1, 'p'), (1, 'p'), (2, NULL)",
          "INSERT INTO \"Mixed\" (\"Key\", \"from\", \"a b\") VALUES (1, 'f', 10), (2, 'g', 20)",
          "INSERT INTO s2.t (code, a) VALUES ('q', 1), ('r', 2)");

  private final Random random;
  private final boolean postgres;

  /** How many question marks the last statement has. */
  int parameters;

  RandomSql(Random random, boolean postgres) {
    this.random = random;
    this.postgres = postgres;
  }

  String next() {
    parameters = 0;
    String sql =
        switch (random.nextInt(20)) {
          case 0, 1, 2, 3, 4, 5 -> query();
          case 6, 7 -> aggregate();
          case 8, 9 -> odd();
          case 10, 11, 12 -> update();
          case 13, 14, 15 -> insert();
          case 16, 17 -> delete();
          case 18 -> any(query(), update(), delete()) + any(" oops", " WHERE", ", FROM", " (");
          default -> decorated(any(query(), update(), insert()));
        };
    parameters = (int) sql.chars().filter(c -> c == '?').count();
    return sql;
  }

  /** Comments, white space and semicolons. */
  private String decorated(String sql) {
    String head = any("", "/* from the head */ ", "-- from\n", "\n\t ", "/*+ SeqScan(t) */ ");
    String tail = any("", ";", " -- from", " /* end */", "\n;\n", " ; -- from");
    return head + any(sql, sql.replaceFirst(" ", "\n"), sql.replaceFirst(" ", " /*+ x */ ")) + tail;
  }

  private String query() {
    String condition = condition(2);
    return switch (random.nextInt(17)) {
      case 0 -> "SELECT * FROM t WHERE " + condition + " ORDER BY id";
      case 1 -> "SELECT id, " + number(2) + " AS e FROM t WHERE " + condition + " ORDER BY 1";
      case 2 -> "SELECT x.*, " + text() + " FROM t x WHERE x.id = " + key() + locking();
      case 3 -> "SELECT t.id, u.k2 FROM t JOIN u ON t.id = u.t_id WHERE x > 5 ORDER BY 1, 2";
      case 4 -> "SELECT t.id, u.* FROM t LEFT JOIN u ON t.id = u.t_id ORDER BY t.id, k1, k2";
      case 5 -> "SELECT * FROM u WHERE k1 = " + key() + " AND k2 = 'a'";
      case 6 -> "SELECT \"Key\" AS \"from\", \"a b\" FROM \"Mixed\" AS \"My T\" ORDER BY 1";
      case 7 -> "SELECT * FROM s2.t ORDER BY code";
      case 8 -> "SELECT s.a FROM s2.t s, t WHERE s.a = t.a ORDER BY s.a, t.id";
      case 9 -> "SELECT * FROM n ORDER BY a, c";
      case 10 -> "SELECT * FROM v WHERE a > 0 ORDER BY id";
      case 11 -> "SELECT id FROM t WHERE " + condition + " ORDER BY id LIMIT 2 OFFSET 1";
      case 12 -> "SELECT id FROM t ORDER BY a, id FETCH FIRST 2 ROWS ONLY";
      case 13 -> "SELECT p.id, q.id FROM t p, t q WHERE p.id < q.id AND p.a = q.a ORDER BY 1, 2";
      case 14 -> "SELECT * FROM t NATURAL JOIN (SELECT 1 AS id) one";
      case 15 ->
          "SELECT id FROM t WHERE id IN (SELECT t_id FROM u) AND " + condition + " ORDER BY 1";
      default -> "SELECT t.c, t.\"Odd Name\" FROM public.t WHERE t.id = " + key();
    };
  }

  private String locking() {
    return any("", "", " FOR UPDATE", postgres ? " FOR SHARE NOWAIT" : "");
  }

  private String aggregate() {
    String one = aggregated(2);
    return switch (random.nextInt(6)) {
      case 0 -> "SELECT " + one + " FROM t WHERE " + condition(1);
      case 1 -> "SELECT a, " + one + " AS n FROM t GROUP BY a ORDER BY a NULLS FIRST";
      case 2 -> "SELECT count(*) FROM t HAVING " + "count(*) > " + key();
      case 3 -> "SELECT a, c FROM t GROUP BY a, c ORDER BY 1 NULLS FIRST, 2 NULLS FIRST";
      case 4 -> "SELECT " + one + " FROM t JOIN u ON t.id = u.t_id";
      default -> "SELECT " + one + ", count(*) FROM u";
    };
  }

  /** What is not rewritten, or hard to. */
  private String odd() {
    return switch (random.nextInt(24)) {
      case 0 -> "SELECT DISTINCT a FROM t ORDER BY a";
      case 1 -> "WITH w AS (SELECT id, a FROM t) SELECT w.a FROM w WHERE id > 1 ORDER BY 1";
      case 2 -> "SELECT id FROM t UNION SELECT k1 FROM u ORDER BY 1";
      case 3 -> "SELECT " + number(2);
      case 4 -> "SELECT EXISTS (SELECT 1 FROM t WHERE " + condition(1) + ")";
      case 5 -> "SELECT x.m FROM (SELECT max(a) AS m FROM t) x";
      case 6 -> "SELECT id AS from FROM t ORDER BY id";
      case 7 -> "SELECT t.id, row_number() OVER (ORDER BY id) FROM t ORDER BY id";
      case 8 -> "SELECT y.p FROM t AS y(p, q) ORDER BY 1";
      case 9 -> "SELECT id FROM t ORDER BY id; SELECT 2";
      case 10 -> "UPDATE t SET a = 1 WHERE id = 1; UPDATE t SET a = 2 WHERE id = 1";
      case 11 -> "VALUES (1, 'x'), (2, 'y')";
      case 12 -> "SELECT * FROM missing";
      case 13 -> "SELECT /* FROM */ id, 'FROM t', $$ from $$ FROM t ORDER BY id";
      case 14 -> "SELECT /* a /* nested */ from */ id FROM t ORDER BY id";
      case 15 -> "SELECT c FROM t WHERE c LIKE'x\\' OR c = ' from ' ORDER BY id";
      case 16 -> "UPDATE t SET a = u.x FROM u WHERE u.t_id = t.id";
      case 17 -> "MERGE INTO u USING t ON u.t_id = t.id WHEN MATCHED THEN UPDATE SET x = t.a";
      case 18 -> "WITH d AS (DELETE FROM u WHERE k1 = 2 RETURNING x) SELECT x FROM d";
      case 19 -> "SELECT id FROM ONLY t WHERE a IS DISTINCT FROM " + key() + " ORDER BY id";
      case 20 -> "SELECT t.*, t FROM t ORDER BY id";
      case 21 -> "SELECT {fn abs(a)} FROM t ORDER BY id";
      case 22 -> "EXPLAIN SELECT 1";
      default -> "SELECT CASE WHEN a > 1 THEN 'from' ELSE 'to' END FROM t ORDER BY id";
    };
  }

  private String update() {
    String set = any("a = " + number(1), "c = " + text(), "b = NOT b", "a = ?", "d = d + 1");
    return switch (random.nextInt(8)) {
      case 0 -> "UPDATE t SET " + bumped(set) + " WHERE id = " + key();
      case 1 -> "UPDATE t SET " + bumped(set) + " WHERE " + condition(2);
      case 2 -> "UPDATE u SET " + bumped("x = x + 1") + " WHERE k1 = " + key() + " AND k2 = 'b'";
      case 3 -> "UPDATE \"Mixed\" SET " + bumped("\"a b\" = " + key()) + " WHERE \"Key\" = 1";
      case 4 -> "UPDATE n SET a = a + 1" + any("", " WHERE c IS NULL");
      case 5 -> "UPDATE s2.t SET " + bumped("a = a + 1") + " WHERE code = 'q'";
      case 6 -> "UPDATE t SET id = " + key() + " WHERE id = " + key();
      default ->
          "UPDATE t AS z SET "
              + bumped(set)
              + " WHERE z.id = "
              + key()
              + (postgres ? any("", " RETURNING id, a", " RETURNING *;") : "");
    };
  }

  private String bumped(String set) {
    return postgres ? set : set + ", version = version + 1";
  }

  private String insert() {
    String returning = postgres ? any("", "", " RETURNING id", " RETURNING *, 1 -- from") : "";
    String conflict = any("DO NOTHING", "(id) DO UPDATE SET a = excluded.a");
    return switch (random.nextInt(8)) {
      case 0 -> "INSERT INTO t (a, c) VALUES (" + number(1) + ", " + text() + ")" + returning;
      case 1 -> "INSERT INTO t (a) VALUES (" + key() + "), (" + key() + ")" + returning;
      case 2 -> "INSERT INTO t (id, a) VALUES (" + key() + ", 1)" + returning;
      case 3 ->
          "INSERT INTO t (id, a) VALUES (" + key() + ", 9) ON CONFLICT " + conflict + returning;
      case 4 ->
          "INSERT INTO u (k1, k2, x) VALUES (" + key() + ", " + any("'a'", "'b,c'", "?") + ", 1)";
      case 5 -> "INSERT INTO n VALUES (" + key() + ", " + text() + any(")", ", 0)");
      case 6 -> "INSERT INTO t (a, b) SELECT a, b FROM t WHERE id = " + key() + returning;
      default -> "INSERT INTO u (k1) VALUES (" + key() + ")";
    };
  }

  private String delete() {
    return switch (random.nextInt(6)) {
      case 0 -> "DELETE FROM t WHERE id = " + key();
      case 1 -> "DELETE FROM u WHERE k1 = " + key() + " AND k2 = 'a'";
      case 2 ->
          "DELETE FROM t WHERE id > 4 AND "
              + condition(1)
              + (postgres ? any("", " RETURNING c") : "");
      case 3 -> "DELETE FROM u USING t WHERE u.t_id = t.id AND t.id = 2";
      case 4 -> "DELETE FROM n WHERE a = " + key();
      default -> "DELETE FROM s2.t WHERE code = " + any("'r'", "?");
    };
  }

  private String key() {
    return any("1", "2", "3", "4", "?", "?", "7", "-1");
  }

  private String number(int depth) {
    if (depth == 0) {
      return any("a", "id", "3", "?", "t.a");
    }
    String one = number(depth - 1);
    return switch (random.nextInt(14)) {
      case 0 -> one + " + " + number(depth - 1);
      case 1 -> "coalesce(" + one + ", 0)";
      case 2 -> "CASE WHEN " + condition(depth - 1) + " THEN " + one + " ELSE 0 END";
      case 3 -> "CAST(" + one + " AS INT)";
      case 4 -> "- " + one;
      case 5 -> "(SELECT max(k1) FROM u)";
      case 6 -> "length(c)";
      case 7 -> "EXTRACT(YEAR FROM DATE '2020-02-03')";
      case 8 -> "(" + one + ")";
      case 9 -> "position('t' in c)";
      case 10 -> postgres ? one + "::bigint" : "abs(" + one + ")";
      case 11 -> "10 / " + one;
      default -> one;
    };
  }

  private String text() {
    return any(
        "c",
        "'x'",
        "'from'",
        "'it''s'",
        "NULL",
        "upper(c)",
        "c || 'z'",
        "substring(c from 1 for 2)",
        "trim(both 'x' from c)",
        "?",
        "'a\u0003b'",
        "CAST(d AS VARCHAR)");
  }

  private String aggregated(int depth) {
    if (depth == 0) {
      return any("count(*)", "sum(x)", "max(a)", "count(DISTINCT a)", "avg(a)", "min(c)", "sum(a)");
    }
    String one = aggregated(depth - 1);
    return switch (random.nextInt(postgres ? 22 : 15)) {
      case 0 -> "CASE WHEN " + one + " > 0 THEN 1 ELSE 2 END";
      case 1 -> "CAST(" + one + " AS VARCHAR)";
      case 2 -> "(" + one + ")";
      case 3 -> "-" + one;
      case 4 -> one + " IS NULL";
      case 5 -> one + " BETWEEN 1 AND 2";
      case 6 -> one + " IN (1, 2)";
      case 7 -> "NOT (" + one + " > 1)";
      case 8 -> one + " || 'x'";
      case 9 -> "coalesce(" + one + ", 0)";
      case 10 -> "1 + " + one;
      case 11 -> "count(*) FILTER (WHERE a > 1)";
      case 12 -> "CASE " + one + " WHEN 1 THEN 'one' END";
      case 13 -> "CASE WHEN 1 = 1 THEN " + one + " END";
      case 14 -> one + " IS DISTINCT FROM 1";
      case 15 -> "ARRAY[" + one + "]";
      case 16 -> one + "::text";
      case 17 -> "ROW(" + one + ", 1)";
      case 18 -> "json_build_object('n', " + one + ")";
      case 19 -> "(ARRAY[1,2,3])[" + one + "]";
      case 20 -> one + " = ANY (ARRAY[1,2])";
      default -> "percentile_cont(0.5) WITHIN GROUP (ORDER BY a)";
    };
  }

  private String condition(int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      String left = condition(depth - 1);
      String right = condition(depth - 1);
      return any(
          left + " AND " + right,
          "(" + left + " OR " + right + ")",
          "NOT (" + left + ")",
          left + " AND " + right);
    }
    return any(
        "a = " + key(),
        "a < " + key(),
        "id = " + key(),
        "b",
        "b IS NOT TRUE",
        "NOT b",
        "c = 'x'",
        "c LIKE '%t%'",
        "c IS NULL",
        "d >= 1.5",
        "a BETWEEN 1 AND " + key(),
        "a IN (1, " + key() + ")",
        "a NOT IN (2, NULL)",
        "a <> " + key(),
        "d = " + any("2", "1.50"),
        "b = TRUE",
        "a IS NOT NULL",
        "\"Odd Name\" = 'o'",
        "1 = 1",
        "a = NULL",
        "EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)");
  }

  String any(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
