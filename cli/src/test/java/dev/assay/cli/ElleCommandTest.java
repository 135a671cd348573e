package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  void whatDrawsIsIgnoredAndSomeModelsAreRefused() {
    assertThat(elle("-d", "out", "-p", "png", "-s", "1000", "-t", "5", "-b", "6"))
        .isEqualTo("false");
    assertThat(elle("-g", "3", "--max-transfer", "5", "-n", "-o", "100")).isEqualTo("false");
    for (String model : List.of("mutex", "comments", "sequential")) {
      Ran refused = Ran.of("elle", "-m", model, SKEW);
      assertThat(refused.code()).isEqualTo(254);
      assertThat(refused.err()).contains("model " + model + " is not checked: ", "long-fork, bank");
    }
    assertThat(Ran.of("elle", "-m", "pank", SKEW).err()).contains("unknown model pank");
    assertThat(Ran.of("elle", "-m", "list-append", "missing.edn").code()).isEqualTo(255);
  }

  @Test
  void halvesOfSnapshotIsolationThatNobodySeesAreNotLookedFor() {
    Ran ran = Ran.of("elle", "-m", "list-append", "-c", "serializable", "-a", "G0,GSIa,GSIb", SKEW);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("GSIa is not looked for", "GSIb is not looked for");
  }

  private String validity(String model, String history, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("h.edn"), history);
    List<String> command = new ArrayList<>(List.of("elle", "-m", model));
    command.addAll(List.of(options));
    command.add(file.toString());
    Ran ran = Ran.of(command.toArray(String[]::new));
    assertThat(ran.out()).as(ran.err()).startsWith(file + " \t ");
    String answer = ran.out().substring(ran.out().lastIndexOf(' ')).strip();
    assertThat(ran.code()).isEqualTo(answer.equals("false") ? 1 : 0);
    return answer;
  }

  private static String op(int process, String f, String asked, String answer) {
    String form = "{:type :%s, :f :%s, :value %s, :process %d}\n";
    return form.formatted("invoke", f, asked, process) + form.formatted("ok", f, answer, process);
  }

  @Test
  void registersAreLinearizable() throws IOException {
    String good = op(0, "write", "1", "1") + op(1, "cas", "[1 2]", "[1 2]");
    assertThat(validity("cas-register", good + op(0, "read", "nil", "2"))).isEqualTo("true");
    String stale = good + op(0, "read", "nil", "1");
    assertThat(validity("cas-register", stale)).isEqualTo("false");
    assertThat(validity("cas-register", stale, "-c", "serializable")).isEqualTo("true");
  }

  @Test
  void countersAndSetsLoseNothing() throws IOException {
    String counter = op(0, "add", "2", "2") + op(1, "add", "3", "3");
    assertThat(validity("counter", counter + op(0, "read", "nil", "5"))).isEqualTo("true");
    assertThat(validity("counter", counter + op(0, "read", "nil", "3"))).isEqualTo("false");
    for (String model : List.of("set", "set-full")) {
      assertThat(validity(model, counter + op(0, "read", "nil", "#{2 3}"))).isEqualTo("true");
      assertThat(validity(model, counter + op(0, "read", "nil", "#{3}"))).isEqualTo("false");
    }
  }

  @Test
  void aForkThatIsLongIsFound() throws IOException {
    String writes = op(0, "write", "[[:w 1 1]]", "[[:w 1 1]]");
    writes += op(1, "write", "[[:w 2 1]]", "[[:w 2 1]]");
    String one = op(2, "read", "[[:r 1 nil] [:r 2 nil]]", "[[:r 1 1] [:r 2 nil]]");
    String both = op(3, "read", "[[:r 1 nil] [:r 2 nil]]", "[[:r 1 1] [:r 2 1]]");
    String other = op(3, "read", "[[:r 1 nil] [:r 2 nil]]", "[[:r 1 nil] [:r 2 1]]");
    assertThat(validity("long-fork", writes + one + both, "-g", "2")).isEqualTo("true");
    assertThat(validity("long-fork", writes + one + other, "--group-size", "2")).isEqualTo("false");
  }

  @Test
  void banksKeepTheirTotalAndHaveNoDebt() throws IOException {
    String read = op(0, "read", "nil", "{0 50, 1 50}");
    String moved =
        read
            + op(1, "transfer", "{:from 0, :to 1, :amount 60}", "{:from 0, :to 1, :amount 60}")
            + op(0, "read", "nil", "{0 -10, 1 110}");
    assertThat(validity("bank", read)).isEqualTo("true");
    assertThat(validity("bank", read, "--total-amount", "100")).isEqualTo("true");
    assertThat(validity("bank", read, "-o", "101")).isEqualTo("false");
    assertThat(validity("bank", moved)).isEqualTo("false");
    assertThat(validity("bank", moved, "-n")).isEqualTo("true");
    assertThat(validity("bank", moved + op(0, "read", "nil", "{0 50, 1 110}"), "-n"))
        .isEqualTo("false");
    Path file = Files.writeString(folder.resolve("debt.edn"), moved);
    Ran ran = Ran.of("elle", "-v", "-m", "bank", file.toString());
    assertThat(Json.readObject(ran.out()))
        .containsEntry("valid?", false)
        .containsEntry("anomaly-types", List.of("negative-value"));
  }
}
