package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElleCommandTest {
  private static final String SKEW = "../histories/strong-snapshot-isolation/write-skew.edn";

  @TempDir Path folder;

  @Test
  void aLineAFileSaysWhetherItIsValid() throws IOException {
    Path good = folder.resolve("good.edn");
    Files.writeString(
        good,
        """
        {:type :invoke, :f :txn, :value [[:append 1 1]], :process 0, :index 0}
        {:type :ok, :f :txn, :value [[:append 1 1]], :process 0, :index 1}
        """);
    Ran ran = Ran.of("elle", "--model", "list-append", good.toString(), SKEW);
    assertThat(ran.out().lines()).containsExactly(good + " \t true", SKEW + " \t false");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(Ran.of("elle", "-m", "list-append", good.toString()).code()).isZero();
  }

  @Test
  void levelsAndAnomaliesAreElles() {
    assertThat(elle("-c", "snapshot-isolation")).isEqualTo("true");
    assertThat(elle("-c", "read-committed")).isEqualTo("true");
    assertThat(elle("-c", "snapshot-isolation", "-a", "G2-item")).isEqualTo("false");
    assertThat(elle("-c", "monotonic-view")).isEqualTo("unknown");
  }

  private static String elle(String... options) {
    String[] command = new String[options.length + 4];
    System.arraycopy(new String[] {"elle", "-m", "list-append"}, 0, command, 0, 3);
    System.arraycopy(options, 0, command, 3, options.length);
    command[command.length - 1] = SKEW;
    Ran ran = Ran.of(command);
    assertThat(ran.err()).isEmpty();
    return ran.out().substring(ran.out().lastIndexOf(' ')).strip();
  }

  @Test
  void verboseGivesWhatElleCallsIt() throws IOException {
    Ran ran = Ran.of("elle", "-m", "list-append", "--verbose", SKEW);
    Map<String, Object> analysis = Json.readObject(ran.out());
    assertThat(analysis)
        .containsEntry("valid?", false)
        .containsEntry("anomaly-types", List.of("G2-item"))
        .containsEntry("not", List.of("strict-serializable"));
  }

  @Test
  void whatDrawsIsIgnoredAndOtherModelsAreRefused() {
    assertThat(elle("-d", "out", "-p", "png", "-s", "1000", "-t", "5", "-b", "6"))
        .isEqualTo("false");
    Ran bank = Ran.of("elle", "-m", "bank", SKEW);
    assertThat(bank.code()).isEqualTo(254);
    assertThat(bank.err()).contains("model bank is not checked");
    assertThat(Ran.of("elle", "-m", "list-append", "missing.edn").code()).isEqualTo(254);
  }
}
