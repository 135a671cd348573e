package dev.assay.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDriver;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What the recording driver costs an application: the transactions of pgbench on PostgreSQL, with
 * and without it in turns.
 */
final class DriverCost {
  private static final int PAIRS = 8;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 1_500;
  private static final int ACCOUNTS = 20_000;
  private static final int TELLERS = 20;

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Path folder;

  /** Seconds and CPU microseconds a transaction of this process. */
  private record Cost(double throughput, double cpu) {}

  DriverCost(Path folder) {
    this.folder = folder;
  }

  void print() throws Exception {
    Files.createDirectories(folder);
    Drivers drivers = new Drivers(folder.resolve("drivers"), remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    try (Connector server = Connector.open(target, drivers, 10)) {
      String url = server.url();
      String recorded = url.replace("jdbc:", "jdbc:assay:") + (url.contains("?") ? "&" : "?");
      recorded += "assay.file=" + folder.resolve("driver.jsonl");
      for (String options : List.of("", "&assay.conditions=false")) {
        compare(url, recorded + options, server.user(), options);
      }
    }
  }

  private void compare(String plain, String recorded, String user, String options)
      throws Exception {
    run(plain, user);
    run(recorded, user);
    double[] rates = new double[PAIRS];
    double[] cpu = new double[PAIRS];
    double[] without = new double[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
      boolean first = pair % 2 == 0;
      Cost one = run(first ? plain : recorded, user);
      Cost other = run(first ? recorded : plain, user);
      Cost bare = first ? one : other;
      Cost with = first ? other : one;
      rates[pair] = 100 * (with.throughput / bare.throughput - 1);
      cpu[pair] = with.cpu - bare.cpu;
      without[pair] = bare.throughput;
    }
    System.out.printf(
        Locale.ROOT,
        "| pgbench%s | %.0f | %+.1f %% (%+.1f to %+.1f) | %+.0f µs |%n",
        options.replace('&', ' '),
        median(without),
        median(rates),
        Arrays.stream(rates).min().orElseThrow(),
        Arrays.stream(rates).max().orElseThrow(),
        median(cpu));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static Cost run(String url, String user) throws Exception {
    try (Connection connection = DriverManager.getConnection(url, user, null);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS accounts, tellers, branches, transfers");
      statement.execute("CREATE TABLE accounts (aid INT PRIMARY KEY, bid INT, balance INT)");
      statement.execute("CREATE TABLE tellers (tid INT PRIMARY KEY, bid INT, balance INT)");
      statement.execute("CREATE TABLE branches (bid INT PRIMARY KEY, balance INT)");
      statement.execute(
          "CREATE TABLE transfers (id SERIAL PRIMARY KEY, tid INT, bid INT, aid INT, delta INT)");
    }
    try (Connection connection = DriverManager.getConnection(behind(url), user, null);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO accounts SELECT i, 1, 0 FROM generate_series(1, " + ACCOUNTS + ") i");
      statement.execute(
          "INSERT INTO tellers SELECT i, 1, 0 FROM generate_series(1, " + TELLERS + ") i");
      statement.execute("INSERT INTO branches VALUES (1, 0)");
      statement.execute("VACUUM ANALYZE");
    }
    List<Thread> clients = new ArrayList<>();
    long cpu = PROCESS.getProcessCpuTime();
    long start = System.nanoTime();
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(i);
      clients.add(new Thread(() -> client(url, user, random)));
    }
    clients.forEach(Thread::start);
    for (Thread client : clients) {
      client.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double used = (PROCESS.getProcessCpuTime() - cpu) / 1e3;
    AssayDriver.finish();
    int all = CLIENTS * TRANSACTIONS;
    return new Cost(all / seconds, used / all);
  }

  private static String behind(String url) {
    return url.replace("jdbc:assay:", "jdbc:").replaceAll("[?&]assay\\.[^&]*", "");
  }

  private static void client(String url, String user, Random random) {
    try (Connection connection = DriverManager.getConnection(url, user, null);
        PreparedStatement account =
            connection.prepareStatement("UPDATE accounts SET balance = balance + ? WHERE aid = ?");
        PreparedStatement read =
            connection.prepareStatement("SELECT balance FROM accounts WHERE aid = ?");
        PreparedStatement teller =
            connection.prepareStatement("UPDATE tellers SET balance = balance + ? WHERE tid = ?");
        PreparedStatement branch =
            connection.prepareStatement("UPDATE branches SET balance = balance + ? WHERE bid = 1");
        PreparedStatement transfer =
            connection.prepareStatement(
                "INSERT INTO transfers (tid, bid, aid, delta) VALUES (?, 1, ?, ?)")) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS; i++) {
        int aid = 1 + random.nextInt(ACCOUNTS);
        int tid = 1 + random.nextInt(TELLERS);
        int delta = random.nextInt(1000) - 500;
        execute(account, delta, aid);
        read.setInt(1, aid);
        try (ResultSet rows = read.executeQuery()) {
          rows.next();
          rows.getInt(1);
        }
        execute(teller, delta, tid);
        execute(branch, delta);
        execute(transfer, tid, aid, delta);
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(PreparedStatement statement, int... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setInt(i + 1, parameters[i]);
    }
    statement.executeUpdate();
  }
}
