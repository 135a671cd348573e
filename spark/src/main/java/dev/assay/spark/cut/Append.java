package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.Serializable;

/** An element that was appended to a list, or added to a set. */
final class Append implements Serializable {
  private static final long serialVersionUID = 1;

  /** About what it takes in a list, with its element. */
  static final int BYTES = 32 + Elements.BYTES;

  final byte[] element;
  final long position;

  /** One of the flags of {@link Version}. */
  final int how;

  Append(byte[] element, long position, int how) {
    this.element = element;
    this.position = position;
    this.how = how;
  }

  void write(Output out) {
    Elements.write(out, element);
    out.writeLong(position, false);
    out.writeByte(how);
  }

  static Append read(Input in) {
    return new Append(Elements.readOne(in), in.readLong(false), in.readByte());
  }
}
