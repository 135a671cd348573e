package dev.assay.render;

/**
 * How text gets into HTML and SVG, so that nothing from a history can become markup. Characters
 * that change how text is displayed without being seen, such as those that reverse its direction,
 * are spelt out.
 */
public final class Escaping {
  private Escaping() {}

  /**
   * Writes a text so that none of it is markup.
   *
   * @param quoted whether it is between double quotes
   */
  public static void escape(String text, boolean quoted, StringBuilder out) {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append(quoted ? "&quot;" : "\"");
        case '\n', '\t' -> out.append((char) c);
        default -> {
          if (isVisible(c)) {
            out.appendCodePoint(c);
          } else {
            out.append(String.format("\\u%04x", c));
          }
        }
      }
    }
  }

  /** Whether a character shows, rather than changing how others do. */
  public static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
