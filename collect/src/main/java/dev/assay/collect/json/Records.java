package dev.assay.collect.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Records as JSON objects: a component is a field of the same name, so that a file is described in
 * one place. Components are strings, longs, booleans, instants, enums, records, and lists and maps
 * of these. A component that is null is left out. Fields that the record lacks are ignored, and
 * values of another type count as missing: files of other versions can be read.
 */
public final class Records {
  private Records() {}

  /** The components that are not null, by name. */
  public static Map<String, Object> fields(Record value) {
    Map<String, Object> fields = new LinkedHashMap<>();
    try {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        Object field = component.getAccessor().invoke(value);
        if (field != null) {
          fields.put(component.getName(), field);
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return fields;
  }

  /** The record whose fields are those of a JSON object; anything else has none. */
  public static <R extends Record> R read(Class<R> type, Object value) {
    Map<String, Object> fields = Json.object(value);
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      arguments[i] = convert(components[i].getGenericType(), fields.get(components[i].getName()));
    }
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The name of a constant in files. */
  static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Object convert(Type type, Object value) {
    if (type instanceof ParameterizedType generic) {
      return collection(generic, value);
    }
    Class<?> wanted = (Class<?>) type;
    if (wanted == String.class) {
      return value == null ? null : value.toString();
    } else if (wanted == Long.class) {
      return value instanceof Number number ? number.longValue() : null;
    } else if (wanted == Boolean.class) {
      return value instanceof Boolean ? value : null;
    } else if (wanted == Instant.class) {
      return instant(value);
    } else if (wanted.isEnum()) {
      return constant(wanted.getEnumConstants(), value);
    } else if (wanted.isRecord()) {
      return value instanceof Map<?, ?> ? read(wanted.asSubclass(Record.class), value) : null;
    }
    throw new IllegalArgumentException("no JSON for " + type);
  }

  private static Object collection(ParameterizedType type, Object value) {
    Type[] of = type.getActualTypeArguments();
    if (type.getRawType() == List.class) {
      List<Object> items = new ArrayList<>();
      Json.list(value).forEach(item -> items.add(convert(of[0], item)));
      return value == null ? null : items;
    }
    Map<String, Object> entries = new LinkedHashMap<>();
    Json.object(value).forEach((name, item) -> entries.put(name, convert(of[1], item)));
    return value == null ? null : entries;
  }

  private static Object instant(Object value) {
    try {
      return value == null ? null : Instant.parse(value.toString());
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static Object constant(Object[] constants, Object value) {
    for (Object constant : constants) {
      if (id((Enum<?>) constant).equals(value)) {
        return constant;
      }
    }
    return null;
  }
}
