package dev.assay.spark.cut;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.Serializable;
import java.util.Arrays;

/** A key and a position, to sort by. */
public final class KeyAt implements Comparable<KeyAt>, Serializable {
  private static final long serialVersionUID = 1;

  final byte[] key;
  final long position;

  KeyAt(byte[] key, long position) {
    this.key = key;
    this.position = position;
  }

  @Override
  public int compareTo(KeyAt other) {
    int byKey = Arrays.compare(key, other.key);
    return byKey != 0 ? byKey : Long.compare(position, other.position);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyAt at && compareTo(at) == 0;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key) * 31 + Long.hashCode(position);
  }

  /** As few bytes as it can be in a shuffle. */
  public static final class Codec extends Serializer<KeyAt> {
    @Override
    public void write(Kryo kryo, Output out, KeyAt at) {
      out.writeInt(at.key.length, true);
      out.writeBytes(at.key);
      out.writeLong(at.position, false);
    }

    @Override
    public KeyAt read(Kryo kryo, Input in, Class<KeyAt> type) {
      return new KeyAt(in.readBytes(in.readInt(true)), in.readLong(false));
    }
  }
}
