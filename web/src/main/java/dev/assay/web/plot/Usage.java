package dev.assay.web.plot;

import dev.assay.render.plot.Axis;
import dev.assay.render.plot.Csv;
import dev.assay.render.plot.Plot;
import dev.assay.render.plot.Svg;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Processor, memory and the work of clients over time, with the stages of the work shaded. */
public final class Usage implements Plot {
  private static final int WIDTH = 1000;
  private static final int LEFT = 58;
  private static final int RIGHT = 16;
  private static final int TOP = 46;
  private static final int PANEL = 90;
  private static final int BETWEEN = 26;
  private static final int MOST_POINTS = 240;
  private static final double MEGABYTE = 1 << 20;

  private final String title;
  private final List<Sample> samples;
  private final List<Mark> marks;

  /**
   * What a process used at one moment.
   *
   * @param millis since the run began
   * @param stage what it was at
   * @param cpu share of one processor since the moment before, in percent
   * @param heap bytes of heap in use
   * @param resident bytes of memory in use as the system counts them, or 0
   * @param committed transactions committed so far
   * @param latency the mean time that transactions took since the moment before, in milliseconds
   */
  public record Sample(
      long millis,
      String stage,
      double cpu,
      long heap,
      long resident,
      long committed,
      double latency) {}

  /**
   * Something that happened at one moment.
   *
   * @param millis since the run began
   */
  public record Mark(long millis, String text) {}

  public Usage(String title, List<Sample> samples, List<Mark> marks) {
    this.title = title;
    this.samples = List.copyOf(samples);
    this.marks = List.copyOf(marks);
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
    boolean counts = samples.stream().anyMatch(sample -> sample.committed() > 0);
    int panels = counts ? 4 : 2;
    int bottom = TOP + panels * PANEL + (panels - 1) * BETWEEN;
    Svg svg = new Svg(title, WIDTH, bottom + 42);
    svg.text(LEFT, 18, "start", "title", title);
    List<Sample> shown = thinned();
    double seconds = shown.isEmpty() ? 1 : shown.get(shown.size() - 1).millis() / 1000.0;
    // Time goes to the very end of its axis.
    double scale = (WIDTH - LEFT - RIGHT) / Math.max(0.1, seconds);
    bands(svg, scale, bottom);
    panel(svg, shown, scale, 0, "CPU %", List.of(Curve.CPU));
    panel(svg, shown, scale, 1, "memory MB", List.of(Curve.HEAP, Curve.RESIDENT));
    if (counts) {
      panel(svg, shown, scale, 2, "txn/s", List.of(Curve.COMMITS));
      panel(svg, shown, scale, 3, "latency ms", List.of(Curve.LATENCY));
    }
    for (double tick : new Axis(seconds, 0, 1).ticks()) {
      if (tick <= seconds) {
        svg.text(LEFT + tick * scale, bottom + 16, "middle", "tick", Axis.number(tick));
      }
    }
    svg.text(WIDTH - RIGHT, bottom + 34, "end", "label", "seconds");
    legend(svg, bottom, counts);
    hovers(svg, shown, scale, bottom);
    if (counts) {
      marks(svg, scale, bottom);
    }
    return svg.end();
  }

  /** Lines through the curves of throughput and latency. */
  private void marks(Svg svg, double scale, int bottom) {
    int top = TOP + 2 * (PANEL + BETWEEN);
    for (Mark mark : marks) {
      double x = LEFT + mark.millis() / 1000.0 * scale;
      svg.line(x, top, x, bottom, "moment", "#cf222e");
      svg.mark(x, top, 0, "#cf222e", mark.text());
    }
  }

  private enum Curve {
    CPU("CPU"),
    HEAP("heap"),
    RESIDENT("resident"),
    COMMITS("commits"),
    LATENCY("latency");

    private final String title;

    Curve(String title) {
      this.title = title;
    }
  }

