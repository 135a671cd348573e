package dev.assay.driver;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

/**
 * A history that is being recorded. Transactions go to a file beside it as they end; {@link Finish}
 * makes the history of it, when it is known which columns conditions were about and which versions
 * others wrote.
 */
final class Recording {
  /** Maximum number of statements that are named because they were not seen. */
  private static final int MAX_UNSEEN = 50;

  private static final int MAX_SQL = 120;
  private static final int MAX_CALLS = 5;
  private static final int MAX_LABEL = 34;
  private static final Map<Path, Recording> RECORDINGS = new HashMap<>();

  final Settings settings;
  final Map<String, Table> tables = new TreeMap<>();
  final Map<String, Set<String>> conditionColumns = new TreeMap<>();
  final Map<String, String> metadata = new LinkedHashMap<>();

  /** Tables whose rows may have changed unseen, and why; {@code *} for all. */
  final Map<String, String> open = new TreeMap<>();

  /** Transactions with ids below this ended before the recording began; null if unknown. */
  Long firstId;

  private final Map<String, Catalogue> catalogues = new HashMap<>();
  private final Set<String> isolations = new TreeSet<>();
  private final Map<String, Integer> unseen = new LinkedHashMap<>();
  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, Set<String>> calls = new TreeMap<>();
  private final Set<Long> seen = ConcurrentHashMap.newKeySet();
  private final List<Session> sessions = new ArrayList<>();
  private final Path file;
  private final Path part;
  private final BufferedWriter out;
  private int transactions;
  private int deletions;
  private int sessionCount;
  private boolean finished;

