package dev.assay.collect.runs;

import dev.assay.collect.config.RunConfig;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder of runs. Which runs there are is known in memory: a name that came from outside finds
 * one of those, or nothing.
 */
public final class RunStore {
  /** Where runs go by default. */
  public static final Path STANDARD = Path.of("assay-runs");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS").withZone(ZoneOffset.UTC);
  private static final Pattern UNFIT = Pattern.compile("[^A-Za-z0-9.-]+");
  private static final int LONGEST_NAME = 60;

  private final Path folder;
  private final ConcurrentSkipListMap<String, RunFolder> runs = new ConcurrentSkipListMap<>();

  private RunStore(Path folder) {
    this.folder = folder;
  }

  /** Finds the runs in a folder, which is made if there is none. */
  public static RunStore open(Path folder) throws IOException {
    Files.createDirectories(folder);
    RunStore store = new RunStore(folder.toRealPath());
    store.refresh();
    return store;
  }

  /** Finds what others, such as {@code assay run}, did in the folder meanwhile. */
  public void refresh() throws IOException {
    Set<String> seen = new HashSet<>();
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.toList()) {
        String name = entry.getFileName().toString();
        RunFolder known = runs.get(name);
        boolean settled = known != null && (known.status().isOver() || !isForeign(known));
        if (settled) {
          seen.add(name);
        } else if (!name.startsWith(".") && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          RunFolder run = RunFolder.open(entry);
          if (run != null) {
            seen.add(name);
            runs.put(name, run);
          }
        }
      }
    }
    // A run that this process just made may be missing from the listing.
    runs.values().removeIf(run -> !seen.contains(run.id()) && !Files.exists(run.path()));
  }

  /** Whether another process works on the run: it says which in the state. */
  private static boolean isForeign(RunFolder run) {
    Long process = run.state().process();
    return process != null && process != ProcessHandle.current().pid();
  }

  public Path folder() {
    return folder;
  }

  /** A new run, named after the time and what it is about. */
  public RunFolder create(String about, RunConfig config) throws IOException {
    RunFolder run = create(folder, about, config);
    runs.put(run.id(), run);
    return run;
  }

  /** A new run in a folder whose other runs do not matter. */
  public static RunFolder create(Path folder, String about, RunConfig config) throws IOException {
    Files.createDirectories(folder);
    String fit = UNFIT.matcher(about).replaceAll("-");
    String name =
        TIME.format(Instant.now())
            + "-"
            + (fit.length() > LONGEST_NAME ? fit.substring(0, LONGEST_NAME) : fit);
    for (int number = 1; ; number++) {
      Path path = folder.resolve(number == 1 ? name : name + "-" + number);
      try {
        Files.createDirectory(path);
        return RunFolder.create(path, config);
      } catch (FileAlreadyExistsException e) {
        // Another run of the same millisecond; it stays.
      }
    }
  }

  /** All runs, the newest first. */
  public List<RunFolder> all() {
    return new ArrayList<>(runs.descendingMap().values());
  }

  /** The run with this id, if it is one. */
  public Optional<RunFolder> find(String id) {
    return Optional.ofNullable(runs.get(id));
  }

  /** Forgets a run and removes its folder. */
  public void delete(RunFolder run) throws IOException {
    if (runs.remove(run.id(), run)) {
      delete(run.path());
    }
  }

  /** Removes a folder and what is in it; links are removed, never followed. */
  public static void delete(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new NotDirectoryException(path.toString());
    }
    try (Stream<Path> walk = Files.walk(path)) {
      for (Path each : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
