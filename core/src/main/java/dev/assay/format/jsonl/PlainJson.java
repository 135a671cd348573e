package dev.assay.format.jsonl;

import dev.assay.format.LongList;
import dev.assay.history.RawScalars;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the JSON that programs write, straight from bytes: integers of up to 18 digits, strings of
 * plain ASCII, null, vectors of these. Anything else, be it unusual or wrong, is {@link NotPlain},
 * and the reader turns to a parser that knows all of JSON and says what is wrong. So this is only
 * ever quicker: it takes nothing that the parser would not take, and takes it as the same.
 */
abstract class PlainJson {
  /** More digits may not fit. */
  private static final int MAX_DIGITS = 18;

  private static final int MAX_DEPTH = 32;

  /** The line needs the JSON parser. */
  static final class NotPlain extends Exception {
    static final NotPlain INSTANCE = new NotPlain();
    private static final long serialVersionUID = 1;

    private NotPlain() {
      super("not plain", null, false, false);
    }
  }

  private final LongList vector = new LongList();
  private byte[] text;
  private int at;
  private int end;

  /** The raw scalar of an integer. */
  abstract long named(long integer) throws NotPlain;

  /** The raw scalar of a string, or of a list of strings, integers and nulls. */
  abstract long named(Object value) throws NotPlain;

  /** The raw scalar of a list of integers. */
  abstract long named(long[] vector, int size) throws NotPlain;

  final void begin(byte[] bytes, int from, int to) {
    text = bytes;
    at = from;
    end = to;
  }

  /** Nothing may be left. */
  final void finish() throws NotPlain {
    if (at != end) {
      throw NotPlain.INSTANCE;
    }
  }

  /** The next byte that is not a space. */
  final byte peek() throws NotPlain {
    while (at < end && text[at] == ' ') {
      at++;
    }
    if (at >= end) {
      throw NotPlain.INSTANCE;
    }
    return text[at];
  }

  final void take(char wanted) throws NotPlain {
    if (peek() != wanted) {
      throw NotPlain.INSTANCE;
    }
    at++;
  }

  /** Takes a byte if it comes next. */
  final boolean takes(char wanted) throws NotPlain {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  /** Takes what must come next, without spaces in it. */
  final void take(byte[] word) throws NotPlain {
    if (!takes(word)) {
      throw NotPlain.INSTANCE;
    }
  }

  final boolean takes(byte[] word) throws NotPlain {
    peek();
    if (end - at < word.length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if (text[at + i] != word[i]) {
        return false;
      }
    }
    at += word.length;
    return true;
  }

  static byte[] word(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static final byte[] NULL = word("null");
  private static final byte[] TRUE = word("true");
  private static final byte[] FALSE = word("false");
  private static final byte[] VECTOR = word("\"vector\"");

  final boolean isInteger() throws NotPlain {
    byte next = peek();
    return next == '-' || (next >= '0' && next <= '9');
  }

  final long integer() throws NotPlain {
    boolean negative = takes('-');
    int first = at;
    long n = 0;
    while (at < end && text[at] >= '0' && text[at] <= '9') {
      n = n * 10 + (text[at++] - '0');
    }
    int digits = at - first;
    boolean padded = digits > 1 && text[first] == '0';
    if (digits == 0 || digits > MAX_DIGITS || padded || (negative && n == 0)) {
      throw NotPlain.INSTANCE;
    }
    return negative ? -n : n;
  }

  final String string() throws NotPlain {
    take('"');
    int first = at;
    while (at < end && text[at] != '"') {
      if (text[at] < ' ' || text[at] == '\\' || text[at] == 0x7f) {
        throw NotPlain.INSTANCE;
      }
      at++;
    }
    if (at == end) {
      throw NotPlain.INSTANCE;
    }
    return new String(text, first, at++ - first, StandardCharsets.ISO_8859_1);
  }

  /** Takes a string of one letter; 0 where there is none. */
  final char letter() throws NotPlain {
    peek();
    boolean isLetter =
        end - at >= 3 && text[at] == '"' && text[at + 1] >= 'a' && text[at + 2] == '"';
    if (!isLetter) {
      return 0;
    }
    at += 3;
    return (char) text[at - 2];
  }

  /** The raw scalar of an integer, a string or a vector; {@link RawScalars#NIL} for null. */
  final long scalar() throws NotPlain {
    switch (peek()) {
      case '"':
        return named((Object) string());
      case 'n':
        take(NULL);
        return RawScalars.NIL;
      case '{':
        return vector();
      default:
        return named(integer());
    }
  }

  private long vector() throws NotPlain {
    take('{');
    take(VECTOR);
    take(':');
    take('[');
    vector.clear();
    List<Object> mixed = null;
    boolean more = !takes(']');
    while (more) {
      if (mixed == null && isInteger()) {
        vector.add(integer());
      } else {
        mixed = mixed == null ? boxed() : mixed;
        mixed.add(element());
      }
      more = takes(',');
      if (!more) {
        take(']');
      }
    }
    take('}');
    return mixed == null ? named(vector.array(), vector.size()) : named((Object) mixed);
  }

  private List<Object> boxed() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < vector.size(); i++) {
      all.add(vector.get(i));
    }
    return all;
  }

  private Object element() throws NotPlain {
    switch (peek()) {
      case '"':
        return string();
      case 'n':
        take(NULL);
        return null;
      default:
        return integer();
    }
  }

  /** An array of scalars. */
  final void scalars(LongList into) throws NotPlain {
    take('[');
    if (takes(']')) {
      return;
    }
    do {
      into.add(scalar());
    } while (takes(','));
    take(']');
  }

  /** A value that has no spaces, as text. */
  final String compact() throws NotPlain {
    peek();
    int first = at;
    skip(0);
    return new String(text, first, at - first, StandardCharsets.ISO_8859_1);
  }

  private byte bare() throws NotPlain {
    if (at >= end) {
      throw NotPlain.INSTANCE;
    }
    return text[at];
  }

  private void skip(int depth) throws NotPlain {
    byte next = bare();
    if (depth == MAX_DEPTH || next == ' ') {
      throw NotPlain.INSTANCE;
    }
    switch (next) {
      case '{', '[' -> skipNested(depth, next == '{');
      case '"' -> skipString();
      case 'n' -> take(NULL);
      case 't' -> take(TRUE);
      case 'f' -> take(FALSE);
      default -> integer();
    }
  }

  private void skipNested(int depth, boolean isObject) throws NotPlain {
    byte close = (byte) (isObject ? '}' : ']');
    at++;
    if (bare() == close) {
      at++;
      return;
    }
    while (true) {
      if (isObject) {
        skipString();
        if (bare() != ':') {
          throw NotPlain.INSTANCE;
        }
        at++;
      }
      skip(depth + 1);
      byte next = bare();
      at++;
      if (next == close) {
        return;
      }
      if (next != ',') {
        throw NotPlain.INSTANCE;
      }
    }
  }

  private void skipString() throws NotPlain {
    if (bare() != '"') {
      throw NotPlain.INSTANCE;
    }
    string();
  }
}
