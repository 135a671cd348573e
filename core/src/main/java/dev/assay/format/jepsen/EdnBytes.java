package dev.assay.format.jepsen;

import dev.assay.format.Bom;
import dev.assay.format.Excerpt;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A stream of EDN as bytes and tokens, of any length. It holds one buffer and never more of the
 * input than the token or text being kept, so a line of hundreds of megabytes costs no more than a
 * short one. {@link EdnScanner} finds the forms.
 */
class EdnBytes {
  static final int EOF = -1;

  private static final int FIRST_CAPACITY = 1 << 18;
  private static final int MAX_KEPT = 1 << 26;

  /** Room for the longest integer that {@link #integer} reads, its sign and what follows. */
  private static final int INTEGER_ROOM = 24;

  /** At most this many characters of sign and digits cannot overflow a long. */
  private static final int INTEGER_LENGTH = 18;

  static final boolean[] ENDS_TOKEN = new boolean[256];

  static {
    for (int i = 0; i <= ' '; i++) {
      ENDS_TOKEN[i] = true;
    }
    for (char c : ",()[]{}\";".toCharArray()) {
      ENDS_TOKEN[c] = true;
    }
  }

  private final String file;
  private final InputStream in;
  byte[] buffer = new byte[FIRST_CAPACITY];
  int pos;
  int limit;
  private boolean ended;

  /** Offset in the stream of the first byte of the buffer. */
  long base;

  long line = 1;

  /** Offset in the stream of the first byte of the line. */
  long lineStart;

  private long formLine = 1;
  private long formLineStart;
  private long formOffset;
  int tokenStart = -1;
  int lastStart;
  int tokenEnd;
  private long tokenCode;
  private int captureStart = -1;
  private long integer;

  EdnBytes(String file, InputStream in) throws IOException, ParseException {
    this.file = file;
    this.in = in;
    ensure(3);
    pos = Bom.length(buffer, 0, limit);
    lineStart = pos;
  }

  /** Says that what is read is part of a larger input, after some of its lines. */
  void countAfter(long lines) {
    line = lines + 1;
  }

  /** Whether this character can be in the name of a keyword or symbol. */
  static boolean isNameCharacter(char c) {
    return c > 127 ? !Character.isWhitespace(c) && !Character.isSurrogate(c) : !ENDS_TOKEN[c];
  }

  // ---- the current place

  /** The line of the form that {@link EdnScanner#next} found last. */
  long formLine() {
    return formLine;
  }

  /** The line of what comes next. */
  long line() {
    return line;
  }

  long formColumn() {
    return formOffset - formLineStart + 1;
  }

  /** An error at the form that {@link EdnScanner#next} found last. */
  ParseException error(String found, String expected, String hint) {
    return errorAt(formLine, formColumn(), found, expected, hint);
  }

  ParseException errorAt(long line, long column, String found, String expected, String hint) {
    return ParseException.atLine(file, line, column, Excerpt.found(found), expected, hint);
  }

  /** What comes next, cut short, for messages. */
  String snippet() {
    int end = pos;
    while (end < limit && end - pos < 64 && buffer[end] != '\n' && buffer[end] != '\r') {
      end++;
    }
    if (end == pos) {
      return "the end of the " + (end < limit ? "line" : "file");
    }
    return Excerpt.of(buffer, pos, end);
  }

  void markForm() {
    formLine = line;
    formLineStart = lineStart;
    formOffset = base + pos;
  }

  // ---- bytes

  /** The next byte, or {@link #EOF}. */
  int peek() throws IOException, ParseException {
    return pos < limit || fill() ? buffer[pos] & 0xff : EOF;
  }

  /**
   * Steps over a byte that {@link #peek} or {@link EdnScanner#next} showed and that is not a line
   * end.
   */
  void skip() {
    pos++;
  }

  /** The byte after the next, or {@link #EOF}. */
  int peekSecond() throws IOException, ParseException {
    ensure(2);
    return pos + 1 < limit ? buffer[pos + 1] & 0xff : EOF;
  }

  private void ensure(int bytes) throws IOException, ParseException {
    while (limit - pos < bytes && fill()) {
      // fill() has read a little more.
    }
  }

