package dev.assay.web.plot;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.RunConfig;
import dev.assay.render.plot.Plot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Measurements of a sweep as curves. Of the parameters that vary, the first whose values are all
 * numbers is the one the curves go over; there is a curve for each subject and each combination of
 * the other parameters.
 */
public final class Family {
  private final Parameter<?> parameter;
  private final List<Parameter<?>> others;
  private final List<String> values;

  /**
   * One measurement.
   *
   * @param config the run it was made of
   * @param subject what was measured, such as a checker; may be empty
   * @param value the number, or NaN where there is none
   * @param doubt why the number is to be taken with care, or null
   */
  public record Point(RunConfig config, String subject, double value, String doubt) {}

  /**
   * @param varied the parameters that vary; without any there are no curves
   * @param configs those of all measurements that there will be
   */
  public Family(List<Parameter<?>> varied, List<RunConfig> configs) {
    this.parameter = principal(varied, configs);
    this.others = varied.stream().filter(one -> one != parameter).toList();
    Set<String> found = new LinkedHashSet<>();
    if (parameter != null) {
      configs.forEach(config -> found.add(config.given(parameter)));
    }
    this.values = new ArrayList<>(found);
  }

  private static Parameter<?> principal(List<Parameter<?>> varied, List<RunConfig> configs) {
    for (Parameter<?> one : varied) {
      if (configs.stream().allMatch(config -> config.given(one).matches("[0-9.]+"))) {
        return one;
      }
    }
    return varied.isEmpty() ? null : varied.get(0);
  }

  /** The curves of one quantity; none where nothing was measured, or nothing but zeros. */
  public Optional<Plot> curves(String name, String title, String unit, List<Point> points) {
    if (parameter == null) {
      return Optional.empty();
    }
    Map<String, double[]> series = new LinkedHashMap<>();
    Map<String, String[]> doubts = new LinkedHashMap<>();
    boolean any = false;
    for (Point point : points) {
      double[] numbers =
          series.computeIfAbsent(
              label(point),
              key -> {
                double[] empty = new double[values.size()];
                Arrays.fill(empty, Double.NaN);
                return empty;
              });
      int place = values.indexOf(point.config().given(parameter));
      if (place >= 0) {
        numbers[place] = point.value();
        doubts.computeIfAbsent(label(point), key -> new String[values.size()])[place] =
            point.doubt();
        any |= point.value() > 0;
      }
    }
    if (!any) {
      return Optional.empty();
    }
    List<Curves.Series> curves = new ArrayList<>();
    series.forEach(
        (label, numbers) -> {
          String[] none = new String[values.size()];
          curves.add(new Curves.Series(label, numbers, doubts.getOrDefault(label, none)));
        });
    String over = title + " over " + parameter.id().replace('-', ' ');
    return Optional.of(new Curves(name, over, parameter.id(), values, unit, curves));
  }

  private String label(Point point) {
    List<String> parts = new ArrayList<>();
    if (!point.subject().isEmpty()) {
      parts.add(point.subject());
    }
    for (Parameter<?> other : others) {
      parts.add(other.id() + " " + point.config().given(other));
    }
    return parts.isEmpty() ? "all" : String.join(", ", parts);
  }
}
