package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final String HISTORY = "histories/strong-snapshot-isolation/write-skew.edn";

  @Test
  void theTranscriptIsWhatTheCommandPrints() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    String command = "$ ./assay check " + HISTORY + "\n";
    String shown = readme.substring(readme.indexOf(command) + command.length());
    shown = shown.substring(0, shown.indexOf("$ echo $?"));
    Ran ran = Ran.of("check", "../" + HISTORY);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(words(ran.out().replace("../", ""))).isEqualTo(words(shown));
  }

  /** Lines break elsewhere where the path is longer, or it is left out, and times differ. */
  private static String words(String text) {
    return text.replaceAll("· [0-9.]+ m?s", "")
        .replaceAll("(docs|histories)/\\S+|…", "FILE")
        .replaceAll("\\s+", " ")
        .strip();
  }
}
