package dev.assay.driver;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;

/**
 * A history that is being recorded. Transactions go to a file beside it as they end; {@link Finish}
 * makes the history of it, when it is known which columns conditions were about and which versions
 * others wrote.
 */
final class Recording {
  private static final int MAX_SQL = 120;
  private static final int MAX_LABEL = 34;
  private static final Map<Path, Recording> RECORDINGS = new HashMap<>();

  final Settings settings;
  private final Map<String, Table> tables = new TreeMap<>();
  private final Notes notes = new Notes();
  private final Map<String, Catalogue> catalogues = new HashMap<>();
  private final Map<String, String> labels = new HashMap<>();
  private final Set<Long> seen = ConcurrentHashMap.newKeySet();

  /** How many writes to a table are not settled; see {@link #unsettled}. */
  private final Map<String, Integer> unsettled = new ConcurrentHashMap<>();

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
    part = Part.of(file);
    out = Part.begin(part);
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

  /**
   * What is known of the tables of a schema.
   *
   * @param session the only session that it is for; 0 for all
   */
  synchronized Catalogue catalogue(Dialect dialect, String schema, String user, int session) {
    return catalogues.computeIfAbsent(
        session + "\n" + schema + "\n" + user, name -> new Catalogue(dialect, settings, schema));
  }

  /** Forgets what was known of tables. */
  synchronized void forget() {
    catalogues.values().forEach(Catalogue::forget);
  }

  synchronized void forget(int session) {
    catalogues.keySet().removeIf(name -> name.startsWith(session + "\n"));
  }

  /** A table is used by a statement. */
  synchronized void use(Table table) {
    Table before = tables.putIfAbsent(table.label(), table);
    if (before == null) {
      note(Notes.Fact.TABLE, columns(table));
    } else if (!before.columns().equals(table.columns())) {
      writtenUnseen(before.label(), "its columns changed");
    }
    if (!table.closed()) {
      deletedUnseen(table.label());
    }
  }

