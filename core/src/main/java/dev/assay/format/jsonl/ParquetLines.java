package dev.assay.format.jsonl;

import dev.assay.format.RandomBytes;
import dev.assay.format.parquet.ByteOut;
import dev.assay.format.parquet.ParquetColumn;
import dev.assay.format.parquet.ParquetFile;
import dev.assay.format.parquet.WrongParquet;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The rows of a Parquet file as lines of {@code assay-jsonl}, made as they are read. */
public final class ParquetLines extends InputStream {
  private static final String ORDER = "write the rows with ORDER BY txn, op";

  /** The fields of a line that the columns of numbers are; those that are shown are one. */
  private static final List<String> FIELDS =
      List.of("start", "end", "", "", "snapshot", "commitTs", "position");

  private final RandomBytes bytes;
  private final ParquetFile file;
  private int group;
  private final int lastGroup;

  private ParquetColumn txn;
  private ParquetColumn session;
  private ParquetColumn outcome;
  private ParquetColumn id;
  private final ParquetColumn[] numbers = new ParquetColumn[FIELDS.size()];
  private ParquetColumn level;
  private ParquetColumn error;
  private ParquetColumn op;
  private ParquetColumn kind;
  private ParquetColumn key;
  private ParquetColumn value;
  private ParquetColumn condition;

  private int rows;
  private int row;

  /** Rows of the file before the row group, for messages. */
  private long before;

  private boolean open;
  private boolean hasOperations;
  private long current = Long.MIN_VALUE;
  private long place;

  private final ByteOut out = new ByteOut();
  private int taken;
  private boolean ended;
  private WrongParquet wrong;

  /** All lines. */
  public ParquetLines(RandomBytes bytes) throws IOException {
    this(bytes, 0, Integer.MAX_VALUE);
  }

  /** The header, and the lines of some row groups. */
  public ParquetLines(RandomBytes bytes, int from, int to) throws IOException {
    this.bytes = bytes;
    this.file = new ParquetFile(bytes);
    this.group = from;
    this.lastGroup = Math.min(to, file.groups());
    for (String name : List.of(ParquetRows.TXN, ParquetRows.SESSION, ParquetRows.KIND)) {
      if (!file.hasColumn(name)) {
        throw new WrongParquet(
            "no column " + name,
            "a row for each operation, with the columns txn, session, kind, key and value",
            null);
      }
    }
    String header = file.metadata(ParquetRows.HEADER);
    out.add(header == null ? "{\"assay\":1}" : header.replace('\n', ' '));
    out.add('\n');
    for (int before = 0; before < from; before++) {
      this.before += file.rows(before);
    }
  }

  /** Whether Assay wrote the file: then no transaction is in two row groups. */
  public static boolean isDivisible(ParquetFile file) {
    return file.metadata(ParquetRows.HEADER) != null;
  }

  /** What ended the lines too early; null for nothing. */
  WrongParquet wrong() {
    return wrong;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    while (taken == out.size) {
      if (ended) {
        return -1;
      }
      out.clear();
      taken = 0;
      try {
        fill();
      } catch (WrongParquet e) {
        wrong = e;
        throw e;
      }
    }
    int count = Math.min(length, out.size - taken);
    System.arraycopy(out.bytes, taken, buffer, offset, count);
    taken += count;
    return count;
  }

  private void fill() throws IOException {
    while (row == rows) {
      if (group == lastGroup) {
        close(true);
        return;
      }
      load();
    }
    int enough = Math.min(rows, row + 1024);
    for (; row < enough; row++) {
      add();
    }
  }

  private void close(boolean end) {
    if (open) {
      out.add("]}\n");
    }
    open = false;
    ended |= end;
  }

