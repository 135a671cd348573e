package dev.assay.render.html;

/**
 * HTML and SVG under construction. Text and attribute values are escaped here and nowhere else, so
 * that nothing from a history can become markup. Characters that change how text is displayed
 * without being seen, such as those that reverse its direction, are spelt out.
 */
public final class Markup {
  private final StringBuilder out = new StringBuilder();

  /**
   * Opens an element; attributes are names and values in turn, those with a null value left out.
   */
  Markup open(String tag, String... attributes) {
    start(tag, attributes);
    out.append('>');
    return this;
  }

  Markup close(String tag) {
    out.append("</").append(tag).append('>');
    return this;
  }

  /** An element without content. */
  Markup empty(String tag, String... attributes) {
    start(tag, attributes);
    out.append("/>");
    return this;
  }

  /** An element with text in it. */
  Markup leaf(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close(tag);
  }

  Markup text(String text) {
    escape(text, false, out);
    return this;
  }

  /** Markup made by another builder. */
  Markup add(Markup part) {
    out.append(part.out);
    return this;
  }

  /** Text that must not be escaped: the style and the script. */
  Markup verbatim(String text) {
    out.append(text);
    return this;
  }

  Markup line() {
    out.append('\n');
    return this;
  }

  int length() {
    return out.length();
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void start(String tag, String... attributes) {
    out.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      String value = attributes[i + 1];
      if (value != null) {
        out.append(' ').append(attributes[i]);
        if (!value.isEmpty()) {
          out.append("=\"");
          escape(value, true, out);
          out.append('"');
        }
      }
    }
  }

  /**
   * Writes a text so that none of it is markup; for other builders of pages too.
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
  static boolean isVisible(int c) {
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
