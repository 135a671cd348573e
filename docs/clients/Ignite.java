import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * A client for Apache Ignite 2 that starts three nodes on loopback, each in a JVM of its own, with a
 * transactional cache that has a backup. Sessions take turns among the nodes, by thin clients. It
 * has registers only: not all modes make an append of a read and a write atomic.
 *
 * <pre>assay run --client "java @docs/clients/ignite.args -cp 'lib/*' docs/clients/Ignite.java"</pre>
 *
 * where lib has ignite-core and what it needs.
 */
public class Ignite {
  private static final int NODES = 3;
  private static final int FIRST_PORT = 47600;
  private static final long TIMEOUT = 1000;
  private static final Pattern FIELD =
      Pattern.compile("\"(\\w+)\"\\s*:\\s*(?:\"([^\"]*)\"|(-?\\w+))");

  private static final Map<String, Session> SESSIONS = new ConcurrentHashMap<>();

  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      node(Integer.parseInt(arguments[0]));
    } else {
      serve();
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
    configuration.setWorkDirectory(Files.createTempDirectory("ignite").toString());
    Ignition.start(configuration);
    // It ends with the process that started it.
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static List<Process> start() throws IOException, InterruptedException {
    List<Process> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      List<String> command = new ArrayList<>(List.of("java"));
      // The options of this process open what Ignite needs.
      java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(option -> option.startsWith("--add-") || option.startsWith("-X"))
          .forEach(command::add);
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(System.getProperty("ignite.source"), Integer.toString(i)));
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
    return nodes;
  }

  private static IgniteClient client(int node) {
    String address = "127.0.0.1:" + (FIRST_PORT + 20 + node);
    ClientConfiguration configuration = new ClientConfiguration().setAddresses(address);
    return Ignition.startClient(configuration.setClusterDiscoveryEnabled(false));
  }

  private static void serve() throws Exception {
    List<Process> nodes = new ArrayList<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Map<String, String> request = new TreeMap<>();
      for (Matcher field = FIELD.matcher(line); field.find(); ) {
        request.put(field.group(1), field.group(2) == null ? field.group(3) : field.group(2));
      }
      String session = request.get("session");
      if (request.get("op").equals("setup") && nodes.isEmpty()) {
        nodes.addAll(start());
      }
      if (session == null) {
        answer(request, request.get("op").equals("hello") ? HELLO : "");
      } else {
        Session own = SESSIONS.computeIfAbsent(session, name -> new Session());
        own.thread.execute(() -> answer(request, own.answer(request)));
      }
    }
    nodes.forEach(Process::destroyForcibly);
    System.exit(0);
  }

  private static final String HELLO =
      ",\"name\":\"ignite\",\"title\":\"Apache Ignite\",\"version\":\"2.17.0\",\"shared\":true,"
          + "\"timeout\":120,\"types\":[\"register\"],\"levels\":{"
          + "\"optimistic-read-committed\":\"adya-read-committed\","
          + "\"pessimistic-read-committed\":\"adya-read-committed\","
          + "\"optimistic-repeatable-read\":\"repeatable-read\","
          + "\"pessimistic-repeatable-read\":\"repeatable-read\","
          + "\"pessimistic-serializable\":\"serializable\","
          + "\"optimistic-serializable\":\"serializable\"}";

  private static synchronized void answer(Map<String, String> request, String fields) {
    System.out.println("{\"id\":" + request.get("id") + fields + "}");
  }

  private static final class Session {
    final ExecutorService thread = Executors.newSingleThreadExecutor();
    private IgniteClient client;
    private ClientCache<String, String> cache;
    private ClientTransaction transaction;
    private String run;
    private TransactionConcurrency concurrency;
    private TransactionIsolation isolation;

    String answer(Map<String, String> request) {
      String op = request.get("op");
      try {
        return step(op, request);
      } catch (RuntimeException e) {
        String said = e + " " + e.getCause();
        // Before the commit nothing has taken effect; after it, only a conflict is an answer.
        boolean refused = !op.equals("commit") || said.contains("conflict");
        String message = said.replaceAll("[^A-Za-z0-9 .,:_-]", " ");
        message = message.substring(0, Math.min(150, message.length()));
        return ",\"error\":\"%s\",\"message\":\"%s\""
            .formatted(refused ? "aborted" : "unknown", message);
      }
    }

    private String step(String op, Map<String, String> request) {
      String key = run + "-" + request.get("type") + "-" + request.get("key");
      switch (op) {
        case "open" -> open(request);
        case "begin" -> {
          end();
          transaction = client.transactions().txStart(concurrency, isolation, TIMEOUT);
        }
        case "read" -> {
          return ",\"value\":" + cache.get(key);
        }
        case "write" -> cache.put(key, request.get("value"));
        case "commit" -> {
          transaction.commit();
          end();
        }
        default -> end();
      }
      return "";
    }

    private void open(Map<String, String> request) {
      client = client(Integer.parseInt(request.get("session")) % NODES);
      run = request.get("run");
      String[] level = request.get("level").split("-", 2);
      concurrency = TransactionConcurrency.valueOf(level[0].toUpperCase());
      isolation = TransactionIsolation.valueOf(level[1].toUpperCase().replace('-', '_'));
      cache =
          client.getOrCreateCache(
              new ClientCacheConfiguration()
                  .setName("assay")
                  .setBackups(1)
                  .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
    }

    /** Closing a transaction rolls it back if it is open. */
    private void end() {
      if (transaction != null) {
        ClientTransaction old = transaction;
        transaction = null;
        old.close();
      }
    }
  }
}
