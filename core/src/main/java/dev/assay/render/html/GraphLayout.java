package dev.assay.render.html;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the transactions of a graph are drawn. On wide screens those of the cycle go round in two
 * columns, with what their reasons mention below; on narrow ones all are in one column.
 */
final class GraphLayout {
  /** The width that a narrow screen has for a picture. */
  static final double NARROW_WIDTH = 352;

  private static final double ROW_GAP = 64;
  private static final double LEAST_GAP = 90;

  private final List<Graph.Node> nodes;
  private final double columnGap;

  /**
   * @param nodes those of the cycle first
   * @param widestLabel the width of the widest label between them
   */
  GraphLayout(List<Graph.Node> nodes, double widestLabel) {
    this.nodes = nodes;
    this.columnGap = Math.max(LEAST_GAP, widestLabel + 56);
  }

  /** Two columns, clockwise; a box for each node, in their order. */
  List<Box> wide() {
    int cycle = outer();
    int[] column = new int[nodes.size()];
    int[] row = new int[nodes.size()];
    boolean odd = cycle % 2 == 1;
    for (int i = 0; i < cycle; i++) {
      int half = cycle / 2;
      boolean right = i > 0 && i <= half;
      column[i] = i == 0 && odd ? -1 : right ? 1 : 0;
      row[i] = odd ? (right ? i : (cycle - i) % cycle) : right ? i - 1 : (cycle - i) % cycle;
    }
    int rows = cycle == 0 ? 0 : odd ? (cycle + 1) / 2 : cycle / 2;
    for (int i = cycle; i < nodes.size(); i++) {
      column[i] = (i - cycle) % 2;
      row[i] = rows + (i - cycle) / 2;
    }
    return placed(column, row);
  }

  private List<Box> placed(int[] column, int[] row) {
    int rows = 0;
    double[] widths = new double[2];
    for (int i = 0; i < row.length; i++) {
      rows = Math.max(rows, row[i] + 1);
      if (column[i] >= 0) {
        widths[column[i]] = Math.max(widths[column[i]], nodes.get(i).width());
      }
    }
    double[] heights = new double[rows];
    for (int i = 0; i < row.length; i++) {
      heights[row[i]] = Math.max(heights[row[i]], nodes.get(i).height());
    }
    double[] middles = {widths[0] / 2, widths[0] + columnGap + widths[1] / 2};
    boolean one = widths[1] == 0;
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < row.length; i++) {
      double top = 0;
      for (int r = 0; r < row[i]; r++) {
        top += heights[r] + ROW_GAP;
      }
      Graph.Node node = nodes.get(i);
      double middle =
          column[i] >= 0
              ? middles[column[i]]
              : one ? node.width() / 2 : (middles[0] + middles[1]) / 2;
      double y = top + (heights[row[i]] - node.height()) / 2;
      double x = middle - node.width() / 2;
      boxes.add(new Box(Math.round(x), Math.round(y), node.width(), node.height()));
    }
    return boxes;
  }

  /** One column from top to bottom. */
  List<Box> narrow() {
    List<Box> boxes = new ArrayList<>();
    double top = 0;
    for (Graph.Node node : nodes) {
      double x = Math.round((NARROW_WIDTH - node.width()) / 2);
      boxes.add(new Box(x, top, node.width(), node.height()));
      top += node.height() + ROW_GAP - 8;
    }
    return boxes;
  }

  private int outer() {
    return (int) nodes.stream().filter(Graph.Node::outer).count();
  }
}
