package dev.assay.driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * What the names in the statements of one connection mean. A schema can be chosen in SQL and by a
 * rollback; temporary tables, and definitions that are not committed yet, are its own.
 */
final class Names {
  /** What may choose another schema or user. */
  private static final Pattern MOVES =
      Pattern.compile(
          "search_path|\\bschema\\b|\\bset_config\\b|^\\s*use\\b|\\bdiscard\\b|\\breset\\b"
              + "|\\brole\\b|\\bauthorization\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern TEMPORARY =
      Pattern.compile("\\btemp(orary)?\\b", Pattern.CASE_INSENSITIVE);

  private final Recording recording;
  private final Connection connection;
  private final Dialect dialect;
  private final int session;
  private Catalogue catalogue;

  /** Whether the schema has been chosen in SQL, so that a rollback may change it. */
  private boolean moves;

  private boolean stale = true;
  private boolean temporary;
  private boolean defined;

  /** Whether the database has been asked something since this was last set to false. */
  private boolean asked;

  Names(Recording recording, Connection connection, Dialect dialect, int session) {
    this.recording = recording;
    this.connection = connection;
    this.dialect = dialect;
    this.session = session;
  }

  /** The connection, to ask the database something. */
  Connection ask() {
    asked = true;
    return connection;
  }

  /** A table is in use: what is done to it from now on matters. */
  void use(Table table) {
    recording.use(table);
  }

  Connection connection() {
    return connection;
  }

  /**
   * What to do with a statement.
   *
   * @param clean whether no transaction is open, and none may be opened by what is asked here
   */
  Plan plan(String sql, boolean clean) throws SQLException {
    asked = false;
    try {
      if (stale) {
        choose();
      }
      return catalogue.plan(sql, this);
    } catch (SQLException | RuntimeException | StackOverflowError e) {
      // As after an error within a transaction of PostgreSQL, where nothing can be asked.
      Plan plain = Planner.withoutTables(new SqlText(sql, dialect.isMySql()));
      return plain != null
          ? plain
          : new Plan.Unseen("could not be looked into: " + e, true, null, false);
    } finally {
      if (clean && asked) {
        connection.rollback();
      }
    }
  }

  private void choose() throws SQLException {
    String schema = ask().getSchema();
    schema = schema == null ? connection.getCatalog() : schema;
    String user = moves ? dialect.user(connection) : connection.getMetaData().getUserName();
    boolean own = temporary || defined;
    catalogue = recording.catalogue(dialect, schema, user, own ? session : 0);
    stale = false;
  }

  /** The application has chosen a schema by a method. */
  void chosen() {
    stale = true;
  }

  /** A statement was executed that is neither a query nor a write of known tables. */
  void executed(String sql) {
    if (MOVES.matcher(sql).find()) {
      moves = true;
      stale = true;
    }
  }

  /** A definition was executed, in a transaction or not. */
  void defined(String sql, boolean open) {
    temporary |= TEMPORARY.matcher(sql).find();
    defined |= open;
    stale = true;
    recording.defined(sql);
  }

  /** A transaction has ended, or has been taken back to a savepoint. */
  void ended() {
    if (defined) {
      defined = false;
      stale = true;
      recording.forget();
    }
    stale |= moves;
  }

  void close() {
    recording.forget(session);
  }
}
