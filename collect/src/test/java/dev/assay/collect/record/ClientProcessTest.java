package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Opening;
import dev.assay.collect.client.Target;
import dev.assay.collect.process.ProcessClient;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client process that misbehaves costs transactions, or the run, and never a wrong verdict. */
@Timeout(60)
class ClientProcessTest {
  /** Answers like a store that forgets everything, until it is asked to commit the third time. */
  private static final String PROGRAM =
      """
      import json, os, sys, time
      mode, shared = sys.argv[1], sys.argv[2] == "shared"
      commits = 0
      def answer(q, **more): print(json.dumps({"id": q["id"], **more}), flush=True)
      for line in sys.stdin:
          q = json.loads(line)
          if q["op"] == "hello":
              if mode == "silent": continue
              if mode == "nameless": answer(q); continue
              answer(q, name="odd", shared=shared, timeout=10 if mode == "huge" else 1,
                     levels=["serializable"],
                     types=["register"])
          elif q["op"] == "open" and mode == "homeless":
              answer(q, error="fatal", message="an address is needed: host and port")
          elif q["op"] == "read": answer(q, value="7" if mode == "text" else None)
          elif q["op"] == "commit" and (commits := commits + 1) >= 3:
              if mode == "dies": os._exit(3)
              if mode == "complains": print("out of luck", file=sys.stderr); os._exit(3)
              if mode == "hangs": time.sleep(600)
              if mode == "late": time.sleep(1.5); answer(q)
              if mode == "garbage": print("Traceback (most recent call last):", flush=True)
              if mode == "other": answer({"id": 10**9})
              if mode == "twice": answer(q); answer(q)
              if mode == "huge": print("x" * 20_000_000, flush=True)
              if mode == "cut": sys.stdout.write('{"id":'); sys.stdout.flush(); os._exit(0)
              if mode == "strange": answer(q, error="perhaps")
              if mode == "closes": os.close(1); time.sleep(600)
          else: answer(q)
      """;

  @TempDir Path folder;
  private TestRun test;
  private Path program;

  @BeforeEach
  void write() throws Exception {
    Process python;
    try {
      python = new ProcessBuilder("python3", "--version").start();
    } catch (IOException e) {
      Assumptions.abort("python3 is not installed: sudo apt-get install -y python3");
      return;
    }
    assertThat(python.waitFor(20, TimeUnit.SECONDS)).isTrue();
    program = Files.writeString(folder.resolve("odd.py"), PROGRAM);
    test = new TestRun();
    test.kind = WorkloadKind.REGISTER;
    test.sessions = 2;
    test.transactions = 6;
    test.patience = Duration.ofSeconds(5);
    test.duration = Duration.ofSeconds(8);
  }

  private Client client(String mode, String shared) throws IOException {
    return ProcessClient.of(List.of("python3", program.toString(), mode, shared));
  }

  private History run(String mode, String shared) throws Exception {
    Client client = client(mode, shared);
    Opening opening = new Opening(Target.embedded(client, null), 2, folder, null, what -> {});
    try (Cluster cluster = client.open(opening)) {
      return test.on(cluster, client.strongest(), folder.resolve("run.assay"));
    }
  }

  /** The third commit of a process never returns, so at most two of a process are committed. */
  @ParameterizedTest
  @ValueSource(strings = {"dies", "hangs", "late", "cut", "closes"})
  void aProcessThatIsLostWhileItCommitsLeavesTheOutcomeUnknown(String mode) throws Exception {
    History history = run(mode, "alone");
    assertThat(test.stop.failure()).isNull();
    assertThat(count(history, Outcome.INDETERMINATE)).isPositive();
    assertThat(count(history, Outcome.COMMITTED)).isPositive();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean committed = history.outcome(txn) == Outcome.COMMITTED;
      assertThat(history.error(txn) == null).isEqualTo(committed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "dies, the client ended with code 3",
    "complains, the client ended with code 3: out of luck",
    "cut, the client ended with code 0",
  })
  void aProcessThatServesAllAndDiesEndsTheRun(String mode, String why) throws Exception {
    History history = run(mode, "shared");
    assertThat(test.stop.reason()).contains("odd").contains(why);
    assertThat(count(history, Outcome.COMMITTED)).isLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "garbage, what is not an answer: Traceback",
    "other, a request that was not open",
    "huge, 'a line of more than 16,777,216 bytes'",
    "strange, which is not one of aborted",
  })
  void nonsenseEndsTheRunWithOneErrorAndTheCommitUnknown(String mode, String why) throws Exception {
    for (String shared : List.of("alone", "shared")) {
      History history = run(mode, shared);
      assertThat(test.stop.failure()).as(mode).isNotNull();
      assertThat(test.stop.reason()).contains(why);
      assertThat(count(history, Outcome.INDETERMINATE)).isPositive();
      write();
    }
  }

  @Test
  void aSessionThatCanNeverBeOpenedEndsTheRun() throws Exception {
    History history = run("homeless", "alone");
    assertThat(test.stop.reason()).contains("an address is needed: host and port");
    assertThat(history.transactionCount()).isZero();
  }

  @Test
  void aSecondAnswerEndsTheRun() throws Exception {
    run("twice", "alone");
    assertThat(test.stop.reason()).contains("a request that was not open");
  }

  @Test
  void aValueThatIsNoNumberEndsTheRun() throws Exception {
    run("text", "alone");
    assertThat(test.stop.reason()).contains("'7' is not a whole number");
  }

  @Test
  void aProcessThatDoesNotSayWhatItIsIsRefused() {
    assertThatThrownBy(() -> client("nameless", "alone"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("\"name\" must have");
    assertThatThrownBy(() -> ProcessClient.of(List.of("sh", "-c", "echo no >&2; exit 9")))
        .hasMessageContaining("ended with code 9: no");
    assertThatThrownBy(() -> ProcessClient.of(List.of("/no/such/program")))
        .isInstanceOf(IOException.class);
  }

  private static long count(History history, Outcome outcome) {
    long count = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      count += history.outcome(txn) == outcome ? 1 : 0;
    }
    return count;
  }
}
