package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The histories in docs/findings are judged as their pages say. */
class FindingsTest {
  private static final Path FOLDER = Path.of("../docs/findings");
  private static final Pattern TRANSCRIPT =
      Pattern.compile("(?s)```\n\\$ \\./assay (check [^\n]*)\n(.*?)```");

  static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(f -> f.toString().endsWith(".md")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aPageShowsWhatTheCheckOfItsHistoryPrints(Path page) throws IOException {
    Matcher transcript = TRANSCRIPT.matcher(Files.readString(page));
    assertThat(transcript.find()).isTrue();
    do {
      String[] command = transcript.group(1).replace("docs/", "../docs/").split(" ");
      Ran ran = Ran.of(command);
      assertThat(ran.code()).isEqualTo(1);
      assertThat(words(ran.out().replace("../docs/", "docs/")))
          .isEqualTo(words(transcript.group(2)));
    } while (transcript.find());
  }

  /** Lines break elsewhere where the path is longer, or it is left out, and times differ. */
  private static String words(String text) {
    return text.replaceAll("· [0-9.]+ m?s", "")
        .replaceAll("(docs|histories)/\\S+|…", "FILE")
        .replaceAll("\\s+", " ")
        .strip();
  }
}
