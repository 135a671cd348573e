package dev.assay.format.jepsen;

import dev.assay.format.Bom;
import java.util.Arrays;

/**
 * Finds where the operations of a text end: maps side by side, or in one vector, in EDN or JSON.
 * What is wrong with the text is for its reader to say.
 */
final class TopLevel {
  private static final int NOT_WHOLE = -1;

  private final boolean edn;

  /** Whether the vector of all operations is open. */
  private boolean inVector;

  TopLevel(boolean edn) {
    this.edn = edn;
  }

  boolean inVector() {
    return inVector;
  }

  void nextFile() {
    inVector = false;
  }

  /** How many bytes there are up to the end of the last whole operation, or line without one. */
  int whole(byte[] bytes, int from, int to) {
    int end = from;
    for (int next = from; next != NOT_WHOLE; next = afterItem(bytes, end, to)) {
      end = next;
    }
    return end - from;
  }

  /** A copy in which the operations are side by side: without the vector, and commas. */
  byte[] sideBySide(byte[] bytes, int from, int to) {
    byte[] copy = Arrays.copyOfRange(bytes, from, to);
    int next = 0;
    while (next != NOT_WHOLE && next < copy.length) {
      int c = copy[next];
      if (c == ',') {
        copy[next] = ' ';
      } else if (!inVector && (c == '[' || c == '(')) {
        inVector = true;
        copy[next] = ' ';
      } else if (inVector && (c == ']' || c == ')')) {
        inVector = false;
        copy[next] = ' ';
      }
      next = afterItem(copy, next, copy.length);
    }
    return copy;
  }

  /** Where what begins here ends: an operation, a comment, a line of a log or a single byte. */
  private int afterItem(byte[] bytes, int from, int to) {
    if (from >= to) {
      return NOT_WHOLE;
    }
    int c = bytes[from];
    if (c == '{') {
      return afterMap(bytes, from, to);
    }
    if (c >= 0 && c <= ' ' || ",[]()".indexOf(c) >= 0 || !edn) {
      return from + 1;
    }
    if (Bom.length(bytes, from, to) > 0) {
      return from + Bom.length(bytes, from, to);
    }
    if (c == '#' || c == '^') {
      return afterTag(bytes, from, to);
    }
    return afterLine(bytes, from, to);
  }

  /** Where the form after a tag ends. */
  private int afterTag(byte[] bytes, int from, int to) {
    int next = from + 1;
    while (next < to && !EdnBytes.ENDS_TOKEN[bytes[next] & 0xff]) {
      next++;
    }
    while (next < to && bytes[next] >= 0 && bytes[next] <= ' ') {
      next++;
    }
    return afterItem(bytes, next, to);
  }

  private static int afterLine(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return NOT_WHOLE;
  }

  private int afterMap(byte[] bytes, int from, int to) {
    int depth = 0;
    for (int i = from; i < to; i++) {
      switch (bytes[i]) {
        case '{', '[', '(' -> depth++;
        case '}', ']', ')' -> {
          if (--depth == 0) {
            return i + 1;
          }
        }
        case '"' -> {
          i = stringEnd(bytes, i, to);
          if (i == NOT_WHOLE) {
            return NOT_WHOLE;
          }
        }
        case ';' -> {
          if (edn) {
            i = afterLine(bytes, i, to) - 1;
            if (i < 0) {
              return NOT_WHOLE;
            }
          }
        }
        // The next byte is a character, not a bracket.
        case '\\' -> i++;
        default -> {}
      }
    }
    return NOT_WHOLE;
  }

  private static int stringEnd(byte[] bytes, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (bytes[i] == '\\') {
        i++;
      } else if (bytes[i] == '"') {
        return i;
      }
    }
    return NOT_WHOLE;
  }
}
