package dev.assay.format.follow;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.InvalidHistoryException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A history as a sequence of blocks of finished transactions, as far as it is there.
 *
 * <pre>{@code
 * try (HistoryStream stream = new HistoryStream("run.jsonl", new GrowingFile(path), null)) {
 *   while (!stream.ended()) {
 *     History block = stream.next(); // null: nothing new at the moment
 *     ...
 *   }
 * }
 * }</pre>
 */
public final class HistoryStream implements Closeable {
  /** How much is read at once: large enough to be worth a block, small beside any heap. */
  public static final int PIECE_BYTES = 1 << 20;

  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private final String name;
  private final ByteSource source;
  private final int pieceBytes;
  private HistoryFormat format;
  private PieceReader reader;
  private Consumer<String> remarks = remark -> {};

  /** What was read and not yet handed to the reader. */
  private byte[] bytes;

  private int from;
  private int to;
  private long consumed;
  private boolean ended;

  /** Whether what was read ends a file that another one continues. */
  private boolean fileEnds;

  /**
   * A stream of blocks.
   *
   * @param name the input as the user named it
   * @param format its format; null to find it by content
   */
  public HistoryStream(String name, ByteSource source, HistoryFormat format) {
    this(name, source, format, PIECE_BYTES);
  }

  /**
   * The same.
   *
   * @param pieceBytes about how much is read at once
   */
  public HistoryStream(String name, ByteSource source, HistoryFormat format, int pieceBytes) {
    this.name = name;
    this.source = source;
    this.format = format;
    this.pieceBytes = pieceBytes;
    this.bytes = new byte[pieceBytes];
  }

  /** Receives what users should know about the input, a phrase each. */
  public void onRemark(Consumer<String> listener) {
    remarks = listener;
  }

  /** The format; null as long as it is not known. */
  public HistoryFormat format() {
    return format;
  }

  /** Whether times are the order of the events in the input; false as long as it is not known. */
  public boolean isInOrder() {
    return reader != null && reader.isInOrder();
  }

  /** The number of bytes that the blocks so far are made of. */
  public long consumed() {
    return consumed;
  }

  /** The number of bytes that were read and are in no block yet. */
  public int unused() {
    return to - from;
  }

  /** Whether there are no more blocks. */
  public boolean ended() {
    return ended;
  }

  /** The next block, which may have no transactions; null if there is nothing at the moment. */
  public History next() throws ParseException {
    try {
      return ended ? null : read();
    } catch (IOException e) {
      throw Input.of(name, new byte[0]).explained(e);
    } catch (InvalidHistoryException e) {
      throw ParseException.ofFile(name, e.getMessage(), e.expected(), null);
    }
  }

  private History read() throws IOException, ParseException {
    int state;
    int whole;
    do {
      state = fill();
      if (reader == null && !begin(state < 0)) {
        return null;
      }
      whole = reader.whole(bytes, from, to);
    } while (whole == 0 && state > 0);
    if (whole > 0) {
      from += whole;
      consumed += whole;
      return reader.read(bytes, from - whole, from);
    }
    if (state == ByteSource.END) {
      ended = true;
      consumed += to - from;
      return reader.finish(bytes, from, to);
    }
    return state == ByteSource.NEXT_FILE ? nextFile() : null;
  }

  /** Reads until there is a piece, or nothing more at the moment; what stopped it. */
  private int fill() throws IOException, ParseException {
    if (from > 0) {
      System.arraycopy(bytes, from, bytes, 0, to - from);
      to -= from;
      from = 0;
    }
    if (fileEnds) {
      return ByteSource.NEXT_FILE;
    }
    if (to == bytes.length) {
      if (to == MAX_BYTES) {
        throw new IOException("a line or block is longer than 2 GB");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(to * 2L, MAX_BYTES));
    }
    int n = 1;
    while (n > 0 && to < bytes.length) {
      n = source.read(bytes, to, bytes.length - to);
      to += Math.max(0, n);
    }
    fileEnds = n == ByteSource.NEXT_FILE;
    return n;
  }

  /**
   * Finds out the format, if enough is there; at the end of the input whatever there is must do.
   */
  private boolean begin(boolean all) throws IOException, ParseException {
    if (format == null) {
      byte[] head = Arrays.copyOfRange(bytes, from, Math.min(to, from + Input.HEAD_BYTES));
      boolean enough = all || head.length == Input.HEAD_BYTES;
      if (!enough && PieceReader.wholeLines(head, 0, head.length) == 0) {
        return false;
      }
      Input input = Input.of(name, head);
      format = Formats.detect(input).orElse(null);
      if (format == null && enough) {
        throw Formats.unclaimed(input);
      }
    }
    reader = format == null ? null : format.pieces(name);
    return reader != null;
  }

  private History nextFile() throws IOException, ParseException {
    fileEnds = false;
    History last = to > from ? readRest() : null;
    from = to;
    reader.nextFile();
    remarks.accept("it was replaced, and what follows is read from the new file");
    return last == null ? read() : last;
  }

  /** Reads a last line without its end, unless it is only the beginning of one. */
  private History readRest() {
    int length = to - from;
    try {
      consumed += length;
      return reader.read(bytes, from, to);
    } catch (ParseException e) {
      remarks.accept("the last " + length + " bytes are not a whole record and were left out");
      return null;
    }
  }

  /**
   * Ends before the input does, and returns the transactions that have not ended; null for none.
   * What is only the beginning of a record is left out.
   */
  public History stop() throws ParseException {
    if (ended || reader == null) {
      ended = true;
      return null;
    }
    ended = true;
    int length = to - from;
    try {
      return reader.finish(bytes, from, to);
    } catch (ParseException e) {
      remarks.accept("the last " + length + " bytes are not a whole record and were left out");
      reader.nextFile();
      return reader.finish(bytes, to, to);
    }
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
