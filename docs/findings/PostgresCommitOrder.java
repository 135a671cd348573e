import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Three serializable transactions on PostgreSQL, statement after statement, with the commit of one
 * held by a debugger at a place where any scheduler may hold it. Prints what they saw as a history.
 *
 * <pre>java -cp postgresql-42.7.14.jar docs/findings/PostgresCommitOrder.java URL USER [free]</pre>
 *
 * The server must run on this machine, and gdb must be allowed to attach to it. With "free" no
 * commit is held.
 */
public class PostgresCommitOrder {
  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    String user = arguments[1];
    boolean held = arguments.length < 3;
    try (Connection setup = DriverManager.getConnection(url, user, "");
        Statement statement = setup.createStatement()) {
      System.out.printf(
          "{\"assay\":1,\"metadata\":{\"database\":\"PostgreSQL %s\",\"level\":\"serializable\"}}%n",
          setup.getMetaData().getDatabaseProductVersion());
      statement.execute("DROP TABLE IF EXISTS t");
      statement.execute("CREATE TABLE t (k BIGINT PRIMARY KEY, v BIGINT)");
      statement.execute("INSERT INTO t VALUES (1, 10), (2, 20)");
      System.out.println("{\"session\":\"setup\",\"ops\":[[\"w\",1,10],[\"w\",2,20]]}");
    }
    Session pivot = new Session("pivot", url, user);
    Session writer = new Session("writer", url, user);
    Session reader = new Session("reader", url, user);
    pivot.read(2);
    pivot.write(1, 11);
    writer.write(2, 21);
    Debugger debugger = held ? Debugger.breakingAt("ReleasePredicateLocks", writer.process) : null;
    Thread commit = new Thread(writer::commit);
    commit.start();
    if (held) {
      debugger.awaitStop();
    } else {
      commit.join();
    }
    reader.read(2);
    pivot.commit();
    if (held) {
      debugger.detach();
      commit.join();
    }
    reader.read(1);
    reader.commit();
  }

  private static final class Session {
    final int process;
    private final String name;
    private final Connection connection;
    private String operations = "";
    private String error;

    Session(String name, String url, String user) throws SQLException {
      this.name = name;
      connection = DriverManager.getConnection(url, user, "");
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      try (Statement statement = connection.createStatement()) {
        // Scans of a whole table that is this small would conflict with everybody.
        statement.execute("SET enable_seqscan = off");
      }
      process = (int) number("SELECT pg_backend_pid()");
      connection.setAutoCommit(false);
      // What a connection looks up in the catalog once, it looks up here.
      number("SELECT v FROM t WHERE k = 1");
      connection.commit();
    }

    private long number(String query) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(query)) {
        result.next();
        return result.getLong(1);
      }
    }

    void read(long key) {
      try {
        did("r", key, "" + number("SELECT v FROM t WHERE k = " + key));
      } catch (SQLException e) {
        did("r", key, "\"?\"");
        failed(e);
      }
    }

    void write(long key, long value) {
      did("w", key, "" + value);
      try (Statement statement = connection.createStatement()) {
        statement.execute("UPDATE t SET v = " + value + " WHERE k = " + key);
      } catch (SQLException e) {
        failed(e);
      }
    }

    void commit() {
      try {
        if (error == null) {
          connection.commit();
        } else {
          connection.rollback();
        }
      } catch (SQLException e) {
        failed(e);
      }
      System.out.printf(
          "{\"session\":\"%s\",\"outcome\":\"%s\"%s,\"ops\":[%s]}%n",
          name,
          error == null ? "committed" : "aborted",
          error == null ? "" : ",\"error\":\"" + error + "\"",
          operations);
    }

    private void did(String kind, long key, String value) {
      String separator = operations.isEmpty() ? "" : ",";
      operations += separator + "[\"" + kind + "\"," + key + "," + value + "]";
    }

    private void failed(SQLException e) {
      if (error == null) {
        error = e.getMessage().lines().findFirst().orElseThrow().replace("\"", "'");
      }
    }
  }

  /** Holds a process where it enters a function. */
  private static final class Debugger {
    private final Path folder;
    private final Process gdb;

    private Debugger(Path folder, Process gdb) {
      this.folder = folder;
      this.gdb = gdb;
    }

    static Debugger breakingAt(String function, int process) throws Exception {
      Path folder = Files.createTempDirectory("debugger");
      folder.toFile().deleteOnExit();
      for (String file : List.of("ready", "stopped", "go", "log")) {
        folder.resolve(file).toFile().deleteOnExit();
      }
      List<String> command =
          List.of(
              "gdb", "-q", "-batch", "-p", "" + process,
              "-ex", "handle all nostop noprint pass",
              "-ex", "break " + function,
              "-ex", "shell touch " + folder + "/ready",
              "-ex", "continue",
              "-ex", "shell touch " + folder + "/stopped",
              "-ex", "shell while [ ! -e " + folder + "/go ]; do sleep 0.05; done",
              "-ex", "delete",
              "-ex", "detach");
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(folder.resolve("log").toFile());
      Debugger debugger = new Debugger(folder, builder.start());
      debugger.await("ready");
      return debugger;
    }

    void awaitStop() throws Exception {
      await("stopped");
    }

    void detach() throws Exception {
      Files.createFile(folder.resolve("go"));
      gdb.waitFor();
    }

    private void await(String file) throws Exception {
      while (!Files.exists(folder.resolve(file))) {
        if (!gdb.isAlive()) {
          throw new IOException("gdb ended: " + Files.readString(folder.resolve("log")));
        }
        Thread.sleep(20);
      }
    }
  }
}
