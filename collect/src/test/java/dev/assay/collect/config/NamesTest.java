package dev.assay.collect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
  @ParameterizedTest
  @CsvSource({
    "view-serializable, serializable",
    "conflict-serializable, serializable",
    "1SR, serializable",
    "PL-3, serializable",
    "SER, serializable",
    "session-serializable, strong-session-serializable",
    "strong-session-1SR, strong-session-serializable",
    "SSER, strict-serializable",
    "strict-1SR, strict-serializable",
    "PL-2.99, repeatable-read",
    "PL-SI, snapshot-isolation",
    "SI, snapshot-isolation",
    "PSI, parallel-snapshot-isolation",
    "ROLA, update-atomic",
    "TCC, causal",
    "PL-2, adya-read-committed",
    "PL-1, read-uncommitted",
  })
  void levelsHaveTheNamesThatOthersUse(String theirs, String ours) {
    assertThat(Names.level(theirs).id()).isEqualTo(ours);
  }

  @ParameterizedTest
  @CsvSource({
    "SSI, serializable",
    "NMSI, parallel-snapshot-isolation",
    "PL-CS, cursor-stability",
    "PL-CS, repeatable-read",
    "eventual, causal",
    "S2PL, strict-serializable",
    "2PL, serializable",
    "MTC, strict-serializable",
    "MT-SSER, strict-serializable",
    "MT-SER, strong-session-serializable",
    "MT-SI, strong-session-snapshot-isolation",
    "opacity, strict-serializable",
    "CCv, causal",
  })
  void aNameThatIsNoLevelHereSaysWhatToAskInstead(String theirs, String instead) {
    assertThatThrownBy(() -> Names.level(theirs))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'" + theirs + "' is not a level here: ")
        .hasMessageContaining(instead);
    assertThat(Names.level(instead).id()).isEqualTo(instead);
  }
}
