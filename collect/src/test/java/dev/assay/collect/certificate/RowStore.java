package dev.assay.collect.certificate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows in memory, and the conditions of the predicate workload evaluated over them. */
final class RowStore {
  /** Value and version by key. */
  final Map<Long, List<Object>> rows = new TreeMap<>();

  void put(long key, Object vector) {
    if (vector instanceof List<?> columns) {
      rows.put(key, List.copyOf(columns));
    } else {
      rows.remove(key);
    }
  }

  /** The rows that a predicate operation matches. */
  Map<Long, List<Object>> matching(Map<?, ?> condition) {
    Object where = condition.get("where");
    Map<Long, List<Object>> found = new TreeMap<>(rows);
    found.entrySet().removeIf(e -> where != null && !isTrue(where, e.getKey(), e.getValue()));
    return found;
  }

  /** What an aggregate over the rows that match gives. */
  Object aggregate(Map<?, ?> condition) {
    List<?> asked = (List<?>) condition.get("select");
    boolean smallest = asked.get(0).equals("min");
    Long answer = null;
    for (Map.Entry<Long, List<Object>> row : matching(condition).entrySet()) {
      long value = number(asked.get(1), row.getKey(), row.getValue());
      boolean better = answer == null || (smallest ? value < answer : value > answer);
      answer = better ? Long.valueOf(value) : answer;
    }
    return answer;
  }

  /** The rows that an update leaves behind, nulls for a deletion. */
  Map<Long, Object> changed(Map<?, ?> condition) {
    Map<Long, Object> after = new TreeMap<>();
    matching(condition)
        .forEach(
            (key, row) -> {
              if (Boolean.TRUE.equals(condition.get("delete"))) {
                after.put(key, null);
                return;
              }
              Map<?, ?> set = (Map<?, ?>) condition.get("set");
              Object value = set.containsKey("val") ? set.get("val") : "val";
              after.put(key, List.of(number(value, key, row), number(set.get("ver"), key, row)));
            });
    return after;
  }

  static Map<?, ?> condition(String json) throws IOException {
    return (Map<?, ?>) Json.parse(json);
  }

  private static boolean isTrue(Object expression, long key, List<Object> row) {
    List<?> parts = (List<?>) expression;
    return switch ((String) parts.get(0)) {
      case "and" ->
          parts.subList(1, parts.size()).stream().allMatch(part -> isTrue(part, key, row));
      case "=" -> number(parts.get(1), key, row) == number(parts.get(2), key, row);
      case "between" ->
          number(parts.get(1), key, row) >= number(parts.get(2), key, row)
              && number(parts.get(1), key, row) <= number(parts.get(3), key, row);
      default -> throw new AssertionError("not in the workload: " + expression);
    };
  }

  private static long number(Object expression, long key, List<Object> row) {
    if (expression instanceof List<?> sum) {
      return number(sum.get(1), key, row) + number(sum.get(2), key, row);
    }
    if (expression instanceof Long number) {
      return number;
    }
    return switch ((String) expression) {
      case "k" -> key;
      case "val" -> (Long) row.get(0);
      default -> (Long) row.get(1);
    };
  }
}
