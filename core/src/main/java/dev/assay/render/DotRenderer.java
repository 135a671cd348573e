package dev.assay.render;

import dev.assay.check.Edge;
import java.io.IOException;
import java.util.List;

/** Witnesses as one Graphviz graph, a cluster for each. */
public final class DotRenderer implements PictureRenderer {
  private final Appendable out;
  private int clusters;

  public DotRenderer(Appendable out) throws IOException {
    this.out = out;
    out.append("digraph assay {\n");
    out.append("  node [shape=box, fontname=\"sans-serif\"];\n");
    out.append("  edge [fontname=\"sans-serif\"];\n");
  }

  @Override
  public void add(CheckResult result) throws IOException {
    for (Pictured picture : Pictured.all(result)) {
      add(result.file(), picture);
    }
  }

  @Override
  public void finish() throws IOException {
    out.append("}\n");
  }

  private void add(String file, Pictured picture) throws IOException {
    String prefix = "w" + ++clusters + "_";
    out.append("  subgraph cluster_").append(String.valueOf(clusters)).append(" {\n");
    out.append("    label=").append(quoted(List.of(file, picture.title()))).append(";\n");
    for (int txn : picture.nodes()) {
      out.append("    ").append(prefix).append(node(txn));
      out.append(" [label=").append(quoted(picture.lines(txn))).append("];\n");
    }
    for (Pictured.Arrow arrow : picture.arrows()) {
      out.append("    ").append(prefix).append(node(arrow.from())).append(" -> ");
      out.append(prefix).append(node(arrow.to()));
      out.append(" [label=").append(quoted(List.of(picture.label(arrow))));
      boolean plain = arrow.manner() == Pictured.Manner.OBSERVED;
      out.append(plain ? "];\n" : ", style=" + arrow.manner().style() + "];\n");
    }
    out.append("  }\n");
  }

  private static String node(int txn) {
    return txn == Edge.INITIAL ? "initial" : "t" + txn;
  }

  private static String quoted(List<String> lines) {
    StringBuilder text = new StringBuilder("\"");
    for (String line : lines) {
      text.append(text.length() == 1 ? "" : "\\n");
      text.append(line.replace("\\", "\\\\").replace("\"", "\\\""));
    }
    return text.append('"').toString();
  }
}
