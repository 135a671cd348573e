package dev.assay.drivertest;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One client of an application that does at random what makes recording hard. */
final class RandomTransactions {
  /** What may go wrong: conflicts, keys that are there, a division by zero, and what follows. */
  private static final String EXPECTED = "40.*|23505|22012|25P02|57014|3B001";

  private static final int TRANSACTIONS = Integer.getInteger("assay.driver.steps", 6);

  private static final int KEYS = 5;

  /** The rows that are there from the beginning. */
  static final int FIRST_KEYS = 3;

  /** Of savepoints; some are the same. */
  private static final List<String> NAMES = List.of("s", "t", "\"s\"", "\"T\"", "S");

  private final Connection connection;
  private final int number;
  private final Random random;
  private final Mode mode;
  private final List<String> log;
  private final List<Savepoint> savepoints = new ArrayList<>();

  /** The names of savepoints that were made in SQL. */
  private final List<String> names = new ArrayList<>();

  private int last = 1;

  /** Results of which not all has been read yet, each with its statement. */
  private final List<ResultSet> open = new ArrayList<>();

  /**
   * What clients do.
   *
   * @param anew whether rows are inserted that had been deleted. At repeatable read that is left
   *     out, because there PostgreSQL lets a transaction insert a row that it has seen and that
   *     another has deleted meanwhile: a lost update
   * @param unseen whether they execute also what the driver does not look into
   */
  record Mode(boolean anew, boolean unseen) {}

  /**
   * A client.
   *
   * @param log what all clients did, in its order
   */
  RandomTransactions(Connection connection, int number, long seed, Mode mode, List<String> log) {
    this.connection = connection;
    this.number = number;
    this.random = new Random(seed);
    this.mode = mode;
    this.log = log;
  }

