package dev.assay.collect.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Input;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of real runs say what clients saw, by an evaluation that knows no database. */
class RecoveredCertificateTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"read-committed", "repeatable-read", "serializable"})
  void postgresTellsEveryVersionAndEverySnapshot(String isolation) throws Exception {
    boolean snapshotsOfTransactions = !isolation.equals("read-committed");
    try (Connector connector = WhiteBoxRun.start("postgres")) {
      WhiteBoxRun test = new WhiteBoxRun();
      if (isolation.equals("repeatable-read")) {
        // An upsert may bring back a row that was deleted meanwhile (PostgresSnapshotTest), and its
        // transaction then sees both.
        test.shares =
            PredicateShares.parse(
                "insert=10,update=20,read=30,increment=10,range=15,minmax=5,predicate-update=8");
      }
      Checked checked = run(connector, isolation, test);
      assertThat(checked.selects).isEqualTo(checked.allSelects).isGreaterThan(50);
      assertThat(checked.certificate.order).isEmpty();
      assertThat(checked.updates).isEqualTo(snapshotsOfTransactions ? checked.allUpdates : 0);
    }
  }

  @Tag("extended")
  @ParameterizedTest
  @ValueSource(strings = {"read-committed", "repeatable-read", "serializable"})
  void mariadbTellsEveryVersionAndAtRepeatableReadEverySnapshot(String isolation) throws Exception {
    try (Connector connector = WhiteBoxRun.start("mariadb")) {
      Checked checked = run(connector, isolation, new WhiteBoxRun());
      boolean snapshots = isolation.equals("repeatable-read");
      assertThat(checked.selects).isEqualTo(snapshots ? checked.allSelects : 0);
      assertThat(checked.allSelects).isGreaterThan(20);
      assertThat(checked.certificate.order.isEmpty()).isEqualTo(!isolation.equals("serializable"));
      assertThat(checked.updates).isZero();
    }
  }

  /**
   * The order has all that committed, is that of the commits, and yields, one transaction after
   * another, what every select saw.
   */
  @Tag("extended")
  @Test
  void mariadbAtSerializableTellsASerialOrderOfAllThatCommitted() throws Exception {
    try (Connector connector = WhiteBoxRun.start("mariadb")) {
      Checked checked = run(connector, "serializable", new WhiteBoxRun());
      List<String> order = checked.certificate.order;
      List<String> expected = new ArrayList<>();
      for (int txn = 0; txn < checked.history.transactionCount(); txn++) {
        if (checked.history.outcome(txn) == Outcome.COMMITTED) {
          expected.add(checked.history.label(txn));
        }
      }
      assertThat(order).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(order).containsSubsequence(checked.certificate.commits);
      assertThat(order.size()).isGreaterThan(checked.certificate.commits.size() + 20);
      checked.replayInOrder();
      Given given =
          new Given(
              Assumption.DEFAULT,
              VersionCertificates.read(Input.of(certificateFile()), checked.history));
      Set<Level> strict = Set.of(Level.STRICT_SERIALIZABLE);
      assertThat(
              Assay.check(checked.history, strict, given, Budget.unlimited())
                  .holds(Level.STRICT_SERIALIZABLE))
          .isTrue();
    }
  }

  @Test
  void postgresTellsTheVersionsOfRegistersAndListsToo() throws Exception {
    try (Connector connector = WhiteBoxRun.start("postgres")) {
      registersAndLists(connector);
    }
  }

  @Tag("extended")
  @Test
  void mariadbTellsTheVersionsOfRegistersAndListsToo() throws Exception {
    try (Connector connector = WhiteBoxRun.start("mariadb")) {
      registersAndLists(connector);
    }
  }

  private void registersAndLists(Connector connector) throws Exception {
    WhiteBoxRun test = new WhiteBoxRun();
    test.workload =
        new ParametricWorkload(
            WorkloadSpec.builder()
                .sessions(test.sessions)
                .operations(1, 4)
                .keys(6)
                .kind(WorkloadKind.MIXED)
                .writesPerKey(20)
                .build());
    History history =
        test.on(connector, connector.database().strongest(), file(), certificateFile());
    Certificate certificate = new Certificate(certificateFile());
    Map<Long, List<Object>> expected = new HashMap<>();
    for (String label : certificate.commits) {
      int txn = transaction(history, label);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        boolean installs =
            kind == OpKind.APPEND
                || (kind == OpKind.WRITE && history.lastWrite(txn, history.key(op)) == op);
        if (installs) {
          expected
              .computeIfAbsent(key(history, op), k -> new ArrayList<>())
              .add(value(history, op));
        }
      }
    }
    assertThat(certificate.versions).isEqualTo(expected).isNotEmpty();
    assertEveryCommittedWriterIsThere(history, certificate);
  }

  private Checked run(Connector connector, String isolation, WhiteBoxRun test) throws Exception {
    History history =
        test.on(
            connector, TestDatabases.isolation(connector, isolation), file(), certificateFile());
    System.out.printf(
        "%s %s: %d ms of work, log read in %d ms, %d transactions%n",
        connector.database().id(),
        isolation,
        test.worked.toMillis(),
        test.run.recovery().toMillis(),
        history.transactionCount());
    assertThat(test.stop.failure()).isNull();
    Checked checked = new Checked(history, new Certificate(certificateFile()));
    assertEveryCommittedWriterIsThere(history, checked.certificate);
    checked.versionOrders();
    checked.replay();
    return checked;
  }

  private Path file() {
    return folder.resolve("run.assay");
  }

  private Path certificateFile() {
    return folder.resolve("run.assay.certificate.jsonl");
  }

  private static void assertEveryCommittedWriterIsThere(History history, Certificate certificate) {
    assertThat(certificate.commits).doesNotHaveDuplicates();
    List<String> writers = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.COMMITTED && writes(history, txn)) {
        writers.add(history.label(txn));
      }
      if (history.outcome(txn) == Outcome.ABORTED) {
        assertThat(certificate.commits).doesNotContain(history.label(txn));
      }
    }
    assertThat(certificate.commits).containsAll(writers);
  }

  private static boolean writes(History history, int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.WRITE || history.kind(op) == OpKind.APPEND) {
        return true;
      }
    }
    return false;
  }

  private static int transaction(History history, String label) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.label(txn).equals(label)) {
        return txn;
      }
    }
    throw new AssertionError("no transaction " + label);
  }

  private static long key(History history, int op) {
    return (Long) history.keys().get(history.key(op));
  }

  private static Object value(History history, int op) {
    return history.values().get(history.value(op));
  }

  /** A history and its certificate, and how much of the one the other explains. */
  private static final class Checked {
    final History history;
    final Certificate certificate;
    final Map<String, Integer> transactions = new HashMap<>();
    int allSelects;
    int selects;
    int allUpdates;
    int updates;

    Checked(History history, Certificate certificate) {
      this.history = history;
      this.certificate = certificate;
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        transactions.put(history.label(txn), txn);
      }
    }

    /** Each key's order is that of the commits of the transactions that left a version behind. */
    void versionOrders() {
      Map<Long, List<Object>> expected = new HashMap<>();
      for (String label : certificate.commits) {
        int txn = transactions.get(label);
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          if (history.kind(op) == OpKind.WRITE && isLast(txn, op)) {
            Object value = value(history, op);
            Object named =
                value == null
                    ? Map.of("by", label)
                    : Map.of("vector", List.copyOf((List<?>) value));
            expected.computeIfAbsent(key(history, op), k -> new ArrayList<>()).add(named);
          }
        }
      }
      assertThat(certificate.versions).isEqualTo(expected).isNotEmpty();
    }

    private boolean isLast(int txn, int op) {
      for (int later = op + 1; later < history.endOp(txn); later++) {
        if (history.kind(later) == OpKind.WRITE && history.key(later) == history.key(op)) {
          return false;
        }
      }
      return true;
    }

    /** Every predicate operation gives over its version set what its client saw. */
    void replay() throws Exception {
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        if (history.outcome(txn) == Outcome.COMMITTED) {
          replay(txn);
        }
      }
    }

    /** Every select gives what the transactions before its own in the order left. */
    void replayInOrder() throws Exception {
      for (int i = 0; i < certificate.order.size(); i++) {
        int txn = transactions.get(certificate.order.get(i));
        int op = history.firstOp(txn);
        while (op < history.endOp(txn)) {
          OpKind kind = history.kind(op);
          int rows = kind.isPredicate() ? history.predicates().rowCount(history.value(op)) : 0;
          if (kind == OpKind.SELECT) {
            compare(history.label(txn), op, rows, store(certificate.order.subList(0, i), txn, op));
          }
          op += 1 + rows;
        }
      }
    }

    private void replay(int txn) throws Exception {
      String label = history.label(txn);
      int place = 0;
      int op = history.firstOp(txn);
      while (op < history.endOp(txn)) {
        OpKind kind = history.kind(op);
        int rows = kind.isPredicate() ? history.predicates().rowCount(history.value(op)) : 0;
        if (kind.isPredicate()) {
          allSelects += kind == OpKind.SELECT ? 1 : 0;
          allUpdates += kind == OpKind.UPDATE ? 1 : 0;
          List<String> visible = certificate.visible(label, place);
          if (visible != null) {
            selects += kind == OpKind.SELECT ? 1 : 0;
            updates += kind == OpKind.UPDATE ? 1 : 0;
            compare(label + "#" + place, op, rows, store(visible, txn, op));
          }
        }
        op += 1 + rows;
        place++;
      }
    }

    /** The last versions of the visible transactions, and then what the transaction did itself. */
    private RowStore store(List<String> visible, int txn, int before) {
      RowStore store = new RowStore();
      for (String label : visible) {
        int writer = transactions.get(label);
        apply(store, writer, history.endOp(writer));
      }
      apply(store, txn, before);
      return store;
    }

    private void apply(RowStore store, int txn, int end) {
      for (int op = history.firstOp(txn); op < end; op++) {
        if (history.kind(op) == OpKind.WRITE) {
          store.put(key(history, op), value(history, op));
        }
      }
    }

    private void compare(String name, int op, int rows, RowStore store) throws Exception {
      int predicate = history.value(op);
      Map<?, ?> condition = RowStore.condition(history.predicates().condition(predicate));
      if (condition.containsKey("select")) {
        Object answer = history.values().get(history.predicates().result(predicate));
        assertThat(answer).as("%s %s", name, condition).isEqualTo(store.aggregate(condition));
        return;
      }
      Map<Long, Object> recorded = new HashMap<>();
      for (int row = op + 1; row <= op + rows; row++) {
        recorded.put(key(history, row), value(history, row));
      }
      Map<Long, ?> expected =
          history.kind(op) == OpKind.SELECT ? store.matching(condition) : store.changed(condition);
      assertThat(recorded).as("%s %s", name, condition).isEqualTo(new HashMap<>(expected));
    }
  }
}
