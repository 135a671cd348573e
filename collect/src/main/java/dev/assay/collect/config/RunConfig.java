package dev.assay.collect.config;

import dev.assay.collect.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a run is asked for: values of {@link Parameters}, as they were written. Nothing here has
 * passed a check: {@link #get} throws a {@link UsageException} for a value of the wrong form, and
 * {@link RunRules} says what does not fit together. A password is never part of it.
 */
public final class RunConfig {
  /** What is written in place of a secret. */
  public static final String NOT_STORED = "not stored";

  /** The value of a flag that is set. */
  public static final String YES = "yes";

  private final Use use;
  private final Map<Parameter<?>, Object> values;
  private final List<String> unknown;

  private RunConfig(Use use, Map<Parameter<?>, Object> values, List<String> unknown) {
    this.use = use;
    this.values = values;
    this.unknown = unknown;
  }

  /** A configuration without values. */
  public static RunConfig empty(Use use) {
    return new RunConfig(use, Map.of(), List.of());
  }

  /** What the fields of a {@code config.json} ask for. */
  public static RunConfig read(Map<String, Object> fields) {
    Map<Parameter<?>, Object> values = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    fields.forEach(
        (name, value) -> {
          Parameter<?> parameter = Parameters.find(name).orElse(null);
          if (parameter == null) {
            unknown.add(name);
          } else if (value != null) {
            boolean plain = !(value instanceof List<?> || value instanceof Map<?, ?>);
            values.put(parameter, plain ? value.toString() : value);
          }
        });
    boolean synthetic = Source.SYNTHETIC.id().equals(values.get(Parameters.SOURCE));
    return new RunConfig(synthetic ? Use.GENERATE : Use.RUN, values, unknown);
  }

  /** The fields of a {@code config.json}, in the order of the table. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (Parameter<?> parameter : Parameters.all()) {
      if (values.containsKey(parameter)) {
        fields.put(parameter.id(), values.get(parameter));
      }
    }
    return fields;
  }

  /** Fields of the file that no parameter has. */
  public List<String> unknown() {
    return unknown;
  }

  /** Which commands the values are for. */
  public Use use() {
    return use;
  }

  public boolean has(Parameter<?> parameter) {
    return values.containsKey(parameter);
  }

  /** The value, or the default, or null where there is neither. */
  public <T> T get(Parameter<T> parameter) {
    Object value = values.getOrDefault(parameter, parameter.standard(use));
    if (value == null) {
      return null;
    }
    return value instanceof String text ? parameter.parse(text, use) : parameter.read(value, use);
  }

  /** The value as it was written, or else the default; empty where there is neither. */
  public String text(Parameter<?> parameter) {
    return Json.text(values.getOrDefault(parameter, parameter.standard(use)));
  }

  /** The value as it was written; empty where there is none. */
  public String given(Parameter<?> parameter) {
    return Json.text(values.get(parameter));
  }

  public boolean isSet(Parameter<Boolean> flag) {
    return List.of(YES, "true").contains(given(flag));
  }

  /** The values of a list as they were written, or else the default. */
  public List<String> items(Parameter<?> parameter) {
    return Names.items(text(parameter));
  }

  /** Where the history comes from; null for a configuration that does not say, or wrongly. */
  public Source source() {
    String id = given(Parameters.SOURCE);
    for (Source source : Source.values()) {
      if (source.id().equals(id)) {
        return source;
      }
    }
    return null;
  }

  /** The configuration with one more value, or another one; without it for an empty one. */
  public RunConfig with(Parameter<?> parameter, Object value) {
    Map<Parameter<?>, Object> changed = new LinkedHashMap<>(values);
    boolean none = value == null || value.equals("") || value.equals(false);
    if (none) {
      changed.remove(parameter);
    } else {
      Object written = value instanceof Number ? value.toString() : value;
      changed.put(parameter, value.equals(true) ? YES : written);
    }
    return new RunConfig(use, changed, unknown);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RunConfig config && config.values.equals(values);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(values);
  }

  @Override
  public String toString() {
    return new TreeMap<>(fields()).toString();
  }
}
