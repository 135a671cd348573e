package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShrinkCommandTest {
  private static final String FRACTURED =
      "w(1,1,1,1)\nw(3,9,4,7)\nr(1,1,2,2)\nw(1,3,2,2)\nw(2,4,2,2)\n"
          + "r(1,1,3,3)\nr(2,4,3,3)\nr(3,9,3,4)\n";

  @TempDir Path folder;

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @BeforeEach
  void writeHistory() throws IOException {
    Files.writeString(folder.resolve("h.txt"), FRACTURED);
  }

  @Test
  void theSmallestPartGoesToStandardOutputInTheFormatThatWasRead() {
    Ran ran = Ran.of("shrink", "--level", "read-atomic", path("h.txt"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .isEqualTo("w(1,1,1,1)\nr(1,1,2,2)\nw(1,3,2,2)\nw(2,4,2,2)\nr(1,1,3,3)\nr(2,4,3,3)\n");
    assertThat(ran.err())
        .contains("violates read-atomic: fractured read (fractured-read-co)")
        .contains("3 transactions of 5, 6 operations of 8");
  }

  @Test
  void aCertificateIsCutDownWithItsHistory() throws IOException {
    Files.writeString(
        folder.resolve("locks.jsonl"),
        """
        {"session":1,"id":"T1","ops":[["w","x",1],["w","y",1]]}
        {"session":2,"id":"T2","ops":[["w","x",2],["w","z",2],["w","y",2]]}
        {"session":3,"id":"T3","ops":[["w","y",3],["w","x",3]]}
        """);
    Files.writeString(
        folder.resolve("locks.cert"),
        """
        {"key":"x","versions":[1,3,2]}
        {"key":"y","versions":[1,2,3]}
        """);
    String small = path("small.jsonl");
    String level = "--level=serializable";
    String order = "--version-order=" + path("locks.cert");
    Ran ran = Ran.of("shrink", level, order, "-o", small, path("locks.jsonl"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("dirty write (G0); 2 transactions of 3, 4 operations of 7");
    assertThat(folder.resolve("small.jsonl.certificate.jsonl"))
        .hasContent(
            """
            {"key":"x","versions":[{"by":"T3"},{"by":"T2"}]}
            {"key":"y","versions":[{"by":"T2"},{"by":"T3"}]}
            """);
    assertThat(Ran.of("check", "--level", "serializable", small).code()).isZero();
    String left = small + ".certificate.jsonl";
    Ran pair = Ran.of("check", "--level", "serializable", "--version-order", left, small);
    assertThat(pair.code()).isEqualTo(1);
    assertThat(pair.out()).contains("dirty write (G0)");
  }

  @ParameterizedTest
  @CsvSource({"-, requires --out", "s.edn, since jepsen-edn may lose the names"})
  void aCertificateNeedsAFileThatKeepsNames(String out, String problem) {
    Ran ran = Ran.of("shrink", "--version-order", path("h.txt"), "-o", out, path("h.txt"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(problem);
  }

  @Test
  void transactionsWithTheSameIdAreToldApartInACertificate() throws IOException {
    Files.writeString(
        folder.resolve("same.jsonl"),
        """
        {"session":1,"id":1,"ops":[["w","x",1],["w","y",1]]}
        {"session":2,"id":1,"ops":[["w","x",2],["w","y",2]]}
        """);
    Files.writeString(
        folder.resolve("same.cert"),
        """
        {"key":"x","versions":[1,2]}
        {"key":"y","versions":[2,1]}
        """);
    String small = path("small.jsonl");
    Ran ran =
        Ran.of("shrink", "--version-order", path("same.cert"), "-o", small, path("same.jsonl"));
    assertThat(ran.code()).isEqualTo(1);
    String left = small + ".certificate.jsonl";
    Ran pair = Ran.of("check", "--level", "serializable", "--version-order", left, small);
    assertThat(pair.code()).isEqualTo(1);
  }

  @Test
  void whatPlumeTextCannotExpressIsWrittenAsJsonLines() {
    Ran.of("generate", "--workload", "list-append", "--plant", "aborted-read", "-o", path("a.edn"));
    Ran ran = Ran.of("shrink", "--anomaly", "aborted-read", path("a.edn"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).startsWith("{").contains("\"outcome\":\"aborted\"");
    Path part = folder.resolve("part.jsonl");
    Ran.of("shrink", "--anomaly", "aborted-read", "-o", part.toString(), path("a.edn"));
    assertThat(part).hasContent(ran.out());
    assertThat(Ran.of("check", "--level", "read-committed", part.toString()).code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "thin-air-read, register, adya-read-committed, 1, 1",
    "aborted-read, register, adya-read-committed, 2, 2",
    "fractured-read-co, register, read-atomic, 3, 6",
    "cm-conflict, register, writes-follow-reads, 6, 12",
    "duplicate-write, list-append, read-uncommitted, 2, 2",
    "lost-update, list-append, cursor-stability, 3, 5",
    "G0, list-append, read-uncommitted, 3, 6",
    "G2-item, list-append, repeatable-read, 3, 6",
    "G-single-item-realtime, list-append, strong-repeatable-read, 3, 3"
  })
  void aPlantedAnomalyIsAllThatIsLeft(
      String id, String workload, String level, int transactions, int operations) {
    Ran.of("generate", "--workload", workload, "--plant", id, "-o", path("g.jsonl"));
    Ran ran = Ran.of("shrink", "--anomaly", id, "-o", path("s.jsonl"), path("g.jsonl"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains(" violates " + level + ": ")
        .contains("; " + transactions + " transaction")
        .contains(", " + operations + " operation");
    Ran checked = Ran.of("check", "--level", level, "--output", "json", path("s.jsonl"));
    assertThat(checked.code()).isEqualTo(1);
    assertThat(checked.out()).contains("\"type\":\"" + id + "\"");
  }

  /** Only real time shows that 1 came before 2. */
  @Test
  void whatIsViolatedOnlyUnderAnAssumptionIsShrunkUnderIt() throws IOException {
    Files.writeString(
        folder.resolve("timed.jsonl"),
        """
        {"session":1,"start":0,"end":10,"ops":[["w","x",1],["w","z",5]]}
        {"session":2,"start":20,"end":30,"ops":[["w","x",2],["w","y",1]]}
        {"session":3,"start":15,"end":50,"ops":[["r","y",1],["r","x",1]]}
        {"session":4,"start":40,"end":50,"ops":[["r","z",5]]}
        """);
    assertThat(Ran.of("shrink", "--level", "serializable", path("timed.jsonl")).code()).isZero();
    Ran ran =
        Ran.of(
            "shrink",
            "--level",
            "serializable",
            "--infer",
            "linearizable-keys",
            path("timed.jsonl"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("3 transactions of 4, 5 operations of 7");
  }

  @Test
  void sqlRetracesTheCase() {
    Ran ran = Ran.of("shrink", "--level", "ra", "--sql", path("h.txt"));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .startsWith("-- violates read-atomic: fractured read (fractured-read-co)\n")
        .contains("INSERT INTO registers VALUES (1, 0);")
        .containsPattern("SELECT v FROM registers WHERE k = 2; +-- session 3, 3: returned 4\n")
        .doesNotContain("w(1,1,1,1)");
  }

  @Test
  void sqlAndTheHistoryGoToDifferentPlaces() {
    Ran ran = Ran.of("shrink", "-l", "ra", "--sql", "-o", path("s.txt"), path("h.txt"));
    assertThat(ran.out()).startsWith("-- violates");
    assertThat(folder.resolve("s.txt")).content().startsWith("w(1,1,1,1)");
  }

  @Test
  void aLevelThatHoldsLeavesNothingToShrink() {
    Ran ran = Ran.of("shrink", "--level", "read-committed", "-o", path("s.txt"), path("h.txt"));
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("satisfies read-committed, so there is nothing to shrink");
    assertThat(ran.out()).isEmpty();
    assertThat(folder.resolve("s.txt")).doesNotExist();
  }

  @Test
  void aLevelThatIsUnknownIsSaidToBe() {
    Ran ran = Ran.of("shrink", "--level", "strong-read-uncommitted", path("h.txt"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("strong-read-uncommitted is unknown: ");
  }

  @ParameterizedTest
  @CsvSource({
    "--level, cuasal, did you mean causal?",
    "--anomaly, G0, does not violate",
    "--dialect, mysql, --dialect requires --sql",
    "--to, cobra, cobra can be read but not written",
    "--timeout, never, is not a time"
  })
  void aWrongOptionIsABadArgument(String option, String value, String message) {
    String level = option.equals("--level") ? "--quiet" : "--level=read-atomic";
    Ran ran = Ran.of("shrink", level, option, value, path("h.txt"));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(message);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void anUnknownDialectAndAMixOfOutputsAreBadArguments() {
    Ran dialect = Ran.of("shrink", "--sql", "--dialect", "mysq", path("h.txt"));
    assertThat(dialect.err()).contains("did you mean mysql?");
    Ran both = Ran.of("shrink", "--sql", "-o", "-", path("h.txt"));
    assertThat(both.err()).contains("--sql prints to standard output");
    assertThat(both.code()).isEqualTo(254);
  }

  @Test
  void anUnreadableHistoryIsOneError() throws IOException {
    Files.writeString(folder.resolve("bad.txt"), "w(1,1");
    assertThat(Ran.of("shrink", path("bad.txt")).code()).isEqualTo(254);
    assertThat(Ran.of("shrink", path("none.txt")).code()).isEqualTo(254);
  }
}
