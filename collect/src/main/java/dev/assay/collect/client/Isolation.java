package dev.assay.collect.client;

import dev.assay.level.Level;
import java.util.List;

/** An isolation level as a store offers it. */
public interface Isolation {
  /** What users ask for, such as {@code repeatable-read}. */
  String name();

  /** What the store's documentation, or else the name, promises. */
  Level claimed();

  /** The levels at which single transactions run: this one, unless several are mixed. */
  default List<Isolation> parts() {
    return List.of(this);
  }

  /**
   * Which of the {@link #parts} a transaction runs at.
   *
   * @param drawn a random number, at least 0 and less than 1
   */
  default int part(double drawn) {
    return 0;
  }

  /** A level that needs nothing but its name. */
  static Isolation of(String name, Level claimed) {
    return new Named(name, claimed);
  }

  /** See {@link #of}. */
  record Named(String name, Level claimed) implements Isolation {}
}
