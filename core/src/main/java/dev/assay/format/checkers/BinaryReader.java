package dev.assay.format.checkers;

import dev.assay.format.ParseException;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Numbers and text of a binary file of any size, through one buffer. {@link #need} makes sure that
 * a whole record is there, or says at which offset the file ends; the methods that take a number
 * out of the record then cost an array access.
 */
final class BinaryReader implements Closeable {
  private static final int CAPACITY = 1 << 16;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final InputStream in;
  private final String name;
  private final byte[] buffer = new byte[CAPACITY];
  private int next;
  private int filled;
  private long dropped;

  /** Reads from here; errors call the file by this name. */
  BinaryReader(InputStream in, String name) {
    this.in = in;
    this.name = name;
  }

  /** The offset of the next byte, from 0. */
  long offset() {
    return dropped + next;
  }

  /** Moves forward to an offset, or to the end where that comes first. */
  void skipTo(long offset) throws IOException {
    while (offset() < offset && !atEnd()) {
      next += (int) Math.min(offset - offset(), filled - next);
    }
  }

  boolean atEnd() throws IOException {
    return next == filled && !fill(1);
  }

  /** Makes sure that this many more bytes, at most 65536, can be taken. */
  void need(int bytes, String what) throws IOException, ParseException {
    if (filled - next < bytes && !fill(bytes)) {
      throw ParseException.atOffset(
          name,
          dropped + filled,
          "the file ends in the middle of its data",
          what,
          "it was cut short; copy or record it again");
    }
  }

  /** The byte that {@link #takeByte} would take. */
  int peekByte() {
    return buffer[next] & 0xff;
  }

  int takeByte() {
    return buffer[next++] & 0xff;
  }

  long takeLittleLong() {
    long item = (long) LITTLE.get(buffer, next);
    next += Long.BYTES;
    return item;
  }

  long takeBigLong() {
    long item = (long) BIG.get(buffer, next);
    next += Long.BYTES;
    return item;
  }

  long littleLong(String what) throws IOException, ParseException {
    need(Long.BYTES, what);
    return takeLittleLong();
  }

  /** UTF-8 text of this many bytes; memory grows with what is there, not with what is promised. */
  String text(int bytes, String what) throws IOException, ParseException {
    long start = offset();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int left = bytes; left > 0; ) {
      int step = Math.min(left, CAPACITY);
      need(step, what);
      text.write(buffer, next, step);
      next += step;
      left -= step;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(text.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw wrong(start, "bytes that are not UTF-8", what, null);
    }
  }

  ParseException wrong(long offset, String found, String expected, String hint) {
    return ParseException.atOffset(name, offset, found, expected, hint);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Reads on until this many bytes are buffered; false when the file ends before that. */
  private boolean fill(int bytes) throws IOException {
    System.arraycopy(buffer, next, buffer, 0, filled - next);
    dropped += next;
    filled -= next;
    next = 0;
    while (filled < bytes) {
      int n = in.read(buffer, filled, buffer.length - filled);
      if (n < 0) {
        return false;
      }
      filled += n;
    }
    return true;
  }
}
