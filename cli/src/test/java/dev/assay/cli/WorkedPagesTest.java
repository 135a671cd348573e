package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of docs whose files are written out, and whose commands print what they say. */
class WorkedPagesTest {
  private static final Pattern FILE = Pattern.compile("(?s)```json (\\S+)\n(.*?)```");
  private static final Pattern TRANSCRIPT = Pattern.compile("(?s)```\n(\\$ assay check .*?)```");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"certificates, 7", "predicates, 2"})
  void everyCommandPrintsWhatThePageShows(String name, int expected) throws IOException {
    String page = Files.readString(Path.of("../docs/" + name + ".md"));
    for (Matcher file = FILE.matcher(page); file.find(); ) {
      Files.writeString(folder.resolve(file.group(1)), file.group(2));
    }
    int commands = 0;
    for (Matcher transcript = TRANSCRIPT.matcher(page); transcript.find(); ) {
      for (String part : transcript.group(1).split("\\$ assay ")) {
        if (!part.isEmpty()) {
          assertPrints(part.lines().toList());
          commands++;
        }
      }
    }
    assertThat(commands).isEqualTo(expected);
  }

  /** The first line is the command, the others are the beginning of what it prints. */
  private void assertPrints(List<String> lines) {
    List<String> words = new ArrayList<>();
    for (String word : lines.get(0).split(" ")) {
      words.add(word.endsWith(".jsonl") ? folder.resolve(word).toString() : word);
    }
    String out = Ran.of(words.toArray(String[]::new)).out().replace(folder + "/", "");
    String shown = String.join(" ", lines.subList(1, lines.size()));
    assertThat(oneLine(out)).as(lines.get(0)).startsWith(oneLine(shown));
  }

  /** Lines break elsewhere where the folder of the files is shown. */
  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
