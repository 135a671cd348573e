package dev.assay.collect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.record.FaultPlan.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultStepsTest {
  private static List<Step> parse(String... lines) {
    return FaultSteps.parse(List.of(lines), "plan", Duration.ofSeconds(1));
  }

  @Test
  void aPlanIsReadInTheOrderOfTimes() {
    assertThat(
            parse(
                "# a plan",
                "---",
                "- at 5s failover",
                "",
                "- at 500ms partition replica 2 for 2s",
                "at 6s pause primary # soon"))
        .containsExactly(
            step(500, FaultKind.PARTITION, "replica 2", 2000),
            step(5000, FaultKind.FAILOVER, null, 1000),
            step(6000, FaultKind.PAUSE, "primary", 1000));
  }

  @Test
  void aPartitionHasSidesAndLastsUntilItIsHealed() {
    assertThat(
            parse(
                "at 5s partition primary | replicas for 6s; heal",
                "at 20s halves node 1, node 2|node 3",
                "at 22s kill replicas",
                "at 30s heal; at 31s pause"))
        .containsExactly(
            step(5000, FaultKind.HALVES, "primary|replicas", 6000),
            step(20000, FaultKind.HALVES, "node 1,node 2|node 3", 10000),
            step(22000, FaultKind.KILL, "replicas", 8000),
            step(31000, FaultKind.PAUSE, null, 1000));
  }

  @Test
  void whatIsHealedEndsBeforeItsTime() {
    assertThat(parse("at 1s pause for 9s", "at 4s heal"))
        .containsExactly(step(1000, FaultKind.PAUSE, null, 3000));
  }

  private static Step step(long at, FaultKind kind, String node, long lasting) {
    return new Step(Duration.ofMillis(at), kind, node, Duration.ofMillis(lasting));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "at noon kill",
        "kill",
        "at 5s burn",
        "at 5s kill for",
        "at 0s kill",
        "x: y",
        "at 5s kill a|b",
        "at 5s partition a|b|c",
        "at x heal"
      })
  void aMistakeIsNamedWithItsLine(String line) {
    assertThatThrownBy(() -> parse("- at 1s kill", line))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--fault-plan: plan, line 2: ");
  }

  @Test
  void aPlanWithoutStepsIsAMistake() {
    assertThatThrownBy(() -> parse("# nothing")).hasMessageContaining("has no steps");
  }
}
