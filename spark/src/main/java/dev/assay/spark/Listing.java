package dev.assay.spark;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.spark.input.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The histories that paths mean: files, folders and patterns on Hadoop's file systems. */
final class Listing {
  private final Configuration hadoop;
  private final List<Source> found = new ArrayList<>();
  private final List<ParseException> unreadable = new ArrayList<>();

  Listing(Configuration hadoop) {
    this.hadoop = hadoop;
  }

  List<Source> found() {
    return found;
  }

  List<ParseException> unreadable() {
    return unreadable;
  }

  void add(String argument) {
    try {
      Path path = new Path(argument);
      FileSystem files = path.getFileSystem(hadoop);
      // A file of that very name comes first: names may have characters that patterns use.
      FileStatus[] matches =
          files.exists(path)
              ? new FileStatus[] {files.getFileStatus(path)}
              : files.globStatus(path);
      int before = found.size();
      for (FileStatus match : matches == null ? new FileStatus[0] : matches) {
        boolean isPattern = matches.length > 1 || !match.getPath().getName().equals(path.getName());
        add(files, match, isPattern ? shown(match) : argument, true);
      }
      if (found.size() == before) {
        boolean missing = matches == null || matches.length == 0;
        unreadable.add(
            ParseException.ofFile(
                argument,
                missing ? "does not exist" : "is a folder without files",
                "a history, a folder with some, or a pattern",
                null));
      }
    } catch (IOException | IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      unreadable.add(ParseException.ofFile(argument, message, "a readable file", null));
    }
  }

  private static String shown(FileStatus file) {
    return "file".equals(file.getPath().toUri().getScheme())
        ? file.getPath().toUri().getPath()
        : file.getPath().toString();
  }

  private void add(FileSystem files, FileStatus file, String name, boolean named)
      throws IOException {
    String address = file.getPath().toString();
    if (!file.isDirectory()) {
      found.add(new Source(name, address, file.getLen(), named, false));
      return;
    }
    if (isHistory(file)) {
      found.add(new Source(name, address, 0, named, true));
      return;
    }
    FileStatus[] entries = files.listStatus(file.getPath());
    Arrays.sort(entries);
    for (FileStatus entry : entries) {
      String own = entry.getPath().getName();
      if (!own.startsWith(".") && !own.startsWith("_")) {
        add(files, entry, name + (name.endsWith("/") ? "" : "/") + own, false);
      }
    }
  }

  /** Whether a folder is one history, as those of some checkers are. */
  private static boolean isHistory(FileStatus folder) throws IOException {
    if (!"file".equals(folder.getPath().toUri().getScheme())) {
      return false;
    }
    try {
      java.nio.file.Path local = java.nio.file.Path.of(folder.getPath().toUri().getPath());
      return Formats.detect(Input.of(local)).isPresent();
    } catch (ParseException e) {
      return false;
    }
  }
}
