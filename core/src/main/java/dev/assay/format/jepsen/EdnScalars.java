package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import dev.assay.history.Keyword;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads EDN forms as the scalars a history can hold: integers of any size, decimals, strings,
 * keywords, booleans, nil, and vectors of these. Symbols and characters read as strings.
 */
final class EdnScalars {
  /** A form that no history can hold, with its name for messages. */
  record Unsupported(String what) {}

  /** Numbers longer than this serve no history and take quadratic time to convert. */
  private static final int MAX_DIGITS = 1000;

  private static final Pattern INTEGER = Pattern.compile("[-+]?(0|[1-9][0-9]*)N?");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?[0-9]+(M|(\\.[0-9]*)([eE][-+]?[0-9]{1,9})?M?|[eE][-+]?[0-9]{1,9}M?)");

  private static final long NIL = EdnScanner.code("nil");

  private final EdnScanner scanner;
  private final RawScalars scalars;

  EdnScalars(EdnScanner scanner, RawScalars scalars) {
    this.scanner = scanner;
    this.scalars = scalars;
  }

  /** The raw scalar of the next form, which becomes a problem of {@code op} if it is none. */
  long raw(JepsenOp op) throws IOException, ParseException {
    scanner.next();
    if (scanner.integer()) {
      return scanner.value();
    }
    long line = scanner.formLine();
    long column = scanner.formColumn();
    Object form = read();
    if (form instanceof Unsupported unsupported) {
      op.problem(
          scanner.errorAt(
              line,
              column,
              unsupported.what() + " as a key or value",
              "a number, string, keyword, nil, boolean or vector of these",
              null));
      return RawScalars.NIL;
    }
    return scalars.of(form);
  }

  /** The next form: a scalar of {@link RawScalars#of}, or {@link Unsupported}. */
  Object read() throws IOException, ParseException {
    int c = scanner.next();
    switch (c) {
      case EdnScanner.EOF:
        throw scanner.unfinished("a value");
      case ']', ')', '}':
        throw scanner.unexpectedClose(c);
      case '{':
        scanner.skipForm();
        return new Unsupported("a map");
      case '#':
        return setOrSymbolic();
      case '[', '(':
        scanner.skip();
        return list(c);
      case '"':
        return string();
      case '\\':
        return character();
      case ':':
        scanner.skip();
        if (scanner.token() == 0) {
          throw scanner.error("a lone :", "a keyword such as :x", null);
        }
        return new Keyword(scanner.tokenText());
      default:
        if (scanner.integer()) {
          return scanner.value();
        }
        return startsNumber(c) ? number() : symbol();
    }
  }

  /** The set that begins here, or {@link Unsupported}. */
  Object set() throws IOException, ParseException {
    scanner.skip();
    scanner.skip();
    Object elements = list('{');
    return elements instanceof List<?> all ? new LinkedHashSet<Object>(all) : elements;
  }

