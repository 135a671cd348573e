import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Two sessions add to one row of H2, statement after statement in a single thread, and the first
 * runs its transaction again when H2 refuses it. Prints what they saw as a history.
 *
 * <pre>java -cp h2-2.5.252.jar docs/findings/H2StaleRead.java [LEVEL [SETTINGS [repeat]]]</pre>
 *
 * LEVEL is SNAPSHOT or another isolation level; SETTINGS are added to the URL, for example
 * ";OPTIMIZE_REUSE_RESULTS=FALSE". With "repeat" the second attempt writes another row, and reads
 * the same row before and after that.
 */
public class H2StaleRead {
  public static void main(String[] arguments) throws SQLException {
    String level = arguments.length > 0 ? arguments[0] : "SNAPSHOT";
    String url = "jdbc:h2:mem:stale" + (arguments.length > 1 ? arguments[1] : "");
    try (Connection setup = DriverManager.getConnection(url);
        Statement statement = setup.createStatement()) {
      String version = setup.getMetaData().getDatabaseProductVersion();
      System.out.printf(
          "{\"assay\":1,\"metadata\":{\"database\":\"H2 %s\",\"isolation\":\"%s\"}}%n",
          version, level);
      statement.execute("CREATE TABLE t (k BIGINT PRIMARY KEY, v BIGINT)");
      statement.execute("INSERT INTO t VALUES (1, 10), (2, 20)");
      System.out.println("{\"session\":\"setup\",\"ops\":[[\"w\",1,10],[\"w\",2,20]]}");
      boolean repeat = arguments.length > 2 && arguments[2].equals("repeat");
      run(new Session("one", url, level), new Session("two", url, level), repeat);
    }
  }

  private static void run(Session one, Session two, boolean repeat) throws SQLException {
    one.read(1);
    long before = two.read(2);
    two.write(2, before + 1);
    two.commit();
    long old = one.read(2);
    try {
      one.write(2, old + 2);
      one.rollback("rolled back by the client");
    } catch (SQLException e) {
      one.rollback(e.getMessage().lines().findFirst().orElseThrow());
    }
    long again = one.read(2);
    if (repeat) {
      one.write(1, 11);
      one.read(2);
    } else {
      one.write(2, again + 3);
    }
    one.commit();
    two.read(2);
    two.commit();
  }

  private static final class Session {
    private final String name;
    private final Connection connection;
    private final PreparedStatement read;
    private final PreparedStatement write;
    private String operations = "";

    Session(String name, String url, String level) throws SQLException {
      this.name = name;
      connection = DriverManager.getConnection(url);
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
      }
      connection.setAutoCommit(false);
      read = connection.prepareStatement("SELECT v FROM t WHERE k = ?");
      write = connection.prepareStatement("UPDATE t SET v = ? WHERE k = ?");
    }

    long read(long key) throws SQLException {
      read.setLong(1, key);
      try (ResultSet result = read.executeQuery()) {
        result.next();
        long value = result.getLong(1);
        did("r", key, value);
        return value;
      }
    }

    void write(long key, long value) throws SQLException {
      did("w", key, value);
      write.setLong(1, value);
      write.setLong(2, key);
      write.executeUpdate();
    }

    void commit() throws SQLException {
      connection.commit();
      print("committed", "");
    }

    void rollback(String error) throws SQLException {
      connection.rollback();
      print("aborted", ",\"error\":\"" + error.replace("\"", "'") + "\"");
    }

    private void did(String kind, long key, long value) {
      String separator = operations.isEmpty() ? "" : ",";
      operations += separator + "[\"" + kind + "\"," + key + "," + value + "]";
    }

    private void print(String outcome, String error) {
      System.out.printf(
          "{\"session\":\"%s\",\"outcome\":\"%s\"%s,\"ops\":[%s]}%n",
          name, outcome, error, operations);
      operations = "";
    }
  }
}
