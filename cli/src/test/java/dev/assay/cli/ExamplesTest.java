package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples in the help of commands work, on histories of the names that they use. */
class ExamplesTest {
  private static final Path HISTORIES = Path.of("..", "histories");

  @TempDir Path folder;

  @BeforeEach
  void histories() throws IOException {
    Path skew = HISTORIES.resolve("strong-snapshot-isolation/write-skew.edn");
    Path lost = HISTORIES.resolve("prefix/lost-update.txt");
    Files.copy(skew, folder.resolve("run.edn"));
    Files.copy(lost, folder.resolve("run.txt"));
    Files.copy(lost, folder.resolve("big.txt"));
    Files.writeString(folder.resolve("run.jsonl"), "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n");
    for (String name : List.of("h", "histories")) {
      Files.copy(skew, Files.createDirectory(folder.resolve(name)).resolve("run.edn"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "shrink", "stats", "convert", "generate", "explain"})
  void everyExampleWorks(String command) {
    List<String> examples =
        Ran.of(command, "--help").out().lines().filter(l -> l.startsWith("  assay ")).toList();
    assertThat(examples).hasSizeGreaterThan(2);
    for (String example : examples) {
      // What follows two spaces is a remark; the rest of a pipe is not ours.
      String line = example.strip().replaceAll("  .*| [|>] .*", "");
      if (line.contains(" --on ")) {
        // The tests of the module spark run it; this jar has none.
        continue;
      }
      Ran ran = Ran.of(arguments(line));
      assertThat(ran.code()).as("%s%n%s", line, ran.err()).isBetween(0, 2);
    }
  }

  private String[] arguments(String line) {
    List<String> arguments = new ArrayList<>();
    for (String word : line.split(" ")) {
      boolean file = word.matches("[a-z0-9]+(\\.[a-z]+)+|[a-z]+/");
      arguments.add(file ? folder.resolve(word).toString() : word);
    }
    return arguments.subList(1, arguments.size()).toArray(new String[0]);
  }
}
