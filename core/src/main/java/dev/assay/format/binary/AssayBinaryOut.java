package dev.assay.format.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of little-endian numbers, variable-length integers and texts. */
final class AssayBinaryOut {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[1 << 12];
  private int size;

  int size() {
    return size;
  }

  /** The bytes, followed by spare room. */
  byte[] array() {
    return bytes;
  }

  void clear() {
    size = 0;
  }

  /** Leaves room that is filled in later. */
  void skip(int length) {
    reserve(length);
    size += length;
  }

  void u8(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  void u32(int value) {
    reserve(4);
    u32(bytes, size, value);
    size += 4;
  }

  void u64(long value) {
    reserve(8);
    u64(bytes, size, value);
    size += 8;
  }

  /** Seven bits a byte, low bits first, the top bit set on all but the last byte. */
  void varint(long value) {
    reserve(10);
    long left = value;
    while ((left & ~0x7fL) != 0) {
      bytes[size++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }

  /** A signed integer, small in either direction: 0, −1, 1, −2 are the varints 0, 1, 2, 3. */
  void signed(long value) {
    varint((value << 1) ^ (value >> 63));
  }

  static void u32(byte[] to, int at, int value) {
    INT.set(to, at, value);
  }

  static void u64(byte[] to, int at, long value) {
    LONG.set(to, at, value);
  }

  void raw(byte[] source) {
    raw(source, source.length);
  }

  void raw(AssayBinaryOut source) {
    raw(source.bytes, source.size);
  }

  private void raw(byte[] source, int length) {
    reserve(length);
    System.arraycopy(source, 0, bytes, size, length);
    size += length;
  }

  /** UTF-8; UTF-16 for the rare string with half a surrogate pair, which UTF-8 cannot hold. */
  void text(String text) {
    boolean wide = hasLoneSurrogate(text);
    byte[] encoded = wide ? utf16(text) : text.getBytes(StandardCharsets.UTF_8);
    varint(2L * encoded.length + (wide ? 1 : 0));
    raw(encoded);
  }

  /** The low {@code width} bits of each {@code values[i] - base}, one after the other. */
  void packed(long[] values, int from, int to, long base, int width) {
    if (width == 0) {
      return;
    }
    reserve((int) (((long) (to - from) * width + 7) >>> 3) + 8);
    long word = 0;
    int used = 0;
    int at = size;
    for (int i = from; i < to; i++) {
      long item = values[i] - base;
      word |= item << used;
      used += width;
      if (used >= 64) {
        LONG.set(bytes, at, word);
        at += 8;
        used -= 64;
        word = used == 0 ? 0 : item >>> (width - used);
      }
    }
    size = at;
    for (; used > 0; used -= 8) {
      u8((int) word);
      word >>>= 8;
    }
  }

  private void reserve(int more) {
    long needed = (long) size + more;
    if (needed > bytes.length) {
      if (needed > AssayBinaryFrame.MAX_PAYLOAD) {
        throw new IllegalArgumentException("a transaction or value of more than 1 GB");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.max(needed, bytes.length * 2L));
    }
  }

  /** By hand, because the JDK's encoder replaces half a surrogate pair. */
  private static byte[] utf16(String text) {
    byte[] encoded = new byte[Math.multiplyExact(text.length(), 2)];
    for (int i = 0; i < text.length(); i++) {
      encoded[2 * i] = (byte) text.charAt(i);
      encoded[2 * i + 1] = (byte) (text.charAt(i) >>> 8);
    }
    return encoded;
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSurrogatePair(
            text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
