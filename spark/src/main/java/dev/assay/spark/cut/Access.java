package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Output;
import java.util.List;

/** What a history does with something that cuts must respect; parts of it can be added up. */
public abstract class Access {
  /** Before every position. */
  public static final long START = Long.MIN_VALUE;

  /** Adds what other parts of the history do with the same thing, in any order. */
  public abstract Access and(Access other);

  /** Hands on the pairs of positions between which this alone allows no cut. */
  abstract void keepTogether(LongPairs.Taking keep);

  /**
   * Hands on where versions of a register begin, and until when they are read; at least once for
   * each, so that keys can be counted.
   */
  void events(LongPairs.Taking event) {
    event.accept(START, START);
  }

  /**
   * What windows must know of others about it.
   *
   * @param name its key, with the value for registers
   */
  public abstract List<Carried> carried(byte[] name, Cuts cuts);

  /** Writes it in few bytes, as {@link Accesses#read} reads it. */
  abstract void write(Output out);
}
