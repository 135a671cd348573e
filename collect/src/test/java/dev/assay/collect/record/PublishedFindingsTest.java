package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is known about real databases, found again by random workloads. */
@Tag("extended")
class PublishedFindingsTest {
  /** What was recorded stays there: a rare finding must not be lost with its test. */
  private static final Path FOLDER = Path.of("target", "published-findings");

  @Test
  void postgres123IsNotSerializableAtSerializable() throws Exception {
    Report report = report(Target.embedded(Databases.byId("postgres").orElseThrow(), "12.3"), 120);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isFalse();
    assertThat(report.anomalies()).extracting(a -> a.type()).contains(AnomalyType.G2_ITEM);
  }

  /**
   * Two races are known (docs/findings/postgres-serializable.md), so that none at all would be too
   * much to ask. They are a hundred times as rare as what 12.3 does.
   */
  @Test
  void postgres126AndLaterCommitWriteSkewAtMostInRareRaces() throws Exception {
    for (String version : new String[] {"12.6", null}) {
      Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), version);
      Report report = report(target, 60);
      assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isFalse();
      long instances = report.anomalies().stream().mapToLong(Anomaly::count).sum();
      assertThat(instances)
          .as("PostgreSQL %s: %s", version, report.anomalies())
          .isLessThanOrEqualTo(report.history().transactionCount() / 50_000);
    }
  }

  @Test
  void mariadbIsSerializableAtSerializable() throws Exception {
    Target target = Target.embedded(Databases.byId("mariadb").orElseThrow(), null);
    assertThat(report(target, 30).anomalies()).isEmpty();
  }

  @Test
  void mariadbWithSnapshotIsolationIsSnapshotIsolatedAtRepeatableRead() throws Exception {
    Target target =
        new Target(
            Databases.byId("mariadb").orElseThrow(),
            null,
            List.of(),
            null,
            null,
            Map.of("innodb_snapshot_isolation", "ON"));
    Report report = report(target, 20, "repeatable-read");
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).as("%s", report.anomalies()).isFalse();
    Target without = Target.embedded(target.client(), null);
    assertThat(report(without, 20, "repeatable-read").violated(Level.SNAPSHOT_ISOLATION)).isTrue();
  }

  private Report report(Target target, int seconds) throws Exception {
    return report(target, seconds, "serializable");
  }

  private Report report(Target target, int seconds, String isolation) throws Exception {
    TestRun test = new TestRun();
    test.sessions = 10;
    test.transactions = Integer.MAX_VALUE;
    test.duration = Duration.ofSeconds(seconds);
    test.kind = WorkloadKind.LIST_APPEND;
    test.keys = 3;
    test.writesPerKey = 4;
    test.operations = 2;
    Files.createDirectories(FOLDER);
    Path file = Files.createTempFile(FOLDER, target.client().id() + "-" + isolation, ".assay");
    try (Connector connector = TestDatabases.start(target)) {
      return Assay.check(
          test.on(connector, TestDatabases.isolation(connector, isolation), file),
          Level.surveyed(),
          Budget.of(Duration.ofMinutes(10)));
    }
  }
}
