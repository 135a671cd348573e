package dev.assay.format.binary;

import dev.assay.format.ParseException;
import dev.assay.format.RandomBytes;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The blocks of an {@code .assay} file in ranges that can be read apart from each other, each with
 * the definitions before it. Where columns have reads of lists they cannot: these refer to reads in
 * earlier blocks.
 */
public final class AssayBinaryRanges {
  private AssayBinaryRanges() {}

  /** Every range reads the definitions before it: beyond this many bytes that is not worth it. */
  private static final long MOST_DEFINITIONS = 64 << 20;

  /** Some blocks. */
  public static final class Range implements Serializable {
    private static final long serialVersionUID = 1;

    private final long start;
    private final long end;

    /** Where the blocks before it are that have no transactions, and how long they are. */
    private final long[] definitions;

    /** Whether a read of a list in it may refer to a block before it. */
    private final boolean maySharePast;

    private Range(long start, long end, long[] definitions, boolean maySharePast) {
      this.start = start;
      this.end = end;
      this.definitions = definitions;
      this.maySharePast = maySharePast;
    }
  }

  /**
   * Finds the blocks by their frames, without reading what is in them.
   *
   * @param most about how many bytes a range may have
   * @return empty if the file is cut short, damaged, or has too many definitions
   */
  public static List<Range> find(RandomBytes bytes, long most) throws IOException {
    List<Range> ranges = new ArrayList<>();
    long[] definitions = {};
    long[] before = definitions;
    long defined = 0;
    boolean shares = false;
    boolean sharing = true;
    long start = AssayBinaryFrame.FILE_HEAD;
    long at = start;
    long size = bytes.size();
    while (at <= size - AssayBinaryFrame.SIZE) {
      AssayBinaryFrame frame = AssayBinaryFrame.read(bytes.read(at, AssayBinaryFrame.SIZE), at);
      if (frame == null
          || frame.length() < 0
          || at + AssayBinaryFrame.SIZE + frame.length() > size) {
        return List.of();
      }
      long end = at + AssayBinaryFrame.SIZE + frame.length();
      boolean isEnd = frame.type() == AssayBinaryFrame.END;
      if (at > start && (isEnd || end - start > most)) {
        ranges.add(new Range(start, at, before, shares && !ranges.isEmpty()));
        start = at;
        before = definitions;
        shares = false;
      }
      switch (frame.type()) {
        case AssayBinaryFrame.END -> {
          return end == size ? ranges : List.of();
        }
        case AssayBinaryFrame.TRANSACTIONS -> shares |= sharing;
        case AssayBinaryFrame.JOURNAL -> sharing = false;
        default -> {
          defined += frame.length();
          definitions = Arrays.copyOf(definitions, definitions.length + 2);
          definitions[definitions.length - 2] = at;
          definitions[definitions.length - 1] = end - at;
        }
      }
      if (defined > MOST_DEFINITIONS) {
        return List.of();
      }
      at = end;
    }
    return List.of();
  }

  /** Reads the transactions of a range, a few blocks at a time. */
  public static final class Reader implements Closeable {
    private static final int PIECE_BYTES = 1 << 20;

    private final String name;
    private final RandomBytes bytes;
    private final Range range;
    private final AssayBinaryPieces pieces;
    private long at;
    private boolean refersBack;

    /** Begins to read: what was defined before the range. */
    public Reader(String name, RandomBytes bytes, Range range) throws IOException, ParseException {
      this.name = name;
      this.bytes = bytes;
      this.range = range;
      this.pieces = new AssayBinaryPieces(name);
      this.at = range.start;
      byte[] head = bytes.read(0, AssayBinaryFrame.FILE_HEAD);
      pieces.read(head, 0, head.length);
      for (int i = 0; i < range.definitions.length; i += 2) {
        pieces.continueAt(range.definitions[i]);
        byte[] block = bytes.read(range.definitions[i], (int) range.definitions[i + 1]);
        pieces.read(block, 0, block.length);
      }
      pieces.continueAt(range.start);
    }

    /** Whether what was read may be wrong, because it refers to blocks before the range. */
    public boolean refersBack() {
      return refersBack;
    }

    /** The next transactions; null at the end. */
    public History next() throws IOException, ParseException {
      if (at == range.end) {
        return null;
      }
      int length = PIECE_BYTES;
      while (true) {
        byte[] some = bytes.read(at, (int) Math.min(length, range.end - at));
        int whole = pieces.whole(some, 0, some.length);
        if (whole > 0) {
          at += whole;
          return noted(pieces.read(some, 0, whole));
        }
        if (length >= range.end - at) {
          throw ParseException.atOffset(name, at, "a block that changed", "a whole block", null);
        }
        length *= 4;
      }
    }

    private History noted(History history) {
      refersBack |= range.maySharePast && history.uses(OpKind.Type.LIST);
      return history;
    }

    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }
}
