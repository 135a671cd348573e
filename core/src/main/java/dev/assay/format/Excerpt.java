package dev.assay.format;

import java.nio.charset.StandardCharsets;

/** A piece of a text file as it can be shown inside a message: short, on one line, printable. */
final class Excerpt {
  private static final int MAX_BYTES = 40;

  private Excerpt() {}

  static String of(byte[] bytes, int from, int to) {
    int end = Math.min(to, from + MAX_BYTES);
    String text = new String(bytes, from, end - from, StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder("\"");
    text.codePoints().forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return shown.append(end < to ? "…\"" : "\"").toString();
  }
}
