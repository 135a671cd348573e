package dev.assay.format.follow;

import dev.assay.format.Input;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A file that others write, which need not be there yet. Where it is renamed and a new one takes
 * its place, or where it is cut to begin again, the new content continues the old. A compressed
 * file is taken to be complete.
 *
 * <p>It may be a folder that will hold the history: the file in it of one of the usual names. In a
 * store of Jepsen that is the history of the latest run. A run that is started later has another
 * history, which does not continue this one.
 */
public final class GrowingFile implements ByteSource {
  /** The files of a folder that may hold its history, best first. */
  private static final List<String> NAMES =
      List.of(
          "history.assay",
          "history.jsonl",
          "history.edn",
          "history.edn.gz",
          "history.json",
          "history.txt",
          "history.txt.gz");

  /** What a file has to be named to be found in a folder. */
  public static String names() {
    int last = NAMES.size() - 1;
    return String.join(", ", NAMES.subList(0, last)) + " or " + NAMES.get(last);
  }

  /** Bytes by which a file is told from another one that has its place. */
  private static final int HEAD = 1 << 12;

  /** The link in a store of Jepsen to the run that was started last. */
  private static final String LATEST = "latest";

  /** The file, or a folder; once its history is found, the folder that has it. */
  private Path path;

  private Path file;
  private FileChannel channel;

  /** What identifies the open file, where the file system says so; else null. */
  private Object key;

  private long position;

  /** The unpacked bytes of a compressed file; else null. */
  private InputStream unpacked;

  /** The files that were read before the one that is open. */
  private final List<Part> before = new ArrayList<>();

  /** Files, or the beginning of one, to be read again before anything else. */
  private final Deque<Part> again = new ArrayDeque<>();

  /**
   * A file that was read, or the beginning of one.
   *
   * @param key what identifies the file, as text; empty where the file system does not say so
   * @param head a checksum of its first bytes, unless it is compressed
   * @param length the number of bytes
   */
  public record Part(String key, long head, long length) {}

  public GrowingFile(Path path) {
    this.path = path;
  }

  /** The file that is read, or to be read. */
  public Path file() {
    return file == null ? path : file;
  }

  /**
   * The files that were read so far, which may have other names by now.
   *
   * @param unused the number of bytes at the end that do not count
   */
  public List<Part> parts(int unused) throws IOException {
    List<Part> parts = new ArrayList<>(before);
    if (channel != null || unpacked != null) {
      parts.add(part(position - unused));
    }
    return parts;
  }

  private Part part(long length) throws IOException {
    CRC32 checksum = new CRC32();
    ByteBuffer bytes = ByteBuffer.allocate(unpacked != null ? 0 : (int) Math.min(length, HEAD));
    int n = 0;
    while (bytes.hasRemaining() && n >= 0) {
      n = channel.read(bytes, bytes.position());
    }
    checksum.update(bytes.array(), 0, bytes.position());
    return new Part(key == null ? "" : key.toString(), checksum.getValue(), length);
  }

  /** Begins by reading again what was read before a restart, wherever that is now. */
  public void readAgain(List<Part> parts) throws IOException {
    again.addAll(parts);
    for (Part part : parts) {
      find(part);
    }
  }

  /** The file that begins with a part. */
  private Path find(Part part) throws IOException {
    for (Path folder :
        Files.isDirectory(path) ? folders() : List.of(path.toAbsolutePath().getParent())) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path candidate : files.sorted().toList()) {
          if (Files.isRegularFile(candidate) && isSame(candidate, part)) {
            return candidate;
          }
        }
      }
    }
    throw new IOException(
        "it was changed, or replaced and removed, since the state was saved: what was read before"
            + " is not there any more");
  }

  private static boolean isSame(Path candidate, Part part) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(candidate, BasicFileAttributes.class);
    Object key = attributes.fileKey();
    if (!part.key.equals(key == null ? "" : key.toString())) {
      return false;
    }
    boolean compressed = isCompressed(candidate);
    try (InputStream in = Files.newInputStream(candidate)) {
      CRC32 checksum = new CRC32();
      checksum.update(in.readNBytes(compressed ? 0 : (int) Math.min(part.length, HEAD)));
      return checksum.getValue() == part.head && (compressed || attributes.size() >= part.length);
    }
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException, ParseException {
    if (channel == null && unpacked == null && !open()) {
      return 0;
    }
    if (!again.isEmpty()) {
      return readAgain(bytes, from, length);
    }
    if (unpacked != null) {
      return unpacked(bytes, from, length);
    }
    int n = available(bytes, from, length);
    if (n > 0 || !isReplaced()) {
      return n;
    }
    // The last bytes of the old file may have come after it was looked at.
    n = available(bytes, from, length);
    if (n == 0) {
      goOn();
      return NEXT_FILE;
    }
    return n;
  }

  private int readAgain(byte[] bytes, int from, int length) throws IOException, ParseException {
    long left = again.peek().length - position;
    if (left > 0) {
      int most = (int) Math.min(left, length);
      return unpacked != null ? unpacked(bytes, from, most) : available(bytes, from, most);
    }
    again.remove();
    if (again.isEmpty()) {
      return 0;
    }
    goOn();
    return NEXT_FILE;
  }

  /** Another file follows. */
  private void goOn() throws IOException {
    before.add(part(position));
    close();
  }

  private int available(byte[] bytes, int from, int length) throws IOException {
    int n = Math.max(0, channel.read(ByteBuffer.wrap(bytes, from, length)));
    position += n;
    return n;
  }

  private int unpacked(byte[] bytes, int from, int length) throws IOException, ParseException {
    try {
      int n = unpacked.read(bytes, from, length);
      position += Math.max(0, n);
      return n < 0 ? END : n;
    } catch (IOException e) {
      throw Input.of(file).explained(e);
    }
  }

  private boolean open() throws IOException, ParseException {
    file = Files.isDirectory(path) ? named() : path;
    if (file == null) {
      return false;
    }
    try {
      Path next = again.isEmpty() ? file : find(again.peek());
      BasicFileAttributes attributes = Files.readAttributes(next, BasicFileAttributes.class);
      if (attributes.size() == 0) {
        return false;
      }
      key = attributes.fileKey();
      if (isCompressed(next)) {
        unpacked = Input.of(next).open();
      } else {
        channel = FileChannel.open(next);
      }
      position = 0;
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw Input.of(file).explained(e);
    }
  }

  /** The folders that may have the history. */
  private List<Path> folders() {
    Path latest = path.resolve(LATEST);
    return Files.isDirectory(latest) ? List.of(path, latest) : List.of(path);
  }

  private Path named() throws IOException {
    for (Path folder : folders()) {
      for (String name : NAMES) {
        if (Files.isRegularFile(folder.resolve(name))) {
          path = folder.toRealPath();
          return path.resolve(name);
        }
      }
    }
    return null;
  }

  private static boolean isCompressed(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] magic = in.readNBytes(4);
      int first = magic.length < 2 ? 0 : (magic[0] & 0xff) << 8 | magic[1] & 0xff;
      return first == 0x1f8b || (first == 0x28b5 && magic.length == 4 && magic[2] == 0x2f);
    }
  }

  /** Whether there is a new file, with something in it, or the old one begins again. */
  private boolean isReplaced() throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      boolean other = key != null && !key.equals(attributes.fileKey());
      return (other && attributes.size() > 0) || attributes.size() < position;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
    if (unpacked != null) {
      unpacked.close();
    }
  }
}
