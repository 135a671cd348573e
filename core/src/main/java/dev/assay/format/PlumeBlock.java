package dev.assay.format;

import dev.assay.history.OpBuffer;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Some whole lines of plume-text as columns: the operations, and runs of consecutive operations of
 * one (session, txn) pair with the line each begins at.
 */
final class PlumeBlock {
  private static final int TYPICAL_LINE = 20;

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

  private long[] runSession = new long[64];
  private long[] runTxn = new long[64];
  private int[] runLength = new int[64];
  private long[] runLine = new long[64];
  private int runs;

  /** The number parsed last. */
  private long number;

  private PlumeBlock(byte[] bytes, int start, int end, RawScalars scalars) {
    this.bytes = bytes;
    this.next = start + Bom.length(bytes, start, end);
    this.end = end;
    this.scalars = scalars;
    this.ops = new OpBuffer((end - start) / TYPICAL_LINE + 16);
  }

  /** Parses whole lines; stops at the first that is malformed. */
  static PlumeBlock parse(byte[] bytes, int start, int end, RawScalars scalars) {
    PlumeBlock block = new PlumeBlock(bytes, start, end, scalars);
    while (block.next < end && block.error == null) {
      block.parseLine();
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
    this.runSession = parsed.runSession;
    this.runTxn = parsed.runTxn;
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

  long runSession(int run) {
    return runSession[run];
  }

  long runTxn(int run) {
    return runTxn[run];
  }

  int runLength(int run) {
    return runLength[run];
  }

  /** The line a run begins at, counted from 0 in this block. */
  long runLine(int run) {
    return runLine[run];
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
    ops.add(letter == 'r' ? OpKind.READ : OpKind.WRITE, scalars.of(key), scalars.of(value));
    addToRun(session, number);
    endLine();
  }

  private void addToRun(long session, long txn) {
    int last = runs - 1;
    if (runs > 0 && runTxn[last] == txn && runSession[last] == session) {
      runLength[last]++;
      return;
    }
    if (runs == runTxn.length) {
      int capacity = Math.addExact(runs, runs >>> 1);
      runSession = Arrays.copyOf(runSession, capacity);
      runTxn = Arrays.copyOf(runTxn, capacity);
      runLength = Arrays.copyOf(runLength, capacity);
      runLine = Arrays.copyOf(runLine, capacity);
    }
    runSession[runs] = session;
    runTxn[runs] = txn;
    runLength[runs] = 1;
    runLine[runs++] = line;
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
    int i = next;
    boolean negative = i < end && bytes[i] == '-';
    if (negative) {
      i++;
    }
    int first = i;
    long n = 0;
    while (i < end) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      n = n * 10 + digit;
      i++;
    }
    int digits = i - first;
    if (digits == 0 || digits > 18) {
      return parseUnusualNumber();
    }
    number = negative ? -n : n;
    next = i;
    return true;
  }

  /** A number with blanks or a plus sign before it, or one near the limits of 64 bits. */
  private boolean parseUnusualNumber() {
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

  /** What stands at the current place, shortened for a message. */
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
