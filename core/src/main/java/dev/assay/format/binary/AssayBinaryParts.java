package dev.assay.format.binary;

import dev.assay.format.binary.AssayBinaryWriter.Extent;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * A recording of which only the end is kept: it is written in parts, each a file that can be read
 * by itself, and the oldest are dropped. {@link #join} makes one file of those that are left.
 */
public final class AssayBinaryParts {
  /** Parts that are kept; one more is written while the last but one of them is joined. */
  private static final int MAX_PARTS = 8;

  /** Metadata of a file that lacks the beginning of its recording. */
  private static final String BEGINNING = "note.beginning";

  /** Metadata of a part that others follow. */
  private static final String REST = "note.rest";

  private final Path file;
  private final long keep;
  private final long partSize;
  private final AssayBinaryWriter writer;

  /** The parts before the one that is being written. */
  private final Deque<Part> parts = new ArrayDeque<>();

  private int number = 1;

  /** The transactions in the parts before the one that is being written. */
  private long before;

  private volatile long dropped;

  private record Part(Path path, int number, Extent extent) {}

  /**
   * Begins a recording.
   *
   * @param file where it is in the end
   * @param keep the maximum size of all files together, in bytes
   */
  public AssayBinaryParts(Path file, long keep, Map<String, String> metadata) throws IOException {
    this.file = file;
    this.keep = keep;
    this.partSize = keep / (MAX_PARTS + 1);
    deleteStale();
    this.writer = new AssayBinaryWriter(open(path(file, number)), false, metadata);
  }

  /** A process that was killed leaves parts, which a reader could take for those of this one. */
  private void deleteStale() throws IOException {
    String prefix = path(file, 1).getFileName().toString();
    prefix = prefix.substring(0, prefix.length() - 1);
    try (DirectoryStream<Path> stale =
        Files.newDirectoryStream(file.toAbsolutePath().getParent())) {
      for (Path part : stale) {
        String name = part.getFileName().toString();
        if (name.startsWith(prefix) && name.substring(prefix.length()).matches("\\d+")) {
          Files.delete(part);
        }
      }
    }
  }

  /** The file of a part, numbered from 1, until the parts are joined. */
  public static Path path(Path file, int number) {
    return file.resolveSibling(file.getFileName() + ".part" + number);
  }

  /** Whether the file with these metadata lacks the beginning or the rest of its recording. */
  static boolean isCut(Map<String, String> metadata) {
    return metadata.keySet().stream().anyMatch(AssayBinaryParts::isAboutPart);
  }

  /** Whether metadata of this name are about a part, and not about the recording. */
  public static boolean isAboutPart(String name) {
    return name.equals(BEGINNING) || name.equals(REST);
  }

  private static OutputStream open(Path path) throws IOException {
    return Files.newOutputStream(path);
  }

  public AssayBinaryWriter writer() {
    return writer;
  }

  /**
   * Begins another part if the current one is full, and drops the oldest ones beyond the limit.
   *
   * @param needed the oldest part that is still needed
   * @return false if there are more parts than there should be, because they are needed
   */
  public boolean turn(int needed) throws IOException {
    if (writer.size() >= partSize) {
      goOn();
    }
    while (isCrowded() && parts.peek().number() < needed) {
      Part oldest = parts.remove();
      dropped += oldest.extent().transactions();
      Files.delete(oldest.path());
    }
    return !isCrowded();
  }

  /** Whether there is no room for one more part. Parts may be longer than they should be. */
  private boolean isCrowded() {
    long bytes = writer.size() + partSize;
    for (Part part : parts) {
      bytes += part.extent().end();
    }
    return !parts.isEmpty() && (parts.size() >= MAX_PARTS || bytes > keep);
  }

  private void goOn() throws IOException {
    Map<String, String> rest = Map.of(REST, "the recording goes on in another file");
    Extent extent = writer.goOnIn(open(path(file, number + 1)), rest, this::withoutBeginning);
    parts.add(new Part(path(file, number), number, extent));
    number++;
  }

  /** What a part says that follows one of this extent. */
  private Map<String, String> withoutBeginning(Extent last) {
    before += last.transactions();
    return Map.of(
        BEGINNING,
        "the recording lacks its first %,d transactions, which were not kept (--keep)"
            .formatted(before));
  }

  /** The number of transactions that were dropped. */
  public long dropped() {
    return dropped;
  }

  /** Completes the recording, before it is {@linkplain #join joined}. */
  public void finish() throws IOException {
    writer.close();
    parts.add(new Part(path(file, number), number, writer.last()));
  }

  /** The number of the last part. */
  public int last() {
    return number;
  }

  /** Makes one file of the parts. Nothing may read them any more. */
  public void join() throws IOException {
    Part first = parts.remove();
    long joined = first.extent().transactions();
    long operations = first.extent().operations();
    if (!parts.isEmpty()) {
      try (FileChannel whole = FileChannel.open(first.path(), StandardOpenOption.WRITE)) {
        whole.truncate(first.extent().end());
      }
    }
    long offset = first.extent().end();
    for (Part part : parts) {
      offset = append(part, first.path(), offset);
      joined += part.extent().transactions();
      operations += part.extent().operations();
      Files.delete(part.path());
    }
    if (!parts.isEmpty()) {
      AssayBinaryOut end = new AssayBinaryOut();
      end.skip(AssayBinaryFrame.SIZE);
      end.varint(joined);
      end.varint(operations);
      int length = end.size() - AssayBinaryFrame.SIZE;
      AssayBinaryFrame.fill(end.array(), AssayBinaryFrame.END, length, offset);
      try (OutputStream out = Files.newOutputStream(first.path(), StandardOpenOption.APPEND)) {
        out.write(end.array(), 0, end.size());
      }
    }
    Files.move(first.path(), file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Adds the blocks of a part, whose frames hold where they are. */
  private static long append(Part part, Path to, long from) throws IOException {
    long offset = from;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(part.path()));
        OutputStream out =
            new BufferedOutputStream(
                Files.newOutputStream(to, StandardOpenOption.APPEND), 1 << 16)) {
      in.skipNBytes(part.extent().body());
      for (long at = part.extent().body(); at < part.extent().end(); ) {
        byte[] head = in.readNBytes(AssayBinaryFrame.SIZE);
        AssayBinaryFrame frame = AssayBinaryFrame.read(head, at);
        if (frame == null) {
          throw new IOException(part.path() + " was changed by another program");
        }
        AssayBinaryFrame.move(head, offset);
        out.write(head);
        out.write(in.readNBytes(frame.length()));
        at += head.length + frame.length();
        offset += head.length + frame.length();
      }
    }
    return offset;
  }
}
