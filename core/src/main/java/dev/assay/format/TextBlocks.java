package dev.assay.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/**
 * Parses a text file in blocks of whole lines on all cores. One thread at a time reads the next
 * block while others parse theirs, so this works for any stream, packed or piped, and never holds
 * more text than a block a thread. Results come back in file order.
 */
public final class TextBlocks<T> {
  public static final int BLOCK_BYTES = 1 << 20;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  /** Blocks may take this part of the heap. */
  private static final int HEAP_SHARE = 32;

  /**
   * Parses whole lines, the first of the file or others. Must not throw for bad input but say so in
   * its result.
   */
  public interface Parser<T> {
    T parse(byte[] bytes, int start, int end, boolean isFirst);
  }

  /** Takes results in file order, one at a time, while other blocks are being parsed. */
  public interface Sink<T> {
    void accept(T result) throws ParseException;
  }

  private final InputStream in;
  private final int blockBytes;
  private final Parser<T> parser;
  private final Sink<T> sink;

  /** Results that come before their turn, by the number of their block. */
  private final Map<Integer, T> waiting = new HashMap<>();

  private int delivered;
  private boolean delivering;
  private ParseException failure;

  /** What follows the last line end of the block read last. */
  private byte[] carry = new byte[0];

  private int blocks;
  private boolean ended;

  private TextBlocks(InputStream in, int blockBytes, Parser<T> parser, Sink<T> sink) {
    this.sink = sink;
    this.in = in;
    this.blockBytes = blockBytes;
    this.parser = parser;
  }

  /** The results of all blocks. */
  public static <T> List<T> parse(InputStream in, Parser<T> parser)
      throws IOException, ParseException {
    List<T> results = new ArrayList<>();
    parse(in, BLOCK_BYTES, parser, results::add);
    return results;
  }

  /**
   * Hands over the results of all blocks; ends at the first that is refused.
   *
   * @param blockBytes how much a block holds, unless a line is longer
   */
  public static <T> void parse(InputStream in, int blockBytes, Parser<T> parser, Sink<T> sink)
      throws IOException, ParseException {
    TextBlocks<T> text = new TextBlocks<>(in, blockBytes, parser, sink);
    int threads = atOnce(ForkJoinPool.getCommonPoolParallelism() + 1, heap(), blockBytes);
    try {
      IntStream.range(0, threads).parallel().forEach(i -> text.work());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (text.failure != null) {
      throw text.failure;
    }
  }

  /**
   * Maximum number of blocks in progress at once. With many cores and little memory those would
   * take the room that the history needs.
   *
   * @param most how many there are threads for
   * @param blockBytes the size of a block; what is made of it takes a multiple of that
   */
  public static int atOnce(int most, long heap, int blockBytes) {
    return (int) Math.max(1, Math.min(most, heap / HEAP_SHARE / blockBytes));
  }

  public static long heap() {
    return Runtime.getRuntime().maxMemory();
  }

  private void work() {
    Block block = new Block(blockBytes);
    while (read(block)) {
      T result = parser.parse(block.bytes, 0, block.length, block.index == 0);
      synchronized (waiting) {
        waiting.put(block.index, result);
      }
      deliver();
    }
  }

  /** Hands over the next results, unless another thread is doing so. */
  private void deliver() {
    for (T next = next(false); next != null; next = next(true)) {
      try {
        sink.accept(next);
      } catch (ParseException e) {
        failure = e;
        stop();
        return;
      }
    }
  }

  /**
   * The next result to hand over; null where it is not there yet, or another thread hands it over.
   *
   * @param mine whether the caller handed over the last one
   */
  private T next(boolean mine) {
    synchronized (waiting) {
      if (delivering && !mine) {
        return null;
      }
      T next = waiting.remove(delivered);
      delivering = next != null;
      delivered += next == null ? 0 : 1;
      return next;
    }
  }

  private synchronized void stop() {
    ended = true;
  }

  /** Fills the block with the next whole lines; false when there are none left. */
  private synchronized boolean read(Block block) {
    if (ended) {
      return false;
    }
    try {
      block.reset(carry);
      carry = new byte[0];
      int cut = -1;
      while (cut < 0 && !ended) {
        int scanned = block.length;
        ended = !block.fill(in);
        cut = ended ? block.length : block.lastLineEnd(scanned);
      }
      carry = Arrays.copyOfRange(block.bytes, cut, block.length);
      block.length = cut;
      block.index = blocks++;
      return true;
    } catch (IOException e) {
      ended = true;
      throw new UncheckedIOException(e);
    }
  }

  private static final class Block {
    private byte[] bytes;
    private int length;
    private int index;

    Block(int size) {
      bytes = new byte[size];
    }

    void reset(byte[] beginning) {
      if (beginning.length >= bytes.length) {
        bytes = new byte[(int) Math.min(beginning.length + (long) bytes.length, MAX_BYTES)];
      }
      System.arraycopy(beginning, 0, bytes, 0, beginning.length);
      length = beginning.length;
    }

    /** Reads until the array is full; false when the stream has ended. */
    boolean fill(InputStream in) throws IOException {
      if (length == bytes.length) {
        if (length == MAX_BYTES) {
          throw new IOException("a line is longer than 2 GB");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(length * 2L, MAX_BYTES));
      }
      int wanted = bytes.length - length;
      int got = in.readNBytes(bytes, length, wanted);
      length += got;
      return got == wanted;
    }

    /** One past the last line end at or after {@code from}; −1 when there is none. */
    int lastLineEnd(int from) {
      for (int i = length - 1; i >= from; i--) {
        if (bytes[i] == '\n') {
          return i + 1;
        }
      }
      return -1;
    }
  }
}
