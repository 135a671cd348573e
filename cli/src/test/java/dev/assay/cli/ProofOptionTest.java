package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check --proof}, and the verifier as a program of its own. */
class ProofOptionTest {
  private static final Path VERIFY = Path.of("..", "tools", "Verify.java");

  private static final String WRITE_SKEW =
      """
      {"session":1,"ops":[["r","x",null],["w","y",1]]}
      {"session":2,"ops":[["r","y",null],["w","x",2]]}
      """;

  @TempDir Path folder;

  @Test
  void whatCheckProvesTheVerifierAccepts() throws Exception {
    Path history = file("h.jsonl", WRITE_SKEW);
    Path proof = folder.resolve("p.json");
    Ran ran = Ran.of("check", "--proof", proof.toString(), history.toString());
    assertThat(ran.code()).isEqualTo(ExitCode.VIOLATED);

    Ran verified = verify(history, proof);
    assertThat(verified.out())
        .contains("serializable: violated: accepted\n")
        .contains("snapshot-isolation: holds: accepted\n")
        .contains("strict-serializable: violated: accepted\n")
        .doesNotContain("refused")
        .doesNotContain("not proven");
    // Without times, some levels are unknown.
    assertThat(verified.code()).isEqualTo(2);

    Ran decided = Ran.of("check", "-l", "si", "--proof", proof.toString(), history.toString());
    assertThat(decided.code()).isZero();
    assertThat(verify(history, proof))
        .isEqualTo(new Ran(0, "snapshot-isolation: holds: accepted\n", ""));
    Path other = file("other.jsonl", WRITE_SKEW.replace("null", "2"));
    assertThat(verify(other, proof).code()).isEqualTo(1);
    assertThat(verify(proof, proof).code()).isEqualTo(254);
  }

  @Test
  void whatAProofSaysIsNotTakenForAnAnswer() throws Exception {
    Path history = file("h.jsonl", WRITE_SKEW);
    String claim =
        """
        {"assay-proof":1,"transactions":2,"orders":[],"arguments":[],"levels":[
        {"level":"serializable","verdict":"%s","%s":"none: accepted\\nserializable: accepted"}]}
        """;
    // An order has a number; a message that refuses another text repeats it.
    for (String field : new String[] {"unproven", "why", "order"}) {
      String verdict = field.equals("why") ? "unknown" : "holds";
      Ran verified = verify(history, file("p.json", claim.formatted(verdict, field)));
      assertThat(verified.code()).isEqualTo(field.equals("order") ? 1 : 2);
      assertThat(verified.out()).hasLineCount(1).doesNotContain(": accepted");
    }
  }

  @Test
  void operationsThatAreNotCoveredAreNotProven() throws Exception {
    Path history = file("h.jsonl", "{\"session\":1,\"ops\":[[\"select\",{},[]]]}\n");
    Path proof = folder.resolve("p.json");
    Ran.of("check", "-l", "si", "--proof", proof.toString(), history.toString());
    String answer = "snapshot-isolation: holds: not proven: proofs do not cover ";
    assertThat(verify(history, proof)).isEqualTo(new Ran(2, answer + "predicate operations\n", ""));
    String text = Files.readString(proof);
    String claim = text.replaceAll("\"unproven\":\"[^\"]*\"", "\"order\":0");
    assertThat(claim).isNotEqualTo(text);
    assertThat(verify(history, file("claim.json", claim)).out())
        .isEqualTo(answer + "operations select\n");
  }

  @Test
  void conditionalOperationsAreReadAsTheyAreAndAsTheyAreConverted() throws Exception {
    String text = "{\"session\":1,\"ops\":[[\"cas\",\"x\",null,2,true]]}\n";
    Path history = file("h.jsonl", text);
    Path proof = folder.resolve("p.json");
    Ran.of("check", "-l", "si", "--proof", proof.toString(), history.toString());
    Ran accepted = new Ran(0, "snapshot-isolation: holds: accepted\n", "");
    assertThat(verify(history, proof)).isEqualTo(accepted);
    Path converted = folder.resolve("converted.jsonl");
    Ran.of("convert", history.toString(), converted.toString());
    assertThat(verify(converted, proof)).isEqualTo(accepted);
    Path failed = file("failed.jsonl", text.replace("true", "false"));
    assertThat(verify(failed, proof).out()).startsWith("snapshot-isolation: holds: refused: ");
  }

  @Test
  void aProofIsAboutOneHistory() throws IOException {
    String history = file("h.jsonl", WRITE_SKEW).toString();
    String proof = folder.resolve("p.json").toString();
    Ran two = Ran.of("check", "--proof", proof, history, history);
    assertThat(two.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(two.err()).contains("--proof takes one history, not 2");
    Ran incomplete = Ran.of("check", "--proof", proof, "--incomplete", history);
    assertThat(incomplete.err()).contains("--proof cannot be used with --incomplete");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Ran verify(Path history, Path proof) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(
                java, "-Xmx256m", VERIFY.toString(), history.toString(), proof.toString())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int code = process.waitFor();
    return new Ran(
        code,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
