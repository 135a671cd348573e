package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The oracle gives the published answers for the files in the folder {@code histories}. */
class HistoriesFolderTest {
  private static final Path FOLDER = Path.of("..", "histories");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList();
    }
  }

  static List<Path> jepsenFiles() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".edn")).sorted().toList();
    }
  }

  private static SmallHistory history(String name) throws IOException {
    List<Path> found =
        files().stream().filter(f -> f.getFileName().toString().equals(name + ".txt")).toList();
    assertThat(found).as(name).hasSize(1);
    return SmallHistory.plume(Files.readString(found.get(0)));
  }

  @ParameterizedTest
  @MethodSource("files")
  void theFolderOfAHistoryIsTheStrongestLevelItHas(Path file) throws IOException {
    Set<Level> holding = LevelOracle.holding(SmallHistory.plume(Files.readString(file)));
    holding.removeAll(LevelOracle.REAL_TIME);
    String folder = file.getParent().getFileName().toString();
    assertThat(Level.maximal(holding).get(0).id()).as("%s has %s", file, holding).isEqualTo(folder);
  }

  /** These have real time, so levels about it count. */
  @ParameterizedTest
  @MethodSource("jepsenFiles")
  void theFolderOfAJepsenHistoryIsTheStrongestLevelItHas(Path file) throws Exception {
    History history = Assay.read(file);
    Set<Level> holding = HistoryOracle.holding(history).orElseThrow();
    String folder = file.getParent().getFileName().toString();
    assertThat(history.hasTimes()).isTrue();
    assertThat(Level.maximal(holding).get(0).id()).as("%s has %s", file, holding).isEqualTo(folder);
  }

  @ParameterizedTest
  @MethodSource("jepsenFiles")
  void aJepsenHistoryIsAnsweredAsTheOracleDoes(Path file) throws Exception {
    History history = Assay.read(file);
    Set<Level> holding = HistoryOracle.holding(history).orElseThrow();
    Report report =
        Verifier.sample(Assay.check(history, Level.surveyed(), Budget.unlimited()), Given.NOTHING);
    for (Level level : Level.surveyed()) {
      String refuted = holding.contains(level) ? "violated" : "holds";
      assertThat(report.verdict(level).id()).as("%s of %s", level, file).isNotEqualTo(refuted);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void theReaderSeesTheSameHistoryAsTheOracle(Path file) throws Exception {
    History read = Assay.read(file);
    History expected = SmallHistory.plume(Files.readString(file)).toHistory();
    assertThat(texts(read)).isEqualTo(texts(expected));
  }

  private static List<String> texts(History history) {
    return Stream.iterate(0, op -> op + 1)
        .limit(history.operationCount())
        .map(
            op -> {
              int txn = history.transactionOf(op);
              return history.session(txn)
                  + " "
                  + txn
                  + " "
                  + history.outcome(txn)
                  + " "
                  + history.text(op);
            })
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "tap-a, thin-air-read, false, false, false",
    "tap-b, aborted-read, false, false, false",
    "tap-c, future-read, false, false, false",
    "tap-d, not-my-own-write, false, false, false",
    "tap-e, not-my-last-write, false, false, false",
    "tap-f, intermediate-read, false, false, false",
    "tap-g, , false, false, false",
    "tap-h, , false, false, false",
    "tap-i, , true, false, false",
    "tap-j, non-repeatable-read, false, false, false",
    "tap-k, , true, false, false",
    "tap-l, , true, false, false",
    "tap-m, , true, true, false",
    "tap-n, , true, true, false",
    "init-stale, , true, false, false",
    "init-fractured, , false, false, false",
    "init-repeated-read, , true, true, true",
    "read-atomic-not-causal, , true, true, false",
  })
  void weakLevelsHaveTheirPublishedVerdicts(
      String name, String anomaly, boolean committed, boolean atomic, boolean causal)
      throws IOException {
    SmallHistory history = history(name);
    Set<Level> holding = LevelOracle.holding(history);
    assertThat(holding.contains(Level.READ_COMMITTED)).isEqualTo(committed);
    assertThat(holding.contains(Level.READ_ATOMIC)).isEqualTo(atomic);
    assertThat(holding.contains(Level.CAUSAL)).isEqualTo(causal);
    if (anomaly == null) {
      assertThat(ReadOracle.certain(history)).isEmpty();
    } else {
      assertThat(ReadOracle.certain(history)).contains(AnomalyType.find(anomaly).orElseThrow());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "init-after-own-write, false, false",
    "init-stale-cross, false, false",
    "init-all-overwritten-chain, false, false",
    "lost-update, false, false",
    "write-skew, true, false",
    "long-fork, false, false",
    "fractured-read, false, false",
    "intermediate-read, false, false",
    "thin-air, false, false",
    "nonrepeatable, false, false",
    "future-read, false, false",
    "not-my-last-write, false, false",
    "ok-serial, true, true",
    "dup-value-ok, true, true",
    "dup-value-zero-write, true, true",
    "session-regress, false, false",
    "ro-txn-anomaly, true, false",
  })
  void strongLevelsHaveTheirPublishedVerdicts(String name, boolean snapshot, boolean serial)
      throws IOException {
    Set<Level> holding = LevelOracle.holding(history(name));
    assertThat(holding.contains(Level.STRONG_SESSION_SNAPSHOT_ISOLATION)).isEqualTo(snapshot);
    assertThat(holding.contains(Level.STRONG_SESSION_SERIALIZABLE)).isEqualTo(serial);
  }

  @Test
  void aSessionThatReadsItsOwnFutureIsSerializableButNotReadCommitted() throws IOException {
    Set<Level> holding = LevelOracle.holding(history("session-reads-its-future"));
    assertThat(holding)
        .contains(Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION, Level.REPEATABLE_READ)
        .doesNotContain(Level.READ_COMMITTED, Level.STRONG_SESSION_ADYA_READ_COMMITTED);
  }
}
