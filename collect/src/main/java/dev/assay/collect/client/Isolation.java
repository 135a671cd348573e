package dev.assay.collect.client;

import dev.assay.level.Level;

/** An isolation level as a store offers it. */
public interface Isolation {
  /** What users ask for, such as {@code repeatable-read}. */
  String name();

  /** What the store's documentation, or else the name, promises. */
  Level claimed();

  /** A level that needs nothing but its name. */
  static Isolation of(String name, Level claimed) {
    return new Named(name, claimed);
  }

  /** See {@link #of}. */
  record Named(String name, Level claimed) implements Isolation {}
}
