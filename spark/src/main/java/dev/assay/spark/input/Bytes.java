package dev.assay.spark.input;

import java.io.Serializable;
import java.util.Arrays;

/** Bytes that can be compared, to group by. */
public final class Bytes implements Serializable {
  private static final long serialVersionUID = 1;

  public final byte[] content;

  public Bytes(byte[] content) {
    this.content = content;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }
}
