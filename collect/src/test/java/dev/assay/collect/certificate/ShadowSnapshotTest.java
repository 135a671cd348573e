package dev.assay.collect.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a snapshot shows is asked of PostgreSQL itself, by a second transaction on it. */
class ShadowSnapshotTest {
  private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ";

  @TempDir Path folder;

  private record Sample(String snapshot, Map<Long, List<Object>> rows) {}

  @Test
  void aShadowTransactionSeesTheVersionsThatTheLogGivesForItsSnapshot() throws Exception {
    try (Connector connector = WhiteBoxRun.start("postgres")) {
      WhiteBoxRun test = new WhiteBoxRun();
      List<Sample> samples = new ArrayList<>();
      Thread shadow = new Thread(() -> sample(connector, samples, test), "shadow");
      shadow.start();
      test.on(
          connector,
          TestDatabases.isolation(connector, "read-committed"),
          folder.resolve("run.assay"),
          folder.resolve("certificate.jsonl"));
      shadow.join();

      assertThat(samples).hasSizeGreaterThan(20);
      long different = samples.stream().map(Sample::rows).distinct().count();
      assertThat(different).isGreaterThan(10);
      for (Sample sample : samples) {
        assertThat(rows(test, sample.snapshot())).as(sample.snapshot()).isEqualTo(sample.rows());
      }
    }
  }

  /** The table as the log says that it looked in a snapshot. */
  private static Map<Long, List<Object>> rows(WhiteBoxRun test, String snapshot)
      throws CertificateException {
    Snapshots.Visible visible = test.snapshots.read(snapshot, -1);
    RowStore store = new RowStore();
    for (int place = 0; place < visible.upTo(); place++) {
      int at = place;
      if (java.util.Arrays.stream(visible.except()).noneMatch(except -> except == at)) {
        for (CommitLog.Change change : test.log.transactions().get(place).changes()) {
          store.put(change.key(), change.version());
        }
      }
    }
    return store.rows;
  }

  private static void sample(Connector connector, List<Sample> samples, WhiteBoxRun test) {
    while (samples.size() < 300 && !test.stop.isAsked()) {
      try (Connection first = connector.connect();
          Connection second = connector.connect();
          Statement exporting = first.createStatement();
          Statement shadowing = second.createStatement()) {
        for (int i = 0; i < 300 && !test.stop.isAsked(); i++) {
          samples.add(sample(exporting, shadowing));
        }
      } catch (SQLException e) {
        // The table is not there yet, or the run is over.
      }
    }
  }

  private static Sample sample(Statement exporting, Statement shadowing) throws SQLException {
    exporting.execute(BEGIN);
    try (ResultSet exported =
        exporting.executeQuery(
            "SELECT pg_export_snapshot(), CAST(txid_current_snapshot() AS text)")) {
      exported.next();
      String snapshot = exported.getString(2);
      shadowing.execute(BEGIN);
      shadowing.execute("SET TRANSACTION SNAPSHOT '" + exported.getString(1) + "'");
      Map<Long, List<Object>> rows = new TreeMap<>();
      try (ResultSet seen = shadowing.executeQuery("SELECT k, val, ver FROM assay_rows")) {
        while (seen.next()) {
          rows.put(seen.getLong(1), List.of(seen.getLong(2), seen.getLong(3)));
        }
      }
      return new Sample(snapshot, rows);
    } finally {
      exporting.execute("COMMIT");
      shadowing.execute("COMMIT");
    }
  }
}
