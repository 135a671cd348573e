package dev.assay.render.html;

import java.util.ArrayList;
import java.util.List;

/**
 * Routes each edge between two boxes: one bend, as small as possible, that avoids other boxes,
 * other edges and their labels. The script of the page routes edges in the same manner when
 * something is moved.
 */
final class Router {
  private static final double[] BENDS = {
    0, 30, -30, 60, -60, 95, -95, 135, -135, 180, -180, 230, -230, 290, -290
  };
  private static final int SAMPLES = 60;

  /** Where on its curve an edge may have its label; the middle is best. */
  private static final double[] LABELS = {0.5, 0.4, 0.6, 0.3, 0.7};

  private static final double LABEL_HEIGHT = 20;

  private final List<Box> boxes;
  private final List<Box> labels = new ArrayList<>();

  Router(List<Box> boxes) {
    this.boxes = boxes;
  }

  /** A curve with one control point, and the place of its label. */
  record Route(
      double startX,
      double startY,
      double controlX,
      double controlY,
      double endX,
      double endY,
      double labelX,
      double labelY) {
    String path() {
      return "M"
          + n(startX)
          + " "
          + n(startY)
          + "Q"
          + n(controlX)
          + " "
          + n(controlY)
          + " "
          + n(endX)
          + " "
          + n(endY);
    }

    /** The arrowhead. */
    String head() {
      double dx = endX - controlX;
      double dy = endY - controlY;
      double length = Math.max(1e-9, Math.sqrt(dx * dx + dy * dy));
      double ux = dx / length;
      double uy = dy / length;
      double baseX = endX - 10 * ux;
      double baseY = endY - 10 * uy;
      return "M"
          + n(endX)
          + " "
          + n(endY)
          + "L"
          + n(baseX - 4.5 * uy)
          + " "
          + n(baseY + 4.5 * ux)
          + "L"
          + n(baseX + 4.5 * uy)
          + " "
          + n(baseY - 4.5 * ux)
          + "Z";
    }

    /** The same route with its label elsewhere. */
    private Route labelled(double t) {
      return new Route(startX, startY, controlX, controlY, endX, endY, x(t), y(t));
    }

    private double x(double t) {
      return (1 - t) * (1 - t) * startX + 2 * t * (1 - t) * controlX + t * t * endX;
    }

    private double y(double t) {
      return (1 - t) * (1 - t) * startY + 2 * t * (1 - t) * controlY + t * t * endY;
    }

    /** What the curve and its label take. */
    Box extent(double labelWidth) {
      Box label = labelBox(labelX, labelY, labelWidth);
      Box all = label;
      for (int i = 0; i <= SAMPLES; i++) {
        double t = i / (double) SAMPLES;
        all = all.and(new Box(x(t), y(t), 0, 0));
      }
      return all;
    }
  }

  static String n(double number) {
    long tenths = Math.round(number * 10);
    return tenths % 10 == 0
        ? Long.toString(tenths / 10)
        : (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10 + "." + Math.abs(tenths) % 10;
  }

  private static Box labelBox(double x, double y, double width) {
    return new Box(x - width / 2, y - LABEL_HEIGHT / 2, width, LABEL_HEIGHT);
  }

  /**
   * @param paired whether another edge joins the same two boxes, so that both should bend
   */
  Route route(Box from, Box to, double labelWidth, boolean paired) {
    Route best = null;
    double least = Double.MAX_VALUE;
    for (double bend : BENDS) {
      Route bare = from == to ? loop(from, bend) : bent(from, to, bend);
      double line = Math.abs(bend) * 0.6 + (bend < 0 ? 1 : 0) + lineCost(bare, from, to);
      line += paired && bend == 0 ? 60 : 0;
      for (double t : LABELS) {
        Route route = bare.labelled(t);
        double cost = line + Math.abs(t - 0.5) * 80 + labelCost(route, labelWidth);
        if (cost < least - 1e-9) {
          least = cost;
          best = route;
        }
      }
    }
    labels.add(labelBox(best.labelX(), best.labelY(), labelWidth));
    return best;
  }

  private static Route bent(Box from, Box to, double bend) {
    double dx = to.middleX() - from.middleX();
    double dy = to.middleY() - from.middleY();
    double length = Math.max(1, Math.sqrt(dx * dx + dy * dy));
    double controlX = (from.middleX() + to.middleX()) / 2 + 2 * bend * dy / length;
    double controlY = (from.middleY() + to.middleY()) / 2 - 2 * bend * dx / length;
    double[] start = from.exit(controlX, controlY);
    double[] end = to.exit(controlX, controlY);
    return routed(start[0], start[1], controlX, controlY, end[0], end[1]);
  }

  private static Route loop(Box box, double bend) {
    double side = bend < 0 ? box.x() : box.right();
    double out = side + (bend < 0 ? -1 : 1) * (60 + Math.abs(bend));
    double y = box.middleY();
    return routed(side, y - 12, out, y, side, y + 12);
  }

  private static Route routed(double sx, double sy, double cx, double cy, double ex, double ey) {
    return new Route(sx, sy, cx, cy, ex, ey, (sx + 2 * cx + ex) / 4, (sy + 2 * cy + ey) / 4);
  }

  /** What a route runs into on both sides. */
  private double lineCost(Route route, Box from, Box to) {
    double cost = 0;
    for (int i = 1; i < SAMPLES; i++) {
      double x = route.x(i / (double) SAMPLES);
      double y = route.y(i / (double) SAMPLES);
      for (Box box : boxes) {
        cost += box != from && box != to && box.contains(x, y, 6) ? 14 : 0;
      }
      for (Box label : labels) {
        cost += label.contains(x, y, 2) ? 40 : 0;
      }
    }
    return cost;
  }

  private double labelCost(Route route, double labelWidth) {
    Box label = labelBox(route.labelX(), route.labelY(), labelWidth);
    double cost = 0;
    for (Box box : boxes) {
      cost += box.overlaps(label) ? 150 : 0;
    }
    for (Box other : labels) {
      cost += other.overlaps(label) ? 180 : 0;
    }
    return cost;
  }
}
