package dev.assay.format.checkers;

import dev.assay.format.Bom;
import dev.assay.format.Excerpt;
import dev.assay.format.ParseException;
import dev.assay.history.OpBuffer;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Some whole lines of plume-text as columns: the operations, and runs of consecutive operations of
 * one (session, txn) pair with the line each begins at. Pairs are numbered in every block, so that
 * the code that joins blocks looks each up once and not for every run.
 */
final class PlumeBlock {
  private static final int TYPICAL_LINE = 20;
  private static final int MAX_PLAIN_DIGITS = 18;
  private static final long NOT_PLAIN = Long.MIN_VALUE;

  /** A malformed line, by its place in the block. */
  record Error(long line, long column, String found, String expected) {
    ParseException at(String file, long firstLine) {
      return ParseException.atLine(
          file,
          firstLine + line,
          column,
          found,
          expected,
          "every line of plume-text is " + PlumeText.LINE + " with signed 64-bit integers");
    }
  }

  private final byte[] bytes;
  private final int end;
  private final RawScalars scalars;
  private final OpBuffer ops;
  private int next;
  private int lineStart;
  private long line;
  private Error error;

  private final PairIndex pairs;
  private int[] runPair = new int[64];
  private int[] runLength = new int[64];
  private int[] runLine = new int[64];
  private int runs;

  /** The number parsed last. */
  private long number;

  private PlumeBlock(byte[] bytes, int start, int end, RawScalars scalars) {
    this.bytes = bytes;
    this.next = start + Bom.length(bytes, start, end);
    this.end = end;
    this.scalars = scalars;
    this.ops = new OpBuffer((end - start) / TYPICAL_LINE + 16);
    this.pairs = new PairIndex();
  }

  /** Parses whole lines; stops at the first that is malformed. */
  static PlumeBlock parse(byte[] bytes, int start, int end, RawScalars scalars) {
    PlumeBlock block = new PlumeBlock(bytes, start, end, scalars);
    int lastLineEnd = end - 1;
    while (lastLineEnd >= start && bytes[lastLineEnd] != '\n') {
      lastLineEnd--;
    }
    while (block.next < end && block.error == null) {
      block.parsePlainLines(bytes, lastLineEnd);
      if (block.next < end) {
        block.parseLine();
      }
    }
    block.ops.trim();
    return new PlumeBlock(block);
  }

  /** A finished block lets go of the text, whose array is used again. */
  private PlumeBlock(PlumeBlock parsed) {
    this.bytes = null;
    this.end = 0;
    this.scalars = null;
    this.ops = parsed.ops;
    this.line = parsed.line;
    this.error = parsed.error;
    this.pairs = parsed.pairs;
    this.runPair = parsed.runPair;
    this.runLength = parsed.runLength;
    this.runLine = parsed.runLine;
    this.runs = parsed.runs;
  }

  OpBuffer ops() {
    return ops;
  }

  long lines() {
    return line;
  }

  /** The first malformed line, or null. */
  Error error() {
    return error;
  }

  int runCount() {
    return runs;
  }

  /** Number of pairs of session and transaction. */
  int pairCount() {
    return pairs.size();
  }

  /** Which pair a run belongs to. */
  int runPair(int run) {
    return runPair[run];
  }

  long session(int pair) {
    return pairs.first(pair);
  }

  long txn(int pair) {
    return pairs.second(pair);
  }

  int runLength(int run) {
    return runLength[run];
  }

  /** The line a run begins at, counted from 0 in this block. */
  long runLine(int run) {
    return runLine[run];
  }

  /**
   * Parses lines without blanks and with numbers of at most 18 digits, as nearly all are, up to the
   * first that is not like that. No line is looked at beyond its end, so this needs no other limit.
   */
  private void parsePlainLines(byte[] text, int lastLineEnd) {
    int start = next;
    int lastTail = -1;
    while (start < lastLineEnd) {
      byte letter = text[start];
      if ((letter != 'r' && letter != 'w') || text[start + 1] != '(') {
        break;
      }
      next = start + 2;
      long key = plainNumber(text, ',');
      long value = key == NOT_PLAIN ? NOT_PLAIN : plainNumber(text, ',');
      if (value == NOT_PLAIN) {
        break;
      }
      int tail = next;
      if (lastTail >= 0 && sameLine(text, lastTail, tail)) {
        // Session and transaction of the line before.
        next += start - lastTail;
        runLength[runs - 1]++;
      } else {
        long session = plainNumber(text, ',');
        long txn = session == NOT_PLAIN ? NOT_PLAIN : plainNumber(text, ')');
        if (txn == NOT_PLAIN || text[next++] != '\n') {
          break;
        }
        addToRun(session, txn);
      }
      ops.addRegister(letter == 'w', key, value);
      line++;
      lastTail = tail;
      start = next;
    }
    next = start;
  }

