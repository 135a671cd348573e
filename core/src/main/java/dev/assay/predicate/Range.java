package dev.assay.predicate;

/**
 * An interval of integers that a column must be in for a condition to be true: the part of an index
 * over that column to scan. Both bounds are inclusive; the least and the greatest {@code long} mean
 * unbounded.
 *
 * <p>It applies to rows whose column holds an integer of 64 bits. Rows where the column is null
 * never match a condition that has a range; rows where it holds anything else, such as a decimal or
 * a wider integer, must be evaluated one by one. Rows outside are not evaluated, so an index misses
 * evaluation errors that they would cause.
 *
 * @param exact whether the interval is sufficient: the condition is true of every row whose column
 *     is an integer in the interval
 */
public record Range(String column, long low, long high, boolean exact) {
  public boolean isEmpty() {
    return low > high;
  }

  public boolean contains(long integer) {
    return low <= integer && integer <= high;
  }
}
