package dev.assay.collect.db;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is gone once closed, or when the process ends. */
final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Thread hook;

  private TemporaryFolder(Path path) {
    this.path = path;
    this.hook = new Thread(() -> delete(path));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static TemporaryFolder create(String name) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(name));
  }

  Path path() {
    return path;
  }

  /** Whether this is a path of something in the folder. */
  boolean holds(String text) {
    return Path.of(text).startsWith(path);
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

  /** Moves a finished folder into its place, unless somebody else was faster. */
  static Path moveInto(Path finished, Path target) throws IOException {
    try {
      return Files.move(finished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      delete(finished);
      return target;
    }
  }

  static void delete(Path folder) {
    List<Path> files;
    try (Stream<Path> found = Files.walk(folder)) {
      files = found.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException e) {
      return;
    }
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // A server on its way out may still hold it; it is in a temporary folder.
      }
    }
  }
}
