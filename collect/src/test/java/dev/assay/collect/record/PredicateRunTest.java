package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredicateRunTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"h2", "hsqldb", "sqlite", "duckdb", "postgres"})
  void everyVersionThatIsReadWasWrittenAndNamesItsWriter(String id) throws Exception {
    try (Connector connector = TestDatabases.start(id)) {
      JdbcIsolation isolation = connector.database().strongest();
      PredicateShares shares =
          PredicateShares.parse(
              "insert=20,update=10,read=20,increment=10,range=15,minmax=5,predicate-update=10,"
                  + "predicate-delete=10");
      History history = run(connector, isolation, 4, 60, true, shares);

      assertThat(history.metadata()).containsEntry("columns", "val,ver");
      assertThat(history.sessionText(history.session(0))).isEqualTo("0");
      Map<List<Object>, Integer> writers = new HashMap<>();
      Set<OpKind> kinds = new HashSet<>();
      int deleted = 0;
      for (int op = 0; op < history.operationCount(); op++) {
        OpKind kind = history.kind(op);
        kinds.add(kind);
        Object value = kind == OpKind.WRITE ? history.values().get(history.value(op)) : null;
        if (value != null) {
          assertThat(writers.put(List.of(history.key(op), value), history.transactionOf(op)))
              .isNull();
        }
        deleted += kind == OpKind.WRITE && value == null ? 1 : 0;
      }
      assertThat(kinds).contains(OpKind.SELECT, OpKind.UPDATE, OpKind.READ, OpKind.WRITE);
      assertThat(deleted).isPositive();
      assertReadsAreOfCommittedVersions(history, writers);
    }
  }

  @Test
  void oneClientAloneSeesWhatASimpleStoreWouldShowAndItsFinalReadIsAllRows() throws Exception {
    for (String id : List.of("h2", "sqlite")) {
      for (boolean upserts : new boolean[] {true, false}) {
        try (Connector connector = TestDatabases.start(id)) {
          JdbcIsolation isolation = connector.database().strongest();
          History history = run(connector, isolation, 1, 150, upserts, PredicateShares.standard());
          Map<Integer, Integer> rows = new HashMap<>();
          for (int txn = 0; txn < history.transactionCount(); txn++) {
            assertThat(history.outcome(txn)).isEqualTo(Outcome.COMMITTED);
            for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
              if (history.kind(op) == OpKind.WRITE) {
                rows.put(history.key(op), history.value(op));
              } else if (history.kind(op) == OpKind.READ) {
                int nil = dev.assay.history.Values.NIL;
                assertThat(history.value(op)).isEqualTo(rows.getOrDefault(history.key(op), nil));
              }
            }
          }
          rows.values().removeIf(value -> history.values().get(value) == null);
          int last = history.transactionCount() - 1;
          assertThat(history.predicates().condition(history.value(history.firstOp(last))))
              .isEqualTo("{}");
          assertThat(history.endOp(last) - history.firstOp(last) - 1).isEqualTo(rows.size());
        }
      }
    }
  }

  @Test
  void onlyWhatHasAShareIsDone() throws Exception {
    try (Connector connector = TestDatabases.start("h2")) {
      PredicateShares shares = PredicateShares.parse("read=1,range=1");
      History history = run(connector, connector.database().strongest(), 2, 30, true, shares);
      for (int op = 0; op < history.operationCount(); op++) {
        boolean loads = history.transactionOf(op) == 0;
        assertThat(history.kind(op)).isIn(loads ? OpKind.WRITE : OpKind.READ, OpKind.SELECT);
      }
    }
  }

  private History run(
      Connector connector,
      JdbcIsolation isolation,
      int sessions,
      int transactions,
      boolean upserts,
      PredicateShares shares)
      throws Exception {
    PredicateWorkload workload =
        new PredicateWorkload(
            WorkloadSpec.builder().sessions(sessions).operations(1, 5).keys(20).build(), shares);
    Duration duration = Duration.ofSeconds(60);
    RunSpec spec =
        new RunSpec(isolation, sessions, transactions, duration, 0, 0, false, upserts, 11);
    Path file = folder.resolve("run.assay");
    Stop stop = new Stop();
    LiveRun run;
    try (Recorder recorder = new Recorder(file, Map.of())) {
      run = new LiveRun(connector, spec, workload, recorder, stop);
      run.run();
    }
    assertThat(stop.failure()).isNull();
    assertThat(run.tally().count(Outcome.COMMITTED)).isGreaterThan(20);
    return Formats.read(Input.of(file));
  }

  private static void assertReadsAreOfCommittedVersions(
      History history, Map<List<Object>, Integer> writers) {
    for (int op = 0; op < history.operationCount(); op++) {
      int txn = history.transactionOf(op);
      if (history.kind(op) != OpKind.READ || history.outcome(txn) != Outcome.COMMITTED) {
        continue;
      }
      Object value = history.values().get(history.value(op));
      if (value != null) {
        Integer writer = writers.get(List.of(history.key(op), value));
        assertThat(writer).as("the writer of %s", value).isNotNull();
        assertThat(history.outcome(writer)).isEqualTo(Outcome.COMMITTED);
      }
    }
  }
}
