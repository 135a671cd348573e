package dev.assay.collect.db;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Opening;
import dev.assay.collect.server.ServerException;
import dev.assay.history.OpKind;
import java.io.IOException;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * A kind of database with a JDBC driver: one class says all that is particular about it. Statements
 * are those of its {@link Dialect}. The package {@code vendor} has them.
 */
public interface Database extends Client {
  @Override
  String title();

  /** The beginnings of JDBC URLs that are this database's. */
  List<String> urlPrefixes();

  String driverClass();

  /**
   * What must be fetched to use it, as Maven coordinates {@code group:artifact:version}.
   *
   * @param version the version asked for, or null for the one tested
   * @param embedded whether a server is to be started, rather than one reached
   */
  List<String> artifacts(String version, boolean embedded);

  /** Resources that are there when all of the {@link #artifacts} are on the class path. */
  default List<String> markers(boolean embedded) {
    return List.of(driverClass().replace('.', '/') + ".class");
  }

  @Override
  List<JdbcIsolation> isolations();

  @Override
  default JdbcIsolation strongest() {
    return isolations().get(isolations().size() - 1);
  }

  /** All of them: there is SQL for each. */
  @Override
  default Set<OpKind.Type> types() {
    return EnumSet.allOf(OpKind.Type.class);
  }

  @Override
  default boolean locksReads() {
    return true;
  }

  @Override
  default Cluster open(Opening opening) throws IOException {
    return Connector.open(opening);
  }

  Dialect dialect();

  /**
   * Starts a database, on loopback or in this process, empty and alone.
   *
   * @throws ServerException if it does not start, or cannot be started by Assay at all
   */
  default Server start(Setup setup) throws IOException {
    throw new ServerException(
        "Assay does not start " + title() + "; give the JDBC URL of a running one");
  }

  /** The level that transactions get on a replica where this one is asked for. */
  default JdbcIsolation onReplica(JdbcIsolation isolation) {
    return isolation;
  }

  /** Properties that every connection gets. */
  default Properties connectionProperties() {
    return new Properties();
  }

  /**
   * Properties that connections get besides where Assay did not start the server, unless its URL
   * does.
   */
  default Properties propertiesByUrl() {
    return new Properties();
  }

  /**
   * A statement after which a session sees all that was committed anywhere before, or null where
   * every session does. For the last look at everything: what is only late is not lost.
   */
  default String catchUp() {
    return null;
  }

  /** What an error means. The default goes by the classes of the SQL standard. */
  default Failure classify(SQLException e) {
    return Failures.byState(e);
  }

  /** What an error means that came when a commit was asked for. */
  default Failure classifyCommit(SQLException e) {
    return classify(e);
  }
}
