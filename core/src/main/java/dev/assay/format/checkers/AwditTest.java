package dev.assay.format.checkers;

import dev.assay.format.Excerpt;
import dev.assay.format.HistoryFormat;
import dev.assay.format.InitialReads;
import dev.assay.format.Input;
import dev.assay.format.IntegerRegisters;
import dev.assay.format.LineReader;
import dev.assay.format.Losses;
import dev.assay.format.OperationPlaces;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The test histories of AWDIT, made to be written by hand: {@code w key value} or {@code r key
 * value} a line, a line of dashes ends a transaction, a line of equals signs ends a session and
 * with it an open transaction. Dashes that end nothing are an empty transaction. Blank lines and
 * lines that begin with {@code #} are skipped. There is no initial value: 0 is a value like any
 * other, and a read of it reads from a transaction that wrote it. What other formats call initial
 * is written as a transaction of its own, in a session of its own, as AWDIT does itself.
 */
public final class AwditTest implements HistoryFormat {
  static final String ID = "awdit-test";
  private static final String TRANSACTION_END = "-----";
  private static final String SESSION_END = "=====";
  private static final String EXPECTED = "\"r key value\", \"w key value\", \"-----\" or \"=====\"";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "AWDIT's tests: \"w key value\" lines, ----- between transactions, ===== sessions";
  }

  @Override
  public List<String> extensions() {
    return List.of(".awdit");
  }

  /**
   * Whether the first line that is neither blank, a comment nor a separator is an operation. Where
   * there is none, some separator must be as long as AWDIT's.
   */
  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    Lines lines = new Lines(input.name(), new ByteArrayInputStream(input.head()), 0);
    boolean separated = false;
    while (lines.next()) {
      if (!lines.isMadeOf('-') && !lines.isMadeOf('=')) {
        return lines.beginsLikeAnOperation();
      }
      separated |= lines.length() == TRANSACTION_END.length();
    }
    return separated;
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), id(), Origin.Unit.LINE, List.of()));
    try (InputStream in = input.open()) {
      readLines(new Lines(input.name(), in, 0), 0, builder);
    }
    return builder.build();
  }

  /**
   * Reads lines from the beginning of a transaction on.
   *
   * @param session the session they begin in
   * @return the session that would go on
   */
  static long readLines(Lines lines, long session, HistoryBuilder builder)
      throws IOException, ParseException {
    long current = session;
    boolean open = false;
    while (lines.next()) {
      if (lines.isMadeOf('=')) {
        builder.rawSession(current++);
        open = false;
        continue;
      }
      if (!open) {
        int txn = builder.begin(builder.rawSession(current), Outcome.COMMITTED);
        builder.position(txn, lines.number());
      }
      open = !lines.isMadeOf('-');
      if (open) {
        lines.readOperation(builder);
      }
    }
    return current;
  }

  @Override
  public PieceReader pieces(String name) {
    return new AwditPieces(name);
  }

  @Override
  public void locate(Input input, History history, OperationPlaces places)
      throws IOException, ParseException {
    try (InputStream in = input.open()) {
      Lines lines = new Lines(input.name(), in, 0);
      for (int txn : places.wanted()) {
        // Its operations follow its first line, interrupted only by blank lines and comments.
        while (!places.complete(txn) && lines.next()) {
          if (lines.number() >= history.position(txn)) {
            places.note(txn, lines.number());
          }
        }
      }
    }
  }

  /** The lines that say something, without the spaces around them. */
  static final class Lines {
    private final String file;
    private final LineReader reader;
    private final long before;
    private byte[] bytes;
    private int from;
    private int end;
    private int next;

    /** The lines of an input, or those of a larger one after some. */
    Lines(String file, InputStream in, long before) {
      this.file = file;
      this.reader = new LineReader(in);
      this.before = before;
    }

    /** Moves to the next line that is neither blank nor a comment; false at the end. */
    boolean next() throws IOException {
      while (reader.next()) {
        bytes = reader.bytes();
        end = reader.end();
        next = reader.start();
        while (end > next && isSpace(bytes[end - 1])) {
          end--;
        }
        if (skipSpaces() && bytes[next] != '#') {
          from = next;
          return true;
        }
      }
      return false;
    }

    long number() {
      return before + reader.line();
    }

    int length() {
      return end - from;
    }

    boolean isMadeOf(char c) {
      for (int i = from; i < end; i++) {
        if (bytes[i] != c) {
          return false;
        }
      }
      return true;
    }

    boolean beginsLikeAnOperation() {
      if (end - from < 3 || (bytes[from] != 'r' && bytes[from] != 'w')) {
        return false;
      }
      next = from + 1;
      return isSpace(bytes[next]) && skipSpaces() && (isDigit(bytes[next]) || bytes[next] == '-');
    }

    void readOperation(HistoryBuilder builder) throws ParseException {
      int kind = bytes[next];
      if ((kind != 'r' && kind != 'w') || end - next < 2 || !isSpace(bytes[next + 1])) {
        throw wrong(from, EXPECTED, "name the format with --format if it is not awdit-test");
      }
      next++;
      long key = readInteger("a key");
      long value = readInteger("a value");
      if (next < end) {
        skipSpaces();
        throw wrong(next, "the end of the line", null);
      }
      builder.op(
          kind == 'w' ? OpKind.WRITE : OpKind.READ,
          builder.scalars().of(key),
          builder.scalars().of(value));
    }

    /** Counts downwards, where there is room for one integer more. */
    private long readInteger(String what) throws ParseException {
      skipSpaces();
      int first = next;
      boolean negative = next < end && bytes[next] == '-';
      if (negative) {
        next++;
      }
      int digits = next;
      long number = 0;
      while (next < end && isDigit(bytes[next])) {
        int digit = bytes[next] - '0';
        if (number < (Long.MIN_VALUE + digit) / 10) {
          throw wrong(first, what + " that fits in 64 bits", null);
        }
        number = number * 10 - digit;
        next++;
      }
      boolean ended = next == end || isSpace(bytes[next]);
      if (next == digits || !ended) {
        throw wrong(first, what + ", an integer", null);
      }
      if (!negative && number == Long.MIN_VALUE) {
        throw wrong(first, what + " that fits in 64 bits", null);
      }
      return negative ? number : -number;
    }

    private boolean skipSpaces() {
      while (next < end && isSpace(bytes[next])) {
        next++;
      }
      return next < end;
    }

    private ParseException wrong(int at, String expected, String hint) {
      String found = at < end ? Excerpt.of(bytes, at, end) : "the end of the line";
      return ParseException.atLine(file, number(), at - reader.start() + 1L, found, expected, hint);
    }

    private static boolean isSpace(byte b) {
      return b == ' ' || b == '\t' || b == '\r';
    }

    private static boolean isDigit(byte b) {
      return b >= '0' && b <= '9';
    }
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    return new Losses(history)
        .integerRegistersOnly()
        .withoutInitialValue()
        .withoutInitialState()
        .withoutAborted()
        .phrases();
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII));
    IntegerRegisters registers = new IntegerRegisters(history);
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int place = 0; place < history.sessionSize(session); place++) {
        int txn = history.sessionTransaction(session, place);
        if (history.isCommitted(txn)) {
          writeTransaction(history, txn, registers, text);
        }
      }
      text.write(SESSION_END + "\n");
    }
    writeInitialState(history, registers, text);
    text.flush();
  }

  private static void writeInitialState(History history, IntegerRegisters registers, Writer text)
      throws IOException {
    InitialReads initial = new InitialReads(history);
    Set<Long> keys = new TreeSet<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (initial.has(op) && registers.has(op)) {
        keys.add(registers.key(op));
      }
    }
    for (long key : keys) {
      text.write("w " + key + " 0\n");
    }
    text.write(keys.isEmpty() ? "" : TRANSACTION_END + "\n" + SESSION_END + "\n");
  }

  private static void writeTransaction(
      History history, int txn, IntegerRegisters registers, Writer text) throws IOException {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (registers.has(op)) {
        text.write(history.kind(op).isWrite() ? "w " : "r ");
        text.write(Long.toString(registers.key(op)));
        text.write(' ');
        text.write(Long.toString(registers.value(op)));
        text.write('\n');
      }
    }
    text.write(TRANSACTION_END + "\n");
  }
}
