package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCountsTest {
  @ParameterizedTest
  @CsvSource({
    "(5), error code 5",
    "40001 (0), 40001 (serialization failure)",
    "40001 (40001), 40001 (serialization failure)",
    "40001 (1213), 40001 (1213)",
    "HY000 (1205), HY000 (1205)",
    "cannot connect: 08001 (0), cannot connect: 08001"
  })
  void anErrorIsCalledByANameThatCanBeLookedUp(String kind, String named) {
    assertThat(RunCounts.named(kind)).isEqualTo(named);
  }
}
