package dev.assay.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The predicate operations of a history: each has a condition, as compact JSON text, and a result:
 * rows, or one value for an aggregate such as a minimum.
 *
 * <p>Rows are separate operations that follow the predicate operation: reads for a select, writes
 * for an update. So code that handles reads and writes of keys sees them too; only what was
 * <em>not</em> there requires evaluating the condition.
 */
public final class Predicates {
  private final String[] distinct;
  private final int[] condition;
  private final int[] rows;
  private final int[] result;

  private Predicates(String[] distinct, int[] condition, int[] rows, int[] result) {
    this.distinct = distinct;
    this.condition = condition;
    this.rows = rows;
    this.result = result;
  }

  /** How many predicate operations there are. */
  public int count() {
    return condition.length;
  }

  /** The condition, a JSON object such as {@code {"where":["=","v",1]}}. */
  public String condition(int predicate) {
    return distinct[condition[predicate]];
  }

  /** How many different conditions there are. */
  public int conditionCount() {
    return distinct.length;
  }

  /** A number from 0 that is the same for the same condition. */
  public int conditionNumber(int predicate) {
    return condition[predicate];
  }

  /** How many operations after this one are its rows. */
  public int rowCount(int predicate) {
    return rows[predicate];
  }

  /** The value code of what an aggregate gave; {@link Values#UNKNOWN} for all others. */
  public int result(int predicate) {
    return result[predicate];
  }

  static final class Builder {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> distinct = new ArrayList<>();
    private int count;
    private int[] condition = new int[8];
    private int[] rows = new int[8];
    private long[] result = new long[8];

    int add(String text, int rowCount, long rawResult) {
      if (count == condition.length) {
        condition = Arrays.copyOf(condition, count * 2);
        rows = Arrays.copyOf(rows, count * 2);
        result = Arrays.copyOf(result, count * 2);
      }
      Integer known = numbers.putIfAbsent(text, distinct.size());
      if (known == null) {
        distinct.add(text);
      }
      condition[count] = known == null ? distinct.size() - 1 : known;
      rows[count] = rowCount;
      result[count] = rawResult;
      return count++;
    }

    int rows(int predicate) {
      return rows[predicate];
    }

    /** The predicate added last has one more row. */
    void addRow() {
      rows[count - 1]++;
    }

    /** What the aggregate added last gave. */
    void setResult(long rawResult) {
      result[count - 1] = rawResult;
    }

    Predicates build(Values values) {
      int[] codes = new int[count];
      for (int i = 0; i < count; i++) {
        codes[i] = values.code(result[i]);
      }
      return new Predicates(
          distinct.toArray(String[]::new),
          Arrays.copyOf(condition, count),
          Arrays.copyOf(rows, count),
          codes);
    }
  }
}
