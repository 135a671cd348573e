package example;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.driver.AssayDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/** An application with a roster and a bank, on a PostgreSQL that it starts for itself. */
public final class Sample {
  private Sample() {}

  /**
   * Runs the application for a moment.
   *
   * @param arguments the history to record, and a folder for the server
   */
  public static void main(String[] arguments) throws Exception {
    Drivers drivers = new Drivers(Path.of(arguments[1]), remark -> {});
    Target target = Target.embedded(Databases.byId("postgres").orElseThrow(), null);
    try (Connector server = Connector.open(target, drivers, 10)) {
      AssayDataSource source = new AssayDataSource();
      // The one change: jdbc:postgresql://... was the URL before.
      String url = server.url().replace("jdbc:", "jdbc:assay:");
      source.setUrl(url + (url.contains("?") ? "&" : "?") + "assay.file=" + arguments[0]);
      source.setUser(server.user());
      prepare(source);
      work(source, 10);
    }
  }

  /** The tables of the application. */
  public static void prepare(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE doctors (id INT PRIMARY KEY, on_call BOOLEAN NOT NULL)");
      statement.execute("CREATE TABLE accounts (id INT PRIMARY KEY, balance INT NOT NULL)");
      statement.execute("INSERT INTO doctors VALUES (1, true), (2, true)");
      statement.execute("INSERT INTO accounts VALUES (1, 100), (2, 100), (3, 100)");
    }
  }

  /** What users do, at the same time. */
  public static void work(DataSource source, int rounds) throws Exception {
    OnCall roster = new OnCall(source, Connection.TRANSACTION_REPEATABLE_READ);
    Bank bank = new Bank(source, Connection.TRANSACTION_REPEATABLE_READ);
    ExecutorService users = Executors.newFixedThreadPool(3);
    try {
      for (int round = 0; round < rounds; round++) {
        int turn = round;
        Future<?> one = users.submit(task(() -> roster.leave(1)));
        Future<?> other = users.submit(task(() -> roster.leave(2)));
        bank.transfer(1 + turn % 3, 1 + (turn + 1) % 3, 10);
        one.get();
        other.get();
        roster.come(1);
        roster.come(2);
      }
    } finally {
      users.shutdown();
    }
  }

  private static Callable<Boolean> task(Callable<Boolean> task) {
    return task;
  }
}
