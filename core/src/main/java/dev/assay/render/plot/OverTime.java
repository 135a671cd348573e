package dev.assay.render.plot;

import dev.assay.history.History;
import dev.assay.history.RecordedFault;
import dev.assay.history.RunActivity;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/** What the plots of a run have in common: the axis of time, faults as bands, and curves. */
final class OverTime {
  static final int LEFT = 58;
  static final int PANEL = 120;
  private static final int WIDTH = 1000;
  private static final int RIGHT = 16;
  private static final int TOP = 52;
  private static final int BETWEEN = 34;
  private static final int LEGEND_STEP = 110;
  private static final String FAULT = "#d55e00";

  private final Svg svg;
  private final RunActivity activity;
  private final double scale;
  private final double seconds;
  private final int bottom;

  OverTime(String title, RunActivity activity, int panels) {
    this.activity = activity;
    this.bottom = top(panels) - BETWEEN;
    this.svg = new Svg(title, WIDTH, bottom + 44);
    int last = activity.stretches() - 1;
    this.seconds = Math.max(0.1, activity.seconds(last) + activity.stretchSeconds());
    this.scale = (WIDTH - LEFT - RIGHT) / seconds;
    svg.text(LEFT, 18, "start", "title", title);
    for (double tick : new Axis(seconds, 0, 1).ticks()) {
      if (tick <= seconds) {
        svg.text(LEFT + tick * scale, bottom + 16, "middle", "tick", Axis.number(tick));
      }
    }
    svg.text(WIDTH - RIGHT, bottom + 36, "end", "label", "seconds");
  }

  /** Where a panel begins, counted from 0. */
  static int top(int panel) {
    return TOP + panel * (PANEL + BETWEEN);
  }

  /** Shades the time of each fault, and names it where there is room. */
  void faults(List<RecordedFault> faults) {
    double labelled = 0;
    for (RecordedFault fault : faults) {
      double from = place(fault.begin());
      double to = fault.end() == History.ABSENT ? from : place(fault.end());
      if (from < LEFT || from > WIDTH - RIGHT) {
        continue;
      }
      svg.band(from, TOP, Math.min(to, WIDTH - RIGHT) - from, bottom - TOP, FAULT, fault.what());
      svg.line(from, TOP, from, bottom, "fault", FAULT);
      if (from >= labelled) {
        svg.text(from + 3, TOP - 8, "start", "stage", fault.what());
        labelled = from + 8 + fault.what().length() * 6.4;
      }
    }
  }

  private double place(long nanos) {
    return LEFT + activity.seconds(nanos) * scale;
  }

  /** The lines of an axis with their numbers. */
  void frame(int panel, String unit, List<Double> ticks, Place y) {
    for (double tick : ticks) {
      svg.line(LEFT, y.of(tick), WIDTH - RIGHT, y.of(tick), "grid", "#d8dee4");
      svg.text(LEFT - 8, y.of(tick) + 4, "end", "tick", Axis.number(tick));
    }
    svg.upright(13, top(panel) + PANEL / 2.0, unit);
  }

  void subtitle(int panel, String text) {
    svg.text(LEFT + 4, top(panel) + 14, "start", "label", text);
  }

  /** One curve; NaN interrupts it. */
  void curve(int look, IntToDoubleFunction number, Place y) {
    StringBuilder d = new StringBuilder();
    boolean pen = false;
    for (int i = 0; i < activity.stretches(); i++) {
      double value = number.applyAsDouble(i);
      if (Double.isNaN(value)) {
        pen = false;
        continue;
      }
      double x = LEFT + (activity.seconds(i) + activity.stretchSeconds() / 2) * scale;
      d.append(pen ? "L" : "M").append(Svg.text(x)).append(' ').append(Svg.text(y.of(value)));
      // A stretch alone would be a point, which has no length.
      d.append(pen ? "" : "h1");
      pen = true;
    }
    if (d.length() > 0) {
      svg.path(d.toString(), "curve", Svg.COLOURS.get(look), Svg.DASHES.get(look));
    }
  }

  /** What the curves are, below them. */
  void legend(List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      int x = LEFT + i * LEGEND_STEP;
      svg.path(
          "M" + x + " " + (bottom + 32) + "h22", "curve", Svg.COLOURS.get(i), Svg.DASHES.get(i));
      svg.text(x + 28, bottom + 36, "start", "label", names.get(i));
    }
  }

  String end() {
    return svg.end();
  }

  /** Where a number is drawn. */
  interface Place {
    double of(double number);
  }

  /** A number for a file; empty if there is none. */
  static String number(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.3f", value);
  }
}
