package dev.assay.cli.process;

import com.github.luben.zstd.ZstdOutputStream;
import dev.assay.collect.config.UsageException;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.zip.GZIPOutputStream;

/**
 * A file that appears only when it is complete: written beside its final place, then moved there.
 * Compressed by its name's ending. {@code -} is standard output.
 */
public final class OutputFile {
  private static final int BUFFER = 1 << 16;

  /** Writes the content. */
  public interface Content {
    public void write(OutputStream out) throws IOException;
  }

  private OutputFile() {}

  public static void write(String name, Terminal terminal, Content content) throws IOException {
    if (name.equals("-")) {
      OutputStream out = new BufferedOutputStream(new KeptOpen(terminal.out()), BUFFER);
      content.write(out);
      out.flush();
      return;
    }
    try {
      writeFile(name, content);
    } catch (IOException e) {
      throw new UsageException("cannot write " + name + ": " + reason(e));
    }
  }

  /** What went wrong, without the name of a file, which may be a temporary one. */
  public static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  private static void writeFile(String name, Content content) throws IOException {
    Path target = target(name);
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      // A device or a pipe is written to, never replaced.
      try (OutputStream out =
          packed(name, Files.newOutputStream(target, StandardOpenOption.WRITE))) {
        content.write(out);
      }
      return;
    }
    Path temporary;
    try {
      temporary = Files.createTempFile(target.getParent(), "." + target.getFileName(), ".tmp");
    } catch (NoSuchFileException e) {
      throw new UsageException("cannot write " + name + ": its folder does not exist");
    } catch (AccessDeniedException e) {
      throw new UsageException("cannot write " + name + ": permission denied");
    }
    Thread cleanup = new Thread(() -> deleteQuietly(temporary));
    Runtime.getRuntime().addShutdownHook(cleanup);
    try {
      // Temporary files are private; created again, the process's umask decides.
      Files.delete(temporary);
      Files.createFile(temporary);
      keepPermissions(target, temporary);
      try (OutputStream out = packed(name, Files.newOutputStream(temporary))) {
        content.write(out);
      }
      move(temporary, target);
    } finally {
      deleteQuietly(temporary);
      removeHook(cleanup);
    }
  }

  /** Refuses a file that cannot be written, before its content is made. */
  public static void requireWritable(String name) throws IOException {
    if (!name.equals("-") && !Files.exists(target(name).getParent())) {
      throw new UsageException("cannot write " + name + ": its folder does not exist");
    }
  }

  private static Path target(String name) throws IOException {
    Path target = followed(Inputs.path(name).toAbsolutePath());
    if (Files.isDirectory(target)) {
      throw new UsageException("cannot write " + name + ": it is a folder");
    }
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw new UsageException("cannot write " + name + ": permission denied");
    }
    return target;
  }

  /** The file that links lead to. */
  private static Path followed(Path path) throws IOException {
    return Files.isSymbolicLink(path) && Files.exists(path) ? path.toRealPath() : path;
  }

  private static void keepPermissions(Path existing, Path replacement) throws IOException {
    boolean posix =
        Files.getFileStore(replacement).supportsFileAttributeView(PosixFileAttributeView.class);
    if (posix && Files.exists(existing)) {
      Files.setPosixFilePermissions(replacement, Files.getPosixFilePermissions(existing));
    }
  }

  private static OutputStream packed(String name, OutputStream raw) throws IOException {
    if (name.endsWith(".gz")) {
      return new BufferedOutputStream(new GZIPOutputStream(raw, BUFFER), BUFFER);
    }
    if (name.endsWith(".zst")) {
      ZstdOutputStream packed = new ZstdOutputStream(raw);
      packed.setChecksum(true);
      return new BufferedOutputStream(packed, BUFFER);
    }
    return new BufferedOutputStream(raw, BUFFER);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void deleteQuietly(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // Nothing is lost: the file is hidden and incomplete.
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending and the hook runs anyway.
    }
  }

  private static final class KeptOpen extends FilterOutputStream {
    KeptOpen(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
