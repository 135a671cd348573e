package dev.assay.format.binary;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples in the specifications of our formats are what the program reads and writes. */
class SpecificationTest {
  private static final Path DOCS = Path.of("..", "docs");

  @Test
  void theHexExampleIsTheHistoryBesideIt() throws Exception {
    for (int example = 0; example < 2; example++) {
      History expected = readJsonl(examples("assay-binary.md", "jsonl").get(example));
      History actual = Formats.read(Input.of("example.assay", hexExample(example)));
      assertThat(actual.metadata()).as("nothing was cut short").doesNotContainKey("note.truncated");
      assertSame(actual, expected);
    }
  }

  @Test
  void theWriterWritesTheHexExample() throws Exception {
    History history = readJsonl(examples("assay-binary.md", "jsonl").get(0));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AssayBinary().write(history, out);
    assertThat(HexFormat.of().formatHex(out.toByteArray()))
        .isEqualTo(HexFormat.of().formatHex(hexExample(0)));
  }

  @Test
  void aJournalIsWrittenAsInTheHexExample() throws Exception {
    History history = readJsonl(examples("assay-binary.md", "jsonl").get(1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, history.metadata())) {
      AssayBinary.Pass pass = new AssayBinary.Pass(history, writer);
      AssayBinaryJournal journal = writer.journal();
      pass.write(() -> Journals.note(pass.record, journal));
    }
    assertThat(HexFormat.of().formatHex(out.toByteArray()))
        .isEqualTo(HexFormat.of().formatHex(hexExample(1)));
  }

  @Test
  void theJsonExamplesAreHistories() throws Exception {
    List<String> examples = examples("assay-jsonl.md", "jsonl");
    assertThat(examples).hasSize(3);
    assertThat(readJsonl(examples.get(0)).operationCount()).isEqualTo(3);
    History full = readJsonl(examples.get(1));
    assertThat(full.operationCount()).as("13 and the rows of two").isEqualTo(15);
    assertThat(full.metadata()).as("no field is unknown").containsOnlyKeys("database", "level");
    assertThat(readJsonl(examples.get(2)).operationCount()).as("with versions").isEqualTo(3);
  }

  private static byte[] hexExample(int number) throws Exception {
    String text = examples("assay-binary.md", "hex").get(number);
    return HexFormat.of().parseHex(text.replaceAll("#[^\n]*", "").replaceAll("\\s", ""));
  }

  private static List<String> examples(String page, String language) throws Exception {
    String text = Files.readString(DOCS.resolve(page));
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
    List<String> examples = new ArrayList<>();
    while (matcher.find()) {
      examples.add(matcher.group(1));
    }
    return examples;
  }

  private static History readJsonl(String text) throws ParseException {
    return Formats.read(Input.of("example.jsonl", text.getBytes(StandardCharsets.UTF_8)));
  }
}
