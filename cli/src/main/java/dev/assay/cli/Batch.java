package dev.assay.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All combinations of parameters that were given as lists. */
final class Batch {
  private final Map<String, List<String>> parameters = new LinkedHashMap<>();

  /** A parameter and the values it takes in turn. */
  Batch parameter(String name, String values) {
    List<String> items = Names.items(values);
    if (items.isEmpty()) {
      throw new UsageException("--" + name + " has no value");
    }
    parameters.put(name, items);
    return this;
  }

  /** The names of parameters with more than one value. */
  List<String> varied() {
    List<String> names = new ArrayList<>();
    parameters.forEach(
        (name, values) -> {
          if (values.size() > 1) {
            names.add(name);
          }
        });
    return names;
  }

  /** One map from names to values for each combination; the last parameter changes fastest. */
  List<Map<String, String>> combinations() {
    List<Map<String, String>> combinations = List.of(new LinkedHashMap<>());
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
