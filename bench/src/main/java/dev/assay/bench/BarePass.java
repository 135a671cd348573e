package dev.assay.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The limit to compare with: reads a file's bytes once, on all cores, and counts the line ends. Run
 * in its own process, so that it pays for JVM start too.
 */
final class BarePass {
  private static final int BLOCK = 1 << 22;

  private BarePass() {}

  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
      FileChannel channel = opened.getChannel();
      int blocks = Math.toIntExact((channel.size() + BLOCK - 1) / BLOCK);
      AtomicLong lines = new AtomicLong();
      IntStream.range(0, blocks).parallel().forEach(i -> lines.addAndGet(count(channel, i)));
      System.out.println(lines.get());
    }
  }

  private static long count(FileChannel channel, int block) {
    try {
      ByteBuffer buffer = ByteBuffer.allocate(BLOCK);
      long position = (long) block * BLOCK;
      while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {
        // Until the block is full or the file ends.
      }
      byte[] bytes = buffer.array();
      int end = buffer.position();
      long lines = 0;
      for (int i = 0; i < end; i++) {
        lines += bytes[i] == '\n' ? 1 : 0;
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
