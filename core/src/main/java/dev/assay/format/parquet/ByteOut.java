package dev.assay.format.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow; with the numbers of Parquet and of Thrift's compact protocol. */
public final class ByteOut {
  private static final byte[] SMALLEST = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  public byte[] bytes = new byte[256];
  public int size;

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(2L * size + more, Integer.MAX_VALUE - 8));
    }
  }

  public void add(int b) {
    reserve(1);
    bytes[size++] = (byte) b;
  }

  public void add(byte[] from, int offset, int length) {
    reserve(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  public void add(byte[] from) {
    add(from, 0, from.length);
  }

  public void add(ByteOut other) {
    add(other.bytes, 0, other.size);
  }

  public void add(String text) {
    add(text.getBytes(StandardCharsets.UTF_8));
  }

  public void int32(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      add(value >>> shift);
    }
  }

  public void int64(long value) {
    int32((int) value);
    int32((int) (value >>> Integer.SIZE));
  }

  public void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      add((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    add((int) rest);
  }

  public void zigzag(long value) {
    varint(value << 1 ^ value >> 63);
  }

  /** A number as people write it. */
  public void decimal(long value) {
    if (value == Long.MIN_VALUE) {
      add(SMALLEST);
      return;
    }
    reserve(20);
    if (value < 0) {
      bytes[size++] = '-';
    }
    long rest = Math.abs(value);
    int digits = 1;
    for (long power = 10; digits < 19 && rest >= power; power *= 10) {
      digits++;
    }
    size += digits;
    for (int i = 1; i <= digits; i++) {
      bytes[size - i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  public void clear() {
    size = 0;
  }
}