  /** The map that begins here, of scalars to scalars, or {@link Unsupported}. */
  Object map() throws IOException, ParseException {
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.skip();
    Object forms = list('{');
    if (!(forms instanceof List<?> all)) {
      return forms;
    }
    if (all.size() % 2 != 0) {
      throw scanner.oddMap(line, column);
    }
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i += 2) {
      map.put(all.get(i), all.get(i + 1));
    }
    return map;
  }

  /** The vector of maps that begins here, or {@link Unsupported}. */
  Object maps() throws IOException, ParseException {
    int open = scanner.next();
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.skip();
    scanner.enter();
    List<Object> maps = new ArrayList<>();
    Unsupported unsupported = null;
    for (int c = scanner.next(); c != EdnScanner.closing(open); c = scanner.next()) {
      if (c == EdnScanner.EOF) {
        throw scanner.unclosed(open, line, column);
      }
      Object element = c == '{' ? map() : read();
      if (element instanceof Unsupported u) {
        unsupported = u;
      }
      maps.add(element);
    }
    scanner.skip();
    scanner.leave();
    return unsupported == null ? maps : unsupported;
  }

  /** The elements of a vector or list whose opening is read. */
  private Object list(int open) throws IOException, ParseException {
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.enter();
    List<Object> elements = new ArrayList<>();
    Unsupported unsupported = null;
    while (true) {
      int c = scanner.next();
      if (c == EdnScanner.EOF) {
        throw scanner.unclosed(open, line, column);
      }
      if (c == EdnScanner.closing(open)) {
        scanner.skip();
        scanner.leave();
        return unsupported == null ? elements : unsupported;
      }
      Object element = read();
      if (element instanceof Unsupported u) {
        unsupported = u;
      } else {
        elements.add(element);
      }
    }
  }

  private Object setOrSymbolic() throws IOException, ParseException {
    scanner.skip();
    if (scanner.peek() == '{') {
      // As a map, the set would have to hold an even number of forms.
      scanner.skip();
      skipRestOfSet();
      return new Unsupported("a set");
    }
    scanner.skip();
    scanner.token();
    return switch (scanner.tokenText()) {
      case "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      case "NaN" -> Double.NaN;
      default -> throw scanner.error("##" + scanner.tokenText(), "##Inf, ##-Inf or ##NaN", null);
    };
  }

  private void skipRestOfSet() throws IOException, ParseException {
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.enter();
    for (int c = scanner.next(); c != '}'; c = scanner.next()) {
      if (c == EdnScanner.EOF) {
        throw scanner.unclosed('#', line, column);
      }
      scanner.skipForm();
    }
    scanner.skip();
    scanner.leave();
  }

  private Object symbol() throws IOException, ParseException {
    scanner.token();
    if (scanner.tokenCode() == NIL) {
      return null;
    }
    String name = scanner.tokenText();
    return switch (name) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default -> name;
    };
  }

  // ---- numbers

  private boolean startsNumber(int first) throws IOException, ParseException {
    if (first >= '0' && first <= '9') {
      return true;
    }
    if (first != '-' && first != '+') {
      return false;
    }
    int second = scanner.peekSecond();
    return second >= '0' && second <= '9';
  }

  private Object number() throws IOException, ParseException {
    int length = scanner.token();
    if (length > MAX_DIGITS) {
      throw scanner.error(
          "a number of " + length + " characters", "at most " + MAX_DIGITS + " characters", null);
    }
    String text = scanner.tokenText();
    Object number = integerOrDecimal(text);
    if (number == null) {
      throw scanner.error(
          text, "a decimal number", "put quotes around it if it is a name, not a number");
    }
    return number;
  }

  /** The number that this text means, or null where it cannot be represented. */
  static Object integerOrDecimal(String text) {
    if (INTEGER.matcher(text).matches()) {
      String digits = text.endsWith("N") ? text.substring(0, text.length() - 1) : text;
      BigInteger integer = new BigInteger(digits);
      return integer.bitLength() < Long.SIZE ? (Object) integer.longValue() : integer;
    }
    if (!DECIMAL.matcher(text).matches()) {
      return null;
    }
    if (text.endsWith("M")) {
      return new BigDecimal(text.substring(0, text.length() - 1)).stripTrailingZeros();
    }
    return decimal(new BigDecimal(text));
  }

  /**
   * The double that a decimal equals; the decimal itself where no double is equal to it, as two
   * values that differ must never become one.
   */
  static Object decimal(BigDecimal exact) {
    double rounded = exact.doubleValue();
    boolean same =
        Double.isFinite(rounded) && new BigDecimal(Double.toString(rounded)).compareTo(exact) == 0;
    return same ? (Object) rounded : exact.stripTrailingZeros();
  }

  // ---- strings and characters

  private String character() throws IOException, ParseException {
    scanner.character();
    String name = scanner.tokenText();
    return switch (name) {
      case "newline" -> "\n";
      case "space" -> " ";
      case "tab" -> "\t";
      case "return" -> "\r";
      case "backspace" -> "\b";
      case "formfeed" -> "\f";
      default -> {
        if (name.length() == 5 && name.charAt(0) == 'u' && hex(name, 1) >= 0) {
          yield String.valueOf((char) hex(name, 1));
        }
        yield name;
      }
    };
  }

  /** The string that begins here. */
  String string() throws IOException, ParseException {
    String raw = scanner.rawString();
    int escape = raw.indexOf('\\');
    if (escape < 0) {
      return raw;
    }
    StringBuilder text = new StringBuilder(raw.length());
    int from = 0;
    while (escape >= 0) {
      text.append(raw, from, escape);
      char c = raw.charAt(escape + 1);
      from = escape + 2;
      if (c == 'u') {
        int code = hex(raw, from);
        if (code < 0) {
          throw scanner.error("a \\u without four digits in this string", "such as \\u00e9", null);
        }
        text.append((char) code);
        from += 4;
      } else {
        text.append(escaped(c));
      }
      escape = raw.indexOf('\\', from);
    }
    return text.append(raw, from, raw.length()).toString();
  }

  private char escaped(char c) throws ParseException {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case '"', '\\', '/' -> c;
      default ->
          throw scanner.error(
              "\\" + c + " in this string",
              "one of \\\" \\\\ \\n \\t \\r \\b \\f \\u",
              "write \\\\ for a backslash");
    };
  }

  private static int hex(String text, int from) {
    if (text.length() < from + 4) {
      return -1;
    }
    int code = 0;
    for (int i = from; i < from + 4; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0) {
        return -1;
      }
      code = 16 * code + digit;
    }
    return code;
  }
}
