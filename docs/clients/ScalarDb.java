import com.scalar.db.api.DistributedTransaction;
import com.scalar.db.api.DistributedTransactionAdmin;
import com.scalar.db.api.DistributedTransactionManager;
import com.scalar.db.api.Get;
import com.scalar.db.api.Result;
import com.scalar.db.api.TableMetadata;
import com.scalar.db.api.Upsert;
import com.scalar.db.exception.transaction.TransactionException;
import com.scalar.db.exception.transaction.UnknownTransactionStatusException;
import com.scalar.db.io.DataType;
import com.scalar.db.io.Key;
import com.scalar.db.service.TransactionFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * A client for ScalarDB, whose transactions (Consensus Commit) keep their records in a database: in
 * a file of SQLite, or in the one whose JDBC URL is the argument (with ASSAY_USER and
 * ASSAY_PASSWORD). An append reads the list and writes it back.
 */
final class ScalarDb implements JsonLines.Store {
  private static final String NAMESPACE = "assay";
  private static final String TABLE = "records";

  private final String url;
  private final Map<String, DistributedTransactionManager> managers = new HashMap<>();

  private ScalarDb(String url) {
    this.url = url;
  }

  public static void main(String[] arguments) throws Exception {
    String file = "jdbc:sqlite:" + JsonLines.folder("scalardb") + "/db?busy_timeout=5000";
    JsonLines.serve(new ScalarDb(arguments.length > 0 ? arguments[0] : file));
  }

  /**
   * Its manual: SNAPSHOT is a weaker variant of snapshot isolation with read skew and write skew;
   * SERIALIZABLE is strictly so where the database's operations are linearizable.
   */
  @Override
  public String hello() {
    return """
    "name":"scalardb","title":"ScalarDB","version":"3.19.1","shared":true,"timeout":60,\
    "types":["register","list"],"levels":{"read-committed":"adya-read-committed",\
    "snapshot":"cursor-stability","serializable":"strict-serializable"}\
    """;
  }

  @Override
  public void start() throws Exception {
    for (String level : new String[] {"read-committed", "snapshot", "serializable"}) {
      Properties properties = new Properties();
      properties.put("scalar.db.storage", "jdbc");
      properties.put("scalar.db.contact_points", url);
      properties.put("scalar.db.username", System.getenv().getOrDefault("ASSAY_USER", ""));
      properties.put("scalar.db.password", System.getenv().getOrDefault("ASSAY_PASSWORD", ""));
      properties.put("scalar.db.transaction_manager", "consensus-commit");
      properties.put(
          "scalar.db.consensus_commit.isolation_level", level.toUpperCase().replace('-', '_'));
      TransactionFactory factory = TransactionFactory.create(properties);
      if (managers.isEmpty()) {
        createTable(factory);
      }
      managers.put(level, factory.getTransactionManager());
    }
  }

  private static void createTable(TransactionFactory factory) throws Exception {
    try (DistributedTransactionAdmin admin = factory.getTransactionAdmin()) {
      admin.createCoordinatorTables(true);
      admin.createNamespace(NAMESPACE, true);
      TableMetadata table =
          TableMetadata.newBuilder()
              .addColumn("k", DataType.TEXT)
              .addColumn("v", DataType.TEXT)
              .addPartitionKey("k")
              .build();
      admin.createTable(NAMESPACE, TABLE, table, true);
    }
  }

  @Override
  public JsonLines.Session session() {
    return new Session();
  }

  @Override
  public void close() {
    managers.values().forEach(DistributedTransactionManager::close);
  }

  private final class Session implements JsonLines.Session {
    private DistributedTransactionManager manager;
    private DistributedTransaction transaction;

    @Override
    public void open(int number, String level, boolean locks) {
      manager = managers.get(level);
    }

    @Override
    public void begin() throws TransactionException {
      abort();
      transaction = manager.begin();
    }

    private String value(String key) throws TransactionException {
      Get get =
          Get.newBuilder()
              .namespace(NAMESPACE)
              .table(TABLE)
              .partitionKey(Key.ofText("k", key))
              .build();
      Optional<Result> found = transaction.get(get);
      return found.map(result -> result.getText("v")).orElse(null);
    }

    @Override
    public String read(String type, String key) throws TransactionException {
      String value = value(key);
      return type.equals("list") ? "[" + (value == null ? "" : value) + "]" : value;
    }

    @Override
    public void write(String type, String key, String value) throws TransactionException {
      String before = type.equals("list") ? value(key) : null;
      transaction.upsert(
          Upsert.newBuilder()
              .namespace(NAMESPACE)
              .table(TABLE)
              .partitionKey(Key.ofText("k", key))
              .textValue("v", before == null ? value : before + "," + value)
              .build());
    }

    @Override
    public void commit() throws TransactionException {
      DistributedTransaction ending = transaction;
      transaction = null;
      ending.commit();
    }

    /** Its manual: after any other exception of a commit, the transaction is not committed. */
    @Override
    public boolean isRefusal(Exception ofCommit) {
      return ofCommit instanceof TransactionException
          && !(ofCommit instanceof UnknownTransactionStatusException);
    }

    @Override
    public void abort() throws TransactionException {
      if (transaction != null) {
        DistributedTransaction ending = transaction;
        transaction = null;
        ending.rollback();
      }
    }
  }
}
