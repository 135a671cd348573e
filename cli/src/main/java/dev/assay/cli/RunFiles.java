package dev.assay.cli;

import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import dev.assay.format.AssayBinary;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Where recordings go. */
final class RunFiles {
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

  /**
   * Where a recording goes.
   *
   * @param history the file
   * @param folder the folder of the run store that it is in, or null for a file that was named
   */
  record Place(Path history, RunFolder folder) {}

  /** The place for the next recording: the one asked for, or a new folder named after the run. */
  static Place next(String out, String name, Map<String, Object> config) throws IOException {
    Path wanted = out == null ? RunStore.STANDARD : Inputs.path(out);
    try {
      if (out != null) {
        Files.newOutputStream(wanted).close();
        return new Place(wanted, null);
      }
      RunFolder folder = RunStore.create(wanted, name, config);
      folder.update(state -> state.put("process", ProcessHandle.current().pid()));
      folder.become(RunStatus.RUNNING, null);
      return new Place(folder.file(RunFolder.HISTORY), folder);
    } catch (AccessDeniedException e) {
      throw new UsageException("cannot write " + wanted + ": permission denied; see --out");
    } catch (NoSuchFileException e) {
      throw new UsageException("cannot write " + wanted + ": its folder does not exist");
    }
  }
}
