package dev.assay.cli.process;

import dev.assay.collect.config.UsageException;
import dev.assay.collect.runs.RunFolder;
import dev.assay.driver.AssayDriver;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the arguments of {@code check} and {@code stats} mean: files, standard input, and the
 * histories of folders. A folder that is one history is one input; otherwise everything below it
 * that a reader claims.
 */
public final class Inputs {
  private final List<Input> found = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<ParseException> unreadable = new ArrayList<>();

  public static Inputs of(List<String> arguments, InputStream standardInput) {
    Inputs inputs = new Inputs();
    boolean standardInputTaken = false;
    for (String argument : arguments) {
      if (argument.equals("-")) {
        if (standardInputTaken) {
          throw new UsageException("standard input can be read only once");
        }
        standardInputTaken = true;
        inputs.found.add(Input.ofStandardInput(standardInput));
      } else {
        inputs.add(path(argument));
      }
    }
    return inputs;
  }

  /** The file of this name; an empty one is most likely an unset variable. */
  public static Path path(String argument) {
    if (argument.isEmpty()) {
      throw new UsageException("empty file name");
    }
    try {
      return Path.of(argument);
    } catch (InvalidPathException e) {
      throw new UsageException(
          "the file name cannot be used: " + e.getReason() + "; is the locale a UTF-8 one?");
    }
  }

  /** Refuses standard input for an option that needs the name of a file. */
  public static void requireFile(String option, String argument) {
    if ("-".equals(argument)) {
      throw new UsageException(
          option + " needs a file and cannot be standard input; a file named - is ./-");
    }
  }

  public List<Input> found() {
    return found;
  }

  /** Files of folders that no reader claims. */
  public List<String> skipped() {
    return skipped;
  }

  /** Files of folders that could not even be looked at. */
  public List<ParseException> unreadable() {
    return unreadable;
  }

  /** The history that a killed application left unfinished, or the file itself. */
  public static Path recovered(Path path) throws ParseException {
    try {
      return AssayDriver.isRecording(path) ? AssayDriver.recover(path) : path;
    } catch (IOException e) {
      throw ParseException.ofFile(
          path.toString(),
          "cannot be made a history: " + e.getMessage(),
          "what assay-driver left when its application was killed",
          "see What is left of a killed application in docs/driver.md");
    }
  }

  private void add(Path path) {
    if (!Files.isDirectory(path)) {
      try {
        found.add(Input.of(recovered(path)));
      } catch (ParseException e) {
        unreadable.add(e);
      }
      return;
    }
    int before = found.size() + unreadable.size();
    addFolder(path);
    if (found.size() + unreadable.size() == before) {
      unreadable.add(
          ParseException.ofFile(
              path.toString(),
              "is a folder without histories",
              "a history, or a folder with some",
              "see the formats with: assay check --help"));
    }
  }

  private void addFolder(Path folder) {
    int before = unreadable.size();
    if (claimed(folder)) {
      found.add(Input.of(folder));
      return;
    }
    if (unreadable.size() > before) {
      return;
    }
    List<Path> entries;
    try (Stream<Path> list = Files.list(folder)) {
      entries = list.sorted().toList();
    } catch (IOException e) {
      unreadable.add(Input.of(folder).explained(e));
      return;
    }
    boolean run = Files.exists(folder.resolve(RunFolder.CONFIG));
    run &= Files.exists(folder.resolve(RunFolder.STATE));
    for (Path entry : entries) {
      if (entry.getFileName().toString().startsWith(".") || isAbout(entry, run)) {
        continue;
      }
      // Links to folders could form a cycle.
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        addFolder(entry);
      } else if (Files.isRegularFile(entry) && claimed(entry)) {
        found.add(Input.of(entry));
      }
    }
  }

  /** Of a stored run the history is the input; the other files are about it. */
  private static boolean isAbout(Path entry, boolean run) {
    return run && !entry.getFileName().toString().startsWith("history.");
  }

  private boolean claimed(Path path) {
    Input input = Input.of(path);
    try {
      boolean claimed = Formats.detect(input).isPresent();
      if (!claimed && !input.isFolder()) {
        skipped.add(path.toString());
      }
      return claimed;
    } catch (IOException e) {
      unreadable.add(input.explained(e));
    } catch (ParseException e) {
      unreadable.add(e);
    }
    return false;
  }

  /** A number of bytes, as options have it. */
  public static long bytes(String size) {
    if (!size.matches("[1-9]\\d{0,5}[kmg]")) {
      throw new UsageException("'" + size + "' is not a size such as 512m or 4g");
    }
    long number = Long.parseLong(size.substring(0, size.length() - 1));
    return switch (size.charAt(size.length() - 1)) {
      case 'k' -> number << 10;
      case 'm' -> number << 20;
      default -> number << 30;
    };
  }
}