  private Recording(Settings settings, Path file) throws IOException {
    this.settings = settings;
    this.file = file;
    Files.createDirectories(file.getParent());
    part = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + ".part");
    out = Files.newBufferedWriter(part);
  }

  /** The recording for a URL; one for each file and database. */
  static synchronized Recording of(Settings settings) throws SQLException {
    if (RECORDINGS.isEmpty()) {
      Shutdown.register();
    }
    Path file = settings.file();
    for (int i = 2; ; i++) {
      Recording there = RECORDINGS.get(file);
      if (there != null && !there.isFinished() && there.settings.equals(settings)) {
        return there;
      }
      if (there == null || there.isFinished()) {
        break;
      }
      // Another database: its rows must not be mistaken for those of the first.
      String name = settings.file().getFileName().toString();
      int dot = name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.');
      file = file.resolveSibling(name.substring(0, dot) + "-" + i + name.substring(dot));
    }
    try {
      Recording recording = new Recording(settings, file);
      RECORDINGS.put(file, recording);
      return recording;
    } catch (IOException e) {
      throw new SQLException("assay cannot record to " + file + ": " + e.getMessage(), e);
    }
  }

  static synchronized void finishAll() {
    for (Recording recording : RECORDINGS.values()) {
      recording.finish();
    }
  }

  /** When the program ends, what was recorded becomes a history. */
  private static final class Shutdown {
    private static boolean registered;

    static void register() {
      if (!registered) {
        registered = true;
        Runtime.getRuntime().addShutdownHook(new Thread(Recording::finishAll, "assay-driver"));
      }
    }
  }

  synchronized boolean isFinished() {
    return finished;
  }

  synchronized Catalogue catalogue(Dialect dialect, String schema) {
    return catalogues.computeIfAbsent(
        String.valueOf(schema), name -> new Catalogue(dialect, settings, schema));
  }

  /** A definition: what was known of tables may have changed, and rows of some may be gone. */
  synchronized void defined(String sql) {
    catalogues.values().forEach(Catalogue::forget);
    SqlText text = new SqlText(sql);
    if (text.word(0).equals("CREATE")) {
      return;
    }
    for (int i = 1; i < text.size(); i++) {
      for (String table : tables.keySet()) {
        if (text.word(i).equals("CASCADE") || text.word(i).equalsIgnoreCase(table)) {
          changedUnseen(table, "it was changed by " + text.word(0));
        }
      }
    }
  }

  /** A version for a row that was deleted, which no other row has. */
  synchronized String gone() {
    return "deleted#" + ++deletions;
  }

  synchronized Session session() {
    Session session = new Session(this, ++sessionCount);
    sessions.add(session);
    return session;
  }

  synchronized void closed(Session session) {
    sessions.remove(session);
  }

  synchronized void isolation(String name) {
    isolations.add(name);
  }

  // ---- what was not seen

  synchronized void unseen(String sql, String why, CallSite at) {
    String text = sql.strip().replaceAll("\\s+", " ");
    text = text.length() > MAX_SQL ? text.substring(0, MAX_SQL) + "…" : text;
    CallSite.Frame innermost = at == null ? null : at.innermost();
    String entry = text + " · " + why + (innermost == null ? "" : " · " + innermost);
    if (unseen.size() < MAX_UNSEEN || unseen.containsKey(entry)) {
      unseen.merge(entry, 1, Integer::sum);
    } else {
      unseen.merge("other statements", 1, Integer::sum);
    }
  }

  /** Rows of a table, or of any for null, may have changed unseen. */
  synchronized void changedUnseen(String table, String why) {
    open.putIfAbsent(table == null ? "*" : table, why);
  }

  // ---- which rows have been seen

  void see(String key) {
    seen.add(hash(key));
  }

  boolean isSeen(String key) {
    return seen.contains(hash(key));
  }

  static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
      hash ^= hash >>> 29;
    }
    return hash;
  }

  // ---- transactions

  synchronized void condition(Condition condition) {
    conditionColumns
        .computeIfAbsent(condition.table().label(), name -> new TreeSet<>())
        .addAll(condition.columns());
  }

  /** Writes a transaction that has ended. */
  synchronized void write(int session, Transaction transaction) {
    transaction.operations.removeIf(Operation::isEmpty);
    if (finished || transaction.operations.isEmpty() && !transaction.unseenWrites) {
      return;
    }
    String label = label(transaction.method());
    for (Operation operation : transaction.operations) {
      Table before = tables.putIfAbsent(operation.table.label(), operation.table);
      if (before != null && !before.columns().equals(operation.table.columns())) {
        changedUnseen(before.label(), "its columns changed");
      }
      String place = transaction.place(operation.at);
      if (place != null) {
        String kind = operation.kind == Operation.Kind.READ ? "r" : "w";
        Set<String> at =
            calls.computeIfAbsent(
                "call." + label + "." + kind + "." + operation.table.label(),
                name -> new LinkedHashSet<>());
        if (at.size() < MAX_CALLS) {
          at.add(place);
        }
      }
    }
    try {
      out.write(Part.line(session, label + "#" + ++transactions, transaction));
      out.newLine();
    } catch (IOException e) {
      metadata.put("note.recording", "the recording is not complete: " + e.getMessage());
    }
  }

  /** A short name of a method that no other method has. */
  private String label(CallSite.Frame method) {
    if (method == null) {
      return "transaction";
    }
    String full = method.type() + "." + method.method();
    String end = full.substring(Math.max(0, full.length() - MAX_LABEL));
    for (String name :
        List.of(method.simpleType() + "." + method.method(), method.method(), full, "…" + end)) {
      boolean fits = name.length() <= MAX_LABEL + 1;
      if (fits && labels.computeIfAbsent(name, any -> full).equals(full)) {
        return name;
      }
    }
    return full;
  }

  private void finish() {
    List<Session> all;
    synchronized (this) {
      all = List.copyOf(sessions);
    }
    all.forEach(Session::flushAll);
    complete();
  }

  private synchronized void complete() {
    if (finished) {
      return;
    }
    finished = true;
    try {
      out.close();
      describe();
      new Finish(this, part).write(file);
      Files.delete(part);
    } catch (IOException e) {
      // The application ends here and must not fail because of its recording.
      Logger.getLogger("dev.assay.driver").warning("the history is not complete: " + e);
    }
  }

  private void describe() {
    metadata.put("recorder", "assay-driver");
    metadata.put("isolation", String.join(", ", isolations));
    calls.forEach((name, at) -> metadata.put(name, String.join(", ", at)));
    if (!unseen.isEmpty()) {
      int count = unseen.values().stream().mapToInt(Integer::intValue).sum();
      metadata.put(
          "note.unseen",
          count
              + " executions of "
              + unseen.size()
              + " statements were not seen or only in part; the metadata unseen.1 and so on name"
              + " them");
      int number = 0;
      for (Map.Entry<String, Integer> entry : unseen.entrySet()) {
        metadata.put("unseen." + ++number, entry.getValue() + " × " + entry.getKey());
      }
    }
  }
}
