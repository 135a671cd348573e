package dev.assay.collect.db.vendor;

import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs that come as plain files in a jar. */
final class Archives {
  private Archives() {}

  /** Copies files of a jar into a folder that appears only when it is complete. */
  static Path unpack(ClassLoader loader, String root, List<String> files, Path target)
      throws IOException {
    Path parts =
        Files.createTempDirectory(Files.createDirectories(target.getParent()), "unpacking");
    for (String file : files) {
      Path copy = parts.resolve(file);
      Files.createDirectories(copy.getParent());
      try (InputStream in = loader.getResourceAsStream(root + file)) {
        if (in == null) {
          throw new ServerException("the jar of the server has no " + root + file);
        }
        Files.copy(in, copy);
      }
      if (file.startsWith("bin/") && !copy.toFile().setExecutable(true, false)) {
        throw new ServerException("cannot make " + copy + " executable");
      }
    }
    return TemporaryFolder.moveInto(parts, target);
  }
}
