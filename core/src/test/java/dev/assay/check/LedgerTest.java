package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final Verdict.Holds HOLDS = new Verdict.Holds("for a test");

  private static final Verdict.Unknown AMBIGUOUS =
      new Verdict.Unknown(Verdict.Reason.AMBIGUOUS, "for a test");

  private static Anomaly anomaly(AnomalyType type, Set<Level> violates, int operation) {
    return new Anomaly(type, violates, 1, false, List.of(Evidence.ofOperations(operation)));
  }

  private static Verdict settled(Ledger ledger, Level level) {
    return ledger.settle(EnumSet.of(level)).get(level);
  }

  @Test
  void whatALevelImpliesHoldsWithItAndStaysOpenWithoutIt() {
    Ledger ledger = new Ledger();
    assertThat(ledger.isOpen(Level.CAUSAL)).isTrue();
    ledger.answer(Level.CAUSAL, HOLDS);
    assertThat(ledger.holds(Level.READ_ATOMIC)).isTrue();
    assertThat(ledger.isOpen(Level.PREFIX)).isTrue();
    assertThat(ledger.holding()).isEqualTo(Level.CAUSAL.andWeaker());
    assertThat(settled(ledger, Level.READ_ATOMIC))
        .isEqualTo(new Verdict.Holds("implied by causal"));
  }

  @Test
  void whatImpliesAViolatedLevelIsViolated() {
    Ledger ledger = new Ledger();
    ledger.found(anomaly(AnomalyType.CYCLIC_CAUSALITY, EnumSet.of(Level.READ_COMMITTED), 0));
    assertThat(ledger.isViolated(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(ledger.isOpen(Level.SERIALIZABLE)).isTrue();
    assertThat(settled(ledger, Level.CAUSAL)).isInstanceOf(Verdict.Violated.class);
  }

  @Test
  void anAnomalyOutranksAnAnswer() {
    Ledger ledger = new Ledger();
    ledger.answer(Level.CAUSAL, HOLDS);
    ledger.found(anomaly(AnomalyType.CYCLIC_CAUSALITY, EnumSet.of(Level.CAUSAL), 0));
    assertThat(settled(ledger, Level.CAUSAL)).isInstanceOf(Verdict.Violated.class);
    // Nor does the answer say anything about weaker levels any more.
    assertThat(ledger.holds(Level.READ_ATOMIC)).isFalse();
    assertThat(settled(ledger, Level.READ_ATOMIC)).isInstanceOf(Verdict.Unknown.class);
  }

  @Test
  void aDecisionReplacesTheLackOfOneAndStays() {
    Ledger ledger = new Ledger();
    ledger.leaveOpen(Level.CAUSAL, AMBIGUOUS);
    ledger.leaveOpen(Level.CAUSAL, Verdict.Unknown.TIMEOUT);
    assertThat(settled(ledger, Level.CAUSAL)).isEqualTo(AMBIGUOUS);
    ledger.answer(Level.CAUSAL, HOLDS);
    ledger.answer(Level.CAUSAL, Verdict.Unknown.TIMEOUT);
    assertThat(settled(ledger, Level.CAUSAL)).isEqualTo(HOLDS);
  }

  @Test
  void whatWasSettledBeforeIsNotOpen() {
    Ledger ledger = new Ledger(Set.of(Level.READ_COMMITTED), Set.of(Level.SNAPSHOT_ISOLATION));
    assertThat(ledger.isOpen(Level.CAUSAL)).isFalse();
    assertThat(ledger.holds(Level.CONSISTENT_VIEW)).isTrue();
    assertThat(ledger.isAnswered(Level.SNAPSHOT_ISOLATION)).isFalse();
  }

  @Test
  void anAnomalyThatAnotherCheckerFoundTooHasOneEntry() {
    Ledger ledger = new Ledger();
    ledger.found(anomaly(AnomalyType.G1C, EnumSet.of(Level.ADYA_READ_COMMITTED), 0));
    ledger.found(anomaly(AnomalyType.G1C, EnumSet.of(Level.ADYA_READ_COMMITTED), 1));
    assertThat(ledger.anomalies()).hasSize(1);
    assertThat(ledger.anomalies().get(0).witnesses()).hasSize(1);
    ledger.found(anomaly(AnomalyType.G1C, EnumSet.of(Level.READ_UNCOMMITTED), 2));
    assertThat(ledger.anomalies().get(0).witnesses()).hasSize(2);
    assertThat(ledger.anomalies().get(0).violates())
        .contains(Level.ADYA_READ_COMMITTED, Level.READ_UNCOMMITTED);
  }

  @Test
  void onlyWhatViolatesAWantedLevelIsShown() {
    Ledger ledger = new Ledger();
    ledger.found(anomaly(AnomalyType.G2_ITEM, EnumSet.of(Level.SERIALIZABLE), 0));
    ledger.found(anomaly(AnomalyType.NON_REPEATABLE_READ, EnumSet.of(Level.CUT_ISOLATION), 1));
    assertThat(ledger.shown(EnumSet.of(Level.CUT_ISOLATION)))
        .extracting(Anomaly::type)
        .containsExactly(AnomalyType.NON_REPEATABLE_READ);
    assertThat(ledger.shown(EnumSet.of(Level.STRICT_SERIALIZABLE)))
        .extracting(Anomaly::type)
        .isSorted()
        .hasSize(2);
  }

  @Test
  void aLedgerStartsFromWhatAnotherOneCameTo() {
    Anomaly found = anomaly(AnomalyType.G2_ITEM, EnumSet.of(Level.SERIALIZABLE), 0);
    Ledger ledger = Ledger.of(Map.of(Level.CAUSAL, HOLDS), List.of(found));
    assertThat(ledger.holds(Level.READ_COMMITTED)).isTrue();
    assertThat(ledger.isViolated(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }
}
