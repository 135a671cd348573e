import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;
import org.infinispan.util.concurrent.IsolationLevel;
import org.jgroups.JChannel;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.protocols.SHARED_LOOPBACK_PING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;

/**
 * A client for Infinispan that starts three nodes in its process, with a cache for each of its
 * modes, distributed with two owners. Sessions take turns among the nodes; --for-update reads with
 * FORCE_WRITE_LOCK, which pessimistic modes heed. Registers only.
 */
final class Infinispan implements JsonLines.Store {
  private static final int NODES = 3;

  private final List<DefaultCacheManager> nodes = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    JsonLines.serve(new Infinispan());
  }

  @Override
  public String hello() {
    return """
    "name":"infinispan","title":"Infinispan","version":"15.2.6","shared":true,"timeout":60,\
    "locks":true,"types":["register"],"levels":{\
    "optimistic-read-committed":"adya-read-committed",\
    "pessimistic-read-committed":"adya-read-committed",\
    "optimistic-repeatable-read":"repeatable-read",\
    "pessimistic-repeatable-read":"repeatable-read"}\
    """;
  }

  @Override
  public void start() throws Exception {
    for (int i = 0; i < NODES; i++) {
      JChannel channel =
          new JChannel(
              new SHARED_LOOPBACK(),
              new SHARED_LOOPBACK_PING(),
              new NAKACK2(),
              new UNICAST3(),
              new STABLE(),
              new GMS(),
              new UFC(),
              new MFC(),
              new FRAG2());
      GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
      global.transport().clusterName("assay").nodeName("node" + i);
      global.transport().transport(new JGroupsTransport(channel));
      DefaultCacheManager node = new DefaultCacheManager(global.build());
      for (LockingMode locking : LockingMode.values()) {
        for (IsolationLevel isolation : ISOLATIONS.values()) {
          node.defineConfiguration(name(locking, isolation), cache(locking, isolation).build());
        }
      }
      nodes.add(node);
    }
  }

  private static final Map<String, IsolationLevel> ISOLATIONS =
      Map.of(
          "read-committed", IsolationLevel.READ_COMMITTED,
          "repeatable-read", IsolationLevel.REPEATABLE_READ);

  private static String name(LockingMode locking, IsolationLevel isolation) {
    return locking + "-" + isolation;
  }

  private static ConfigurationBuilder cache(LockingMode locking, IsolationLevel isolation) {
    ConfigurationBuilder cache = new ConfigurationBuilder();
    cache.clustering().cacheMode(CacheMode.DIST_SYNC).hash().numOwners(2);
    cache.transaction().transactionMode(TransactionMode.TRANSACTIONAL).lockingMode(locking);
    cache.transaction().transactionManagerLookup(new EmbeddedTransactionManagerLookup());
    cache.locking().isolationLevel(isolation).lockAcquisitionTimeout(1, TimeUnit.SECONDS);
    return cache;
  }

  @Override
  public JsonLines.Session session() {
    return new Session();
  }

  @Override
  public void close() {
    nodes.forEach(DefaultCacheManager::stop);
  }

  private final class Session implements JsonLines.Session {
    private AdvancedCache<String, String> cache;
    private AdvancedCache<String, String> reading;
    private TransactionManager transactions;

    @Override
    public void open(int number, String level, boolean locks) {
      String[] mode = level.split("-", 2);
      LockingMode locking = LockingMode.valueOf(mode[0].toUpperCase());
      DefaultCacheManager node = nodes.get(number % NODES);
      cache =
          node.<String, String>getCache(name(locking, ISOLATIONS.get(mode[1]))).getAdvancedCache();
      reading = locks ? cache.withFlags(Flag.FORCE_WRITE_LOCK) : cache;
      transactions = cache.getTransactionManager();
    }

    @Override
    public void begin() throws Exception {
      abort();
      transactions.begin();
    }

    @Override
    public String read(String type, String key) {
      return reading.get(key);
    }

    @Override
    public void write(String type, String key, String value) {
      cache.put(key, value);
    }

    @Override
    public void commit() throws Exception {
      transactions.commit();
    }

    @Override
    public boolean isRefusal(Exception ofCommit) {
      return ofCommit instanceof RollbackException;
    }

    @Override
    public void abort() throws Exception {
      if (transactions != null && transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
        transactions.rollback();
      }
    }
  }
}
