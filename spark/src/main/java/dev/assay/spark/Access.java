package dev.assay.spark;

import java.io.Serializable;
import java.util.function.BiConsumer;

/** What a history does with something that cuts must respect; parts of it can be added up. */
abstract class Access implements Serializable {
  private static final long serialVersionUID = 1;

  /** Before every position. */
  static final long START = Long.MIN_VALUE;

  /** Adds what other parts of the history do with the same thing, in any order. */
  abstract Access and(Access other);

  /** Hands on the pairs of positions between which this alone allows no cut. */
  abstract void keepTogether(BiConsumer<Long, Long> keep);
}
