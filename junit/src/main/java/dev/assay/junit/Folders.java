package dev.assay.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where results go. */
final class Folders {
  private static final List<String> OF_BUILDS = List.of("target", "build");

  private Folders() {}

  /** A new folder in this one; null for the folder of builds, or a temporary one. */
  static Path next(Path folder) throws IOException {
    if (folder != null) {
      return Files.createTempDirectory(Files.createDirectories(folder), "run");
    }
    for (String name : OF_BUILDS) {
      if (Files.isDirectory(Path.of(name))) {
        return Files.createTempDirectory(Files.createDirectories(Path.of(name, "assay")), "run");
      }
    }
    return Files.createTempDirectory("assay");
  }
}
