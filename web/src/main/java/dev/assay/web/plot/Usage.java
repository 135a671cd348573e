package dev.assay.web.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Processor and memory over time, with the stages of the work shaded. */
public final class Usage implements Plot {
  private static final int WIDTH = 900;
  private static final int LEFT = 58;
  private static final int RIGHT = 16;
  private static final int TOP = 46;
  private static final int PANEL = 96;
  private static final int BETWEEN = 26;
  private static final int MOST_POINTS = 240;
  private static final double MEGABYTE = 1 << 20;

  private final String title;
  private final List<Sample> samples;

  /**
   * What a process used at one moment.
   *
   * @param millis since the run began
   * @param stage what it was at
   * @param cpu share of one processor since the moment before, in percent
   * @param heap bytes of heap in use
   * @param resident bytes of memory in use as the system counts them, or 0
   * @param committed transactions committed so far
   */
  public record Sample(
      long millis, String stage, double cpu, long heap, long resident, long committed) {}

  public Usage(String title, List<Sample> samples) {
    this.title = title;
    this.samples = List.copyOf(samples);
  }

  @Override
  public String name() {
    return "usage";
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String svg() {
    int middle = TOP + PANEL + BETWEEN;
    int bottom = middle + PANEL;
    Svg svg = new Svg(title, WIDTH, bottom + 42);
    svg.text(LEFT, 18, "start", "title", title);
    List<Sample> shown = thinned();
    double seconds = shown.isEmpty() ? 1 : shown.get(shown.size() - 1).millis() / 1000.0;
    // An axis of its own length: time goes to the very end of it.
    double width = WIDTH - LEFT - RIGHT;
    double scale = width / Math.max(0.1, seconds);
    bands(svg, scale, bottom);
    double cpu = 100;
    double memory = MEGABYTE;
    for (Sample sample : shown) {
      cpu = Math.max(cpu, sample.cpu());
      memory = Math.max(memory, Math.max(sample.heap(), sample.resident()));
    }
    Axis top = new Axis(cpu, TOP + PANEL, -PANEL);
    Axis low = new Axis(memory / MEGABYTE, bottom, -PANEL);
    frame(svg, top, "CPU %", TOP);
    frame(svg, low, "memory MB", middle);
    for (double tick : new Axis(seconds, 0, 1).ticks()) {
      if (tick <= seconds) {
        svg.text(LEFT + tick * scale, bottom + 16, "middle", "tick", Axis.number(tick));
      }
    }
    svg.text(WIDTH - RIGHT, bottom + 34, "end", "label", "seconds");
    legend(svg, bottom);
    curve(svg, shown, scale, top, 0);
    curve(svg, shown, scale, low, 1);
    curve(svg, shown, scale, low, 2);
    hovers(svg, shown, scale, bottom);
    return svg.end();
  }

  private static void frame(Svg svg, Axis axis, String unit, int top) {
    for (double tick : axis.ticks()) {
      svg.line(LEFT, axis.at(tick), WIDTH - RIGHT, axis.at(tick), "grid", "#d8dee4");
      svg.text(LEFT - 8, axis.at(tick) + 4, "end", "tick", Axis.number(tick));
    }
    svg.upright(13, top + PANEL / 2.0, unit);
  }

  private static void legend(Svg svg, int bottom) {
    String[] names = {"CPU", "heap", "resident"};
    for (int i = 0; i < names.length; i++) {
      int x = LEFT + i * 100;
      svg.path("M" + x + " " + (bottom + 30) + "h22", "curve", Curves.colour(i), Svg.DASHES.get(i));
      svg.text(x + 28, bottom + 34, "start", "label", names[i]);
    }
  }

  private void bands(Svg svg, double scale, int bottom) {
    List<String> seen = new ArrayList<>();
    double labelled = 0;
    for (int i = 0; i < samples.size(); ) {
      int end = i;
      String stage = samples.get(i).stage();
      while (end < samples.size() && samples.get(end).stage().equals(stage)) {
        end++;
      }
      if (!seen.contains(stage)) {
        seen.add(stage);
      }
      double from = LEFT + samples.get(i).millis() / 1000.0 * scale;
      long last = samples.get(Math.min(end, samples.size() - 1)).millis();
      double to = LEFT + last / 1000.0 * scale;
      String tip = stage + ": " + (last - samples.get(i).millis()) + " ms";
      svg.band(from, TOP, to - from, bottom - TOP, Curves.colour(seen.indexOf(stage) + 1), tip);
      // A name is written where it fits beside the one before.
      if (to - from > stage.length() * 6.4 && from >= labelled) {
        svg.text(from + 4, TOP - 6, "start", "stage", stage);
        labelled = from + stage.length() * 6.8;
      }
      i = end;
    }
  }

  private static void curve(Svg svg, List<Sample> shown, double scale, Axis axis, int which) {
    StringBuilder d = new StringBuilder();
    boolean any = false;
    for (Sample sample : shown) {
      double value =
          which == 0 ? sample.cpu() : (which == 1 ? sample.heap() : sample.resident()) / MEGABYTE;
      any |= value > 0;
      d.append(d.length() == 0 ? 'M' : 'L')
          .append(Svg.text(LEFT + sample.millis() / 1000.0 * scale))
          .append(' ')
          .append(Svg.text(axis.at(value)));
    }
    if (any) {
      svg.path(d.toString(), "curve", Curves.colour(which), Svg.DASHES.get(which));
    }
  }

  private static void hovers(Svg svg, List<Sample> shown, double scale, int bottom) {
    for (int i = 0; i < shown.size(); i++) {
      Sample sample = shown.get(i);
      double from = LEFT + sample.millis() / 1000.0 * scale;
      long next = i + 1 < shown.size() ? shown.get(i + 1).millis() : sample.millis() + 100;
      String tip =
          String.format(
              Locale.ROOT,
              "%.1f s, %s%nCPU %.0f %%, heap %.0f MB, resident %.0f MB",
              sample.millis() / 1000.0,
              sample.stage(),
              sample.cpu(),
              sample.heap() / MEGABYTE,
              sample.resident() / MEGABYTE);
      if (sample.committed() > 0) {
        tip += "\n" + Axis.number(sample.committed()) + " transactions committed";
      }
      double width = (next - sample.millis()) / 1000.0 * scale;
      svg.hover(from, TOP, Math.max(1, width), bottom - TOP, tip);
    }
  }

  /** So many of the samples as a picture can show. */
  private List<Sample> thinned() {
    if (samples.size() <= MOST_POINTS) {
      return samples;
    }
    List<Sample> some = new ArrayList<>();
    for (int i = 0; i < MOST_POINTS; i++) {
      some.add(samples.get((int) ((long) i * (samples.size() - 1) / (MOST_POINTS - 1))));
    }
    return some;
  }

  @Override
  public String csv() {
    Csv csv =
        new Csv(
            List.of("millis", "stage", "cpu_percent", "heap_bytes", "resident_bytes", "committed"));
    for (Sample sample : samples) {
      csv.row(
          List.of(
              Long.toString(sample.millis()),
              sample.stage(),
              String.format(Locale.ROOT, "%.1f", sample.cpu()),
              Long.toString(sample.heap()),
              Long.toString(sample.resident()),
              Long.toString(sample.committed())));
    }
    return csv.text();
  }
}
