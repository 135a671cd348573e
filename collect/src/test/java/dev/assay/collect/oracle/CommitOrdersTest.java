package dev.assay.collect.oracle;

import static dev.assay.collect.oracle.Axiom.CAUSAL;
import static dev.assay.collect.oracle.Axiom.PREFIX;
import static dev.assay.collect.oracle.Axiom.READ_ATOMIC;
import static dev.assay.collect.oracle.Axiom.READ_COMMITTED;
import static dev.assay.collect.oracle.Axiom.STRONG_SESSION_SERIALIZABLE;
import static dev.assay.collect.oracle.Axiom.STRONG_SESSION_SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.Generator;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The oracle on histories whose answers are known. */
class CommitOrdersTest {
  /** Lines such as {@code a: wx1 ry0}: a session and one-letter keys with one-digit values. */
  private static List<Axiom> satisfied(String... lines) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.zeroIsInitial(true);
    for (String line : lines) {
      String[] words = line.split(" ");
      builder.begin(builder.session(words[0]), Outcome.COMMITTED);
      for (int i = 1; i < words.length; i++) {
        String key = words[i].substring(1, 2);
        int value = words[i].charAt(2) - '0';
        if (words[i].charAt(0) == 'w') {
          builder.write(key, value);
        } else {
          builder.read(key, value);
        }
      }
    }
    History history = builder.build();
    CommitOrders orders = new CommitOrders(new SmallHistory(history));
    return List.of(Axiom.values()).stream()
        .filter(axiom -> axiom != Axiom.STRICT_SERIALIZABLE && orders.satisfies(axiom))
        .toList();
  }

  @Test
  void writeSkewIsSnapshotIsolatedButNotSerializable() {
    assertThat(satisfied("a rx0 ry0 wx1", "b rx0 ry0 wy1"))
        .contains(STRONG_SESSION_SNAPSHOT_ISOLATION)
        .doesNotContain(STRONG_SESSION_SERIALIZABLE);
  }

  @Test
  void lostUpdateIsPrefixConsistentButNotSnapshotIsolated() {
    assertThat(satisfied("a rx0 wx1", "b rx0 wx2"))
        .contains(PREFIX)
        .doesNotContain(STRONG_SESSION_SNAPSHOT_ISOLATION);
  }

  @Test
  void longForkIsCausalButNotPrefixConsistent() {
    assertThat(satisfied("a wx1", "b wy1", "c rx1 ry0", "d rx0 ry1"))
        .contains(CAUSAL)
        .doesNotContain(PREFIX);
  }

  @Test
  void missingACauseIsReadAtomicButNotCausal() {
    assertThat(satisfied("a wx1", "b rx1 wy1", "c ry1 rx0"))
        .contains(READ_ATOMIC)
        .doesNotContain(CAUSAL);
  }

  @Test
  void halfATransactionIsReadCommittedButNotReadAtomic() {
    assertThat(satisfied("a wx1 wy1", "b rx0 ry1"))
        .contains(READ_COMMITTED)
        .doesNotContain(READ_ATOMIC);
  }

  @Test
  void goingBackWithinATransactionIsNotEvenReadCommitted() {
    assertThat(satisfied("a wx1 wy1", "b ry1 rx0")).isEmpty();
  }

  @Test
  void forcedEdgesAgreeWithTryingAllOrders() {
    for (StoreLevel level : StoreLevel.values()) {
      for (int seed = 0; seed < 200; seed++) {
        WorkloadSpec spec =
            WorkloadSpec.builder()
                .sessions(3)
                .transactionsPerSession(2)
                .operations(2, 3)
                .keys(2)
                .seed(seed)
                .build();
        History history = new Generator(spec, level).history();
        CommitOrders orders = new CommitOrders(new SmallHistory(history));
        for (Axiom axiom : List.of(READ_COMMITTED, READ_ATOMIC, CAUSAL)) {
          assertThat(orders.satisfiesByForcedEdges(axiom))
              .as("%s%n%s", axiom, SmallHistory.text(history))
              .isEqualTo(orders.satisfies(axiom));
        }
      }
    }
  }

  @Test
  void theSpecificationsReadAtomicExampleIsReadAtomic() {
    // Causal edges would reject it; they are not this level's own.
    assertThat(satisfied("1 wx1", "1 rx2", "2 wx2", "1 rx1"))
        .contains(READ_ATOMIC)
        .doesNotContain(CAUSAL);
  }
}
