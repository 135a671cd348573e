package dev.assay.spark.cut;

import java.io.Serializable;
import org.apache.spark.util.KnownSizeEstimation;

/** What a window must know of the others, about one key. */
public final class Carried implements KnownSizeEstimation, Serializable {
  private static final long serialVersionUID = 1;

  /** What it says. */
  public enum Kind {
    /** The version of a register that the window begins with, and its writer. */
    VALUE,
    /** The version of a register that windows after it see, and that is the last one therefore. */
    LAST,
    /** The elements that a list begins with. */
    ELEMENTS,
    /** The elements that a set begins with. */
    MEMBERS,
    /** The order of elements that the window appends, as windows after it see it. */
    ORDER
  }

  public final int window;
  public final Kind kind;

  /** The key; for registers with the value. */
  public final byte[] key;

  /** The {@link Writer} of a value. */
  public final byte[] writer;

  public final byte[][] elements;

  private Carried(int window, Kind kind, byte[] key, byte[] writer, byte[][] elements) {
    this.window = window;
    this.kind = kind;
    this.key = key;
    this.writer = writer;
    this.elements = elements;
  }

  @Override
  public long estimatedSize() {
    return 100
        + key.length
        + (writer == null ? 0 : writer.length)
        + (elements == null ? 0 : elements.length * (long) Elements.BYTES);
  }

  public static Carried value(int window, byte[] keyAndValue, byte[] writer) {
    return new Carried(window, Kind.VALUE, keyAndValue, writer, null);
  }

  public static Carried last(int window, byte[] keyAndValue) {
    return new Carried(window, Kind.LAST, keyAndValue, null, null);
  }

  public static Carried elements(int window, byte[] key, byte[][] elements) {
    return new Carried(window, Kind.ELEMENTS, key, null, elements);
  }

  static Carried members(int window, byte[] key, byte[][] elements) {
    return new Carried(window, Kind.MEMBERS, key, null, elements);
  }

  static Carried order(int window, byte[] key, byte[][] elements) {
    return new Carried(window, Kind.ORDER, key, null, elements);
  }
}
