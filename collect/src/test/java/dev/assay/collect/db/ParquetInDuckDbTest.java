package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB reads the Parquet files of Assay, answers the questions of docs/parquet.md, and back. */
class ParquetInDuckDbTest {
  @TempDir Path folder;

  private static History history() {
    HistoryBuilder builder = new HistoryBuilder();
    int a = builder.session("a");
    int b = builder.session(2);
    transaction(builder, a, Outcome.COMMITTED, 10, 20);
    builder.write("x", 1);
    builder.append("l", 5);
    transaction(builder, b, Outcome.ABORTED, 30, 40);
    builder.write("x", 2);
    transaction(builder, a, Outcome.COMMITTED, 50, 60);
    builder.write("y", 3);
    builder.readList("l", List.of(5));
    transaction(builder, a, Outcome.COMMITTED, 70, 75);
    builder.write("y", 4);
    transaction(builder, b, Outcome.COMMITTED, 80, 99);
    builder.read("x", 2);
    builder.read("y", 3);
    builder.read("z", null);
    transaction(builder, b, Outcome.INDETERMINATE, 100, History.ABSENT);
    return builder.build();
  }

  private static void transaction(
      HistoryBuilder builder, int session, Outcome outcome, long start, long end) {
    int txn = builder.begin(session, outcome);
    builder.start(txn, start);
    builder.end(txn, end);
  }

  private static String lines(History history) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Formats.byId("assay-jsonl").orElseThrow().write(history, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private String ask(Statement statement, String sql) throws SQLException {
    StringBuilder rows = new StringBuilder();
    String placed = sql.replaceAll("'([a-z]+\\.parquet)'", "'" + folder + "/$1'");
    if (statement.execute(placed)) {
      try (ResultSet result = statement.getResultSet()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            row.add(result.getString(i));
          }
          rows.append(String.join(" ", row)).append('\n');
        }
      }
    }
    return rows.toString();
  }

  @Test
  void theQuestionsOfThePageHaveAnswers() throws Exception {
    History history = history();
    Path file = folder.resolve("history.parquet");
    try (OutputStream out = Files.newOutputStream(file)) {
      Formats.byId("parquet").orElseThrow().write(history, out);
    }
    String page = Files.readString(Path.of("..", "docs", "parquet.md"));
    Matcher questions = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL).matcher(page);
    List<String> answers = new ArrayList<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      while (questions.find()) {
        answers.add(ask(statement, questions.group(1)));
      }
      assertThat(answers.get(0)).contains("committed w 3", "aborted w 1", "indeterminate null 1");
      assertThat(answers.get(1)).isEqualTo("x 3 2\ny 3 2\nl 2 0\nz 1 0\n");
      assertThat(answers.get(2)).startsWith("4 2 19\n0 a 10\n");
      assertThat(answers.get(3)).isEqualTo("4 1 x 2\n");
      assertThat(answers.get(4)).isEqualTo("4 3 y\n");
      assertThat(answers.get(5)).isEqualTo("l 1\n");
      assertThat(lines(Formats.read(Input.of(folder.resolve("part.parquet")))))
          .isEqualTo(lines(history));
      for (String codec : List.of("snappy", "gzip", "uncompressed")) {
        ask(
            statement,
            "COPY (FROM 'history.parquet') TO 'again.parquet' (COMPRESSION " + codec + ")");
        assertThat(lines(Formats.read(Input.of(folder.resolve("again.parquet")))))
            .isEqualTo(lines(history));
      }
    }
  }

  @Test
  void aFileOfManyRowGroupsIsReadWhole() throws Exception {
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      ask(
          statement,
          "COPY (SELECT i // 4 AS txn, (i // 4 % 3)::INT AS session, 'w' AS kind,"
              + " i % 100 AS key, CASE WHEN i % 7 = 0 THEN NULL ELSE i END AS value"
              + " FROM range(300000) t(i)) TO 'made.parquet'");
      ask(statement, "COPY (FROM 'made.parquet' WHERE value IS NOT NULL) TO 'some.parquet'");
    }
    History history = Formats.read(Input.of(folder.resolve("some.parquet")));
    assertThat(history.operationCount()).isEqualTo(300_000 - 42_858);
    assertThat(history.keys().count()).isEqualTo(100);
    assertThat(history.sessionCount()).isEqualTo(3);
  }
}
