package dev.assay.format.checkers;

import java.io.IOException;
import java.io.OutputStream;

/** Buffered output of ASCII characters and numbers without a String in between. */
final class AsciiWriter {
  /** Room for the longest thing put at once, a long with its sign. */
  private static final int SLACK = 32;

  private final OutputStream out;
  private final byte[] buffer = new byte[1 << 16];
  private int size;

  AsciiWriter(OutputStream out) {
    this.out = out;
  }

  AsciiWriter put(char c) throws IOException {
    makeRoom();
    buffer[size++] = (byte) c;
    return this;
  }

  AsciiWriter put(long number) throws IOException {
    makeRoom();
    if (number < 0) {
      buffer[size++] = '-';
    }
    int first = size;
    // Digits are taken from the negative side, which has room for Long.MIN_VALUE.
    long rest = number < 0 ? number : -number;
    do {
      buffer[size++] = (byte) ('0' - rest % 10);
      rest /= 10;
    } while (rest != 0);
    for (int i = first, j = size - 1; i < j; i++, j--) {
      byte swapped = buffer[i];
      buffer[i] = buffer[j];
      buffer[j] = swapped;
    }
    return this;
  }

  void flush() throws IOException {
    out.write(buffer, 0, size);
    size = 0;
    out.flush();
  }

  private void makeRoom() throws IOException {
    if (size > buffer.length - SLACK) {
      out.write(buffer, 0, size);
      size = 0;
    }
  }
}
