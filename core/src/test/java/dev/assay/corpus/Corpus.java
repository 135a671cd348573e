package dev.assay.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** The histories of Elle's tests that the project has, each once. */
  public static List<History> elle() throws Exception {
    Map<String, History> histories = new LinkedHashMap<>();
    try (InputStream stream = Corpus.class.getResourceAsStream("elle-cases.jsonl.gz")) {
      for (ElleCase each : ElleCase.read(stream)) {
        byte[] text = each.history().getBytes(StandardCharsets.UTF_8);
        if (!histories.containsKey(each.history()) && !each.workload().contains("predicate")) {
          histories.put(each.history(), Formats.read(Input.of("history.json", text)));
        }
      }
    }
    return List.copyOf(histories.values());
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