  /** A definition: what was known of tables may have changed, and rows of some may be gone. */
  synchronized void defined(String sql) {
    forget();
    SqlText text = new SqlText(sql, false);
    if (text.word(0).equals("CREATE")) {
      return;
    }
    for (int i = 1; i < text.size(); i++) {
      for (String table : tables.keySet()) {
        String name = table.substring(table.lastIndexOf('.') + 1);
        String word = text.word(i).replace(".", "");
        if (word.equals("CASCADE") || word.equalsIgnoreCase(name)) {
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

  // ---- notes

  /** Takes note of something; once it is in the file of transactions, it survives the process. */
  private synchronized void note(Notes.Fact fact, String... texts) {
    if (notes.add(fact, List.of(texts)) && !finished) {
      try {
        Part.write(out, fact, List.of(texts));
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  private void failed(IOException e) {
    notes.metadata.put("note.recording", "the recording is not complete: " + e.getMessage());
  }

  /** Whether the database has been described. */
  synchronized boolean isDescribed() {
    return notes.metadata.containsKey("database");
  }

  /**
   * Describes the database.
   *
   * @param firstId see {@link Notes#firstId}
   */
  synchronized void describe(String database, String versions, String firstId) {
    note(Notes.Fact.METADATA, "database", database);
    note(Notes.Fact.METADATA, "versions", versions);
    if (firstId != null) {
      note(Notes.Fact.FIRST_ID, firstId);
    }
  }

  /** Whether the ids of transactions name the writers of versions. */
  synchronized boolean hasIds() {
    return notes.firstId != null;
  }

  void isolation(String name) {
    note(Notes.Fact.ISOLATION, name);
  }

  void unseen(String sql, String why, CallSite at) {
    String text = sql.strip().replaceAll("\\s+", " ");
    text = text.length() > MAX_SQL ? text.substring(0, MAX_SQL) + "…" : text;
    CallSite.Frame innermost = at == null ? null : at.innermost();
    note(Notes.Fact.UNSEEN, text + " · " + why + (innermost == null ? "" : " · " + innermost));
  }

  /** Rows of a table, or of any for null, may have changed or be gone unseen. */
  void changedUnseen(String table, String why) {
    writtenUnseen(table, why);
    deletedUnseen(table);
  }

  /** Rows of a table, or of any for null, may have changed unseen, but are not gone. */
  void writtenUnseen(String table, String why) {
    note(Notes.Fact.OPEN, table == null ? "*" : table, why);
  }

  /** Who puts a row in the place of one that is gone may give the number of its version again. */
  private void deletedUnseen(String table) {
    if (settings.version() != null && !settings.version().equals(Dialect.COCKROACH_TIMESTAMP)) {
      note(Notes.Fact.DELETED, table == null ? "*" : table);
    }
  }

  /** A write of which not all rows are known. */
  void missed(Table table, boolean deletes, String why) {
    if (deletes) {
      changedUnseen(table.label(), why);
    } else {
      writtenUnseen(table.label(), why);
    }
  }

  /** Takes note of what of a statement is not seen. */
  void remark(String text, Plan planned, CallSite at, Transaction transaction) {
    if (planned instanceof Plan.Several) {
      remark(text, Plan.Several.UNSEEN, at, transaction);
    }
    if (planned instanceof Plan.Unseen one) {
      unseen(text, one.why(), at);
      if (one.writes()) {
        transaction.unseenWrites = true;
        String why = "a statement that was not seen may have changed it";
        writtenUnseen(one.table(), why);
        if (one.deletes()) {
          deletedUnseen(one.table());
        }
      }
    }
    String missing =
        planned instanceof Plan.Query query
            ? query.missing()
            : planned instanceof Plan.Write write ? write.missing() : null;
    if (missing != null) {
      unseen(text, missing, at);
    }
  }

  // ---- which rows have been seen

  void see(String key) {
    seen.add(hash(key));
  }

  /**
   * Others may see a write from now on, before it is known which rows it wrote: until the
   * transaction is written, no row of the table is known never to have been there.
   */
  void unsettled(Transaction transaction, Table table) {
    transaction.unsettled.add(table.label());
    unsettled.merge(table.label(), 1, Integer::sum);
  }

  /** A write is about to be executed that is a transaction of its own. */
  void writes(int session, Transaction transaction, Plan.Write write) {
    unsettled(transaction, write.table());
    if (write.deletes()) {
      deletes(session, transaction, Set.of(write.table().label()));
    }
  }

  /** Whether no version of a row can have been there before, except by a transaction of others. */
  boolean isNew(String key, Table table) {
    // In this order, because a write is settled after its rows have been seen.
    return !unsettled.containsKey(table.label()) && !seen.contains(hash(key));
  }

  /**
   * What a transaction deleted, others may see from now on. A deletion leaves no trace but the line
   * of the transaction, which is not written if the recording ends before.
   */
  synchronized void deletes(int session, Transaction transaction, Set<String> tables) {
    if (finished || tables.isEmpty()) {
      return;
    }
    List<String> texts = new ArrayList<>(tables);
    texts.add(0, Part.key(String.valueOf(session), String.valueOf(transaction.start)));
    note(Notes.Fact.DELETING, texts.toArray(String[]::new));
    try {
      out.flush();
    } catch (IOException e) {
      failed(e);
    }
  }

  private void settle(Transaction transaction) {
    for (String table : transaction.unsettled) {
      unsettled.computeIfPresent(table, (label, count) -> count == 1 ? null : count - 1);
    }
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

  void condition(Condition condition) {
    for (String column : condition.columns()) {
      note(Notes.Fact.CONDITION, condition.table().label(), column);
    }
  }

  /** Writes a transaction that has ended. */
  synchronized void write(int session, Transaction transaction) {
    settle(transaction);
    transaction.forgetUndone();
    for (RecordedResult result : transaction.unread) {
      changedUnseen(result.table().label(), "rows that a statement wrote were not read");
    }
    transaction.operations.removeIf(Operation::isEmpty);
    String key = Part.key(String.valueOf(session), String.valueOf(transaction.start));
    boolean announced = notes.deleting.containsKey(key);
    boolean empty = transaction.operations.isEmpty() && !transaction.unseenWrites;
    if (finished || empty && !announced) {
      return;
    }
    notes.deleting.remove(key);
    String label = label(transaction.method());
    for (Operation operation : transaction.operations) {
      use(operation.table);
      String place = transaction.place(operation.at);
      if (place != null) {
        String kind = operation.kind == Operation.Kind.READ ? "r" : "w";
        String call = "call." + label + "." + kind + "." + operation.table.label();
        note(Notes.Fact.CALL, call, place);
      }
    }
    try {
      out.write(Part.line(session, label + "#" + ++transactions, transaction));
      out.newLine();
      // What is in the file is there when the process is killed.
      out.flush();
    } catch (IOException e) {
      failed(e);
    }
  }

  /** The name of a table and those of its columns. */
  private static String[] columns(Table table) {
    List<String> names = new ArrayList<>(List.of(table.label()));
    table.columns().forEach(column -> names.add(column.name()));
    return names.toArray(String[]::new);
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
      notes.describe();
      new Finish(notes, part).write(file);
      Files.delete(part);
    } catch (IOException e) {
      // The application ends here and must not fail because of its recording.
      Logger.getLogger("dev.assay.driver").warning("the history is not complete: " + e);
    }
  }
}
