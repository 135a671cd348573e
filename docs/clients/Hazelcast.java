import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionOptions;
import com.hazelcast.transaction.TransactionalMap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client for Hazelcast 5 that starts three members in its process, on loopback. Sessions take
 * turns among them and use a transactional map; --for-update reads by getForUpdate. Registers only.
 *
 * <pre>assay run --client "java -cp 'lib/*' docs/clients/Hazelcast.java"</pre>
 *
 * where lib has hazelcast-5.5.0.jar.
 */
public class Hazelcast {
  private static final int MEMBERS = 3;
  private static final int FIRST_PORT = 25701;
  private static final Pattern FIELD =
      Pattern.compile("\"(\\w+)\"\\s*:\\s*(?:\"([^\"]*)\"|(-?\\w+))");

  // Its manual: the isolation level is always read committed, and getForUpdate locks.
  private static final String HELLO =
      ",\"name\":\"hazelcast\",\"title\":\"Hazelcast\",\"version\":\"5.5.0\",\"shared\":true,"
          + "\"timeout\":60,\"locks\":true,\"types\":[\"register\"],\"levels\":{"
          + "\"one-phase\":\"adya-read-committed\",\"two-phase\":\"adya-read-committed\"}";

  private static final List<HazelcastInstance> STARTED = new ArrayList<>();
  private static final Map<String, Session> SESSIONS = new ConcurrentHashMap<>();

  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Map<String, String> request = new TreeMap<>();
      for (Matcher field = FIELD.matcher(line); field.find(); ) {
        request.put(field.group(1), field.group(2) == null ? field.group(3) : field.group(2));
      }
      String session = request.get("session");
      if (request.get("op").equals("setup") && STARTED.isEmpty()) {
        start();
      }
      if (session == null) {
        answer(request, request.get("op").equals("hello") ? HELLO : "");
      } else {
        Session own = SESSIONS.computeIfAbsent(session, name -> new Session());
        own.thread.execute(() -> answer(request, own.answer(request)));
      }
    }
    System.exit(0);
  }

  private static void start() {
    for (int i = 0; i < MEMBERS; i++) {
      Config config = new Config().setProperty("hazelcast.logging.type", "none");
      config.setProperty("hazelcast.phone.home.enabled", "false").setClusterName("assay");
      config.getNetworkConfig().setPort(FIRST_PORT);
      config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
      JoinConfig join = config.getNetworkConfig().getJoin();
      join.getMulticastConfig().setEnabled(false);
      join.getAutoDetectionConfig().setEnabled(false);
      join.getTcpIpConfig().setEnabled(true);
      for (int other = 0; other < MEMBERS; other++) {
        join.getTcpIpConfig().addMember("127.0.0.1:" + (FIRST_PORT + other));
      }
      STARTED.add(com.hazelcast.core.Hazelcast.newHazelcastInstance(config));
    }
  }

  private static synchronized void answer(Map<String, String> request, String fields) {
    System.out.println("{\"id\":" + request.get("id") + fields + "}");
  }

  private static final class Session {
    final ExecutorService thread = Executors.newSingleThreadExecutor();
    private HazelcastInstance member;
    private TransactionOptions options;
    private TransactionContext transaction;
    private TransactionalMap<String, String> map;
    private String run;
    private boolean locks;

    String answer(Map<String, String> request) {
      String op = request.get("op");
      try {
        return step(op, request);
      } catch (RuntimeException e) {
        // Before the commit nothing has taken effect.
        String error = op.equals("commit") ? "unknown" : "aborted";
        String message = e.getClass().getSimpleName();
        return ",\"error\":\"%s\",\"message\":\"%s\"".formatted(error, message);
      }
    }

    private String step(String op, Map<String, String> request) {
      String key = run + "-" + request.get("key");
      switch (op) {
        case "open" -> open(request);
        case "begin" -> {
          end();
          transaction = member.newTransactionContext(options);
          transaction.beginTransaction();
          map = transaction.getMap("registers");
        }
        case "read" -> {
          return ",\"value\":" + (locks ? map.getForUpdate(key) : map.get(key));
        }
        case "write" -> map.set(key, request.get("value"));
        case "commit" -> {
          transaction.commitTransaction();
          transaction = null;
        }
        default -> end();
      }
      return "";
    }

    private void open(Map<String, String> request) {
      member = STARTED.get(Integer.parseInt(request.get("session")) % MEMBERS);
      run = request.get("run");
      locks = "true".equals(request.get("lock"));
      boolean two = request.get("level").equals("two-phase");
      TransactionOptions.TransactionType type =
          two
              ? TransactionOptions.TransactionType.TWO_PHASE
              : TransactionOptions.TransactionType.ONE_PHASE;
      options = new TransactionOptions().setTransactionType(type).setTimeout(1, TimeUnit.SECONDS);
    }

    private void end() {
      if (transaction != null) {
        try {
          transaction.rollbackTransaction();
        } catch (RuntimeException e) {
          // It was rolled back before.
        }
        transaction = null;
      }
    }
  }
}
