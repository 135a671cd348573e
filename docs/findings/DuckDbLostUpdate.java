import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Two sessions add to one row of DuckDB, statement after statement in a single thread. Prints what
 * they saw as a history.
 *
 * <pre>java -cp duckdb_jdbc-2.0.0.0.jar docs/findings/DuckDbLostUpdate.java [TWO [ONE]]</pre>
 *
 * TWO and ONE are what the sessions add to their UPDATE, "RETURNING v" or nothing; by default it is
 * the second session, which commits first, that has it.
 */
public class DuckDbLostUpdate {
  public static void main(String[] arguments) throws SQLException {
    String ofTwo = arguments.length > 0 ? arguments[0] : "RETURNING v";
    String ofOne = arguments.length > 1 ? arguments[1] : "";
    String url = "jdbc:duckdb::memory:lost";
    try (Connection setup = DriverManager.getConnection(url);
        Statement statement = setup.createStatement()) {
      String version = setup.getMetaData().getDatabaseProductVersion();
      System.out.printf(
          "{\"assay\":1,\"metadata\":{\"database\":\"DuckDB %s\",\"isolation\":\"snapshot\"}}%n", version);
      statement.execute("CREATE TABLE t (k BIGINT PRIMARY KEY, v BIGINT)");
      statement.execute("INSERT INTO t VALUES (1, 10), (2, 20)");
      System.out.println("{\"session\":\"setup\",\"ops\":[[\"w\",1,10],[\"w\",2,20]]}");
      Session one = new Session("one", url, ofOne);
      Session two = new Session("two", url, ofTwo);
      long ofFirst = one.read(2);
      long ofSecond = two.read(2);
      two.write(2, ofSecond + 1);
      two.commit();
      try {
        one.write(2, ofFirst + 2);
        one.commit();
      } catch (SQLException e) {
        one.rollback(e.getMessage().lines().findFirst().orElseThrow());
      }
      two.read(2);
      two.commit();
    }
  }

  private static final class Session {
    private final String name;
    private final String more;
    private final Connection connection;
    private String operations = "";

    Session(String name, String url, String more) throws SQLException {
      this.name = name;
      this.more = more;
      connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
    }

    long read(long key) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT v FROM t WHERE k = " + key)) {
        result.next();
        long value = result.getLong(1);
        did("r", key, value);
        return value;
      }
    }

    void write(long key, long value) throws SQLException {
      did("w", key, value);
      try (Statement statement = connection.createStatement()) {
        statement.execute("UPDATE t SET v = " + value + " WHERE k = " + key + " " + more);
      }
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