  private boolean fill() throws IOException, ParseException {
    if (ended) {
      return false;
    }
    int from = tokenStart >= 0 ? Math.min(tokenStart, pos) : pos;
    from = captureStart >= 0 ? Math.min(captureStart, from) : from;
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, limit - from);
      base += from;
      pos -= from;
      limit -= from;
      tokenStart = tokenStart < 0 ? -1 : tokenStart - from;
      captureStart = captureStart < 0 ? -1 : captureStart - from;
    }
    if (limit == buffer.length) {
      if (limit >= MAX_KEPT) {
        throw error("one value longer than 64 MB", "keys and values of ordinary size", null);
      }
      buffer = Arrays.copyOf(buffer, limit * 2);
    }
    int n = in.read(buffer, limit, buffer.length - limit);
    if (n < 0) {
      ended = true;
      return false;
    }
    limit += n;
    return true;
  }

  // ---- lines

  /** Steps over spaces and tabs and says whether the line goes on. */
  boolean lineGoesOn() throws IOException, ParseException {
    int c = peek();
    while (c == ' ' || c == '\t') {
      pos++;
      c = peek();
    }
    markForm();
    return c != '\n' && c != '\r' && c != EOF;
  }

  /** Steps to the end of the line, which {@link EdnScanner#next} will then step over. */
  void skipLine() throws IOException, ParseException {
    while (peek() != EOF && buffer[pos] != '\n') {
      pos++;
    }
  }

  // ---- tokens and text

  /** Reads the token that begins here and returns its length in bytes. */
  int token() throws IOException, ParseException {
    tokenStart = pos;
    long code = 0;
    while (true) {
      int p = pos;
      while (p < limit && !ENDS_TOKEN[buffer[p] & 0xff]) {
        code = code << 8 | buffer[p++] & 0xff;
      }
      pos = p;
      if (p < limit || !fill()) {
        break;
      }
    }
    int length = endToken(pos);
    tokenCode = length <= Long.BYTES ? code : 0;
    return length;
  }

  /** The {@link #tokenCode} of a name of at most eight ASCII letters. */
  static long code(String name) {
    long code = 0;
    for (int i = 0; i < name.length(); i++) {
      code = code << 8 | name.charAt(i);
    }
    return code;
  }

  /** The bytes of the token read last as one number, 0 where they are more than eight. */
  long tokenCode() {
    return tokenCode;
  }

  int endToken(int end) {
    int length = end - tokenStart;
    tokenEnd = end;
    lastStart = tokenStart;
    tokenStart = -1;
    return length;
  }

  /** The token read last as text. */
  String tokenText() throws ParseException {
    return decode(lastStart, tokenEnd);
  }

  /** From here on the input is kept for {@link #captured}. */
  void capture() {
    captureStart = pos;
  }

  /** The text since {@link #capture}, damaged characters replaced. */
  String captured() {
    String text = new String(buffer, captureStart, pos - captureStart, StandardCharsets.UTF_8);
    captureStart = -1;
    return text;
  }

  private String decode(int from, int to) throws ParseException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(buffer, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw error("text that is not UTF-8", "UTF-8", "convert the file to UTF-8");
    }
  }

  // ---- integers

  /** Reads a decimal integer of at most 18 characters; false, and nothing read, otherwise. */
  boolean integer() throws IOException, ParseException {
    if (limit - pos < INTEGER_ROOM) {
      ensure(INTEGER_ROOM);
    }
    byte[] bytes = buffer;
    int p = pos;
    boolean negative = p < limit && bytes[p] == '-';
    if (negative) {
      p++;
    }
    int digits = p;
    int last = Math.min(limit, pos + INTEGER_LENGTH);
    long result = 0;
    while (p < last && bytes[p] >= '0' && bytes[p] <= '9') {
      result = 10 * result + (bytes[p++] - '0');
    }
    boolean leadingZero = p - digits > 1 && bytes[digits] == '0';
    if (p == digits || leadingZero || (p < limit && !ENDS_TOKEN[bytes[p] & 0xff])) {
      return false;
    }
    integer = negative ? -result : result;
    pos = p;
    return true;
  }

  /** The integer read last. */
  long value() {
    return integer;
  }

  /**
   * Reads the integers from here on, with spaces and commas between them, up to the first thing
   * that is anything else. May stop early; never reads part of a form.
   */
  void integers(MicroOps into) throws IOException, ParseException {
    ensure(INTEGER_ROOM);
    while (true) {
      byte[] bytes = buffer;
      int safe = limit - INTEGER_ROOM;
      int p = pos;
      while (p < safe) {
        int c = bytes[p];
        if (c == ' ' || c == ',') {
          p++;
          continue;
        }
        int start = p;
        long result = c - '0';
        if (result < 0 || result > 9) {
          pos = p;
          return;
        }
        int digit = bytes[++p] - '0';
        while (digit >= 0 && digit <= 9 && p - start < INTEGER_LENGTH) {
          result = 10 * result + digit;
          digit = bytes[++p] - '0';
        }
        if (!ENDS_TOKEN[bytes[p] & 0xff] || (c == '0' && p - start > 1)) {
          pos = start;
          return;
        }
        into.element(result);
      }
      pos = p;
      if (ended || !fill()) {
        return;
      }
    }
  }
}
