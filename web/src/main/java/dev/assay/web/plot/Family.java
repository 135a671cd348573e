package dev.assay.web.plot;

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
  private final String parameter;
  private final List<String> others;
  private final List<String> values;

  /**
   * One measurement.
   *
   * @param parameters the parameters it was made with
   * @param subject what was measured, such as a checker; may be empty
   * @param value the number, or NaN where there is none
   */
  public record Point(Map<String, String> parameters, String subject, double value) {}

  /**
   * @param varied the names of the parameters that vary; without any there are no curves
   * @param parameters those of all measurements that there will be
   */
  public Family(List<String> varied, List<Map<String, String>> parameters) {
    this.parameter = principal(varied, parameters);
    this.others = varied.stream().filter(name -> !name.equals(parameter)).toList();
    Set<String> found = new LinkedHashSet<>();
    parameters.forEach(one -> found.add(one.getOrDefault(parameter, "")));
    this.values = new ArrayList<>(found);
  }

  private static String principal(List<String> varied, List<Map<String, String>> parameters) {
    for (String name : varied) {
      if (parameters.stream().allMatch(one -> one.getOrDefault(name, "").matches("[0-9.]+"))) {
        return name;
      }
    }
    return varied.isEmpty() ? "" : varied.get(0);
  }

  /** The curves of one quantity; none where nothing was measured, or nothing but zeros. */
  public Optional<Plot> curves(String name, String title, String unit, List<Point> points) {
    Map<String, double[]> series = new LinkedHashMap<>();
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
      int place = values.indexOf(point.parameters().getOrDefault(parameter, ""));
      if (place >= 0) {
        numbers[place] = point.value();
        any |= point.value() > 0;
      }
    }
    if (!any || parameter.isEmpty()) {
      return Optional.empty();
    }
    List<Curves.Series> curves = new ArrayList<>();
    series.forEach((label, numbers) -> curves.add(new Curves.Series(label, numbers)));
    String over = title + " over " + parameter.replace('-', ' ');
    return Optional.of(new Curves(name, over, parameter, values, unit, curves));
  }

  private String label(Point point) {
    List<String> parts = new ArrayList<>();
    if (!point.subject().isEmpty()) {
      parts.add(point.subject());
    }
    for (String other : others) {
      parts.add(other + " " + point.parameters().getOrDefault(other, ""));
    }
    return parts.isEmpty() ? "all" : String.join(", ", parts);
  }
}
