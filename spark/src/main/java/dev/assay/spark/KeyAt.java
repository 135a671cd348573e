package dev.assay.spark;

import java.io.Serializable;
import java.util.Arrays;

/** A key and a position, to sort by. */
final class KeyAt implements Comparable<KeyAt>, Serializable {
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
}
