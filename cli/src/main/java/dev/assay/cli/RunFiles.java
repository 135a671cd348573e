package dev.assay.cli;

import dev.assay.format.AssayBinary;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;

/** Where recordings go. */
final class RunFiles {
  private static final Path FOLDER = Path.of("assay-runs");
  private static final String ENDING = ".assay";

  private RunFiles() {}

  /** Complains about a name that cannot be right before anything is started. */
  static void check(String out, boolean force, int runs) {
    if (out == null) {
      if (force) {
        throw new UsageException("--force goes with --out; without it every run gets a new file");
      }
      return;
    }
    if (!out.endsWith(ENDING)) {
      throw new UsageException(
          "recordings are in the format '"
              + new AssayBinary().id()
              + "', so let the name end in .assay; assay convert makes others of them");
    }
    if (runs > 1) {
      throw new UsageException("--out names one file, and this makes " + runs + " histories");
    }
    Path file = Inputs.path(out);
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists(file);
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "cannot write " + file + ": there is no folder " + folder + "; make it, or name another");
    }
  }

  private static UsageException exists(Path file) {
    return new UsageException(file + " exists; --force replaces it");
  }

  /** The file asked for, empty. */
  static Path named(String out, boolean force) throws IOException {
    Path file = Inputs.path(out);
    try {
      if (force) {
        Files.newOutputStream(file).close();
      } else {
        // Somebody may have made it since it was looked for.
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
            .close();
      }
      return file;
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (AccessDeniedException e) {
      throw new UsageException("cannot write " + file + ": permission denied");
    }
  }

  /** A new file named after the run. */
  static Path next(String name) throws IOException {
    try {
      Files.createDirectories(FOLDER);
    } catch (IOException e) {
      throw new UsageException(
          "cannot make the folder " + FOLDER + " here; name a file with --out: " + e);
    }
    String stem = name.replaceAll("[^A-Za-z0-9.-]", Matcher.quoteReplacement("-"));
    for (int number = 1; ; number++) {
      Path file = FOLDER.resolve(stem + "-" + number + ENDING);
      try {
        return Files.createFile(file);
      } catch (FileAlreadyExistsException e) {
        // Somebody's earlier run; it stays.
      } catch (AccessDeniedException e) {
        throw new UsageException(
            "cannot write " + file + ": permission denied; name a file with --out");
      }
    }
  }
}
