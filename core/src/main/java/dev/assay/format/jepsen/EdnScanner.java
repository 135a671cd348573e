package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Finds where the forms of EDN begin and end. White space, commas, comments, discarded forms
 * ({@code #_x}), metadata ({@code ^x}) and tags ({@code #inst}) are stepped over by {@link #next},
 * so that a tagged form reads as the form.
 */
final class EdnScanner extends EdnBytes {
  /** Deeper than any real history, shallow enough for the stack of any thread. */
  static final int MAX_DEPTH = 200;

  /** What begins a form, or ends a collection, and asks for no further thought. */
  private static final boolean[] IS_PLAIN = new boolean[256];

  static {
    for (int c = ' ' + 1; c < 256; c++) {
      IS_PLAIN[c] = ",;^#".indexOf(c) < 0;
    }
  }

  private int depth;

  EdnScanner(String file, InputStream in) throws IOException, ParseException {
    super(file, in);
  }

  // ---- forms

  /** Steps to the next form and shows its first byte; {@code #} means a set or {@code ##}. */
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
    long openLine = formLine();
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

  // ---- strings and characters

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
}
