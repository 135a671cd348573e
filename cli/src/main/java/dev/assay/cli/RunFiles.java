package dev.assay.cli;

import dev.assay.format.AssayBinary;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;

/** Where recordings go. */
final class RunFiles {
  private static final Path FOLDER = Path.of("assay-runs");
  private static final String ENDING = ".assay";

  private RunFiles() {}

  /** Complains about a name that cannot be right before anything is started. */
  static void check(String out, int runs) {
    if (out == null) {
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
  }

  /** The file for the next recording: the one asked for, or a new one named after the run. */
  static Path next(String out, String name) throws IOException {
    Path wanted = out == null ? FOLDER : Inputs.path(out);
    try {
      if (out != null) {
        Files.newOutputStream(wanted).close();
        return wanted;
      }
      Files.createDirectories(FOLDER);
      String stem = name.replaceAll("[^A-Za-z0-9.-]", Matcher.quoteReplacement("-"));
      for (int number = 1; ; number++) {
        Path file = FOLDER.resolve(stem + "-" + number + ENDING);
        try {
          return Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
          // Somebody's earlier run; it stays.
        }
      }
    } catch (AccessDeniedException e) {
      throw new UsageException("cannot write " + wanted + ": permission denied; see --out");
    } catch (NoSuchFileException e) {
      throw new UsageException("cannot write " + wanted + ": its folder does not exist");
    }
  }
}
