package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.TestDatabases;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes on this machine, where Debian's packages for that are installed. */
@Tag("extended")
class GaleraTest {
  private static final int NOT_INSTALLED = 77;

  private static Process cluster;
  private static List<String> urls;

  @TempDir Path folder;

  /** The cluster lives until the standard input of its command ends. */
  @BeforeAll
  static void startTheCluster() throws Exception {
    cluster =
        new ProcessBuilder(
                "../bench/galera", "sh", "-c", "echo \"$@\"; cat > /dev/null", "-", "{urls}")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = cluster.inputReader();
    String line = out.readLine();
    if (line == null) {
      // System packages, which a test must not install; ./test --extended alone comes here.
      assumeTrue(
          cluster.waitFor() != NOT_INSTALLED,
          "needs: sudo apt-get install -y mariadb-server galera-4 rsync");
    }
    assertThat(line).as("the URLs of the nodes").isNotNull();
    urls = List.of(line.split(" "));
  }

  @AfterAll
  static void stopTheCluster() throws IOException, InterruptedException {
    cluster.outputWriter().close();
    cluster.waitFor();
  }

  @Test
  void nodesCommitWriteSkewAtSerializable() throws Exception {
    Report report = report("serializable");
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.anomalies()).extracting(a -> a.type()).contains(AnomalyType.G2_ITEM);
  }

  @Test
  void nodesLoseUpdatesAtRepeatableRead() throws Exception {
    assertThat(report("repeatable-read").violated(Level.CURSOR_STABILITY)).isTrue();
  }

  private Report report(String isolation) throws Exception {
    TestRun test = new TestRun();
    test.sessions = 10;
    test.transactions = Integer.MAX_VALUE;
    test.duration = Duration.ofSeconds(15);
    test.kind = WorkloadKind.LIST_APPEND;
    test.keys = 4;
    test.writesPerKey = 8;
    test.operations = 3;
    Target target =
        Target.at(Databases.byId("galera").orElseThrow(), null, null, urls.toArray(String[]::new));
    try (Connector connector = TestDatabases.start(target)) {
      return Assay.check(
          test.on(
              connector,
              TestDatabases.isolation(connector, isolation),
              folder.resolve("run.assay")),
          Level.surveyed(),
          Budget.of(Duration.ofMinutes(5)));
    }
  }
}
