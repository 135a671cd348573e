package dev.assay.spark;

import java.io.Serializable;
import java.util.Arrays;

/** Bytes that can be compared, to group by. */
final class Bytes implements Serializable {
  private static final long serialVersionUID = 1;

  final byte[] content;

  Bytes(byte[] content) {
    this.content = content;
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