  void run() throws SQLException {
    for (int i = 0; i < TRANSACTIONS; i++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> alone();
        case 2 -> inText();
        default -> byMethods();
      }
    }
    readOn(true);
  }

  private void say(String what) {
    synchronized (log) {
      log.add(number + ": " + what);
    }
  }

  // ---- transactions

  private void alone() throws SQLException {
    connection.setAutoCommit(true);
    for (int n = random.nextInt(3); n >= 0; n--) {
      tryStep(false);
    }
  }

  private void byMethods() throws SQLException {
    say("begin");
    connection.setAutoCommit(false);
    if (random.nextInt(4) == 0) {
      // It has a snapshot from here on.
      execute("SELECT 1");
    }
    boolean well = true;
    for (int n = random.nextInt(6); n >= 0 && well; n--) {
      well = tryStep(true);
    }
    try {
      if (random.nextInt(8) == 0) {
        say("rollback");
        connection.rollback();
      } else if (random.nextInt(8) == 0) {
        say("setAutoCommit");
        connection.setAutoCommit(true);
      } else {
        say("commit");
        connection.commit();
      }
    } catch (SQLException e) {
      expect(e);
      connection.rollback();
    }
    savepoints.clear();
    names.clear();
  }

  private void inText() throws SQLException {
    connection.setAutoCommit(true);
    execute("BEGIN");
    boolean well = true;
    for (int n = random.nextInt(6); n >= 0 && well; n--) {
      well = tryStep(true);
    }
    try {
      execute(random.nextInt(8) == 0 ? "ROLLBACK" : "COMMIT");
    } catch (SQLException e) {
      expect(e);
    }
    names.clear();
  }

  /** False where the transaction should end now. */
  private boolean tryStep(boolean within) throws SQLException {
    try {
      step(within);
      return true;
    } catch (SQLException e) {
      expect(e);
      if (!within) {
        return false;
      }
    }
    try {
      if (random.nextBoolean()) {
        back();
        return true;
      }
    } catch (SQLException e) {
      expect(e);
    }
    return random.nextInt(4) == 0;
  }

  private void expect(SQLException e) {
    say("failed: " + e.getSQLState() + " " + e.getMessage().lines().findFirst().orElse(""));
    assertThat(String.valueOf(e.getSQLState())).as(e.getMessage()).matches(EXPECTED);
  }

  /** Takes back to a savepoint, made by a method or in a text. */
  private void back() throws SQLException {
    boolean method = names.isEmpty() || random.nextBoolean();
    if (!connection.getAutoCommit() && !savepoints.isEmpty() && method) {
      int last = random.nextInt(savepoints.size());
      say("rollback to savepoint " + last);
      connection.rollback(savepoints.get(last));
      savepoints.subList(last + 1, savepoints.size()).clear();
    } else {
      execute("ROLLBACK TO SAVEPOINT " + there());
    }
  }

  /** A name of a savepoint that is there, nearly always. */
  private String there() {
    boolean wrong = names.isEmpty() || random.nextInt(20) == 0;
    return wrong ? "other" : names.get(random.nextInt(names.size()));
  }

  private void savepoint() throws SQLException {
    if (connection.getAutoCommit() || random.nextBoolean()) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      execute("SAVEPOINT " + name);
      names.add(name);
    } else {
      say("savepoint " + savepoints.size());
      savepoints.add(
          random.nextBoolean() ? connection.setSavepoint() : connection.setSavepoint("s"));
    }
  }

  // ---- statements

  private void step(boolean within) throws SQLException {
    int kind = random.nextInt(within ? 16 : 11);
    switch (kind) {
      case 0, 1, 2 -> read();
      case 3, 4, 5 -> write();
      case 6 -> returning();
      case 7 -> batch();
      case 8 -> keys();
      case 9 -> readOn(false);
      case 10 -> odd(within);
      case 11, 12 -> savepoint();
      case 13, 14 -> {
        if (names.size() + savepoints.size() > 0) {
          back();
        }
      }
      default -> {
        if (!names.isEmpty()) {
          execute("RELEASE SAVEPOINT " + there());
        }
      }
    }
  }

  /** The key of a row, often the same as before: what was written is read, or written again. */
  private int key() {
    last = random.nextInt(3) == 0 ? last : 1 + random.nextInt(KEYS);
    return last;
  }

  /** The key of a row that may be deleted. */
  private int mortal() {
    return mode.anew ? key() : 1 + random.nextInt(FIRST_KEYS);
  }

  /** The key of a row that may be inserted. */
  private int born() {
    return mode.anew ? key() : FIRST_KEYS + 1 + random.nextInt(KEYS - FIRST_KEYS);
  }

  private String mortals() {
    return mode.anew ? "" : " AND id <= " + FIRST_KEYS;
  }

  private void read() throws SQLException {
    int a = random.nextInt(3);
    switch (random.nextInt(7)) {
      case 0, 1 -> query("SELECT * FROM item WHERE id = ?", key());
      case 2 -> query("SELECT id FROM item WHERE a = ? AND NOT b", a);
      case 3 -> query("SELECT count(*) FROM item WHERE a >= ? OR c IN ('c1', 'c2')", a);
      case 4 -> query("SELECT a, sum(id) FROM item GROUP BY a");
      case 5 -> query("SELECT x.id FROM item x JOIN item y ON x.id = y.a LIMIT 2");
      default -> query("SELECT id FROM item WHERE id = ? FOR UPDATE", key());
    }
  }

  private void write() throws SQLException {
    int a = random.nextInt(3);
    switch (random.nextInt(8)) {
      case 0, 1 -> update("UPDATE item SET a = ?, b = NOT b WHERE id = ?", a, key());
      case 2 -> update("UPDATE item SET a = (a + 1) % 3 WHERE a = ?", a);
      case 3, 4 -> update("DELETE FROM item WHERE id = ?", mortal());
      case 5 -> update("DELETE FROM item WHERE a = ? AND b" + mortals(), a);
      case 6 -> update("INSERT INTO item VALUES (?, ?, true, 'n')", born(), a);
      default ->
          update("INSERT INTO item VALUES (?, ?, true, 'n') ON CONFLICT DO NOTHING", born(), a);
    }
  }

  private void returning() throws SQLException {
    int a = random.nextInt(3);
    switch (random.nextInt(4)) {
      case 0 -> query("DELETE FROM item WHERE id = ? RETURNING c", mortal());
      case 1 -> query("DELETE FROM item WHERE a = ?" + mortals() + " RETURNING id", a);
      case 2 -> query("UPDATE item SET b = NOT b WHERE a = ? RETURNING *", a);
      default ->
          query(
              "INSERT INTO item VALUES (?, ?, true, 'n') ON CONFLICT (id) DO UPDATE SET"
                  + " a = excluded.a RETURNING id",
              born(),
              a);
    }
  }

  private void batch() throws SQLException {
    boolean deletes = random.nextBoolean();
    String sql =
        deletes ? "DELETE FROM item WHERE id = ?" : "UPDATE item SET b = NOT b WHERE id = ?";
    int first = deletes ? mortal() : key();
    int second = deletes ? mortal() : key();
    say("batch " + sql + " " + first + ", " + second);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int id : List.of(first, second)) {
        statement.setInt(1, id);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** A write whose generated keys are read later. */
  private void keys() throws SQLException {
    String sql = "UPDATE item SET a = ? WHERE id <= ?";
    int a = random.nextInt(3);
    int id = key();
    say("keys " + sql + " " + a + ", " + id);
    PreparedStatement statement = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS);
    statement.setInt(1, a);
    statement.setInt(2, id);
    statement.executeUpdate();
    open.add(statement.getGeneratedKeys());
  }

  private void odd(boolean within) throws SQLException {
    switch (random.nextInt(mode.unseen ? 7 : within ? 3 : 2)) {
      case 0 -> execute("SELECT 1");
      case 1 -> execute("SELECT 1 / 0");
      case 2 -> execute("SET LOCAL work_mem = '1MB'");
      case 3, 4 -> execute("SELECT bump(" + key() + ")");
      case 5 -> execute("DELETE FROM item USING (SELECT 1 AS x) o WHERE id = " + mortal());
      default -> execute("UPDATE item SET a = 2 WHERE id = 4; DELETE FROM item WHERE id = 2");
    }
  }

  private void query(String sql, Object... parameters) throws SQLException {
    say(sql + " " + List.of(parameters));
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    if (random.nextInt(8) == 0) {
      statement.setFetchSize(1);
    }
    if (random.nextInt(16) == 0) {
      statement.setMaxRows(1);
    }
    ResultSet rows = statement.executeQuery();
    open.add(rows);
    if (random.nextInt(4) > 0) {
      readOn(true);
    }
  }

  /** Reads what is open: all of it, or a part. */
  private void readOn(boolean all) throws SQLException {
    while (!open.isEmpty()) {
      ResultSet rows = open.remove(random.nextInt(open.size()));
      try (rows) {
        int limit = all || random.nextBoolean() ? Integer.MAX_VALUE : 1;
        List<String> read = new ArrayList<>();
        while (read.size() < limit && rows.next()) {
          read.add(rows.getString(1));
        }
        say("read " + read);
      } catch (SQLException e) {
        // Those of a cursor are gone with its transaction.
        say("not read: " + e.getMessage());
        assertThat(e.getSQLState()).as(e.getMessage()).matches("34000|25P02|55000");
      }
      if (!all) {
        return;
      }
    }
  }

  private void update(String sql, Object... parameters) throws SQLException {
    say(sql + " " + List.of(parameters));
    int count = Recordings.update(connection, sql, parameters);
    say("changed " + count);
  }

  private void execute(String sql) throws SQLException {
    say(sql);
    Recordings.execute(connection, sql);
  }
}
