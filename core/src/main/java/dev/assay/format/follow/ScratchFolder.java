package dev.assay.format.follow;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for files that are gone once it is closed, or when the process ends. */
public final class ScratchFolder implements Closeable {
  private final Path path;
  private final Thread hook;

  /** Creates a folder among the temporary files of the system. */
  public ScratchFolder() throws IOException {
    this(null);
  }

  /** Creates a folder in another one, or among the temporary files of the system if it is null. */
  public ScratchFolder(Path parent) throws IOException {
    path =
        parent == null
            ? Files.createTempDirectory("assay-")
            : Files.createTempDirectory(Files.createDirectories(parent), "assay-");
    hook = new Thread(() -> delete(path));
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      delete(path);
      throw new IOException("the process is ending", e);
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending; deleting twice does no harm.
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // It stays, among the temporary files.
    }
  }
}