  private static double[] numbers(List<Sample> shown, Curve curve) {
    double[] numbers = new double[shown.size()];
    for (int i = 0; i < numbers.length; i++) {
      Sample sample = shown.get(i);
      numbers[i] =
          switch (curve) {
            case CPU -> sample.cpu();
            case HEAP -> sample.heap() / MEGABYTE;
            case RESIDENT -> sample.resident() / MEGABYTE;
            case COMMITS -> rate(shown, i);
            case LATENCY -> sample.latency();
          };
    }
    return numbers;
  }

  /** Transactions committed a second around a sample. */
  private static double rate(List<Sample> shown, int i) {
    Sample before = shown.get(Math.max(0, i - 2));
    Sample after = shown.get(Math.min(shown.size() - 1, i + 2));
    long millis = after.millis() - before.millis();
    // Counters begin again with each process.
    long committed = Math.max(0, after.committed() - before.committed());
    return millis < 50 ? 0 : 1000.0 * committed / millis;
  }

  private static void panel(
      Svg svg, List<Sample> shown, double scale, int place, String unit, List<Curve> curves) {
    int top = TOP + place * (PANEL + BETWEEN);
    double most = place == 0 ? 100 : 1;
    for (Curve curve : curves) {
      for (double number : numbers(shown, curve)) {
        most = Math.max(most, number);
      }
    }
    Axis axis = new Axis(most, top + PANEL, -PANEL);
    frame(svg, axis, unit, top);
    for (Curve curve : curves) {
      double[] numbers = numbers(shown, curve);
      StringBuilder d = new StringBuilder();
      double sum = 0;
      for (int i = 0; i < numbers.length; i++) {
        sum += numbers[i];
        d.append(i == 0 ? 'M' : 'L')
            .append(Svg.text(LEFT + shown.get(i).millis() / 1000.0 * scale))
            .append(' ')
            .append(Svg.text(axis.at(numbers[i])));
      }
      if (sum > 0) {
        int look = curve.ordinal();
        svg.path(d.toString(), "curve", Curves.colour(look), Svg.DASHES.get(look));
      }
    }
  }

  private static void frame(Svg svg, Axis axis, String unit, int top) {
    for (double tick : axis.ticks()) {
      svg.line(LEFT, axis.at(tick), WIDTH - RIGHT, axis.at(tick), "grid", "#d8dee4");
      svg.text(LEFT - 8, axis.at(tick) + 4, "end", "tick", Axis.number(tick));
    }
    svg.upright(13, top + PANEL / 2.0, unit);
  }

  private static void legend(Svg svg, int bottom, boolean counts) {
    for (Curve curve : Curve.values()) {
      if (counts || curve.compareTo(Curve.COMMITS) < 0) {
        int look = curve.ordinal();
        int x = LEFT + look * 100;
        String d = "M" + x + " " + (bottom + 30) + "h22";
        svg.path(d, "curve", Curves.colour(look), Svg.DASHES.get(look));
        svg.text(x + 28, bottom + 34, "start", "label", curve.title);
      }
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
        tip += String.format(Locale.ROOT, ", latency %.1f ms", sample.latency());
      }
      double width = (next - sample.millis()) / 1000.0 * scale;
      svg.hover(from, TOP, Math.max(1, width), bottom - TOP, tip);
    }
  }

  /** As many of the samples as a picture can show. */
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
            List.of(
                "millis",
                "stage",
                "cpu_percent",
                "heap_bytes",
                "resident_bytes",
                "committed",
                "latency_millis"));
    for (Sample sample : samples) {
      csv.row(
          List.of(
              Long.toString(sample.millis()),
              sample.stage(),
              String.format(Locale.ROOT, "%.1f", sample.cpu()),
              Long.toString(sample.heap()),
              Long.toString(sample.resident()),
              Long.toString(sample.committed()),
              String.format(Locale.ROOT, "%.3f", sample.latency())));
    }
    return csv.text();
  }
}
