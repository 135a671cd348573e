package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Elements of lists and sets in a shuffle, each as its bytes. */
final class Elements {
  /** About what an element takes in an array. */
  static final int BYTES = 28;

  private Elements() {}

  static void write(Output out, byte[] element) {
    out.writeInt(element.length, true);
    out.writeBytes(element);
  }

  static byte[] readOne(Input in) {
    return in.readBytes(in.readInt(true));
  }

  static void write(Output out, byte[][] elements) {
    out.writeInt(elements.length, true);
    for (byte[] element : elements) {
      write(out, element);
    }
  }

  static byte[][] read(Input in) {
    byte[][] elements = new byte[in.readInt(true)][];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = readOne(in);
    }
    return elements;
  }
}
