package dev.assay.window;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A folder with the state of a monitor, from which another process can go on.
 *
 * <p>The file {@code state} is replaced as a whole. It names the other files that it needs, with
 * their lengths: these only grow, and are deleted once no state needs them. So a crash at any
 * moment leaves the last state that was saved.
 */
final class StateFolder implements Closeable {
  private static final byte[] MAGIC = "assay state\n".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 3;
  private static final String STATE = "state";
  private static final String NEXT = "state.tmp";
  private static final String LOCK = "lock";

  /** Files that monitors write; nothing else is ever deleted. */
  private static final Pattern OWN = Pattern.compile("(windows|keys|index)-\\d+|state\\.tmp");

  private final Path path;
  private final FileChannel channel;

  /** The files that the saved state needs; null as long as that is not known. */
  private Set<String> needed;

  /** Those of them that are not needed by the next one. */
  private final Set<String> doomed = new HashSet<>();

  private StateFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Opens a folder, which is created if it is not there. */
  static StateFolder open(Path path) throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new IOException("it is a file, not a folder");
    }
    Files.createDirectories(path);
    if (!Files.exists(path.resolve(STATE))) {
      for (String name : names(path)) {
        if (!OWN.matcher(name).matches() && !name.equals(LOCK)) {
          throw new IOException("it holds no state, but other files such as " + name);
        }
      }
    }
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // It is this process that uses it.
    }
    if (lock == null) {
      channel.close();
      throw new IOException("another monitor uses it");
    }
    return new StateFolder(path, channel);
  }

  private static List<String> names(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  Path path() {
    return path;
  }

  /** A file is not used any more; it is deleted when no saved state needs it. */
  void delete(String name) throws IOException {
    if (needed.contains(name)) {
      doomed.add(name);
    } else {
      Files.deleteIfExists(path.resolve(name));
    }
  }

  /** The first thing in a state: what its owner needs to go on; null if there is no state. */
  static byte[] note(Path path) {
    try {
      StateInput in = content(path.resolve(STATE));
      return in == null ? null : in.bytes();
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /** The error of a state that cannot be used. */
  static UncheckedIOException unusable(Path path, IOException e) {
    return new UncheckedIOException(
        new IOException("cannot use the state in " + path + ": " + e.getMessage(), e));
  }

  /** What was saved last; null if nothing was. */
  StateInput read() throws IOException {
    StateInput in = content(path.resolve(STATE));
    if (in == null) {
      keep(List.of());
    }
    return in;
  }

  private static StateInput content(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    byte[] bytes = Files.readAllBytes(file);
    try (DataInputStream head = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte[] magic = head.readNBytes(MAGIC.length);
      if (!Arrays.equals(magic, MAGIC)) {
        throw new IOException("its file " + STATE + " is not the state of a monitor");
      }
      int version = head.readInt();
      if (version != VERSION) {
        throw new IOException(
            "it has a state of version %d, and this version of Assay reads version %d"
                .formatted(version, VERSION));
      }
      long checksum = head.readLong();
      int from = MAGIC.length + Integer.BYTES + Long.BYTES;
      CRC32 crc = new CRC32();
      crc.update(bytes, from, bytes.length - from);
      if (crc.getValue() != checksum) {
        throw new IOException("its file " + STATE + " is damaged");
      }
      return new StateInput(new ByteArrayInputStream(bytes, from, bytes.length - from));
    } catch (EOFException e) {
      throw new IOException("its file " + STATE + " is damaged", e);
    }
  }

  /** The files that the state which was read needs; others of monitors are deleted. */
  void keep(List<String> names) throws IOException {
    needed = new HashSet<>(names);
    deleteOthers();
  }

  private void deleteOthers() throws IOException {
    for (String name : names(path)) {
      if (OWN.matcher(name).matches() && !needed.contains(name)) {
        Files.deleteIfExists(path.resolve(name));
      }
    }
  }

  /** Replaces the state; its files are on disk already. */
  void write(ByteArrayOutputStream state, List<String> names) throws IOException {
    byte[] bytes = state.toByteArray();
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, bytes.length);
    Path next = path.resolve(NEXT);
    try (FileOutputStream file = new FileOutputStream(next.toFile());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(file))) {
      out.write(MAGIC);
      out.writeInt(VERSION);
      out.writeLong(crc.getValue());
      out.write(bytes);
      out.flush();
      file.getFD().sync();
    }
    Files.move(
        next,
        path.resolve(STATE),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
    forceFolder();
    needed = new HashSet<>(names);
    for (String name : doomed) {
      Files.deleteIfExists(path.resolve(name));
    }
    doomed.clear();
  }

  /** Renaming is durable once the folder is; not every system can be told to do that. */
  private void forceFolder() {
    try (FileChannel folder = FileChannel.open(path)) {
      folder.force(true);
    } catch (IOException e) {
      // Then a crash of the machine may leave the state before.
    }
  }

  /** Leaves what was saved, and removes what was not. */
  @Override
  public void close() {
    try {
      if (needed != null) {
        deleteOthers();
      }
      channel.close();
    } catch (IOException e) {
      // The next monitor removes them.
    }
  }
}
