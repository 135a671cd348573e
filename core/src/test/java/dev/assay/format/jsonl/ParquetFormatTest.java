package dev.assay.format.jsonl;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.format.parquet.ByteOut;
import dev.assay.format.parquet.ColumnOut;
import dev.assay.format.parquet.ParquetFile;
import dev.assay.format.parquet.ParquetWriter;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Keyword;
import dev.assay.history.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories as rows of Parquet files. */
class ParquetFormatTest {
  private static final ParquetFormat FORMAT = new ParquetFormat();

  @TempDir Path folder;

  private static History written(History history) throws Exception {
    return Written.read(FORMAT, "h.parquet", Written.bytes(FORMAT, history));
  }

  @Test
  void whatTheFormatOfLinesCanSayIsKept() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "assay-jsonl.md"));
    Matcher examples = Pattern.compile("```jsonl\n(.*?)```", Pattern.DOTALL).matcher(page);
    int count = 0;
    for (; examples.find(); count++) {
      byte[] lines = examples.group(1).getBytes(StandardCharsets.UTF_8);
      History history = Formats.read(Input.of("h.jsonl", lines));
      assertSame(written(history), history);
    }
    assertThat(count).isGreaterThan(1);
  }

  @Test
  void scalarsOfAllKindsAreKept() throws Exception {
    List<Object> scalars = new ArrayList<>();
    scalars.addAll(Arrays.asList("x", "", "1", "-7", "null", "true", "a\"b\\c", "\u00e4", "k 1"));
    scalars.addAll(Arrays.asList("line\nbreak", "_", "\ud800half", "z\udc00", "{\"keyword\":1}"));
    scalars.addAll(Arrays.asList(0, -1, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, true, false));
    scalars.addAll(Arrays.asList(0.1, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1e300));
    scalars.addAll(Arrays.asList(new BigDecimal("1.50"), BigInteger.TWO.pow(70)));
    scalars.addAll(Arrays.asList(new Keyword("red"), Arrays.asList(1, null, "x")));
    HistoryBuilder builder = new HistoryBuilder();
    for (Object scalar : scalars) {
      int txn = builder.begin(builder.session(scalar), Outcome.INDETERMINATE);
      builder.id(txn, builder.scalars().of(scalar));
      builder.write(scalar, scalar);
      builder.append(Arrays.asList("list", scalar), scalar);
      builder.readList(Arrays.asList("list", scalar), List.of(scalar, scalar));
    }
    History history = builder.build();
    assertSame(written(history), history);
  }

  @Test
  void rowGroupsHaveWholeTransactions() throws Exception {
    History history = large();
    byte[] bytes = Written.bytes(FORMAT, history);
    Path file = Files.write(folder.resolve("large.parquet"), bytes);
    assertSame(Formats.read(Input.of(file)), Written.read(FORMAT, "large.parquet", bytes));
    ParquetFile parquet = new ParquetFile(Input.of(file).random());
    assertThat(parquet.groups()).isGreaterThan(1);
    int transactions = 0;
    for (int group = 0; group < parquet.groups(); group++) {
      Input lines = Input.of("part", new ParquetLines(Input.of(file).random(), group, group + 1));
      transactions += Formats.read(lines).transactionCount();
    }
    assertThat(transactions).isEqualTo(history.transactionCount());
    assertSame(Formats.read(Input.of(file)), history);
  }

  private static History large() {
    Random random = new Random(5);
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < 20_000; i++) {
      int txn = builder.begin(builder.session(random.nextInt(7)), Outcome.COMMITTED);
      if (i % 3 != 0) {
        builder.start(txn, i * 10L);
        builder.end(txn, i * 10L + 5);
      }
      for (int op = random.nextInt(16); op > 0; op--) {
        builder.write("key" + random.nextInt(300), random.nextLong());
      }
    }
    return builder.build();
  }

  // ---- files of others

  private static byte[] file(List<Object[]> rows, String... names) throws IOException {
    List<ColumnOut> columns = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      boolean isNumber = rows.get(0)[i] instanceof Integer;
      columns.add(isNumber ? ColumnOut.ofNumbers(names[i]) : ColumnOut.ofTexts(names[i]));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ParquetWriter writer = new ParquetWriter(out, columns);
    for (Object[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        if (row[i] == null) {
          columns.get(i).none();
        } else if (row[i] instanceof Integer number) {
          columns.get(i).number(number);
        } else {
          ByteOut text = new ByteOut();
          text.add((String) row[i]);
          columns.get(i).text(text);
        }
      }
      writer.endRow();
      writer.endTransaction();
    }
    writer.finish("other", "writer");
    return out.toByteArray();
  }

  private static Object[] row(Object... fields) {
    return fields;
  }

  @Test
  void aFewColumnsAreEnough() throws Exception {
    byte[] bytes =
        file(
            List.of(
                row(10, "a", "w", 1, "x"),
                row(10, "a", "w", 2, "\"1\""),
                row(12, "b", "r", 1, "x"),
                row(12, "b", "r", 3, null)),
            "txn",
            "session",
            "kind",
            "key",
            "value");
    assertThat(Written.text(Written.read(FORMAT, "h", bytes)))
        .isEqualTo(
            "session a\n  committed, write 1 x, write 2 1\n"
                + "session b\n  committed, read 1 -> x, read 3 -> ?\n");
  }

  @Test
  void mistakesAreNamed() throws Exception {
    assertThat(mistake(List.<Object[]>of(row(1, "a"), row(1, "b")), "txn", "session"))
        .contains("no column kind");
    String[] names = {"txn", "session", "kind", "key", "value"};
    assertThat(
            mistake(List.<Object[]>of(row(2, "a", "w", 1, "1"), row(1, "a", "w", 1, "2")), names))
        .contains("row 2 has the transaction 1 after 2");
    assertThat(mistake(List.<Object[]>of(row(1, "a", "w", 1, "1],[2")), names))
        .contains("row 1", "value");
    assertThat(mistake(List.<Object[]>of(row(1, null, "w", 1, "1")), names))
        .contains("nothing", "session");
    assertThat(mistake(List.<Object[]>of(row(1, "a", "eat", 1, "1")), names)).contains("eat");
  }

  private static String mistake(List<Object[]> rows, String... names) throws IOException {
    ParseException e = Written.error(FORMAT, Input.of("h", file(rows, names)));
    return e.getMessage() + " / " + e.expected();
  }
}
