package dev.assay.collect.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredicateSharesTest {
  @Test
  void stepsComeAsOftenAsTheirSharesSay() {
    PredicateShares shares = PredicateShares.parse("insert=1, range=3 ,predicate-update=6,read=0");
    Map<PredicateShares.Step, Integer> drawn = new EnumMap<>(PredicateShares.Step.class);
    SplitMix random = new SplitMix(1);
    for (int i = 0; i < 10_000; i++) {
      drawn.merge(shares.draw(random), 1, Integer::sum);
    }
    assertThat(drawn)
        .containsOnlyKeys(
            PredicateShares.Step.INSERT,
            PredicateShares.Step.RANGE,
            PredicateShares.Step.PREDICATE_UPDATE);
    assertThat(drawn.get(PredicateShares.Step.RANGE)).isBetween(2_800, 3_200);
  }

  @Test
  void theTextOfSharesIsReadAgain() {
    String standard = PredicateShares.standard().toString();
    assertThat(PredicateShares.parse(standard)).hasToString(standard);
    assertThat(standard).startsWith("insert=10,").contains("minmax=5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "insert|a share is written as in range=15, not 'insert'",
        "insert=1,|a share is written as in range=15, not ''",
        "insert=1=2|a share is written as in range=15, not 'insert=1=2'",
        "inserts=1|there is no step 'inserts'; choose from insert, update, read",
        "insert=-1|the share of insert must be a whole number from 0 to 1000000, not '-1'",
        "insert=x|the share of insert must be a whole number from 0 to 1000000, not 'x'",
        "insert=1,insert=2|the share of insert is given twice",
        "insert=0|all shares are 0, so there is nothing to do"
      })
  void whatIsNoShareIsRefused(String text, String message) {
    assertThatThrownBy(() -> PredicateShares.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
