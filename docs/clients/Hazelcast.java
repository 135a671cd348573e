import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionOptions;
import com.hazelcast.transaction.TransactionalMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client for Hazelcast that starts three members in its process, on loopback. Sessions take turns
 * among them and use a transactional map; --for-update reads by getForUpdate. Registers only.
 */
final class Hazelcast implements JsonLines.Store {
  private static final int MEMBERS = 3;
  private static final int FIRST_PORT = 25701;

  private final List<HazelcastInstance> members = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    JsonLines.serve(new Hazelcast());
  }

  /** Its manual: the isolation level is always read committed, and getForUpdate locks. */
  @Override
  public String hello() {
    return """
    "name":"hazelcast","title":"Hazelcast","version":"5.5.0","shared":true,"timeout":60,\
    "locks":true,"types":["register"],"levels":{"one-phase":"adya-read-committed",\
    "two-phase":"adya-read-committed"}\
    """;
  }

  @Override
  public void start() {
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
      members.add(com.hazelcast.core.Hazelcast.newHazelcastInstance(config));
    }
  }

  @Override
  public JsonLines.Session session() {
    return new Session();
  }

  @Override
  public void close() {
    // The members end with the process.
  }

  private final class Session implements JsonLines.Session {
    private HazelcastInstance member;
    private TransactionOptions options;
    private TransactionContext transaction;
    private TransactionalMap<String, String> map;
    private boolean locks;

    @Override
    public void open(int number, String level, boolean locks) {
      member = members.get(number % MEMBERS);
      this.locks = locks;
      TransactionOptions.TransactionType type =
          level.equals("two-phase")
              ? TransactionOptions.TransactionType.TWO_PHASE
              : TransactionOptions.TransactionType.ONE_PHASE;
      options = new TransactionOptions().setTransactionType(type).setTimeout(1, TimeUnit.SECONDS);
    }

    @Override
    public void begin() {
      abort();
      transaction = member.newTransactionContext(options);
      transaction.beginTransaction();
      map = transaction.getMap("registers");
    }

    @Override
    public String read(String type, String key) {
      return locks ? map.getForUpdate(key) : map.get(key);
    }

    @Override
    public void write(String type, String key, String value) {
      map.set(key, value);
    }

    @Override
    public void commit() {
      transaction.commitTransaction();
      transaction = null;
    }

    @Override
    public void abort() {
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
