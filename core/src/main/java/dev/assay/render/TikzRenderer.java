package dev.assay.render;

import dev.assay.check.Edge;
import java.io.IOException;
import java.util.List;

/** Witnesses as a LaTeX document with one TikZ picture a page, transactions on a circle. */
public final class TikzRenderer implements PictureRenderer {
  private final Appendable out;

  public TikzRenderer(Appendable out) throws IOException {
    this.out = out;
    out.append("\\documentclass[tikz,border=4mm]{standalone}\n");
    out.append("\\usepackage[utf8]{inputenc}\n");
    out.append("\\usetikzlibrary{arrows.meta}\n");
    out.append("\\begin{document}\n");
  }

  @Override
  public void add(CheckResult result) throws IOException {
    for (Pictured picture : Pictured.all(result)) {
      add(result.file(), picture);
    }
  }

  @Override
  public void finish() throws IOException {
    out.append("\\end{document}\n");
  }

  private void add(String file, Pictured picture) throws IOException {
    out.append("% ").append(file.replaceAll("\\p{Cntrl}", "?")).append('\n');
    out.append("\\begin{tikzpicture}[every node/.style={font=\\small},\n");
    out.append("  txn/.style={draw, rounded corners, align=left}, >=Stealth]\n");
    out.append("\\node[align=center] at (0,4) {").append(escaped(picture.title())).append("};\n");
    List<Integer> nodes = picture.nodes();
    for (int i = 0; i < nodes.size(); i++) {
      // Two transactions are side by side; more go round from the top.
      int angle = nodes.size() == 2 ? 180 - 180 * i : 90 - 360 * i / nodes.size();
      out.append("\\node[txn] (").append(node(nodes.get(i))).append(") at (");
      out.append(String.valueOf(angle)).append(":3) {");
      List<String> lines = picture.lines(nodes.get(i));
      out.append("\\textbf{").append(escaped(lines.get(0))).append('}');
      for (String line : lines.subList(1, lines.size())) {
        out.append("\\\\").append(escaped(line));
      }
      out.append("};\n");
    }
    for (Pictured.Arrow arrow : picture.arrows()) {
      boolean plain = arrow.manner() == Pictured.Manner.OBSERVED;
      out.append("\\draw[->" + (plain ? "] (" : ", " + arrow.manner().style() + "] ("))
          .append(node(arrow.from()))
          .append(") to[bend left=15] node[auto] {");
      out.append(escaped(picture.label(arrow)))
          .append("} (")
          .append(node(arrow.to()))
          .append(");\n");
    }
    out.append("\\end{tikzpicture}\n");
  }

  private static String node(int txn) {
    return txn == Edge.INITIAL ? "initial" : "t" + txn;
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> safe.append("\\textbackslash{}");
        case '{', '}', '$', '&', '#', '%', '_' -> safe.append('\\').append(c);
        case '~' -> safe.append("\\textasciitilde{}");
        case '^' -> safe.append("\\textasciicircum{}");
        case '…' -> safe.append("\\ldots{}");
        case '<', '>', '|' -> safe.append('$').append(c).append('$');
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }
}
