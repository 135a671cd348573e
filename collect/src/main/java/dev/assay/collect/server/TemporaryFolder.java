package dev.assay.collect.server;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder that is gone once closed, or when the process ends. */
public final class TemporaryFolder implements AutoCloseable {
  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 50;

  private final Path path;
  private final Thread hook;

  private TemporaryFolder(Path path) {
    this.path = path;
    this.hook = new Thread(() -> delete(path));
  }

  public static TemporaryFolder create(String name) throws IOException {
    TemporaryFolder folder = new TemporaryFolder(Files.createTempDirectory(name));
    try {
      Runtime.getRuntime().addShutdownHook(folder.hook);
    } catch (IllegalStateException e) {
      delete(folder.path);
      throw new ServerException("the process is ending", e);
    }
    return folder;
  }

  public Path path() {
    return path;
  }

  /** Whether this is a path of something in the folder. */
  public boolean holds(String text) {
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

  /** Moves a finished folder into its place, unless another process was faster. */
  public static Path moveInto(Path finished, Path target) throws IOException {
    try {
      return Files.move(finished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Which one it is depends on the file system.
      delete(finished);
      if (!Files.isDirectory(target)) {
        throw e;
      }
      return target;
    }
  }

  /** Deletes what is there, again if a server on its way out adds to it or holds on to it. */
  public static void delete(Path folder) {
    for (int attempt = 0; attempt < ATTEMPTS && Files.exists(folder); attempt++) {
      try {
        Files.walkFileTree(folder, new Deletion());
        Thread.sleep(Files.exists(folder) ? PAUSE_MILLIS : 0);
      } catch (IOException e) {
        // The next attempt may find it otherwise; else it stays, in a temporary folder.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Goes on whatever comes or goes meanwhile. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return delete(file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) {
      return delete(directory);
    }

    private static FileVisitResult delete(Path path) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // Another process still uses it.
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
