package dev.assay.spark.input;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.util.KnownSizeEstimation;

/** Bytes that can be compared, to group by. */
public final class Bytes implements KnownSizeEstimation, Serializable {
  private static final long serialVersionUID = 1;

  public final byte[] content;

  public Bytes(byte[] content) {
    this.content = content;
  }

  @Override
  public long estimatedSize() {
    return 40 + content.length;
  }

  /** As few bytes as they can be in a shuffle. */
  public static final class Codec extends Serializer<Bytes> {
    @Override
    public void write(Kryo kryo, Output out, Bytes bytes) {
      out.writeInt(bytes.content.length, true);
      out.writeBytes(bytes.content);
    }

    @Override
    public Bytes read(Kryo kryo, Input in, Class<Bytes> type) {
      return new Bytes(in.readBytes(in.readInt(true)));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    // The built-in hash of small integers is nearly regular, and partitions would be uneven.
    int hash = Arrays.hashCode(content) * 0x9E3779B9;
    return hash ^ hash >>> 16;
  }
}
