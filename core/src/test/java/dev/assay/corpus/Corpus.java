package dev.assay.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The shared corpus of real histories, where it is checked out beside the project, and the
 * project's own {@code histories}, which are always there.
 */
public final class Corpus {
  private static final Path SHARED = Path.of("..", "..", "shared", "corpus");
  private static final Path OWN = Path.of("..", "histories");

  private Corpus() {}

  public static boolean isPresent() {
    return Files.isDirectory(SHARED);
  }

  public static Path file(String name) {
    return SHARED.resolve(name);
  }

  /** The rows of a table, split at tabs; none where the corpus is not there. */
  static List<String[]> table(String name) throws IOException {
    List<String[]> rows = new ArrayList<>();
    if (isPresent()) {
      for (String line : Files.readAllLines(file(name))) {
        if (!line.startsWith("#")) {
          rows.add(line.split("\t"));
        }
      }
      assertThat(rows).isNotEmpty();
    }
    return rows;
  }

  /** Every history there is, as files or as folders that are one history each. */
  public static List<Path> histories() throws IOException {
    List<Path> inputs = new ArrayList<>(filesIn(OWN, ".txt", ".jsonl", ".edn"));
    if (isPresent()) {
      inputs.addAll(filesIn(SHARED, ".txt", ".txt.gz", ".edn", ".bincode"));
      for (String folder : List.of("taps/viper", "strong/bench")) {
        try (Stream<Path> folders = Files.list(file(folder))) {
          folders.sorted().forEach(inputs::add);
        }
      }
    }
    return inputs;
  }

  private static List<Path> filesIn(Path folder, String... endings) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .sorted()
          .toList();
    }
  }
}
