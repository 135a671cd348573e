package dev.assay.collect.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.Generator;
import dev.assay.collect.oracle.Axiom;
import dev.assay.collect.oracle.CommitOrders;
import dev.assay.collect.oracle.SmallHistory;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each store against the brute-force oracle: never less than its level, and not the next one. */
class StoreLevelTest {
  private static final int SEEDS = 400;

  private static WorkloadSpec.Builder small(WorkloadKind kind, int seed) {
    WorkloadSpec.Builder spec =
        WorkloadSpec.builder()
            .sessions(3)
            .transactionsPerSession(2)
            .operations(1, 3)
            .keys(2 + seed % 2)
            .kind(kind)
            .seed(seed);
    // Every third history has transactions of every outcome.
    return seed % 3 == 0 ? spec.abortRate(0.15).indeterminateRate(0.25) : spec;
  }

  @ParameterizedTest
  @CsvSource({
    "SERIALIZABLE, STRICT_SERIALIZABLE",
    "SNAPSHOT_ISOLATION, STRONG_SESSION_SNAPSHOT_ISOLATION",
    "CAUSAL, CAUSAL",
    "READ_ATOMIC, READ_ATOMIC",
    "READ_COMMITTED, READ_COMMITTED"
  })
  void everyHistoryOfAStoreSatisfiesItsLevel(StoreLevel level, Axiom guaranteed) {
    for (WorkloadKind kind : WorkloadKind.values()) {
      for (int seed = 0; seed < SEEDS && supports(level, kind); seed++) {
        History history = new Generator(small(kind, seed).build(), level).history();
        assertThat(new CommitOrders(new SmallHistory(history)).satisfies(guaranteed))
            .as(SmallHistory.text(history))
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SNAPSHOT_ISOLATION, STRONG_SESSION_SERIALIZABLE",
    "CAUSAL, PREFIX",
    "READ_ATOMIC, CAUSAL",
    "READ_COMMITTED, READ_ATOMIC",
    "NONE, READ_COMMITTED"
  })
  void someHistoryOfAStoreViolatesTheNextLevel(StoreLevel level, Axiom next) {
    for (WorkloadKind kind : WorkloadKind.values()) {
      int violations = 0;
      for (int seed = 0; seed < SEEDS && supports(level, kind); seed++) {
        History history = new Generator(small(kind, seed).build(), level).history();
        violations += new CommitOrders(new SmallHistory(history)).satisfies(next) ? 0 : 1;
      }
      if (supports(level, kind)) {
        assertThat(violations).as("%s %s", level, kind).isPositive();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = WorkloadKind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CAS", "VERSIONS"})
  void readCommittedReadsAreNeverDirtyAndSometimesNotRepeatable(WorkloadKind kind) {
    assertThat(readAnomalies(StoreLevel.READ_COMMITTED, kind))
        .containsExactly("non-repeatable-read");
  }

  @Test
  void withoutIsolationReadsAreAbortedIntermediateAndNotRepeatable() {
    assertThat(readAnomalies(StoreLevel.NONE, WorkloadKind.REGISTER))
        .contains("aborted-read", "intermediate-read", "non-repeatable-read", "not-my-own-write");
    assertThat(readAnomalies(StoreLevel.NONE, WorkloadKind.LIST_APPEND))
        .contains("aborted-read", "intermediate-read", "dirty-update", "incompatible-order");
  }

  private static Set<String> readAnomalies(StoreLevel level, WorkloadKind kind) {
    Set<String> found = new TreeSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      WorkloadSpec spec = small(kind, seed).operations(2, 6).abortRate(0.3).build();
      found.addAll(new SmallHistory(new Generator(spec, level).history()).readAnomalies());
    }
    return found;
  }

  @Test
  void theCausalStoreRefusesLists() {
    WorkloadSpec lists = WorkloadSpec.builder().kind(WorkloadKind.LIST_APPEND).build();
    assertThatThrownBy(() -> new Generator(lists, StoreLevel.CAUSAL).history())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the causal store has no lists");
  }

  @ParameterizedTest
  @EnumSource(StoreLevel.class)
  void aStoreIsFoundByItsId(StoreLevel level) {
    assertThat(StoreLevel.fromId(level.id())).isEqualTo(level);
  }

  @Test
  void anUnknownStoreIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> StoreLevel.fromId("linearizable"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'linearizable'")
        .hasMessageContaining("serializable, snapshot-isolation, causal, read-atomic");
  }

  private static boolean supports(StoreLevel level, WorkloadKind kind) {
    return kind != WorkloadKind.CAS
        && kind != WorkloadKind.VERSIONS
        && (level != StoreLevel.CAUSAL || kind != WorkloadKind.LIST_APPEND);
  }
}
