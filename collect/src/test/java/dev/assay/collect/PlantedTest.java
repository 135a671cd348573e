package dev.assay.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.oracle.Axiom;
import dev.assay.collect.oracle.CommitOrders;
import dev.assay.collect.oracle.Cycles;
import dev.assay.collect.oracle.SmallHistory;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlantedTest {
  /** Two transactions of a workload that write nothing, and the planted ones. */
  private static WorkloadSpec.Builder quiet() {
    return WorkloadSpec.builder().sessions(1).transactionsPerSession(2).operations(1).readRatio(1);
  }

  private static SmallHistory planted(String id) {
    return new SmallHistory(
        new Generator(quiet().build(), StoreLevel.SERIALIZABLE).plant(id).history());
  }

  static Set<String> ids() {
    return Planted.ids();
  }

  @ParameterizedTest
  @MethodSource("ids")
  void everyAnomalyCanBePlantedAndSaysWhy(String id) {
    SmallHistory small = planted(id);
    assertThat(small.history().transactionCount()).isEqualTo(2 + Planted.lines(id).size());
    assertThat(Planted.why(id)).endsWith(".");
    assertThat(new CommitOrders(small).satisfies(Axiom.STRICT_SERIALIZABLE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "thin-air-read",
        "aborted-read",
        "future-read",
        "not-my-own-write",
        "not-my-last-write",
        "intermediate-read",
        "non-repeatable-read",
        "duplicate-write",
        "incompatible-order"
      })
  void anAnomalyInsideOneReadIsTheOnlyOne(String id) {
    assertThat(planted(id).readAnomalies()).containsExactly(id);
  }

  @Test
  void aDirtyUpdateIsSeenByReadingAnAbortedElement() {
    assertThat(planted("dirty-update").readAnomalies())
        .containsExactly("aborted-read", "dirty-update");
  }

  @ParameterizedTest
  @CsvSource({
    "cyclic-causality,",
    "cyclic-versions,",
    "initial-read,",
    "non-monotonic-read-co,",
    "non-monotonic-read-cm,",
    "fractured-read-co, READ_COMMITTED",
    "fractured-read-cm, READ_COMMITTED",
    "co-conflict, READ_ATOMIC",
    "cm-conflict, READ_ATOMIC",
    "lost-update, PREFIX",
    "G0,",
    "G1c,",
    "G-single-item, READ_COMMITTED",
    "G-nonadjacent-item, CAUSAL",
    "G2-item, STRONG_SESSION_SNAPSHOT_ISOLATION",
    "G0-process,",
    "G1c-process,",
    "G-single-item-process, READ_COMMITTED",
    "G-nonadjacent-item-process, CAUSAL",
    "G2-item-process, STRONG_SESSION_SNAPSHOT_ISOLATION",
    "G0-realtime, STRONG_SESSION_SERIALIZABLE",
    "G1c-realtime, STRONG_SESSION_SERIALIZABLE",
    "G-single-item-realtime, STRONG_SESSION_SERIALIZABLE",
    "G-nonadjacent-item-realtime, STRONG_SESSION_SERIALIZABLE",
    "G2-item-realtime, STRONG_SESSION_SERIALIZABLE"
  })
  void aPatternViolatesNoWeakerLevelThanItsName(String id, Axiom strongest) {
    SmallHistory small = planted(id);
    CommitOrders orders = new CommitOrders(small);
    List<Axiom> holding =
        List.of(Axiom.values()).stream().filter(axiom -> orders.satisfies(axiom)).toList();
    int expected = strongest == null ? 0 : strongest.ordinal() + 1;
    assertThat(small.readAnomalies()).isEmpty();
    assertThat(holding).isEqualTo(List.of(Axiom.values()).subList(0, expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G0",
        "G1c",
        "G-single-item",
        "G-nonadjacent-item",
        "G2-item",
        "G0-process",
        "G1c-process",
        "G-single-item-process",
        "G-nonadjacent-item-process",
        "G2-item-process",
        "G0-realtime",
        "G1c-realtime",
        "G-single-item-realtime",
        "G-nonadjacent-item-realtime",
        "G2-item-realtime"
      })
  void aPlantedCycleHasNoOtherName(String id) {
    assertThat(Cycles.names(planted(id))).containsExactly(id);
  }

  @Test
  void anUnknownAnomalyIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(
            () -> new Generator(quiet().build(), StoreLevel.SERIALIZABLE).plant("phantom"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'phantom'")
        .hasMessageContaining("thin-air-read, aborted-read")
        .hasMessageContaining("G2-item-realtime");
  }

  @Test
  void anAnomalyOfRealTimeNeedsTimes() {
    WorkloadSpec timeless = quiet().times(false).build();
    assertThatThrownBy(() -> new Generator(timeless, StoreLevel.NONE).plant("G0-realtime"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no times");
    History history = new Generator(timeless, StoreLevel.NONE).plant("G0").history();
    assertThat(history.hasTimes()).isFalse();
  }

  @Test
  void anomaliesPlantedAtARateTakeTurnsAndShareSessions() {
    WorkloadSpec spec = WorkloadSpec.builder().sessions(4).transactionsPerSession(50).build();
    History history =
        new Generator(spec, StoreLevel.SERIALIZABLE)
            .plant("aborted-read")
            .plant("thin-air-read")
            .plantEvery(2)
            .history();
    // 100 plantings of two and one transactions in turn, in the two sessions of the schedules.
    assertThat(history.transactionCount()).isEqualTo(200 + 50 * 2 + 50);
    assertThat(history.sessionCount()).isEqualTo(4 + 2);
    assertThat(new SmallHistory(history).readAnomalies())
        .containsExactlyInAnyOrder("aborted-read", "thin-air-read");
  }

  @Test
  void aRateBelowOneIsRefused() {
    assertThatThrownBy(() -> new Generator(quiet().build(), StoreLevel.NONE).plantEvery(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not every 0");
  }

  @Test
  void plantedKeysBelongToNobodyElse() {
    WorkloadSpec lists =
        WorkloadSpec.builder()
            .kind(WorkloadKind.LIST_APPEND)
            .keys(3)
            .writesPerKey(2)
            .readRatio(0.1)
            .build();
    Generator generator = new Generator(lists, StoreLevel.SERIALIZABLE).plant("G0").plantEvery(7);
    // The oracle refuses a value written twice, which a shared key would lead to.
    assertThat(new SmallHistory(generator.history()).readAnomalies()).isEmpty();
  }

  @Test
  void aScheduleIsReadAsWritten() {
    Schedule schedule =
        Schedule.parse("s1 aborted: w(x,1)\ns2 @2-3: r(x,nil) a(l,2) r(l,[1 2]) r(l,[])");
    Schedule.Transaction second = schedule.transactions().get(1);
    assertThat(schedule.needsTimes()).isTrue();
    assertThat(second.start()).isEqualTo(2);
    assertThat(second.steps())
        .extracting(Schedule.Step::kind)
        .containsExactly(OpKind.READ, OpKind.APPEND, OpKind.LIST_READ, OpKind.LIST_READ);
    assertThat(second.steps().get(2).values()).containsExactly(1, 2);
    assertThatThrownBy(() -> Schedule.parse("s1: q(x,1)"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSinkFillsABuilder() {
    HistoryBuilder builder = new HistoryBuilder();
    new Generator(quiet().build(), StoreLevel.NONE).generate(new HistorySink(builder));
    assertThat(builder.build().zeroIsInitial()).isTrue();
  }
}
