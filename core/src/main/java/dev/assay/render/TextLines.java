package dev.assay.render;

import java.io.IOException;
import java.util.List;

/** Lines of terminal text: colours or none, and nothing wider than a terminal where words allow. */
final class TextLines {
  static final int WIDTH = 80;

  private final boolean color;
  private final Appendable out;

  TextLines(boolean color, Appendable out) {
    this.color = color;
    this.out = out;
  }

  String paint(Style style, String text) {
    return style.paint(text, color);
  }

  void line(String text) throws IOException {
    out.append(text).append('\n');
  }

  /** Text behind a lead, continued below an indent. */
  void wrapped(String lead, String indent, String text, Style style) throws IOException {
    List<String> lines = Plain.wrap(text, WIDTH - indent.length() - 2);
    line((style == null ? lead : paint(style, lead)) + lines.get(0));
    for (String more : lines.subList(1, lines.size())) {
      line(indent + more);
    }
  }

  /** {@code ok: text}, continued below an indent. */
  void headed(Style style, String kind, String text) throws IOException {
    List<String> parts = Plain.wrap(kind + ": " + text, WIDTH - 4);
    line(paint(style, kind) + parts.get(0).substring(kind.length()));
    for (String more : parts.subList(1, parts.size())) {
      line("    " + more);
    }
  }

  /** Text with the same indent on every line. */
  void indented(int indent, String text) throws IOException {
    for (String part : Plain.wrap(text, WIDTH - indent)) {
      line(" ".repeat(indent) + part);
    }
  }

  /** Text behind a lead of a known width, continued below its first letter. */
  void hanging(String lead, int width, String text) throws IOException {
    List<String> lines = Plain.wrap(text, Math.max(WIDTH - width, 30));
    line(lead + lines.get(0));
    for (String more : lines.subList(1, lines.size())) {
      line(" ".repeat(width) + more);
    }
  }

  /** Items three spaces apart behind a lead, continued under the first item. */
  void columns(String gutter, int gutterWidth, String lead, List<String> items) throws IOException {
    StringBuilder row = new StringBuilder(lead);
    boolean empty = true;
    for (String item : items) {
      if (!empty && gutterWidth + row.length() + 3 + item.length() > WIDTH) {
        line(gutter + row.toString().stripTrailing());
        row = new StringBuilder(" ".repeat(lead.length()));
        empty = true;
      }
      row.append(empty ? "" : "   ").append(item);
      empty = false;
    }
    line(gutter + row.toString().stripTrailing());
  }

  static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