  private void load() throws IOException {
    before += rows;
    rows = file.rows(group);
    row = 0;
    txn = column(ParquetRows.TXN);
    session = column(ParquetRows.SESSION);
    outcome = column(ParquetRows.OUTCOME);
    id = column(ParquetRows.ID);
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = column(ParquetRows.NUMBERS.get(i));
    }
    level = column(ParquetRows.LEVEL);
    error = column(ParquetRows.ERROR);
    op = column(ParquetRows.OP);
    kind = column(ParquetRows.KIND);
    key = column(ParquetRows.KEY);
    value = column(ParquetRows.VALUE);
    condition = column(ParquetRows.CONDITION);
    group++;
  }

  private ParquetColumn column(String name) throws IOException {
    return file.column(group, name);
  }

  private WrongParquet wrong(String found, String expected, String hint) {
    return new WrongParquet("row " + (before + row + 1) + " has " + found, expected, hint);
  }

  private long number(ParquetColumn column, String name) throws WrongParquet {
    if (!column.isNumbers() || !column.has(row)) {
      throw wrong("no number in the column " + name, "a whole number", null);
    }
    return column.number(row);
  }

  /** Adds a row to its line. */
  private void add() throws IOException {
    long number = number(txn, ParquetRows.TXN);
    if (!open || number != current) {
      if (number <= current) {
        throw wrong(
            "the transaction " + number + " after " + current, "transactions in order", ORDER);
      }
      close(false);
      begin();
      current = number;
    }
    if (op.has(row)) {
      long next = number(op, ParquetRows.OP);
      if (hasOperations && next <= place) {
        throw wrong("the operation " + next + " after " + place, "operations in order", ORDER);
      }
      place = next;
    }
    if (kind.has(row)) {
      operation();
    }
  }

  private void begin() throws IOException {
    open = true;
    hasOperations = false;
    out.add("{\"session\":");
    json(session, ParquetRows.SESSION);
    field(outcome, ParquetRows.OUTCOME);
    field(id, ParquetRows.ID);
    for (int i = 0; i < numbers.length; i++) {
      if (!FIELDS.get(i).isEmpty() && numbers[i].has(row)) {
        out.add(",\"" + FIELDS.get(i) + "\":");
        out.decimal(number(numbers[i], ParquetRows.NUMBERS.get(i)));
      }
    }
    if (numbers[2].has(row) || numbers[3].has(row)) {
      out.add(",\"shown\":[");
      orNull(2);
      out.add(',');
      orNull(3);
      out.add(']');
    }
    field(level, ParquetRows.LEVEL);
    field(error, ParquetRows.ERROR);
    out.add(",\"ops\":[");
  }

  private void orNull(int column) throws WrongParquet {
    if (numbers[column].has(row)) {
      out.decimal(number(numbers[column], ParquetRows.NUMBERS.get(column)));
    } else {
      out.add("null");
    }
  }

  private void field(ParquetColumn column, String name) throws IOException {
    if (column.has(row)) {
      out.add(",\"" + name + "\":");
      json(column, name);
    }
  }

  private void operation() throws IOException {
    out.add(hasOperations ? ",[" : "[");
    hasOperations = true;
    json(kind, ParquetRows.KIND);
    out.add(',');
    if (condition.has(row)) {
      json(condition, ParquetRows.CONDITION);
    } else {
      json(key, ParquetRows.KEY);
    }
    if (value.has(row)) {
      out.add(',');
      json(value, ParquetRows.VALUE);
    }
    out.add(']');
  }

  private void json(ParquetColumn column, String name) throws IOException {
    if (!column.has(row)) {
      throw wrong("nothing in the column " + name, "a number or a text", null);
    }
    if (column.isNumbers()) {
      out.decimal(column.number(row));
    } else if (!PlainText.addJson(column.texts(), column.from(row), column.length(row), out)) {
      throw wrong(
          "a text in the column " + name + " that is neither a word nor JSON",
          "a number, a text that begins with a letter, or JSON",
          "write strings that begin otherwise in quotes: to_json(" + name + ")");
    }
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
