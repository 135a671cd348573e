package dev.assay.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of a text file as byte ranges of one reused buffer, of any length up to 2 GB. A byte order
 * mark is dropped, as are the line ends ({@code \n} or {@code \r\n}); the last line may lack one.
 */
public final class LineReader {
  private static final int FIRST_CAPACITY = 1 << 18;

  private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;

  private final InputStream in;
  private final boolean fromStart;
  private byte[] buffer;
  private int next;
  private int filled;
  private boolean ended;
  private int start;
  private int end;
  private long line;

  public LineReader(InputStream in) {
    this.in = in;
    this.buffer = new byte[FIRST_CAPACITY];
    this.fromStart = true;
  }

  /**
   * The lines in some bytes.
   *
   * @param fromStart whether a byte order mark may come first
   */
  public LineReader(byte[] bytes, int from, int to, boolean fromStart) {
    this.in = InputStream.nullInputStream();
    this.buffer = bytes;
    this.next = from;
    this.filled = to;
    this.ended = true;
    this.fromStart = fromStart;
  }

  /** Moves to the next line; false at the end. */
  public boolean next() throws IOException {
    int scanned = next;
    while (true) {
      int newline = indexOfNewline(scanned);
      if (newline >= 0) {
        take(newline, newline + 1);
        return true;
      }
      scanned = filled;
      if (ended) {
        if (next == filled) {
          return false;
        }
        take(filled, filled);
        return true;
      }
      scanned -= next;
      refill();
      scanned += next;
    }
  }

  /** The bytes that {@link #start} and {@link #end} refer to; changed by {@link #next}. */
  public byte[] bytes() {
    return buffer;
  }

  public int start() {
    return start;
  }

  /** One past the last byte of the line, its line end not counted. */
  public int end() {
    return end;
  }

  /** The number of this line, from 1. */
  public long line() {
    return line;
  }

  /** Whether there is nothing on the line. */
  public boolean isBlank() {
    for (int i = start; i < end; i++) {
      if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  private void take(int lineEnd, int following) {
    start = next;
    end = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    next = following;
    line++;
    if (line == 1 && fromStart) {
      start += Bom.length(buffer, start, end);
    }
  }

  private int indexOfNewline(int from) {
    for (int i = from; i < filled; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void refill() throws IOException {
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, filled - next);
      filled -= next;
      next = 0;
    }
    if (filled == buffer.length) {
      if (filled == MAX_CAPACITY) {
        throw new IOException("line " + (line + 1) + " is longer than 2 GB");
      }
      buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, MAX_CAPACITY));
    }
    int n = in.read(buffer, filled, buffer.length - filled);
    if (n < 0) {
      ended = true;
    } else {
      filled += n;
    }
  }
}
