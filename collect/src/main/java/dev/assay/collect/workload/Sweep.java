package dev.assay.collect.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parameters with the values they take in turn. */
public final class Sweep {
  private final Map<String, List<String>> parameters = new LinkedHashMap<>();

  public Sweep parameter(String name, List<String> values) {
    parameters.put(name, List.copyOf(values));
    return this;
  }

  /** The names of the parameters with more than one value. */
  public List<String> varied() {
    List<String> varied = new ArrayList<>();
    parameters.forEach(
        (name, values) -> {
          if (values.size() > 1) {
            varied.add(name);
          }
        });
    return varied;
  }

  /** Every combination, the last parameter changing fastest. */
  public List<Map<String, String>> combinations() {
    List<Map<String, String>> combinations = List.of(Map.of());
    for (Map.Entry<String, List<String>> parameter : parameters.entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> shorter : combinations) {
        for (String value : parameter.getValue()) {
          Map<String, String> one = new LinkedHashMap<>(shorter);
          one.put(parameter.getKey(), value);
          longer.add(one);
        }
      }
      combinations = longer;
    }
    return combinations;
  }
}
