package dev.assay.render.html;

/**
 * Text in pictures is set in a font of fixed width, so that its size is known here without asking a
 * browser: this many pixels a character at the size of the style sheet.
 */
final class Cells {
  static final double ADVANCE = 7.3;
  static final double SMALL_ADVANCE = 6.7;
  static final double LINE = 18;
  static final double HEAD = 26;
  static final double PADDING = 10;

  static final int MAX_LINE = 34;
  static final int MAX_NAME = 16;
  static final int MAX_SESSION = 24;
  static final int MAX_LABEL = 18;

  private static final int FIRST_WIDE = 0x1100;

  private Cells() {}

  /** How many cells a text takes; letters of East Asian scripts and pictures take two. */
  static int width(String text) {
    return text.codePoints().map(c -> c >= FIRST_WIDE && !isNarrowSign(c) ? 2 : 1).sum();
  }

  private static boolean isNarrowSign(int c) {
    return c >= 0x2000 && c < 0x2800;
  }

  static String shortened(String text) {
    return shortened(text, MAX_LINE);
  }

  /** At most this many cells: the beginning and the end of a longer text. */
  static String shortened(String text, int cells) {
    if (width(text) <= cells) {
      return text;
    }
    int[] points = text.codePoints().toArray();
    int tail = cells / 3;
    StringBuilder end = new StringBuilder();
    for (int i = points.length - 1; width(end.toString()) + cellsOf(points[i]) <= tail; i--) {
      end.insert(0, Character.toString(points[i]));
    }
    StringBuilder start = new StringBuilder();
    int room = cells - 1 - width(end.toString());
    for (int i = 0; width(start.toString()) + cellsOf(points[i]) <= room; i++) {
      start.appendCodePoint(points[i]);
    }
    return start.append('…').append(end).toString();
  }

  private static int cellsOf(int codePoint) {
    return width(Character.toString(codePoint));
  }
}
