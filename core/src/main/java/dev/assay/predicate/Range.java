package dev.assay.predicate;

/**
 * An interval of integers that a column must be in for a condition to be true: what an index over
 * that column need look at. Both bounds belong to it; the least and the greatest {@code long} say
 * that a side is open.
 *
 * <p>It speaks of rows whose column holds an integer of 64 bits. Rows where the column is null
 * never match a condition that has a range; rows where it holds anything else, such as a decimal or
 * a wider integer, must be evaluated one by one. Rows outside are not looked at, so an index misses
 * the evaluation errors that they might have.
 *
 * @param exact whether the interval says it all: the condition is true of every row whose column is
 *     an integer of the interval
 */
public record Range(String column, long low, long high, boolean exact) {
  public boolean isEmpty() {
    return low > high;
  }

  public boolean contains(long integer) {
    return low <= integer && integer <= high;
  }
}
