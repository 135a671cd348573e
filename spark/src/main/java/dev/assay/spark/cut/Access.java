package dev.assay.spark.cut;

import com.esotericsoftware.kryo.Kryo;
import java.io.Serializable;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.spark.util.KnownSizeEstimation;

/** What a history does with something that cuts must respect; parts of it can be added up. */
public abstract class Access implements KnownSizeEstimation, Serializable {
  private static final long serialVersionUID = 1;

  /** Before every position. */
  public static final long START = Long.MIN_VALUE;

  /** Adds what other parts of the history do with the same thing, in any order. */
  public abstract Access and(Access other);

  /** Hands on the pairs of positions between which this alone allows no cut. */
  public abstract void keepTogether(BiConsumer<Long, Long> keep);

  /**
   * What windows must know of others about it.
   *
   * @param name its key, with the value for registers
   */
  public abstract List<Carried> carried(byte[] name, Cuts cuts);

  /** Has what it is in a shuffle take few bytes. */
  public static void register(Kryo kryo) {
    kryo.register(Version.class, new Version.Codec());
    kryo.register(ListAccess.class, new ListAccess.Codec());
    kryo.register(SetAccess.class, new SetAccess.Codec());
    kryo.register(SessionAccess.class);
  }
}
