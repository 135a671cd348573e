package dev.assay.web.http;

import dev.assay.collect.runs.RunFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Runs as one file. */
final class Zip {
  private Zip() {}

  static void write(List<RunFolder> runs, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    for (RunFolder run : runs) {
      try (Stream<Path> files = Files.list(run.path())) {
        for (Path file : files.sorted().toList()) {
          String name = file.getFileName().toString();
          boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
          if (plain && !name.startsWith(".")) {
            zip.putNextEntry(new ZipEntry(run.id() + "/" + name));
            Files.copy(file, zip);
            zip.closeEntry();
          }
        }
      }
    }
    zip.finish();
  }
}
