import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ignite.Ignition;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientCacheConfiguration;
import org.apache.ignite.client.ClientTransaction;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.logger.NullLogger;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;

/**
 * A client for Apache Ignite 2 that starts three nodes on loopback, each in a JVM of its own, with
 * a transactional cache that has a backup. Sessions take turns among the nodes, by thin clients. It
 * has registers only: not all modes make an append of a read and a write atomic.
 */
final class Ignite implements JsonLines.Store {
  private static final int NODES = 3;
  private static final int FIRST_PORT = 47600;
  private static final long TIMEOUT = 1000;
  private final List<Process> nodes = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      node(Integer.parseInt(arguments[0]));
    } else {
      JsonLines.serve(new Ignite());
    }
  }

  private static void node(int i) throws Exception {
    TcpDiscoverySpi discovery = new TcpDiscoverySpi();
    discovery.setLocalAddress("127.0.0.1").setLocalPort(FIRST_PORT + i).setLocalPortRange(0);
    String all = "127.0.0.1:" + FIRST_PORT + ".." + (FIRST_PORT + NODES - 1);
    discovery.setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(List.of(all)));
    TcpCommunicationSpi communication = new TcpCommunicationSpi();
    communication.setLocalAddress("127.0.0.1");
    communication.setLocalPort(FIRST_PORT + 10 + i);
    ClientConnectorConfiguration clients = new ClientConnectorConfiguration();
    clients.setHost("127.0.0.1").setPort(FIRST_PORT + 20 + i).setPortRange(0);
    IgniteConfiguration configuration = new IgniteConfiguration();
    configuration.setIgniteInstanceName("node" + i).setLocalHost("127.0.0.1");
    configuration.setDiscoverySpi(discovery).setCommunicationSpi(communication);
    configuration.setClientConnectorConfiguration(clients).setGridLogger(new NullLogger());
    configuration.setWorkDirectory(JsonLines.folder("ignite").toString());
    Ignition.start(configuration);
    // It ends with the process that started it.
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  @Override
  public String hello() {
    return """
    "name":"ignite","title":"Apache Ignite","version":"2.17.0","shared":true,"timeout":120,\
    "types":["register"],"levels":{"optimistic-read-committed":"adya-read-committed",\
    "pessimistic-read-committed":"adya-read-committed",\
    "optimistic-repeatable-read":"repeatable-read",\
    "pessimistic-repeatable-read":"repeatable-read",\
    "pessimistic-serializable":"serializable","optimistic-serializable":"serializable"}\
    """;
  }

  @Override
  public void start() throws IOException, InterruptedException {
    for (int i = 0; i < NODES; i++) {
      List<String> command = new ArrayList<>(List.of("java"));
      // The options of this process open what Ignite needs.
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(option -> option.startsWith("--add-") || option.startsWith("-X"))
          .forEach(command::add);
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(Ignite.class.getName(), Integer.toString(i)));
      File log = Path.of(System.getProperty("java.io.tmpdir"), "ignite-" + i + ".log").toFile();
      nodes.add(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start());
    }
    for (int i = 0; i < NODES; i++) {
      for (int attempt = 0; ; attempt++) {
        try (IgniteClient client = client(i)) {
          if (client.cluster().nodes().size() == NODES) {
            break;
          }
        } catch (RuntimeException e) {
          if (attempt > 600) {
            throw e;
          }
        }
        Thread.sleep(200);
      }
    }
  }

  private static IgniteClient client(int node) {
    String address = "127.0.0.1:" + (FIRST_PORT + 20 + node);
    ClientConfiguration configuration = new ClientConfiguration().setAddresses(address);
    return Ignition.startClient(configuration.setClusterDiscoveryEnabled(false));
  }

  @Override
  public JsonLines.Session session() {
    return new Session();
  }

  @Override
  public void close() {
    nodes.forEach(Process::destroyForcibly);
  }

  private static final class Session implements JsonLines.Session {
    private IgniteClient client;
    private ClientCache<String, String> cache;
    private ClientTransaction transaction;
    private TransactionConcurrency concurrency;
    private TransactionIsolation isolation;

    @Override
    public void open(int number, String level, boolean locks) {
      client = client(number % NODES);
      String[] mode = level.split("-", 2);
      concurrency = TransactionConcurrency.valueOf(mode[0].toUpperCase());
      isolation = TransactionIsolation.valueOf(mode[1].toUpperCase().replace('-', '_'));
      cache =
          client.getOrCreateCache(
              new ClientCacheConfiguration()
                  .setName("assay")
                  .setBackups(1)
                  .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    }

    @Override
    public void begin() {
      abort();
      transaction = client.transactions().txStart(concurrency, isolation, TIMEOUT);
    }

    @Override
    public String read(String type, String key) {
      return cache.get(key);
    }

    @Override
    public void write(String type, String key, String value) {
      cache.put(key, value);
    }

    @Override
    public void commit() {
      transaction.commit();
      abort();
    }

    @Override
    public boolean isRefusal(Exception ofCommit) {
      return (ofCommit + " " + ofCommit.getCause()).contains("conflict");
    }

    /** Closing a transaction rolls it back if it is open. */
    @Override
    public void abort() {
      if (transaction != null) {
        ClientTransaction old = transaction;
        transaction = null;
        old.close();
      }
    }
  }
}
