package dev.assay.render.html;

import dev.assay.render.Escaping;

/** HTML and SVG under construction. Text and attribute values are escaped on their way. */
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
    Escaping.escape(text, false, out);
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
          Escaping.escape(value, true, out);
          out.append('"');
        }
      }
    }
  }
}
