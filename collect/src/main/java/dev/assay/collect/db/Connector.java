package dev.assay.collect.db;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A database ready to be connected to: its driver loaded, started if Assay is to start it. Closing
 * it stops what was started.
 */
public final class Connector implements AutoCloseable {
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Target target;
  private final Driver driver;
  private final Server server;
  private final Redaction redaction;

  /** The level of the first transaction that asked, for each that was asked for. */
  private final Map<Isolation, Integer> given = new ConcurrentHashMap<>();

  /** Databases in memory end with their last connection. */
  private Connection anchor;

  private Connector(Target target, Driver driver, Server server) {
    this.target = target;
    this.driver = driver;
    this.server = server;
    this.redaction = new Redaction(target.urls(), target.password());
  }

  /** Fetches and starts what is needed for this many connections. */
  public static Connector open(Target target, Drivers drivers, int connections) throws IOException {
    Database database = target.database();
    ClassLoader loader = drivers.loader(target);
    Driver driver = database.driverClass() == null ? null : load(database, loader);
    Server server;
    if (target.isEmbedded()) {
      server =
          database.start(
              new Setup(
                  loader,
                  target.version(),
                  drivers.kept(),
                  target.options(),
                  connections,
                  drivers.progress()));
    } else {
      server = new Given(target.urls());
    }
    Connector connector = new Connector(target, driver, server);
    if (target.isEmbedded()) {
      connector.awaitReady();
    }
    return connector;
  }

  /** A server accepts connections before it is ready to answer them. */
  private void awaitReady() throws ServerException {
    boolean inProcess = server.faults().isEmpty();
    long deadline = System.nanoTime() + (inProcess ? 0 : READY_NANOS);
    while (true) {
      try {
        Connection first = connect();
        if (!server.isOurs(first)) {
          first.close();
          server.close();
          throw new ServerException(
              database().title() + " did not start: another server took its port; run this again");
        }
        if (inProcess) {
          anchor = first;
        } else {
          first.close();
        }
        return;
      } catch (SQLException e) {
        if (System.nanoTime() >= deadline) {
          server.close();
          throw new ServerException(database().title() + " did not start: " + e.getMessage(), e);
        }
        ServerProcess.sleep(20);
      }
    }
  }

  private static Driver load(Database database, ClassLoader loader) throws ServerException {
    try {
      return (Driver)
          Class.forName(database.driverClass(), true, loader)
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new ServerException("the driver of " + database.title() + " does not load: " + e, e);
    }
  }

  public Database database() {
    return target.database();
  }

  public Redaction redaction() {
    return redaction;
  }

  public Optional<Server.Faults> faults() {
    return server.faults();
  }

  /** The URL of the first node; never to be shown. */
  public String url() {
    return server.urls().get(0);
  }

  /** Where the nodes are, as others may see it. */
  public List<String> nodes() {
    return server.urls().stream().map(Redaction::address).toList();
  }

  /** The place among the nodes of the one that a client works on. */
  public int node(int client) {
    return client % server.urls().size();
  }

  /** The user that connections are made as, or null. */
  public String user() {
    return target.user() != null ? target.user() : server.properties().getProperty("user");
  }

  /** The password, or null; never to be shown. */
  public String password() {
    return target.password();
  }

  /** Whether Assay started the database, which is gone after the run. */
  public boolean isOwn() {
    return target.isEmbedded();
  }

  /** A connection without any isolation level asked for, committing each statement by itself. */
  public Connection connect() throws SQLException {
    return connect(0);
  }

  /**
   * A connection for a client's transactions, each of which has to {@link Isolation#begin}.
   *
   * @throws OtherIsolationException if its transactions have another level
   */
  public Connection connect(int client, Isolation isolation) throws SQLException {
    Connection connection = connect(client);
    try {
      isolation.set(connection);
      isolation.begin(connection);
      ask(isolation, connection);
      connection.rollback();
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * To be called before a commit: where a pool may have put the transaction on a session that
   * another client had set up, the database is asked.
   */
  public void confirm(Isolation isolation, Connection connection) throws SQLException {
    if (!isOwn() && isolation.isOfSession()) {
      ask(isolation, connection);
    }
  }

  /**
   * Asks in a transaction what level it has. JDBC lets a database give a stronger one than was
   * asked for, as HSQLDB does; but then it always gives that one.
   */
  private void ask(Isolation isolation, Connection connection) throws SQLException {
    if (isolation.jdbcLevel() == Connection.TRANSACTION_NONE) {
      return;
    }
    int level = connection.getTransactionIsolation();
    Integer before = given.putIfAbsent(isolation, level);
    if (level < isolation.jdbcLevel() || (before != null && before != level)) {
      throw new OtherIsolationException(isolation.name(), Isolation.sqlName(level));
    }
  }

  /** A connection to the first node that has these properties besides those that all have. */
  public Connection connect(Properties properties) throws SQLException {
    return connect(0, properties);
  }

  private Connection connect(int client) throws SQLException {
    return connect(client, new Properties());
  }

  private Connection connect(int client, Properties more) throws SQLException {
    String url = server.urls().get(node(client));
    Properties properties = new Properties();
    properties.putAll(target.database().connectionProperties());
    if (!isOwn()) {
      properties.putAll(target.database().propertiesByUrl());
    }
    properties.putAll(server.properties());
    properties.putAll(more);
    if (target.user() != null) {
      properties.setProperty("user", target.user());
    }
    if (target.password() != null) {
      properties.setProperty("password", target.password());
    }
    Connection connection =
        driver == null ? ofSomeDriver(url, properties) : driver.connect(url, properties);
    if (connection == null) {
      throw new SQLException("the driver of " + database().title() + " does not accept this URL");
    }
    return connection;
  }

  /** By a driver of the class path, on which {@code java -jar} puts nothing but Assay. */
  private static Connection ofSomeDriver(String url, Properties properties) throws SQLException {
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      if (DriverManager.drivers().anyMatch(one -> takes(one, url))) {
        throw e;
      }
      throw new SQLException(
          "No suitable driver on the class path; start Assay with the driver on it:"
              + " java -cp .assay/assay.jar:DRIVER.jar dev.assay.cli.Main run ...",
          e.getSQLState(),
          e);
    }
  }

  private static boolean takes(Driver driver, String url) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Name and version as the database reports them. */
  public String describe() throws SQLException {
    try (Connection connection = connect()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return product + " " + connection.getMetaData().getDatabaseProductVersion();
    }
  }

  @Override
  public void close() {
    if (anchor != null) {
      try {
        anchor.close();
      } catch (SQLException e) {
        // The database ends with the process at the latest.
      }
    }
    server.close();
  }

  private record Given(List<String> urls) implements Server {
    @Override
    public void close() {
      // It was there before the run and stays.
    }
  }
}
