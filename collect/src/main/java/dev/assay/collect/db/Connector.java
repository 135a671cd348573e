package dev.assay.collect.db;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Opening;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.Target;
import dev.assay.collect.client.UnusableException;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A database ready to be connected to: its driver loaded, started if Assay is to start it. Closing
 * it stops what was started.
 */
public final class Connector implements Cluster {
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Target target;
  private final Connections connections;
  private final Server server;
  private final Redaction redaction;

  /** The level of the first transaction that asked, for each that was asked for. */
  private final Map<JdbcIsolation, Integer> given = new ConcurrentHashMap<>();

  /** Databases in memory end with their last connection. */
  private Connection anchor;

  /** Where connections come from. */
  private interface Connections {
    Connection connect(String url, Properties properties) throws SQLException;
  }

  private Connector(Target target, Connections connections, Server server) {
    this.target = target;
    this.connections = connections;
    this.server = server;
    this.redaction = new Redaction(target.urls(), target.password());
  }

  /** Fetches and starts what is needed for this many connections. */
  public static Connector open(Target target, Drivers drivers, int connections) throws IOException {
    return open(drivers.opening(target, connections));
  }

  static Connector open(Opening opening) throws IOException {
    Target target = opening.target();
    Database database = (Database) target.client();
    ClassLoader loader = loader(database, opening);
    Driver driver = driver(database, target, loader);
    Server server;
    if (target.isEmbedded()) {
      server =
          database.start(
              new Setup(
                  loader,
                  target.version(),
                  opening.kept(),
                  target.options(),
                  opening.connections(),
                  target.topology(),
                  opening.progress()));
    } else {
      server = new Given(target.urls());
    }
    Connections connections = driver == null ? Connector::ofSomeDriver : driver::connect;
    Connector connector = new Connector(target, connections, server);
    if (target.isEmbedded()) {
      connector.awaitReady();
    }
    return connector;
  }

  /**
   * A database that is reached through a data source, which may be a pool.
   *
   * @param target what is behind it
   */
  public static Connector over(DataSource source, Target target) {
    return new Connector(
        target, (url, properties) -> source.getConnection(), new Given(target.urls()));
  }

  /** Tests have drivers, and servers as resources, on their class path. */
  private static ClassLoader loader(Database database, Opening opening) throws IOException {
    Target target = opening.target();
    List<String> artifacts = database.artifacts(target.version(), target.isEmbedded());
    boolean any = target.version() == null && !artifacts.isEmpty();
    return opening
        .fetcher()
        .loader(
            database.title(), artifacts, any ? database.markers(target.isEmbedded()) : List.of());
  }

  /** The driver, or null for one that the driver manager knows. */
  private static Driver driver(Database database, Target target, ClassLoader loader)
      throws ServerException {
    if (database.driverClass() != null) {
      return load(database, loader);
    }
    if (loader == Connector.class.getClassLoader()) {
      return null;
    }
    try {
      for (Driver one : ServiceLoader.load(Driver.class, loader)) {
        if (takes(one, target.urls().get(0))) {
          return one;
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new ServerException("the driver does not load: " + e.getMessage(), e);
    }
    throw new ServerException("no driver in the jar of --driver accepts this URL");
  }

  /** A server accepts connections before it is ready to answer them. */
  private void awaitReady() throws ServerException {
    boolean inProcess = server.faults().isEmpty();
    long deadline = System.nanoTime() + (inProcess ? 0 : READY_NANOS);
    for (int node = 0; node < server.urls().size(); ) {
      try {
        Connection first = connect(node);
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
        node++;
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

  @Override
  public Database client() {
    return database();
  }

  public Database database() {
    return (Database) target.client();
  }

  @Override
  public String redact(String text) {
    return redaction.redact(text);
  }

  public Redaction redaction() {
    return redaction;
  }

  @Override
  public Optional<Faults> faults() {
    return server.faults();
  }

  /** The URL of the first node; never to be shown. */
  public String url() {
    return server.urls().get(0);
  }

  @Override
  public List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < server.urls().size(); i++) {
      Node.Role role = isOwn() ? server.roles().get(i) : target.nodes().get(i).role();
      nodes.add(new Node(role, Redaction.address(server.urls().get(i))));
    }
    return nodes;
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

  @Override
  public ClientSession open(int node, SessionSpec spec) throws ClientException {
    JdbcIsolation asked = (JdbcIsolation) spec.isolation();
    boolean replica = nodes().get(node).isReadOnly();
    JdbcIsolation isolation = replica ? database().onReplica(asked) : asked;
    try {
      return new JdbcSession(this, connect(node, isolation), isolation, spec);
    } catch (SQLException e) {
      throw failed(e, database().classify(e));
    }
  }

  /** What an error of a driver means, for those who do not know JDBC. */
  ClientException failed(SQLException e, Failure failure) {
    if (e instanceof OtherIsolationException) {
      return new UnusableException(e.getMessage(), e);
    }
    String state = e.getSQLState();
    boolean named = (state != null && !state.isEmpty()) || e.getErrorCode() != 0;
    String kind = named ? (state == null ? "" : state + " ") + "(" + e.getErrorCode() + ")" : null;
    return new ClientException(failure, kind, Failures.isUnanswered(e), e.getMessage(), e);
  }

  @Override
  public RunData newData() {
    return new JdbcData(this);
  }

  @Override
  public void ping() throws ClientException {
    try {
      connect().close();
    } catch (SQLException e) {
      throw failed(e, database().classify(e));
    }
  }

  /**
   * A connection to a node for transactions, each of which has to {@link JdbcIsolation#begin}.
   *
   * @throws OtherIsolationException if its transactions have another level
   */
  public Connection connect(int node, JdbcIsolation isolation) throws SQLException {
    Connection connection = connect(node);
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
  public void confirm(JdbcIsolation isolation, Connection connection) throws SQLException {
    if (!isOwn() && isolation.isOfSession()) {
      ask(isolation, connection);
    }
  }

  /**
   * Asks in a transaction what level it has. JDBC lets a database give a stronger one than was
   * asked for, as HSQLDB does; but then it always gives that one.
   */
  private void ask(JdbcIsolation isolation, Connection connection) throws SQLException {
    if (isolation.jdbcLevel() == Connection.TRANSACTION_NONE) {
      return;
    }
    int level = connection.getTransactionIsolation();
    Integer before = given.putIfAbsent(isolation, level);
    if (level < isolation.jdbcLevel() || (before != null && before != level)) {
      throw new OtherIsolationException(isolation.name(), JdbcIsolation.sqlName(level));
    }
  }

  /** A connection to the first node that has these properties besides those that all have. */
  public Connection connect(Properties properties) throws SQLException {
    return connect(0, properties);
  }

  Connection connect(int node) throws SQLException {
    return connect(node, new Properties());
  }

  private Connection connect(int node, Properties more) throws SQLException {
    String url = server.urls().get(node % server.urls().size());
    Properties properties = new Properties();
    properties.putAll(database().connectionProperties());
    if (!isOwn()) {
      properties.putAll(database().propertiesByUrl());
    }
    properties.putAll(server.properties());
    properties.putAll(more);
    if (target.user() != null) {
      properties.setProperty("user", target.user());
    }
    if (target.password() != null) {
      properties.setProperty("password", target.password());
    }
    Connection connection = connections.connect(url, properties);
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
          "No suitable driver on the class path; name its jar with" + " --driver DRIVER.jar",
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

  @Override
  public String describe() throws ClientException {
    try (Connection connection = connect()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return product + " " + connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw failed(e, database().classify(e));
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
