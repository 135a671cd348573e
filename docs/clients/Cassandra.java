import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.ConsistencyLevel;
import com.datastax.driver.core.QueryOptions;
import com.datastax.driver.core.Row;
import com.datastax.driver.core.SocketOptions;
import com.datastax.driver.core.exceptions.NoHostAvailableException;
import com.datastax.driver.core.exceptions.QueryValidationException;
import com.datastax.driver.core.policies.RoundRobinPolicy;
import com.datastax.driver.core.policies.WhiteListPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A client for Apache Cassandra 6 with Accord that starts three nodes, each in a JVM of its own, at
 * 127.0.0.1 to 127.0.0.3. Sessions take turns among them.
 *
 * <p>Accord's transactions are not interactive. So reads are requests of their own, writes wait for
 * the commit, and the commit is one transaction of Accord that reads all keys again and writes if
 * all are as they were. No value is written twice, so what is equal has not changed.
 */
final class Cassandra implements JsonLines.Store {
  private static final int NODES = 3;
  private static final int CLIENT_PORT = 19042;
  private static final int START_ATTEMPTS = 600;
  private static final String TABLE = "assay.records";

  private final List<Process> servers = new ArrayList<>();
  private final List<Cluster> clusters = new ArrayList<>();
  private final List<com.datastax.driver.core.Session> nodes = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    JsonLines.serve(new Cassandra());
  }

  /** The paper on Accord, and Cassandra's CEP-15, claim strict serializability. */
  @Override
  public String hello() {
    return """
    "name":"cassandra","title":"Apache Cassandra","version":"6.0-alpha2","shared":true,\
    "timeout":300,"types":["register","list"],"levels":{"accord":"strict-serializable"}\
    """;
  }

  @Override
  public void start() throws Exception {
    Path folder = JsonLines.folder("cassandra");
    for (int i = 1; i <= NODES; i++) {
      // One joins after the other.
      servers.add(server(Files.createDirectory(folder.resolve("node" + i)), i));
      nodes.add(connect("127.0.0." + i, servers.get(i - 1)));
    }
    nodes
        .get(0)
        .execute(
            "CREATE KEYSPACE assay WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes
        .get(0)
        .execute(
            "CREATE TABLE "
                + TABLE
                + " (k text PRIMARY KEY, v text)"
                + " WITH transactional_mode = 'full'");
  }

  private static Process server(Path folder, int i) throws IOException {
    Path settings = Files.writeString(folder.resolve("cassandra.yaml"), SETTINGS.formatted(i, i));
    Path logging = Files.writeString(folder.resolve("logback.xml"), LOGGING);
    List<String> command = new ArrayList<>(List.of("java"));
    // The options of this process open what Cassandra needs.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-") || option.startsWith("-X"))
        .forEach(command::add);
    command.add("-Djdk.attach.allowAttachSelf=true");
    command.add("-Dcassandra.config=" + settings.toUri());
    command.add("-Dcassandra.storagedir=" + folder);
    command.add("-Dlogback.configurationFile=" + logging);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.apache.cassandra.service.CassandraDaemon");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    return builder.redirectOutput(folder.resolve("log").toFile()).start();
  }

  private com.datastax.driver.core.Session connect(String host, Process server) throws Exception {
    InetSocketAddress address = new InetSocketAddress(host, CLIENT_PORT);
    for (int attempt = 0; ; attempt++) {
      Cluster cluster =
          Cluster.builder()
              .addContactPointsWithPorts(address)
              .withLoadBalancingPolicy(
                  new WhiteListPolicy(new RoundRobinPolicy(), List.of(address)))
              .withQueryOptions(new QueryOptions().setConsistencyLevel(ConsistencyLevel.QUORUM))
              .withSocketOptions(new SocketOptions().setReadTimeoutMillis(20_000))
              .withoutJMXReporting()
              .withoutMetrics()
              .build();
      try {
        com.datastax.driver.core.Session session = cluster.connect();
        clusters.add(cluster);
        return session;
      } catch (NoHostAvailableException e) {
        cluster.close();
        if (attempt > START_ATTEMPTS || !server.isAlive()) {
          throw e;
        }
        Thread.sleep(200);
      }
    }
  }

  private static final String SETTINGS =
      """
      cluster_name: assay
      num_tokens: 1
      partitioner: org.apache.cassandra.dht.Murmur3Partitioner
      endpoint_snitch: SimpleSnitch
      commitlog_sync: periodic
      commitlog_sync_period: 10000ms
      listen_address: 127.0.0.%d
      rpc_address: 127.0.0.%d
      storage_port: 17000
      native_transport_port: 19042
      accord:
        enabled: true
      seed_provider:
        - class_name: org.apache.cassandra.locator.SimpleSeedProvider
          parameters:
            - seeds: "127.0.0.1:17000"
      """;

  private static final String LOGGING =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%-5level %date %logger{0}: %msg%n</pattern></encoder>
        </appender>
        <root level="INFO"><appender-ref ref="out"/></root>
      </configuration>
      """;

  @Override
  public JsonLines.Session session() {
    return new Session();
  }

  @Override
  public void close() throws Exception {
    clusters.forEach(Cluster::closeAsync);
    for (Process server : servers) {
      server.destroyForcibly().waitFor();
    }
  }

  /** What a transaction read, when it commits, is not there any more. */
  private static final class ChangedException extends Exception {
    private static final long serialVersionUID = 1;
  }

  private final class Session implements JsonLines.Session {
    private final Map<String, String> read = new LinkedHashMap<>();
    private final Map<String, String> written = new LinkedHashMap<>();
    private com.datastax.driver.core.Session node;

    @Override
    public void open(int number, String level, boolean locks) {
      node = nodes.get(number % NODES);
    }

    @Override
    public void begin() {
      abort();
    }

    private String value(String key) {
      if (written.containsKey(key)) {
        return written.get(key);
      }
      if (!read.containsKey(key)) {
        Row row = node.execute(select(key)).one();
        read.put(key, row == null ? null : row.getString("v"));
      }
      return read.get(key);
    }

    private static String select(String key) {
      return "SELECT v FROM " + TABLE + " WHERE k = '" + key + "'";
    }

    @Override
    public String read(String type, String key) {
      String value = value(key);
      return type.equals("list") ? "[" + (value == null ? "" : value) + "]" : value;
    }

    @Override
    public void write(String type, String key, String value) {
      String before = type.equals("list") ? value(key) : null;
      written.put(key, before == null ? value : before + "," + value);
    }

    @Override
    public void commit() throws ChangedException {
      if (written.isEmpty() && read.size() < 2) {
        return;
      }
      Row row = node.execute(transaction()).one();
      int column = 0;
      for (String value : read.values()) {
        if (!Objects.equals(value, row.getString(column++))) {
          throw new ChangedException();
        }
      }
    }

    private String transaction() {
      StringBuilder text = new StringBuilder("BEGIN TRANSACTION\n");
      List<String> columns = new ArrayList<>();
      List<String> conditions = new ArrayList<>();
      read.forEach(
          (key, value) -> {
            String name = "r" + columns.size();
            text.append("LET ").append(name).append(" = (").append(select(key)).append(");\n");
            columns.add(name + ".v");
            conditions.add(name + (value == null ? " IS NULL" : ".v = '" + value + "'"));
          });
      if (!read.isEmpty()) {
        text.append("SELECT ").append(String.join(", ", columns)).append(";\n");
      }
      boolean conditional = !read.isEmpty() && !written.isEmpty();
      if (conditional) {
        text.append("IF ").append(String.join(" AND ", conditions)).append(" THEN\n");
      }
      written.forEach(
          (key, value) ->
              text.append(
                  "UPDATE " + TABLE + " SET v = '%s' WHERE k = '%s';\n".formatted(value, key)));
      if (conditional) {
        text.append("END IF\n");
      }
      return text.append("COMMIT TRANSACTION").toString();
    }

    @Override
    public boolean isRefusal(Exception ofCommit) {
      return ofCommit instanceof ChangedException || ofCommit instanceof QueryValidationException;
    }

    @Override
    public void abort() {
      read.clear();
      written.clear();
    }
  }
}
