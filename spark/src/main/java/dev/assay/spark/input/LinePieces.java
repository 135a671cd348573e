package dev.assay.spark.input;

import dev.assay.format.Formats;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;

/** Reads the lines that begin in a split. */
final class LinePieces implements Pieces {
  private static final int PIECE_BYTES = 1 << 22;
  private static final byte[] LOADER = "\"loader\"".getBytes(StandardCharsets.UTF_8);

  private final Split split;
  private final FSDataInputStream lines;
  private final PieceReader pieces;

  /** Where the next line begins. */
  private long next;

  private byte[] bytes = new byte[PIECE_BYTES];
  private int size;
  private boolean ended;
  private long lineCount;
  private boolean loads;

  LinePieces(Split split, Configuration hadoop) throws IOException, ParseException {
    this.split = split;
    lines = split.source.open(hadoop);
    pieces = Formats.byId(split.format).orElseThrow().pieces(split.source.name);
    if (split.start > 0) {
      byte[] first = line(0);
      pieces.read(first, 0, first.length);
      next = split.start - 1 + line(split.start - 1).length;
      lines.seek(next);
    }
  }

  /** The line, with its end, that has a byte: from that byte on. */
  private byte[] line(long from) throws IOException {
    lines.seek(from);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 12];
    int n;
    while ((n = lines.read(buffer, 0, buffer.length)) > 0) {
      for (int i = 0; i < n; i++) {
        if (buffer[i] == '\n') {
          line.write(buffer, 0, i + 1);
          return line.toByteArray();
        }
      }
      line.write(buffer, 0, n);
    }
    return line.toByteArray();
  }

  /** Whole lines, up to the last one that begins in the split. */
  @Override
  public History next() throws IOException, ParseException {
    if (ended) {
      return null;
    }
    int whole = 0;
    while (whole == 0 && !ended) {
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, size * 2);
      }
      int n = next + size >= split.end && size == 0 ? -1 : lines.read(bytes, size, room());
      size += Math.max(0, n);
      whole = wholeLines(n < 0);
      ended = n < 0 || next + whole >= split.end;
    }
    if (whole == 0) {
      return null;
    }
    History history = pieces.read(bytes, 0, whole);
    look(whole);
    System.arraycopy(bytes, whole, bytes, 0, size - whole);
    size -= whole;
    next += whole;
    return history;
  }

  /** Counts lines, and looks for transactions that load the initial state of all others. */
  private void look(int length) {
    for (int i = 0; i < length; i++) {
      // Neither a line end nor the second letter of what is looked for is common in lines.
      if (bytes[i] == '\n') {
        lineCount++;
      } else if (bytes[i] == LOADER[1] && isLoader(i - 1, length)) {
        loads = true;
      }
    }
  }

  private boolean isLoader(int from, int length) {
    int to = from + LOADER.length;
    return from >= 0 && to <= length && Arrays.equals(bytes, from, to, LOADER, 0, LOADER.length);
  }

  @Override
  public long lines() {
    return lineCount;
  }

  @Override
  public boolean isOdd() {
    return loads;
  }

  private int room() {
    return bytes.length - size;
  }

  /** How many of the bytes are whole lines that begin in the split. */
  private int wholeLines(boolean atEnd) {
    if (next + size <= split.end) {
      return atEnd ? size : PieceReader.wholeLines(bytes, 0, size);
    }
    // The last line that begins in the split has the byte before its end.
    int from = (int) Math.max(0, split.end - 1 - next);
    for (int i = from; i < size; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return atEnd ? size : from == 0 ? 0 : PieceReader.wholeLines(bytes, 0, from);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
