package dev.assay.format;

import java.nio.charset.StandardCharsets;

/** A piece of a text file as it can be shown inside a message: short, on one line, printable. */
final class Excerpt {
  private static final int MAX_BYTES = 40;
  private static final int MAX_FOUND = 160;

  private Excerpt() {}

  static String of(byte[] bytes, int from, int to) {
    int end = Math.min(to, from + MAX_BYTES);
    String text = new String(bytes, from, end - from, StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder("\"");
    text.codePoints().forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return shown.append(end < to ? "…\"" : "\"").toString();
  }

  /** What was found, where it may hold anything a file holds: short, on one line, printable. */
  static String found(String text) {
    boolean longer = text.length() > MAX_FOUND;
    StringBuilder shown = new StringBuilder();
    (longer ? text.substring(0, MAX_FOUND) : text)
        .codePoints()
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return longer ? shown.append('…').toString() : shown.toString();
  }
}
