package dev.assay.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.oracle.SmallHistory;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class GeneratorTest {
  private static WorkloadSpec.Builder mixed() {
    return WorkloadSpec.builder()
        .sessions(8)
        .transactionsPerSession(60)
        .keys(10)
        .abortRate(0.1)
        .indeterminateRate(0.05)
        .seed(42);
  }

  static List<Generator> allCombinations() {
    List<Generator> generators = new ArrayList<>();
    for (StoreLevel level : StoreLevel.values()) {
      for (WorkloadKind kind : WorkloadKind.values()) {
        boolean oneOrder = level != StoreLevel.CAUSAL && level != StoreLevel.NONE;
        boolean possible =
            kind == WorkloadKind.VERSIONS
                ? oneOrder
                : level != StoreLevel.CAUSAL || kind != WorkloadKind.LIST_APPEND;
        if (possible) {
          generators.add(new Generator(mixed().kind(kind).build(), level).plant("lost-update"));
        }
      }
    }
    return generators;
  }

  @ParameterizedTest
  @MethodSource("allCombinations")
  void theSameSeedGivesTheSameHistory(Generator generator) {
    String first = SmallHistory.text(generator.history());
    assertThat(SmallHistory.text(generator.history())).isEqualTo(first);
  }

  @ParameterizedTest
  @MethodSource("allCombinations")
  void everyTransactionIsThereWithTimesInSessionOrder(Generator generator) {
    History history = generator.history();
    assertThat(history.transactionCount()).isEqualTo(8 * 60 + 3);
    for (int session = 0; session < history.sessionCount(); session++) {
      long free = 0;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        assertThat(history.start(txn)).isGreaterThanOrEqualTo(free);
        if (history.outcome(txn) == Outcome.INDETERMINATE) {
          assertThat(history.end(txn)).isEqualTo(History.ABSENT);
          assertThat(i).as("last of its session").isEqualTo(history.sessionSize(session) - 1);
        } else {
          assertThat(history.end(txn)).isGreaterThanOrEqualTo(history.start(txn));
          free = history.end(txn);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(StoreLevel.class)
  void differentSeedsGiveDifferentHistories(StoreLevel level) {
    Set<String> texts = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      WorkloadSpec spec = mixed().transactionsPerSession(5).seed(seed).build();
      texts.add(SmallHistory.text(new Generator(spec, level).history()));
    }
    assertThat(texts).hasSize(20);
  }

  @Test
  void aSeedNamesThisHistoryForEver() {
    WorkloadSpec spec =
        WorkloadSpec.builder().sessions(2).transactionsPerSession(2).keys(2).seed(1).build();
    assertThat(SmallHistory.text(new Generator(spec, StoreLevel.SERIALIZABLE).history()))
        .isEqualTo(
            """
            1 committed 155..579: write 1 1;
            1 committed 580..902: read 1 -> 1; read 1 -> 1; read 0 -> 0; write 0 1; read 0 -> 1;
            0 committed 76..1181: write 1 2; write 1 3;
            0 committed 1182..1350: write 0 2; read 1 -> 3; read 0 -> 2; read 0 -> 2; write 0 3;
            """);
  }

  @Test
  void outcomesComeAtTheGivenRates() {
    WorkloadSpec spec = mixed().transactionsPerSession(1000).build();
    History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
    assertThat(share(history, Outcome.ABORTED)).isCloseTo(0.1, within(0.01));
    assertThat(share(history, Outcome.INDETERMINATE)).isCloseTo(0.05, within(0.01));
    assertThat(history.sessionCount()).isGreaterThan(8);
  }

  @Test
  void aboutHalfOfTheIndeterminateTransactionsTakeEffect() {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .sessions(1)
            .transactionsPerSession(20_000)
            .operations(1)
            .keys(1)
            .indeterminateRate(0.1)
            .build();
    History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
    int applied = 0;
    int judged = 0;
    for (int txn = 0; txn + 1 < history.transactionCount(); txn++) {
      int write = history.firstOp(txn);
      int next = history.firstOp(txn + 1);
      if (history.outcome(txn) == Outcome.INDETERMINATE
          && history.kind(write) == OpKind.WRITE
          && history.kind(next) == OpKind.READ) {
        judged++;
        applied += history.value(next) == history.value(write) ? 1 : 0;
      }
    }
    assertThat(judged).isGreaterThan(400);
    assertThat((double) applied / judged).isCloseTo(0.5, within(0.06));
  }

  @Test
  void transactionsOverlapInRealTime() {
    History history = new Generator(mixed().build(), StoreLevel.SERIALIZABLE).history();
    int overlapping = 0;
    for (int txn = 0; txn + 1 < history.transactionCount(); txn++) {
      overlapping += history.start(txn + 1) <= history.end(txn) ? 1 : 0;
    }
    assertThat(overlapping).isGreaterThan(history.transactionCount() / 2);
  }

  @Test
  void lengthsAndReadsAreAsAsked() {
    WorkloadSpec spec =
        WorkloadSpec.builder().transactionsPerSession(1000).operations(2, 4).readRatio(0.7).build();
    History history = new Generator(spec, StoreLevel.SNAPSHOT_ISOLATION).history();
    Set<Integer> lengths = new HashSet<>();
    int reads = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      lengths.add(history.endOp(txn) - history.firstOp(txn));
    }
    for (int op = 0; op < history.operationCount(); op++) {
      reads += history.kind(op) == OpKind.READ ? 1 : 0;
    }
    assertThat(lengths).containsExactlyInAnyOrder(2, 3, 4);
    assertThat((double) reads / history.operationCount()).isCloseTo(0.7, within(0.01));
  }

  @Test
  void aReadModifyWriteReadsTheKeyItWritesNext() {
    WorkloadSpec spec = mixed().kind(WorkloadKind.READ_MODIFY_WRITE).build();
    History history = new Generator(spec, StoreLevel.READ_COMMITTED).history();
    int writes = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE) {
        writes++;
        assertThat(history.kind(op - 1)).isEqualTo(OpKind.READ);
        assertThat(history.key(op - 1)).isEqualTo(history.key(op));
        assertThat(history.transactionOf(op - 1)).isEqualTo(history.transactionOf(op));
      }
    }
    assertThat(writes).isPositive();
  }

  @Test
  void aMixHasReadsWritesAndReadModifyWrites() {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .kind(WorkloadKind.REGISTER_MIX)
            .operations(4, 4)
            .keys(1000)
            .transactionsPerSession(2000)
            .build();
    History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
    double writes = 0;
    double updates = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE) {
        writes++;
        boolean follows = op > history.firstOp(history.transactionOf(op));
        updates += follows && history.key(op - 1) == history.key(op) ? 1 : 0;
      }
    }
    double accesses = history.operationCount() - updates;
    assertThat(updates / accesses).isCloseTo(0.15, within(0.01));
    assertThat((writes - updates) / accesses).isCloseTo(0.35, within(0.01));
  }

  @Test
  void longListsAreRetired() {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .kind(WorkloadKind.LIST_APPEND)
            .keys(5)
            .writesPerKey(8)
            .transactionsPerSession(200)
            .build();
    History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
    int longest = 0;
    for (int i = 0; i < history.sequences().count(); i++) {
      longest = Math.max(longest, history.sequences().length(i));
    }
    assertThat(longest).isEqualTo(8);
    assertThat(history.keys().count()).isGreaterThan(100);
  }

  @ParameterizedTest
  @EnumSource(StoreLevel.class)
  void registersAreRetiredAfterSoManyWritesWhereAsked(StoreLevel level) {
    WorkloadSpec spec = mixed().transactionsPerSession(200).writesPerKey(8).build();
    History history = new Generator(spec, level).history();
    int[] writes = new int[history.keys().count()];
    for (int op = 0; op < history.operationCount(); op++) {
      boolean write = history.kind(op) == OpKind.WRITE;
      writes[history.key(op)] += write ? 1 : 0;
      if (write) {
        assertThat(history.values().asLong(history.value(op))).isBetween(1L, 8L);
      }
    }
    assertThat(writes.length).isGreaterThan(100);
    assertThat(Arrays.stream(writes).max()).hasValue(8);
  }

  @Test
  void conditionsOfTheSerializableStoreFailOnlyWhereTheyMust() {
    for (int seed = 0; seed < 5; seed++) {
      WorkloadSpec spec = mixed().kind(WorkloadKind.CAS).keys(4).seed(seed).build();
      History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
      assertThat(history.hasOtherReads()).isTrue();
      Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
      assertThat(report.violated(Level.STRICT_SERIALIZABLE)).as("seed %d", seed).isFalse();
      assertThat(report.holds(Level.SERIALIZABLE)).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void versionsHaveTheNumbersOfTheStoresThatHaveOneOrderOfCommits() {
    for (int seed = 0; seed < 5; seed++) {
      for (StoreLevel store : StoreLevel.values()) {
        WorkloadSpec spec =
            mixed()
                .kind(WorkloadKind.VERSIONS)
                .keys(4)
                .abortRate(0.1)
                .indeterminateRate(0.05)
                .seed(seed)
                .build();
        Generator generator = new Generator(spec, store);
        if (store == StoreLevel.CAUSAL || store == StoreLevel.NONE) {
          assertThatThrownBy(generator::history).hasMessageContaining("no numbers of versions");
          continue;
        }
        History history = generator.history();
        assertThat(history.hasVersionNumbers()).isTrue();
        Level promised = Level.find(store.guarantee()).orElseThrow();
        Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
        assertThat(report.holds(promised)).as("%s, seed %d", store, seed).isTrue();
      }
    }
  }

  @Test
  void withoutALimitRegistersStay() {
    History history = new Generator(mixed().build(), StoreLevel.SERIALIZABLE).history();
    assertThat(history.keys().count()).isEqualTo(10);
  }

  @ParameterizedTest
  @EnumSource(
      value = WorkloadKind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CAS", "VERSIONS"})
  void theSerializableStoreIsStrictlySerializableAlsoWhereKeysRotate(WorkloadKind kind) {
    for (int seed = 0; seed < 20; seed++) {
      WorkloadSpec spec =
          mixed()
              .kind(kind)
              .keys(4)
              .writesPerKey(6)
              .abortRate(seed % 2 * 0.1)
              .indeterminateRate(seed % 2 * 0.05)
              .seed(seed)
              .build();
      History history = new Generator(spec, StoreLevel.SERIALIZABLE).history();
      assertThat(readsAreOfTheOrderInWhichTransactionsRan(history)).isTrue();
    }
  }

  /** Transactions are recorded in the order they ran: replaying that order explains each read. */
  private static boolean readsAreOfTheOrderInWhichTransactionsRan(History history) {
    Map<Integer, Object> current = new HashMap<>();
    Set<Integer> uncertain = uncertainKeys(history);
    long latestStart = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      latestStart = Math.max(latestStart, history.start(txn));
      boolean counts = history.isCommitted(txn);
      if (counts && history.end(txn) < latestStart) {
        return false;
      }
      for (int op = history.firstOp(txn); counts && op < history.endOp(txn); op++) {
        if (!uncertain.contains(history.key(op)) && !explains(history, op, current)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean explains(History history, int op, Map<Integer, Object> current) {
    Operation operation = history.operation(op);
    Object before = current.get(history.key(op));
    switch (operation.kind()) {
      case WRITE -> current.put(history.key(op), operation.value());
      case APPEND -> {
        List<Object> list = new ArrayList<>(before == null ? List.of() : (List<?>) before);
        list.add(operation.value());
        current.put(history.key(op), list);
      }
      case LIST_READ -> {
        return operation.value().equals(before == null ? List.of() : before);
      }
      default -> {
        return operation.value().equals(before == null ? 0L : before);
      }
    }
    return true;
  }

  /** Keys that a transaction of unknown outcome wrote. */
  private static Set<Integer> uncertainKeys(History history) {
    Set<Integer> keys = new HashSet<>();
    for (int op = 0; op < history.operationCount(); op++) {
      int txn = history.transactionOf(op);
      if (history.kind(op).isWrite() && history.outcome(txn) == Outcome.INDETERMINATE) {
        keys.add(history.key(op));
      }
    }
    return keys;
  }

  @Test
  void withoutTimesThereAreNone() {
    WorkloadSpec spec = mixed().times(false).build();
    assertThat(new Generator(spec, StoreLevel.NONE).history().hasTimes()).isFalse();
  }

  @Test
  void aHistorySaysHowItWasMade() {
    History history =
        new Generator(mixed().build(), StoreLevel.SNAPSHOT_ISOLATION).plant("G0").history();
    assertThat(history.metadata())
        .containsEntry("seed", "42")
        .containsEntry("store", "snapshot-isolation")
        .containsEntry("level", "strong-session-snapshot-isolation")
        .containsEntry("planted", "G0")
        .containsEntry(
            "workload",
            "register, 8 sessions x 60 transactions x 1-5 operations, 10 keys (uniform), 0.5"
                + " reads");
  }

  @Test
  void parametersThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> mixed().sessions(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the number of sessions must be at least 1, not 0");
    assertThatThrownBy(() -> mixed().operations(5, 2).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5");
    assertThatThrownBy(() -> mixed().readRatio(Double.NaN).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("read ratio");
    assertThatThrownBy(() -> mixed().abortRate(0.6).indeterminateRate(0.6).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("together");
  }

  private static double share(History history, Outcome outcome) {
    int count = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      count += history.outcome(txn) == outcome ? 1 : 0;
    }
    return (double) count / history.transactionCount();
  }
}
