package dev.assay.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The predicate operations of a history: each is its condition, as canonical JSON text, and the
 * rows it returned or left behind.
 */
public final class Predicates {
  private final String[] conditions;
  private final int[] firstRow;
  private final int[] rowKeys;
  private final int[] rowValues;

  private Predicates(String[] conditions, int[] firstRow, int[] rowKeys, int[] rowValues) {
    this.conditions = conditions;
    this.firstRow = firstRow;
    this.rowKeys = rowKeys;
    this.rowValues = rowValues;
  }

  public int count() {
    return conditions.length;
  }

  /** The condition, a JSON object such as {@code {"where":["=","v",1]}}. */
  public String condition(int predicate) {
    return conditions[predicate];
  }

  public int firstRow(int predicate) {
    return firstRow[predicate];
  }

  public int endRow(int predicate) {
    return firstRow[predicate + 1];
  }

  public int rowKey(int row) {
    return rowKeys[row];
  }

  /** The value code of a row; {@link Values#NIL} for a row that was deleted. */
  public int rowValue(int row) {
    return rowValues[row];
  }

  static final class Builder {
    private final List<String> conditions = new ArrayList<>();
    private int[] firstRow = new int[8];
    private long[] rowKeys = new long[8];
    private long[] rowValues = new long[8];
    private int rows;

    int add(String condition) {
      int id = conditions.size();
      conditions.add(condition);
      if (id + 1 == firstRow.length) {
        firstRow = Arrays.copyOf(firstRow, firstRow.length * 2);
      }
      firstRow[id + 1] = rows;
      return id;
    }

    /** Adds a row to the predicate added last. */
    void addRow(long rawKey, long rawValue) {
      if (rows == rowKeys.length) {
        rowKeys = Arrays.copyOf(rowKeys, rows * 2);
        rowValues = Arrays.copyOf(rowValues, rows * 2);
      }
      rowKeys[rows] = rawKey;
      rowValues[rows++] = rawValue;
      firstRow[conditions.size()] = rows;
    }

    int rows() {
      return rows;
    }

    long rawKey(int row) {
      return rowKeys[row];
    }

    Predicates build(Keys keys, Values values) {
      int[] numberedKeys = new int[rows];
      int[] codes = new int[rows];
      for (int i = 0; i < rows; i++) {
        numberedKeys[i] = keys.number(rowKeys[i]);
        codes[i] = values.code(rowValues[i]);
      }
      return new Predicates(
          conditions.toArray(String[]::new),
          Arrays.copyOf(firstRow, conditions.size() + 1),
          numberedKeys,
          codes);
    }
  }
}
