package dev.assay.predicate;

/** Something that every row has, such as the value of a column. */
@FunctionalInterface
public interface RowValue {
  /** What the row with this key and value has; null is SQL's null. */
  Object of(Object key, Object value);
}
