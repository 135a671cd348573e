package dev.assay.history;

/**
 * A value of a register with the number of its version, as the store counts them. Only reads and
 * writes of registers have it. Of two versions of a key, the one with the higher number is newer.
 *
 * @param value the value; null for nil
 * @param version the number
 */
public record Versioned(Object value, long version) {
  @Override
  public String toString() {
    return (value == null ? "nil" : value) + " (version " + version + ")";
  }
}
