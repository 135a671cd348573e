package dev.assay.format.binary;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Origin;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads a recording while it is written: the transactions of each block once the block is whole on
 * disk. Recorders pay nothing for it, and what is not read yet waits on disk.
 *
 * <p>Each call gives a history of its own with the transactions since the call before. A
 * transaction without an id has as its id the name that it has in the whole history.
 */
public final class AssayBinaryTail implements Closeable {
  /** Bytes of blocks that a call reads at most, unless one block is larger. */
  private static final int ENOUGH = 4 << 20;

  private FileChannel channel;
  private final AssayBinaryPieces pieces;
  private byte[] bytes = new byte[1 << 16];
  private int size;
  private long offset;

  /**
   * Opens a file that need not have anything in it yet.
   *
   * @param name what to call it in messages and places
   */
  public AssayBinaryTail(Path file, String name) throws IOException {
    this(file, new AssayBinaryPieces(name));
  }

  private AssayBinaryTail(Path file, AssayBinaryPieces pieces) throws IOException {
    this.pieces = pieces;
    this.channel = FileChannel.open(file);
  }

  /** The first part of a recording in {@linkplain AssayBinaryParts parts}. */
  public static AssayBinaryTail ofParts(Path recording) throws IOException {
    String name = recording.toString();
    return new AssayBinaryTail(
        AssayBinaryParts.path(recording, 1), new AssayBinaryPieces(name, Origin.Unit.NONE));
  }

  /** Goes on with the next part of the recording. */
  public void goOnIn(Path part) throws IOException {
    channel.close();
    channel = FileChannel.open(part);
    pieces.nextFile();
    size = 0;
    offset = 0;
  }

  /** What the file says about the run so far. */
  public Map<String, String> metadata() {
    return pieces.metadata();
  }

  /** Whether the recording has ended and all of it was read. */
  public boolean isComplete() {
    return pieces.isComplete();
  }

  /** The number of bytes read so far. */
  public long offset() {
    return offset;
  }

  /** The transactions that are on disk since the last call; null if there are none. */
  public History next() throws IOException, ParseException {
    History block = null;
    while (block == null && !isComplete()) {
      fill();
      int whole = pieces.whole(bytes, 0, size);
      if (whole == 0) {
        return null;
      }
      History read = pieces.read(bytes, 0, whole);
      offset += whole;
      size -= whole;
      System.arraycopy(bytes, whole, bytes, 0, size);
      block = read.transactionCount() > 0 ? read : null;
    }
    return block;
  }

  private void fill() throws IOException {
    long there = channel.size() - offset;
    int wanted = (int) Math.min(there, Math.max(ENOUGH, 2L * size));
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, wanted);
    }
    int n = 0;
    while (n >= 0 && size < wanted) {
      n = channel.read(ByteBuffer.wrap(bytes, size, wanted - size), offset + size);
      size += Math.max(n, 0);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
