package dev.assay.collect.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptRunTest {
  /** What manuals and Hermitage say of these databases. */
  @ParameterizedTest
  @CsvSource({
    "h2, read-uncommitted, G1a G1b G1c OTV PMP P4 G-single G2-item G2",
    "h2, read-committed, PMP P4 G-single G2-item G2",
    "h2, snapshot, P4-rollback P4-retry G2-item G2 G2-upsert",
    "h2, serializable, P4-rollback P4-retry G2-item G2 G2-upsert",
    "hsqldb, read-uncommitted, PMP P4 G-single G2-item G2",
    "hsqldb, serializable, G2-item G2 G2-upsert",
    "sqlite, serializable, ''",
    "duckdb, snapshot, G2-item G2 G2-upsert",
    "postgres, read-committed, PMP P4 G-single G2-item G2",
    "postgres, repeatable-read, G2-item G2 G2-upsert",
    "postgres, serializable, ''"
  })
  void theClassicAnomaliesHappenWhereTheyAreAllowed(String id, String level, String anomalies)
      throws Exception {
    try (Connector connector = TestDatabases.start(id)) {
      assertThat(happened(connector, level)).isEqualTo(words(anomalies));
    }
  }

  @Test
  @Tag("extended")
  void olderH2LosesUpdatesAfterARollbackOnly() throws Exception {
    try (Connector connector = TestDatabases.start("h2", "2.3.232")) {
      assertThat(happened(connector, "snapshot"))
          .isEqualTo(words("P4-rollback G2-item G2 G2-upsert"));
    }
  }

  @Test
  @Tag("extended")
  void h2LosesNoUpdatesIfItReusesNoResults() throws Exception {
    Target target =
        new Target(
            Databases.byId("h2").orElseThrow(),
            null,
            List.of(),
            null,
            null,
            Map.of("OPTIMIZE_REUSE_RESULTS", "FALSE"));
    try (Connector connector = TestDatabases.start(target)) {
      assertThat(happened(connector, "snapshot")).isEqualTo(words("G2-item G2 G2-upsert"));
    }
  }

  @Test
  @Tag("extended")
  void postgres123CommitsWriteSkewAtSerializable() throws Exception {
    try (Connector connector = TestDatabases.start("postgres", "12.3")) {
      assertThat(happened(connector, "serializable")).containsExactly("G2-upsert");
    }
    try (Connector connector = TestDatabases.start("postgres", "12.6")) {
      assertThat(happened(connector, "serializable")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "read-uncommitted, G1a G1b G1c OTV PMP P4 G-single G2-item G2",
    "read-committed, PMP P4 G-single G2-item G2",
    "repeatable-read, P4 G2-item G2 G2-upsert",
    "serializable, ''"
  })
  @Tag("extended")
  void mariadbLosesUpdatesAtRepeatableRead(String level, String anomalies) throws Exception {
    try (Connector connector = TestDatabases.start("mariadb")) {
      assertThat(happened(connector, level)).isEqualTo(words(anomalies));
    }
  }

  @Test
  void aLineThatMakesNoSenseIsNamed() {
    assertThatThrownBy(() -> Script.parse("X", "title: x\nT1 fly 1\n"))
        .hasMessage("schedule X, line 2: 'T1 fly 1' makes no sense");
    assertThatThrownBy(() -> Script.parse("X", "T1 read 1\n")).hasMessageContaining("line 1");
    assertThatThrownBy(() -> Script.parse("X", "shown: T1 was here\n"))
        .hasMessageContaining("line 1");
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  private static List<String> happened(Connector connector, String level) throws Exception {
    ScriptRun run = new ScriptRun(connector, 500);
    List<String> happened = new ArrayList<>();
    for (Script script : Script.all()) {
      if (run.run(script, TestDatabases.isolation(connector, level)).happened()) {
        happened.add(script.id());
      }
    }
    return happened;
  }
}
