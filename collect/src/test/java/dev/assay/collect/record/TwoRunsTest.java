package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.RunData;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.RunTables;
import dev.assay.collect.db.Table;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.workload.Access;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.SplitMix;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.OpKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database is not blamed for what two runs that meet on it do to each other. */
class TwoRunsTest {
  @TempDir Path folder;

  @Test
  void aClientDoesNothingInTheTablesOfAnotherRun() throws Exception {
    try (Connector connector = TestDatabases.reachedByUrl("before")) {
      RunTables other = new RunTables(connector);
      assertEndsWithoutAResult(connector, new Disturbed(other, 0));
      assertThat(other.areOurs()).isTrue();
      assertThat(rows(connector)).isZero();
    }
  }

  @Test
  void aRunThatWentOnInTheTablesOfAnotherSaysSoAndLeavesThemThere() throws Exception {
    try (Connector connector = TestDatabases.reachedByUrl("meanwhile")) {
      RunTables other = new RunTables(connector);
      assertEndsWithoutAResult(connector, new Disturbed(other, 2));
      assertThat(other.areOurs()).isTrue();
      assertThat(rows(connector)).isPositive();
    }
  }

  private void assertEndsWithoutAResult(Connector connector, Disturbed workload) throws Exception {
    Path file = folder.resolve("run.assay");
    RunSpec spec =
        new RunSpec(
            connector.database().strongest(), 1, 4, Duration.ofSeconds(30), 0, 0, false, true, 7);
    try (Recorder recorder = new Recorder(file, Map.of())) {
      LiveRun run = new LiveRun(connector, spec, workload, recorder, new Stop());
      assertThatThrownBy(run::run).hasMessage(RunData.NOT_OURS);
    }
    assertThat(Formats.read(Input.of(file)).metadata())
        .containsEntry("note.tables", RunData.NOT_OURS);
  }

  private static long rows(Connector connector) throws SQLException {
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery("SELECT COUNT(*) FROM " + Table.REGISTER.sqlName())) {
      count.next();
      return count.getLong(1);
    }
  }

  /** Writes a key; the other run makes its tables before a transaction, or before all of them. */
  private static final class Disturbed implements LiveWorkload, LiveWorkload.Client {
    private final RunTables other;
    private final int before;
    private int drawn;

    Disturbed(RunTables other, int before) {
      this.other = other;
      this.before = before;
    }

    @Override
    public Client client(SplitMix random) {
      disturb();
      return this;
    }

    @Override
    public void draw(boolean onlyReads) {
      drawn++;
      disturb();
    }

    @Override
    public boolean onlyReads() {
      return false;
    }

    private void disturb() {
      if (drawn == before) {
        try {
          other.create();
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    @Override
    public void run(Access access) throws ClientException {
      access.write(OpKind.Type.REGISTER, drawn);
    }

    @Override
    public void forEachKey(KeyVisitor visitor) {
      visitor.visit(OpKind.Type.REGISTER, 1);
    }

    @Override
    public String describe() {
      return "writes";
    }
  }
}
