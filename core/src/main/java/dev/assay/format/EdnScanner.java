package dev.assay.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * EDN as bytes: finds where forms, tokens and strings begin and end, in a stream of any length. It
 * holds one buffer and never more of the input than the token or text being kept, so a line of
 * hundreds of megabytes costs no more than a short one.
 *
 * <p>White space, commas, comments, discarded forms ({@code #_x}), metadata ({@code ^x}) and tags
 * ({@code #inst}) are stepped over by {@link #next}, so that a tagged form reads as the form.
 */
final class EdnScanner {
  static final int EOF = -1;

  /** Deeper than any real history, shallow enough for the stack of any thread. */
  static final int MAX_DEPTH = 200;

  private static final int FIRST_CAPACITY = 1 << 18;
  private static final int MAX_KEPT = 1 << 26;

  /** Room for the longest integer that {@link #integer} reads, its sign and what follows. */
  private static final int INTEGER_ROOM = 24;

  /** At most this many characters of sign and digits cannot overflow a long. */
  private static final int INTEGER_LENGTH = 18;

  private static final boolean[] ENDS_TOKEN = new boolean[256];

  /** What begins a form, or ends a collection, and asks for no further thought. */
  private static final boolean[] IS_PLAIN = new boolean[256];

  static {
    for (int i = 0; i <= ' '; i++) {
      ENDS_TOKEN[i] = true;
    }
    for (char c : ",()[]{}\";".toCharArray()) {
      ENDS_TOKEN[c] = true;
    }
    for (int c = ' ' + 1; c < 256; c++) {
      IS_PLAIN[c] = ",;^#".indexOf(c) < 0;
    }
  }

  private final String file;
  private final InputStream in;
  private byte[] buffer = new byte[FIRST_CAPACITY];
  private int pos;
  private int limit;
  private boolean ended;

  /** Offset in the stream of the first byte of the buffer. */
  private long base;

  private long line = 1;

  /** Offset in the stream of the first byte of the line. */
  private long lineStart;

  private long formLine = 1;
  private long formLineStart;
  private long formOffset;
  private int tokenStart = -1;
  private int lastStart;
  private int tokenEnd;
  private long tokenCode;
  private int captureStart = -1;
  private int depth;
  private long integer;

  EdnScanner(String file, InputStream in) throws IOException, ParseException {
    this.file = file;
    this.in = in;
    ensure(3);
    pos = Bom.length(buffer, 0, limit);
    lineStart = pos;
  }

  /** Whether this character can stand in the name of a keyword or symbol. */
  static boolean isNameCharacter(char c) {
    return c > 127 ? !Character.isWhitespace(c) && !Character.isSurrogate(c) : !ENDS_TOKEN[c];
  }

  // ---- where we are

  /** The line of the form that {@link #next} found last. */
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

  /** An error at the form that {@link #next} found last. */
  ParseException error(String found, String expected, String hint) {
    return errorAt(formLine, formColumn(), found, expected, hint);
  }

  ParseException errorAt(long line, long column, String found, String expected, String hint) {
    return ParseException.atLine(file, line, column, Excerpt.found(found), expected, hint);
  }

  /** What comes next, cut short, for messages. */
  String snippet() {
    int end = pos;
    while (end < limit && buffer[end] != '\n' && buffer[end] != '\r') {
      end++;
    }
    if (end == pos) {
      return "the end of the " + (end < limit ? "line" : "file");
    }
    return Excerpt.of(buffer, pos, end);
  }

  private void markForm() {
    formLine = line;
    formLineStart = lineStart;
    formOffset = base + pos;
  }

  // ---- bytes

  /** The next byte, or {@link #EOF}. */
  int peek() throws IOException, ParseException {
    return pos < limit || fill() ? buffer[pos] & 0xff : EOF;
  }

  /** Steps over a byte that {@link #peek} or {@link #next} showed and that is no line end. */
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

  /** Steps to the end of the line, which {@link #next} will then step over. */
  void skipLine() throws IOException, ParseException {
    while (peek() != EOF && buffer[pos] != '\n') {
      pos++;
    }
  }

  // ---- forms

  /** Steps to the next form and shows its first byte; {@code #} stands for a set or {@code ##}. */
  int next() throws IOException, ParseException {
    int p = pos;
    while (p < limit && (buffer[p] == ' ' || buffer[p] == ',')) {
      p++;
    }
    pos = p;
    if (p < limit && IS_PLAIN[buffer[p] & 0xff]) {
      markForm();
      return buffer[p] & 0xff;
    }
    return nextAfterOtherThanSpaces();
  }

  private int nextAfterOtherThanSpaces() throws IOException, ParseException {
    boolean tagged = false;
    while (true) {
      int c = peek();
      switch (c) {
        case '\n' -> {
          pos++;
          line++;
          lineStart = base + pos;
        }
        case ';' -> skipLine();
        case '^' -> {
          markForm();
          pos++;
          skipForm();
          tagged = true;
        }
        case '#' -> {
          markForm();
          int second = peekSecond();
          if (second == '{' || second == '#') {
            return c;
          }
          pos++;
          if (second == '_') {
            pos++;
            skipForm();
          } else {
            tagged = true;
            skipTag();
          }
        }
        default -> {
          if (c > ' ' && c != ',') {
            markForm();
            if (tagged && (c == ']' || c == ')' || c == '}')) {
              throw error("a tag or metadata with nothing after it", "a form", null);
            }
            return c;
          }
          if (c == EOF) {
            markForm();
            return c;
          }
          pos++;
        }
      }
    }
  }

  private void skipTag() throws IOException, ParseException {
    // A regular expression, #"…", reads as its string.
    if (peek() != '"' && token() == 0) {
      throw error("# and then " + snippet(), "a tag such as #inst, or a set", null);
    }
  }

  /** Steps over the next form, whatever it is. */
  void skipForm() throws IOException, ParseException {
    // Before next(), which comes back here for a discarded form in front of the next.
    enter();
    int c = next();
    switch (c) {
      case EOF -> throw unfinished("a form");
      case '"' -> skipString();
      case '[', '(', '{' -> {
        pos++;
        skipCollection(c);
      }
      case '#' -> {
        boolean set = peekSecond() == '{';
        pos += 2;
        if (set) {
          skipCollection('#');
        } else {
          token();
        }
      }
      case ']', ')', '}' -> throw unexpectedClose(c);
      case '\\' -> skipCharacter();
      default -> token();
    }
    leave();
  }

  private void skipCollection(int open) throws IOException, ParseException {
    long openLine = formLine;
    long openColumn = formColumn();
    for (long forms = 0; ; forms++) {
      int c = next();
      if (c == EOF) {
        throw unclosed(open, openLine, openColumn);
      }
      if (c == closing(open)) {
        pos++;
        if (open == '{' && forms % 2 != 0) {
          throw oddMap(openLine, openColumn);
        }
        return;
      }
      skipForm();
    }
  }

  /** Called on the way into a form that may hold others; {@link #leave} on the way out. */
  void enter() throws ParseException {
    if (++depth > MAX_DEPTH) {
      throw error(
          "forms nested more than " + MAX_DEPTH + " deep", "operations of a transaction", null);
    }
  }

  void leave() {
    depth--;
  }

  static int closing(int open) {
    return switch (open) {
      case '[' -> ']';
      case '(' -> ')';
      default -> '}';
    };
  }

  ParseException oddMap(long openLine, long openColumn) {
    return errorAt(
        openLine,
        openColumn,
        "a map with an odd number of forms",
        "keys and values in pairs",
        "look for a missing value in this map");
  }

  ParseException unclosed(int open, long openLine, long openColumn) {
    String what =
        switch (open) {
          case '[' -> "vector";
          case '(' -> "list";
          case '#' -> "set";
          default -> "map";
        };
    return errorAt(
        openLine,
        openColumn,
        "the file ends inside the " + what + " that begins here",
        "a closing " + (char) closing(open),
        "the file may be cut short");
  }

  ParseException unexpectedClose(int c) {
    return error("a " + (char) c + " that closes nothing", "a form", null);
  }

  ParseException unfinished(String expected) {
    return error("the end of the file", expected, "the file may be cut short");
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

  private int endToken(int end) {
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

  /** Reads the character literal that begins here, whose name is then the token. */
  int character() throws IOException, ParseException {
    skipCharacter();
    return tokenEnd - lastStart;
  }

  private void skipCharacter() throws IOException, ParseException {
    pos++;
    int c = peek();
    if (c == EOF) {
      throw unfinished("a character");
    }
    if (ENDS_TOKEN[c]) {
      tokenStart = pos;
      if (c <= ' ') {
        throw error("a \\ with no character after it", "a character such as \\a", null);
      }
      pos++;
      endToken(pos);
    } else {
      token();
    }
  }

  /** Reads the string that begins here; escapes are as written. */
  String rawString() throws IOException, ParseException {
    tokenStart = pos + 1;
    skipString();
    endToken(pos - 1);
    return tokenText();
  }

  private void skipString() throws IOException, ParseException {
    pos++;
    while (true) {
      int c = peek();
      if (c == EOF) {
        throw error(
            "the file ends inside the string that begins here",
            "a closing \"",
            "the file may be cut short");
      }
      pos++;
      if (c == '"') {
        return;
      }
      if (c == '\\') {
        if (peek() != EOF && buffer[pos] != '\n') {
          pos++;
        }
      } else if (c == '\n') {
        line++;
        lineStart = base + pos;
      }
    }
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
