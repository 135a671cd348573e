package dev.assay.format;

import java.nio.charset.StandardCharsets;

/** A piece of a text file as it can be shown inside a message: short, on one line, printable. */
public final class Excerpt {
  private static final int MAX_BYTES = 40;
  private static final int MAX_FOUND = 160;

  /** Messages stay below this unless they quote a file. */
  private static final int MAX_SENTENCE = 400;

  private static final int ENDS = 150;

  private Excerpt() {}

  public static String of(byte[] bytes, int from, int to) {
    int end = Math.min(to, from + MAX_BYTES);
    String text = new String(bytes, from, end - from, StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder("\"");
    text.codePoints().forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return shown.append(end < to ? "…\"" : "\"").toString();
  }

  /** What was found, where it may hold anything a file holds: short, on one line, printable. */
  public static String found(String text) {
    boolean longer = text.length() > MAX_FOUND;
    StringBuilder shown = new StringBuilder();
    (longer ? text.substring(0, MAX_FOUND) : text)
        .codePoints()
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return longer ? shown.append('…').toString() : shown.toString();
  }

  /**
   * A sentence with something of a file in it, cut in its middle if that is long: both ends show
   * what is wrong.
   */
  static String shortened(String sentence) {
    if (sentence == null || sentence.length() <= MAX_SENTENCE) {
      return sentence;
    }
    int end = sentence.length() - ENDS;
    // Half a character would not survive on its way to a terminal.
    int cut = Character.isHighSurrogate(sentence.charAt(ENDS - 1)) ? ENDS - 1 : ENDS;
    int on = Character.isLowSurrogate(sentence.charAt(end)) ? end + 1 : end;
    return sentence.substring(0, cut) + "…" + sentence.substring(on);
  }
}
