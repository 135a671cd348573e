package dev.assay.collect.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run for every combination of values: what is the same in all of them, and what varies. */
public final class Sweep {
  private final RunConfig base;
  private final Map<Parameter<?>, List<String>> lists = new LinkedHashMap<>();

  /**
   * @param base the values that all runs share
   */
  public Sweep(RunConfig base) {
    this.base = base;
  }

  /** Adds a parameter with the values that it takes in turn; without any it is left to defaults. */
  public void add(Parameter<?> parameter, List<String> values) {
    if (!values.isEmpty()) {
      lists.put(parameter, List.copyOf(values));
    }
  }

  /** The parameters that were added. */
  public List<Parameter<?>> parameters() {
    return new ArrayList<>(lists.keySet());
  }

  /** The parameters with more than one value. */
  public List<Parameter<?>> varied() {
    List<Parameter<?>> varied = new ArrayList<>();
    lists.forEach(
        (parameter, values) -> {
          if (values.size() > 1) {
            varied.add(parameter);
          }
        });
    return varied;
  }

  /** How many runs there are. */
  public long size() {
    return lists.values().stream().mapToLong(List::size).reduce(1, Math::multiplyExact);
  }

  /** Every combination, the last parameter changing fastest. */
  public List<RunConfig> runs() {
    List<RunConfig> runs = List.of(base);
    for (Map.Entry<Parameter<?>, List<String>> list : lists.entrySet()) {
      List<RunConfig> longer = new ArrayList<>();
      for (RunConfig shorter : runs) {
        for (String value : list.getValue()) {
          longer.add(shorter.with(list.getKey(), value));
        }
      }
      runs = longer;
    }
    return runs;
  }

  /** All values in one configuration, those of a parameter as a list. */
  public RunConfig asLists() {
    RunConfig all = base;
    for (Map.Entry<Parameter<?>, List<String>> list : lists.entrySet()) {
      all = all.with(list.getKey(), String.join(",", list.getValue()));
    }
    return all;
  }
}
