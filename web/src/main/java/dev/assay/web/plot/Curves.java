package dev.assay.web.plot;

import dev.assay.render.plot.Axis;
import dev.assay.render.plot.Csv;
import dev.assay.render.plot.Plot;
import dev.assay.render.plot.Svg;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Curves over a parameter: one for each series, with a mark for each measurement. Values of the
 * parameter that are all numbers are placed to scale, others side by side.
 */
public final class Curves implements Plot {
  /** About the width of a phone, so that the text stays legible there. */
  static final int WIDTH = 400;

  private static final int LEFT = 60;
  private static final int RIGHT = 12;
  private static final int TOP = 40;
  private static final int HEIGHT = 170;
  private static final int LEGEND_LINE = 18;

  /** The longest name of which two fit side by side. */
  private static final int SHORT_NAME = 20;

  private final String name;
  private final String title;
  private final String parameter;
  private final String unit;
  private final List<String> values;
  private final List<Series> series;

  /**
   * One curve.
   *
   * @param name what it is of
   * @param numbers one for each value of the parameter; NaN where there is none
   * @param doubts why a number is to be taken with care, and its mark hollow; null where it is not
   */
  public record Series(String name, double[] numbers, String[] doubts) {
    public Series(String name, double[] numbers) {
      this(name, numbers, new String[numbers.length]);
    }
  }

  public Curves(
      String name,
      String title,
      String parameter,
      List<String> values,
      String unit,
      List<Series> series) {
    this.name = name;
    this.title = title;
    this.parameter = parameter;
    this.values = List.copyOf(values);
    this.unit = unit;
    this.series = List.copyOf(series);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String svg() {
    int bottom = TOP + HEIGHT;
    boolean apart = series.stream().anyMatch(one -> one.name().length() > SHORT_NAME);
    int columns = apart ? 1 : 2;
    // One curve is what the title says.
    int named = series.size() == 1 ? 0 : series.size();
    int rows = (named + columns - 1) / columns;
    Svg svg = new Svg(title, WIDTH, bottom + 50 + rows * LEGEND_LINE);
    svg.text(LEFT, 20, "start", "title", title);
    Axis y = new Axis(largest(), bottom, -HEIGHT);
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick), "grid", "#d8dee4");
      svg.text(LEFT - 8, y.at(tick) + 4, "end", "tick", Axis.number(tick));
    }
    svg.upright(14, TOP + HEIGHT / 2.0, unit);
    double[] x = places();
    for (int i = 0; i < x.length; i++) {
      svg.line(x[i], bottom, x[i], bottom + 4, "axis", "#57606a");
      svg.text(x[i], bottom + 18, "middle", "tick", values.get(i));
    }
    svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, "axis", "#57606a");
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 36, "middle", "label", parameter);
    for (int s = 0; s < series.size(); s++) {
      draw(svg, s, x, y);
    }
    for (int s = 0; s < named; s++) {
      int left = LEFT + s % columns * (WIDTH - LEFT) / columns;
      int top = bottom + 54 + s / columns * LEGEND_LINE;
      svg.path("M" + left + " " + top + "h26", "curve", colour(s), dash(s));
      svg.mark(left + 13, top, s, colour(s), null);
      svg.text(left + 34, top + 4, "start", "label", series.get(s).name());
    }
    return svg.end();
  }

  private void draw(Svg svg, int s, double[] x, Axis y) {
    double[] numbers = series.get(s).numbers();
    StringBuilder d = new StringBuilder();
    boolean pen = false;
    for (int i = 0; i < x.length; i++) {
      if (Double.isNaN(numbers[i])) {
        pen = false;
        continue;
      }
      d.append(pen ? 'L' : 'M')
          .append(Svg.text(x[i]))
          .append(' ')
          .append(Svg.text(y.at(numbers[i])));
      pen = true;
    }
    svg.path(d.toString(), "curve", colour(s), dash(s));
    for (int i = 0; i < x.length; i++) {
      if (!Double.isNaN(numbers[i])) {
        String tip =
            series.get(s).name()
                + "\n"
                + parameter
                + " "
                + values.get(i)
                + ": "
                + Axis.number(numbers[i])
                + " "
                + unit;
        String doubt = series.get(s).doubts()[i];
        String all = doubt == null ? tip : tip + "\n" + doubt;
        svg.mark(x[i], y.at(numbers[i]), s, colour(s), all, doubt != null);
      }
    }
  }

  static String colour(int s) {
    return Svg.COLOURS.get(s % Svg.COLOURS.size());
  }

  private static String dash(int s) {
    return Svg.DASHES.get(s % Svg.DASHES.size());
  }

  private double largest() {
    double largest = 0;
    for (Series one : series) {
      for (double number : one.numbers()) {
        largest = Double.isNaN(number) ? largest : Math.max(largest, number);
      }
    }
    return largest;
  }

  private double[] places() {
    int count = values.size();
    double width = WIDTH - LEFT - RIGHT;
    double[] x = new double[count];
    double[] numbers = new double[count];
    boolean toScale = count > 1;
    for (int i = 0; i < count; i++) {
      x[i] = LEFT + width * (i + 0.5) / count;
      try {
        numbers[i] = Double.parseDouble(values.get(i));
        toScale &= i == 0 || numbers[i] > numbers[i - 1];
      } catch (NumberFormatException e) {
        toScale = false;
      }
    }
    // Values that double each time would crowd at the left; side by side they are legible.
    double span = count == 0 ? 0 : numbers[count - 1] - numbers[0];
    for (int i = 1; toScale && i < count; i++) {
      toScale = (numbers[i] - numbers[i - 1]) / span * width >= 40;
    }
    for (int i = 0; toScale && i < count; i++) {
      x[i] = LEFT + 24 + (width - 48) * (numbers[i] - numbers[0]) / span;
    }
    return x;
  }

  private static boolean isDoubtful(Series one) {
    return Stream.of(one.doubts()).anyMatch(Objects::nonNull);
  }

  @Override
  public String csv() {
    List<String> head = new ArrayList<>(List.of(parameter));
    series.forEach(one -> head.add(one.name() + " (" + unit + ")"));
    series.stream().filter(Curves::isDoubtful).forEach(one -> head.add(one.name() + " remark"));
    Csv csv = new Csv(head);
    for (int i = 0; i < values.size(); i++) {
      List<String> row = new ArrayList<>(List.of(values.get(i)));
      for (Series one : series) {
        double number = one.numbers()[i];
        row.add(Double.isNaN(number) ? "" : Double.toString(number));
      }
      for (Series one : series) {
        if (isDoubtful(one)) {
          row.add(one.doubts()[i] == null ? "" : one.doubts()[i]);
        }
      }
      csv.row(row);
    }
    return csv.text();
  }
}
