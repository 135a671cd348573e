package dev.assay.cli.run;

import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.OutputFile;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.runs.RecordService.Place;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunState;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import dev.assay.collect.runs.SavedCertificate;
import dev.assay.format.binary.AssayBinary;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where recordings go. */
final class RunFiles {
  private static final String ENDING = ".assay";

  private RunFiles() {}

  /** Checks a name before anything is started. */
  static void check(String out, boolean force, int runs) {
    if (out == null) {
      if (force) {
        throw new UsageException("--force requires --out; without it every run gets a new file");
      }
      return;
    }
    if (!out.endsWith(ENDING)) {
      throw new UsageException(
          "recordings are in the format '"
              + new AssayBinary().id()
              + "', so the name must end in .assay; assay convert writes other formats");
    }
    if (runs > 1) {
      throw new UsageException(
          "--out names one file, but " + runs + " histories would be recorded");
    }
    Path file = Inputs.path(out);
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists(file);
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "cannot write "
              + file
              + ": there is no folder "
              + folder
              + "; create it, or choose another");
    }
  }

  private static UsageException exists(Path file) {
    return new UsageException(file + " exists; --force replaces it");
  }

  /** The file asked for, empty. */
  static Place named(String out, boolean force) throws IOException {
    Path file = Inputs.path(out);
    try {
      if (force) {
        Files.newOutputStream(file).close();
        // What was said of the history that was there says nothing of the next.
        Files.deleteIfExists(SavedCertificate.placeBeside(file));
      } else {
        // Another process may have made it since it was looked for.
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
            .close();
      }
      return new Place(file, null);
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (AccessDeniedException e) {
      throw new UsageException("cannot write " + file + ": permission denied");
    } catch (NoSuchFileException e) {
      throw new UsageException("cannot write " + file + ": a file cannot be created there");
    }
  }

  /** A new folder of the run store, named after the run. */
  static Place next(String name, RunConfig config) {
    try {
      RunFolder folder = RunStore.create(RunStore.STANDARD, name, config);
      folder.update(RunState::ofThisProcess);
      folder.become(RunStatus.RUNNING, null);
      return new Place(folder.file(RunFolder.HISTORY), folder);
    } catch (IOException e) {
      throw new UsageException(
          "cannot create a folder in "
              + RunStore.STANDARD
              + " here: "
              + OutputFile.reason(e)
              + "; name a file with --out");
    }
  }
}
