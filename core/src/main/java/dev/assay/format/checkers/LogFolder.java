package dev.assay.format.checkers;

import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A folder with one {@code .log} file a session, packed or not. */
final class LogFolder {
  private static final List<String> SUFFIXES = List.of(".log", ".log.gz", ".log.zst");

  private final Input input;
  private final List<Path> files;

  private LogFolder(Input input, List<Path> files) {
    this.input = input;
    this.files = files;
  }

  /**
   * The log files of a folder whose names have this prefix, by name; none when it is not a folder.
   */
  static LogFolder of(Input input, String prefix) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String suffix : SUFFIXES) {
      for (Path file : input.files(suffix)) {
        if (file.getFileName().toString().startsWith(prefix)) {
          files.add(file);
        }
      }
    }
    files.sort(Comparator.naturalOrder());
    return new LogFolder(input, files);
  }

  int size() {
    return files.size();
  }

  Input part(int index) {
    return input.part(files.get(index));
  }

  /** The beginning of the first file that is not empty; empty when all are. */
  byte[] head() throws IOException, ParseException {
    for (int i = 0; i < files.size(); i++) {
      byte[] head = part(i).head();
      if (head.length > 0) {
        return head;
      }
    }
    return new byte[0];
  }

  /** Refuses a folder without log files. */
  void requireFiles(String expected) throws ParseException {
    if (files.isEmpty()) {
      boolean folder = input.isFolder();
      throw ParseException.ofFile(
          input.name(),
          folder ? "has no such log files" : "is not a folder",
          expected,
          folder ? null : "name the folder that holds the log files of all sessions");
    }
  }

  Origin origin(String format, Origin.Unit unit) {
    return new Origin(input.name(), format, unit, Input.names(files));
  }

  /** The session of a file: its name without the suffix, as a number where it is one. */
  int session(int index, HistoryBuilder builder) {
    String name = files.get(index).getFileName().toString();
    name = name.substring(0, name.lastIndexOf(".log"));
    try {
      return builder.session(Long.parseLong(name));
    } catch (NumberFormatException e) {
      return builder.session(name);
    }
  }
}
