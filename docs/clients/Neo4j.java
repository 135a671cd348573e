import java.util.Arrays;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/**
 * A client for Neo4j, which runs in this process. A key is a node with a property; --for-update
 * takes a node's write lock before it is read, as an append always does.
 */
final class Neo4j implements JsonLines.Store {
  private static final Label KEY = Label.label("Key");
  private static final String NAME = "name";
  private static final String VALUE = "value";

  private DatabaseManagementService service;
  private GraphDatabaseService database;

  public static void main(String[] arguments) throws Exception {
    JsonLines.serve(new Neo4j());
  }

  /** Its manual: the isolation level is read committed; locks can be taken by hand. */
  @Override
  public String hello() {
    return """
    "name":"neo4j","title":"Neo4j","version":"5.26.0","shared":true,"timeout":60,\
    "locks":true,"types":["register","list"],"levels":{\
    "read-committed":"adya-read-committed"}\
    """;
  }

  @Override
  public void start() throws Exception {
    service = new DatabaseManagementServiceBuilder(JsonLines.folder("neo4j")).build();
    database = service.database("neo4j");
    try (Transaction transaction = database.beginTx()) {
      transaction.schema().constraintFor(KEY).assertPropertyIsUnique(NAME).create();
      transaction.commit();
    }
  }

  @Override
  public JsonLines.Session session() {
    return new Session();
  }

  @Override
  public void close() {
    if (service != null) {
      service.shutdown();
    }
  }

  private final class Session implements JsonLines.Session {
    private Transaction transaction;
    private boolean locks;

    @Override
    public void open(int number, String level, boolean locks) {
      this.locks = locks;
    }

    @Override
    public void begin() {
      abort();
      transaction = database.beginTx();
    }

    @Override
    public String read(String type, String key) {
      Node node = transaction.findNode(KEY, NAME, key);
      if (node != null && locks) {
        transaction.acquireWriteLock(node);
      }
      if (type.equals("list")) {
        return Arrays.toString(list(node));
      }
      return node == null ? "null" : node.getProperty(VALUE).toString();
    }

    private static long[] list(Node node) {
      return node == null ? new long[0] : (long[]) node.getProperty(VALUE, new long[0]);
    }

    @Override
    public void write(String type, String key, String value) {
      Node node = transaction.findNode(KEY, NAME, key);
      if (node == null) {
        node = transaction.createNode(KEY);
        node.setProperty(NAME, key);
      }
      long number = Long.parseLong(value);
      if (type.equals("list")) {
        transaction.acquireWriteLock(node);
        long[] before = list(node);
        long[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = number;
        node.setProperty(VALUE, after);
      } else {
        node.setProperty(VALUE, number);
      }
    }

    @Override
    public void commit() {
      transaction.commit();
      transaction = null;
    }

    @Override
    public void abort() {
      if (transaction != null) {
        transaction.close();
        transaction = null;
      }
    }
  }
}
