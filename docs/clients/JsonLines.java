import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers Assay's requests for a store that runs in this process (docs/clients.md). What the
 * clients beside it have in common.
 */
final class JsonLines {
  private static final Pattern FIELD =
      Pattern.compile("\"(\\w+)\"\\s*:\\s*(?:\"([^\"]*)\"|(-?\\w+))");

  /** What stores and libraries print goes to standard error: here it would be no answer. */
  private static final PrintStream ANSWERS = System.out;

  static {
    System.setOut(System.err);
  }

  /** A store; it is started before the first run. */
  interface Store extends AutoCloseable {
    /** The answer to {@code hello}, without the braces. */
    String hello();

    void start() throws Exception;

    Session session();

    @Override
    void close() throws Exception;
  }

  /** What a store does for one session, all of it in one thread. */
  interface Session {
    /**
     * @param number counts sessions, so that they can take turns among nodes
     * @param locks whether reads are to lock what they read
     */
    void open(int number, String level, boolean locks) throws Exception;

    void begin() throws Exception;

    /** The value as JSON: a number or null, and for a list an array. */
    String read(String type, String key) throws Exception;

    void write(String type, String key, String value) throws Exception;

    void commit() throws Exception;

    /** Whether a commit that failed so will never take effect. */
    default boolean isRefusal(Exception ofCommit) {
      return false;
    }

    /** Also called after an error, and when nothing is open. */
    void abort() throws Exception;
  }

  private final Store store;
  private final Map<String, Worker> workers = new HashMap<>();
  private boolean started;

  private JsonLines(Store store) {
    this.store = store;
  }

  static void serve(Store store) throws Exception {
    JsonLines lines = new JsonLines(store);
    try {
      lines.serve();
    } finally {
      store.close();
    }
    System.exit(0);
  }

  /** A folder for the data of a store, which is deleted when this process ends. */
  static Path folder(String name) throws IOException {
    Path folder = Files.createTempDirectory(name);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder.toFile())));
    return folder;
  }

  private static void delete(File file) {
    File[] inside = file.listFiles();
    for (File one : inside == null ? new File[0] : inside) {
      delete(one);
    }
    file.delete();
  }

  private void serve() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Map<String, String> request = new TreeMap<>();
      for (Matcher field = FIELD.matcher(line); field.find(); ) {
        request.put(field.group(1), field.group(2) == null ? field.group(3) : field.group(2));
      }
      String session = request.get("session");
      if (session == null) {
        answer(request, beside(request.get("op")));
      } else {
        Worker worker = workers.computeIfAbsent(session, name -> new Worker(store.session()));
        worker.thread.execute(() -> answer(request, worker.answer(request)));
      }
    }
  }

  /** The answer to a request that is not of a session. */
  private String beside(String op) {
    if (op.equals("hello")) {
      return "," + store.hello();
    }
    if (op.equals("setup") && !started) {
      try {
        store.start();
        started = true;
      } catch (Exception e) {
        return error("fatal", e);
      }
    }
    return "";
  }

  private static synchronized void answer(Map<String, String> request, String fields) {
    ANSWERS.println("{\"id\":" + request.get("id") + fields + "}");
  }

  private static String error(String kind, Exception e) {
    String said = e.getClass().getSimpleName() + ": " + e.getMessage();
    String message = said.replaceAll("[^A-Za-z0-9 .,:_-]", " ");
    return ",\"error\":\"%s\",\"message\":\"%s\""
        .formatted(kind, message.substring(0, Math.min(200, message.length())));
  }

  /** A session and the thread that it runs in. */
  private static final class Worker {
    final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Session session;
    private String run;

    Worker(Session session) {
      this.session = session;
    }

    String answer(Map<String, String> request) {
      String op = request.get("op");
      try {
        return step(op, request);
      } catch (Exception e) {
        // Before the commit nothing has taken effect.
        boolean refused = !op.equals("commit") || session.isRefusal(e);
        return error(op.equals("open") ? "fatal" : refused ? "aborted" : "unknown", e);
      }
    }

    private String step(String op, Map<String, String> request) throws Exception {
      String type = request.get("type");
      String key = run + "-" + type + "-" + request.get("key");
      switch (op) {
        case "open" -> {
          run = request.get("run");
          int number = Integer.parseInt(request.get("session"));
          session.open(number, request.get("level"), "true".equals(request.get("lock")));
        }
        case "begin" -> session.begin();
        case "read" -> {
          String value = session.read(type, key);
          return (type.equals("list") ? ",\"values\":" : ",\"value\":") + value;
        }
        case "write" -> session.write(type, key, request.get("value"));
        case "commit" -> session.commit();
        default -> session.abort();
      }
      return "";
    }
  }
}
