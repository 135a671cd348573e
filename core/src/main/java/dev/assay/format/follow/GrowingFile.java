package dev.assay.format.follow;

import dev.assay.format.Input;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * A file that others write, which need not be there yet. Where it is renamed and a new one takes
 * its place, or where it is cut to begin again, the new content continues the old. A compressed
 * file is taken to be complete.
 *
 * <p>It may be a folder that will hold the history: the file in it of one of the usual names.
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

  private final Path path;
  private Path file;
  private SeekableByteChannel channel;

  /** What identifies the open file, where the file system says so; else null. */
  private Object key;

  private long position;

  /** The unpacked bytes of a compressed file; else null. */
  private InputStream unpacked;

  public GrowingFile(Path path) {
    this.path = path;
  }

  /** The file that is read, or to be read. */
  public Path file() {
    return file == null ? path : file;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException, ParseException {
    if (channel == null && unpacked == null && !open()) {
      return 0;
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
      close();
      return NEXT_FILE;
    }
    return n;
  }

  private int available(byte[] bytes, int from, int length) throws IOException {
    int n = Math.max(0, channel.read(ByteBuffer.wrap(bytes, from, length)));
    position += n;
    return n;
  }

  private int unpacked(byte[] bytes, int from, int length) throws IOException, ParseException {
    try {
      int n = unpacked.read(bytes, from, length);
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
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (attributes.size() == 0) {
        return false;
      }
      key = attributes.fileKey();
      if (isCompressed(file)) {
        unpacked = Input.of(file).open();
      } else {
        channel = Files.newByteChannel(file);
      }
      position = 0;
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw Input.of(file).explained(e);
    }
  }

  private Path named() {
    for (String name : NAMES) {
      Path candidate = path.resolve(name);
      if (Files.isRegularFile(candidate)) {
        return candidate;
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