  /** Whether what follows in two lines is the same. */
  private static boolean sameLine(byte[] text, int earlier, int later) {
    int i = earlier;
    int j = later;
    while (text[i] == text[j]) {
      if (text[i] == '\n') {
        return true;
      }
      i++;
      j++;
    }
    return false;
  }

  /** The number at {@link #next}, which moves past it and what must end it, or NOT_PLAIN. */
  private long plainNumber(byte[] text, char end) {
    int i = next;
    boolean negative = text[i] == '-';
    if (negative) {
      i++;
    }
    int first = i;
    long n = 0;
    int digit = text[i] - '0';
    while (digit >= 0 && digit <= 9) {
      n = n * 10 + digit;
      digit = text[++i] - '0';
    }
    if (i == first || i - first > MAX_PLAIN_DIGITS || text[i] != end) {
      return NOT_PLAIN;
    }
    next = i + 1;
    return negative ? -n : n;
  }

  private void add(byte letter, long key, long value, long session, long txn) {
    ops.add(letter == 'r' ? OpKind.READ : OpKind.WRITE, scalars.of(key), scalars.of(value));
    addToRun(session, txn);
  }

  private void parseLine() {
    lineStart = next;
    skipBlanks();
    if (atLineEnd()) {
      endLine();
      return;
    }
    byte letter = bytes[next];
    if (letter != 'r' && letter != 'w') {
      fail("r or w");
      return;
    }
    next++;
    if (!take('(')) {
      return;
    }
    if (!parseNumber() || !take(',')) {
      return;
    }
    final long key = number;
    if (!parseNumber() || !take(',')) {
      return;
    }
    final long value = number;
    if (!parseNumber() || !take(',')) {
      return;
    }
    final long session = number;
    if (!parseNumber() || !take(')')) {
      return;
    }
    skipBlanks();
    if (!atLineEnd()) {
      fail("the end of the line");
      return;
    }
    add(letter, key, value, session, number);
    endLine();
  }

  private void addToRun(long session, long txn) {
    int pair = pairs.indexOf(session, txn);
    if (runs > 0 && runPair[runs - 1] == pair) {
      runLength[runs - 1]++;
      return;
    }
    if (runs == runPair.length) {
      int capacity = Math.multiplyExact(runs, 2);
      runPair = Arrays.copyOf(runPair, capacity);
      runLength = Arrays.copyOf(runLength, capacity);
      runLine = Arrays.copyOf(runLine, capacity);
    }
    runPair[runs] = pair;
    runLength[runs] = 1;
    runLine[runs++] = (int) line;
  }

  private void skipBlanks() {
    while (next < end && (bytes[next] == ' ' || bytes[next] == '\t' || bytes[next] == '\r')) {
      next++;
    }
  }

  private boolean atLineEnd() {
    return next == end || bytes[next] == '\n';
  }

  private void endLine() {
    next++;
    line++;
  }

  private boolean take(char wanted) {
    if (next < end && bytes[next] == wanted) {
      next++;
      return true;
    }
    skipBlanks();
    if (next < end && bytes[next] == wanted) {
      next++;
      return true;
    }
    fail("\"" + wanted + "\"");
    return false;
  }

  private boolean parseNumber() {
    skipBlanks();
    int first = next;
    int i = next;
    if (i < end && (bytes[i] == '-' || bytes[i] == '+')) {
      i++;
    }
    while (i < end && bytes[i] >= '0' && bytes[i] <= '9') {
      i++;
    }
    String digits = new String(bytes, first, i - first, StandardCharsets.US_ASCII);
    try {
      number = Long.parseLong(digits);
      next = i;
      return true;
    } catch (NumberFormatException e) {
      fail("a signed 64-bit integer");
      return false;
    }
  }

  private void fail(String expected) {
    error = new Error(line, next - lineStart + 1L, found(), expected);
  }

  /** The text at the current place, shortened for a message. */
  private String found() {
    if (atLineEnd()) {
      return "found the end of the line";
    }
    int stop = next;
    while (stop < end && bytes[stop] != '\n' && bytes[stop] != '\r') {
      stop++;
    }
    return "found " + Excerpt.of(bytes, next, stop);
  }
}
