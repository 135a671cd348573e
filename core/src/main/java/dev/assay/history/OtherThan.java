package dev.assay.history;

/**
 * The result of a read that is known only not to be a value: a compare-and-set failed, or a key was
 * found where none should be. Only reads of registers have it.
 *
 * @param value the value that was not there; null for nil, the absent state
 */
public record OtherThan(Object value) {
  @Override
  public String toString() {
    return "something other than " + (value == null ? "nil" : value);
  }
}
