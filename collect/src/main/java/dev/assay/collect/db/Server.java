package dev.assay.collect.db;

import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** A database that runs: where it is, and how to stop it if Assay started it. */
public interface Server extends AutoCloseable {
  /** One URL, or one a node; clients take turns. */
  List<String> urls();

  /** What each node is for, in the order of the URLs. */
  default List<Node.Role> roles() {
    return urls().stream().map(url -> Node.Role.NODE).toList();
  }

  /** User, password and whatever else a connection needs. */
  default Properties properties() {
    return new Properties();
  }

  /**
   * Whether a connection leads to this server. A port that was free may be another process's by the
   * time a server wants it, and then the other one answers there.
   */
  default boolean isOurs(Connection connection) throws SQLException {
    return true;
  }

  /** The one text that a query gives. */
  static String answer(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  /** What can be done to it on purpose; empty if it cannot be made to fail. */
  default Optional<Faults> faults() {
    return Optional.empty();
  }

  @Override
  void close();

  /** A database inside this process, at one URL. */
  static Server at(String url, Runnable stop) {
    return new Server() {
      @Override
      public List<String> urls() {
        return List.of(url);
      }

      @Override
      public void close() {
        stop.run();
      }
    };
  }
}
