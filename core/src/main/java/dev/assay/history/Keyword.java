package dev.assay.history;

/** A symbolic name, written {@code :name} in EDN. Distinct from the string of the same letters. */
public record Keyword(String name) {
  @Override
  public String toString() {
    return ":" + name;
  }
}
