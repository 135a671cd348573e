package dev.assay.web.page;

import dev.assay.render.Escaping;
import dev.assay.render.plot.Plot;
import java.util.ArrayDeque;
import java.util.Deque;

/** Writes HTML. Texts and attributes are escaped on their way. */
final class Html {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> opened = new ArrayDeque<>();

  /**
   * Opens an element; attributes are pairs of a name and a value, left out where the value is null.
   */
  Html open(String element, String... attributes) {
    tag(element, attributes);
    opened.push(element);
    return this;
  }

  /** Closes the element that was opened last. */
  Html close() {
    out.append("</").append(opened.pop()).append('>');
    return this;
  }

  /** Closes a number of elements. */
  Html close(int count) {
    for (int i = 0; i < count; i++) {
      close();
    }
    return this;
  }

  /** An element that has no content. */
  Html single(String element, String... attributes) {
    tag(element, attributes);
    return this;
  }

  /** An element with nothing but text in it. */
  Html element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  Html text(String text) {
    Escaping.escape(text, false, out);
    return this;
  }

  /** The head of a table; the names of columns with numbers end in a star, which is not shown. */
  Html heads(Iterable<String> names) {
    open("thead").open("tr");
    for (String name : names) {
      boolean number = name.endsWith("*");
      String shown = number ? name.substring(0, name.length() - 1) : name;
      element("th", shown, "scope", "col", "class", number ? "number" : null);
    }
    return close(2);
  }

  /** A plot, which escapes what it shows itself. */
  Html plot(Plot plot) {
    out.append(plot.svg());
    return this;
  }

  /** A part of a report, whose renderer escapes what it shows. */
  Html report(String part) {
    out.append(part);
    return this;
  }

  /** A style sheet inside the page, for a page that is one file. */
  Html style(String css) {
    out.append("<style>").append(css).append("</style>");
    return this;
  }

  /** A script of ours inside the page, for a page that is one file. */
  Html script(String text) {
    out.append("<script>").append(text).append("</script>");
    return this;
  }

  private void tag(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      if (attributes[i + 1] != null) {
        out.append(' ').append(attributes[i]).append("=\"");
        Escaping.escape(attributes[i + 1], true, out);
        out.append('"');
      }
    }
    out.append('>');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
