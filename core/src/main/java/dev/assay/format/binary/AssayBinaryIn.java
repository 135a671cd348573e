package dev.assay.format.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads what {@link AssayBinaryOut} writes, from one payload; never past its end. */
final class AssayBinaryIn {
  /** Bytes that must follow the payload in its array, so that any bit can be read as a word. */
  static final int PADDING = 8;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Up to this width a value lies within the eight bytes from its first. */
  private static final int MAX_ONE_WORD = 57;

  private final byte[] bytes;
  private final int end;
  private int next;

  /** A payload of {@code length} bytes, with {@link #PADDING} bytes after it. */
  AssayBinaryIn(byte[] bytes, int length) {
    this.bytes = bytes;
    this.end = length;
  }

  /** A payload that makes no sense although its checksum is right. */
  static final class BadBlock extends Exception {
    private static final long serialVersionUID = 1;

    BadBlock(String message) {
      super(message);
    }
  }

  int remaining() {
    return end - next;
  }

  /** Where the next byte is, to {@linkplain #back go back} to. */
  int place() {
    return next;
  }

  void back(int place) {
    next = place;
  }

  int u8() throws BadBlock {
    require(1);
    return bytes[next++] & 0xff;
  }

  int u32() throws BadBlock {
    require(4);
    int value = (int) INTS.get(bytes, next);
    next += 4;
    return value;
  }

  long u64() throws BadBlock {
    require(8);
    long value = (long) WORDS.get(bytes, next);
    next += 8;
    return value;
  }

  long varint() throws BadBlock {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (next == end) {
        throw ended();
      }
      byte b = bytes[next++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new BadBlock("an integer of more than ten bytes");
  }

  long signed() throws BadBlock {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A count of things, at most {@code max}. */
  int count(int max, String things) throws BadBlock {
    long value = varint();
    if (value < 0 || value > max) {
      throw new BadBlock(Long.toUnsignedString(value) + " " + things);
    }
    return (int) value;
  }

  byte[] raw(int length) throws BadBlock {
    require(length);
    byte[] copy = java.util.Arrays.copyOfRange(bytes, next, next + length);
    next += length;
    return copy;
  }

  String text() throws BadBlock {
    long header = varint();
    long length = header >>> 1;
    if (length > remaining()) {
      throw ended();
    }
    if ((header & 1) != 0) {
      return utf16(raw((int) length));
    }
    ByteBuffer encoded = ByteBuffer.wrap(bytes, next, (int) length);
    String text = new String(bytes, next, (int) length, StandardCharsets.UTF_8);
    next += (int) length;
    // It replaces what is not UTF-8, unless it is in the text itself.
    return text.indexOf('\uFFFD') < 0 ? text : decoded(encoded);
  }

  private static String decoded(ByteBuffer encoded) throws BadBlock {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
    } catch (CharacterCodingException e) {
      throw new BadBlock("a text that is not UTF-8");
    }
  }

  private static String utf16(byte[] encoded) throws BadBlock {
    if (encoded.length % 2 != 0) {
      throw new BadBlock("half a UTF-16 character");
    }
    char[] characters = new char[encoded.length / 2];
    for (int i = 0; i < characters.length; i++) {
      characters[i] = (char) ((encoded[2 * i] & 0xff) | (encoded[2 * i + 1] & 0xff) << 8);
    }
    return new String(characters);
  }

  /** {@code count} packed values of {@code width} bits, each added to {@code base}. */
  void packed(long[] target, int from, int count, long base, int width) throws BadBlock {
    long length = ((long) count * width + 7) >>> 3;
    if (width > 64 || length > remaining()) {
      throw width > 64 ? new BadBlock("integers of " + width + " bits") : ended();
    }
    long bit = 8L * next;
    long mask = width == 64 ? -1 : (1L << width) - 1;
    if (width <= MAX_ONE_WORD) {
      for (int i = from; i < from + count; i++, bit += width) {
        long word = (long) WORDS.get(bytes, (int) (bit >>> 3));
        target[i] = base + ((word >>> (bit & 7)) & mask);
      }
    } else {
      for (int i = from; i < from + count; i++, bit += width) {
        int at = (int) (bit >>> 3);
        int shift = (int) (bit & 7);
        long word = (long) WORDS.get(bytes, at) >>> shift;
        if (shift > 0) {
          word |= (long) bytes[at + 8] << (64 - shift);
        }
        target[i] = base + (word & mask);
      }
    }
    next += (int) length;
  }

  private void require(int length) throws BadBlock {
    if (length > remaining()) {
      throw ended();
    }
  }

  private static BadBlock ended() {
    return new BadBlock("the block ends too early");
  }
}
