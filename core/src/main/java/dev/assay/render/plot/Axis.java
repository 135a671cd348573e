package dev.assay.render.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers along a line, with round ones to label. Begins at zero. */
public final class Axis {
  private static final int TICKS = 5;

  private final double end;
  private final double step;
  private final double from;
  private final double length;

  /**
   * @param most the largest number that must fit
   * @param from where zero is drawn
   * @param length how far the axis goes; negative where it goes up or left
   */
  public Axis(double most, double from, double length) {
    double rough = (most <= 0 ? 1 : most) / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double factor = rough / power;
    this.step = power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
    this.end = Math.ceil((most <= 0 ? 1 : most) / step - 1e-9) * step;
    this.from = from;
    this.length = length;
  }

  public double at(double value) {
    return from + value / end * length;
  }

  public List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= end * (1 + 1e-9); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** A number in few characters: 1.5k, 20M. */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size >= 1e9) {
      return digits(value / 1e9) + "G";
    }
    if (size >= 1e6) {
      return digits(value / 1e6) + "M";
    }
    if (size >= 1e4) {
      return digits(value / 1e3) + "k";
    }
    return digits(value);
  }

  private static String digits(double value) {
    if (value == Math.rint(value)) {
      return Long.toString((long) value);
    }
    double size = Math.abs(value);
    String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    String text = String.format(Locale.ROOT, format, value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }
}
