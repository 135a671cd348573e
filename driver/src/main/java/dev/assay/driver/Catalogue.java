package dev.assay.driver;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of a schema and the plans of the statements on them, as far as they were asked for.
 */
final class Catalogue {
  private static final Pattern CALL = Pattern.compile("(\\w+)\"?\\s*\\(");

  /** Maximum number of statements that are remembered. */
  private static final int MAX_PLANS = 5_000;

  final Dialect dialect;
  private final Settings settings;
  private final String schema;

  /** The names of the functions and procedures that may change rows; null if not asked for yet. */
  private volatile Set<String> routines;

  private final Map<String, Plan> plans = new ConcurrentHashMap<>();

  /** By name in the statement; a text in place of a table says why it cannot be recorded. */
  private final Map<String, Object> tables = new ConcurrentHashMap<>();

  Catalogue(Dialect dialect, Settings settings, String schema) {
    this.dialect = dialect;
    this.settings = settings;
    this.schema = schema;
  }

  /** Forgets everything, because definitions may have changed. */
  void forget() {
    plans.clear();
    tables.clear();
    routines = null;
  }

  Plan plan(String sql, Names names) throws SQLException {
    Plan plan = plans.get(sql);
    if (plan == null) {
      plan = new Planner(this, names, settings.conditions()).plan(sql);
      if (plans.size() < MAX_PLANS && plan.isLasting()) {
        plans.put(sql, plan);
      }
    }
    return plan;
  }

  /** A table by its name in a statement, or a text that says why it cannot be recorded. */
  Object table(String inSchema, String name, Names names) throws SQLException {
    String asked = (inSchema == null ? "" : inSchema + ".") + name;
    Object table = tables.get(asked);
    if (table == null) {
      table = load(inSchema, name, names.ask());
      if (table instanceof Table found) {
        names.use(found);
        tables.put(asked, table);
      }
    }
    return table;
  }

  /** A function or procedure of the application that is called in a statement, or null. */
  String routine(String sql, Names names) throws SQLException {
    Set<String> known = routines;
    if (known == null) {
      known = dialect.routines(names.ask());
      routines = known;
    }
    if (!known.isEmpty()) {
      Matcher call = CALL.matcher(sql);
      while (call.find()) {
        if (known.contains(call.group(1).toLowerCase(Locale.ROOT))) {
          return call.group(1);
        }
      }
    }
    return null;
  }

  private Object load(String inSchema, String name, Connection connection) throws SQLException {
    DatabaseMetaData data = connection.getMetaData();
    String stored = stored(data, name);
    String within = inSchema == null ? schema : stored(data, inSchema);
    boolean catalogs = !data.supportsSchemasInTableDefinitions();
    String catalog = catalogs ? within : connection.getCatalog();
    String schemas = catalogs ? null : within;
    if (!isPlain(data, catalog, schemas, stored)) {
      return "is not a table of the schema " + within;
    }
    String special = dialect.special(connection, inSchema, name, within);
    if (special != null) {
      return special;
    }
    Map<Integer, String> key = new TreeMap<>();
    try (ResultSet keys = data.getPrimaryKeys(catalog, schemas, stored)) {
      while (keys.next()) {
        key.put(keys.getInt("KEY_SEQ"), keys.getString("COLUMN_NAME"));
      }
    }
    if (key.isEmpty()) {
      return "has no primary key";
    }
    Map<Integer, Table.Column> columns = new TreeMap<>();
    try (ResultSet rows = data.getColumns(catalog, schemas, stored, null)) {
      while (rows.next()) {
        if (rows.getString("TABLE_NAME").equals(stored)) {
          columns.put(rows.getInt("ORDINAL_POSITION"), column(rows));
        }
      }
    }
    List<String> all = columns.values().stream().map(Table.Column::name).toList();
    List<String> version = version(all);
    if (version == null) {
      return settings.version() == null
          ? "needs a version column, assay.version in the URL"
          : "has no column " + settings.version();
    }
    List<Table.Column> keyColumns = new ArrayList<>();
    key.values()
        .forEach(
            one ->
                columns.values().stream()
                    .filter(column -> column.name().equals(one))
                    .forEach(keyColumns::add));
    List<Table.Column> usable =
        columns.values().stream()
            .filter(column -> settings.conditions() && column.kind() != Table.Kind.OTHER)
            .toList();
    String label = inSchema == null || within.equals(schema) ? stored : within + "." + stored;
    boolean closed = isKnownToBeClosed(data, catalog, schemas, stored, connection);
    return new Table(label, all, keyColumns, usable, version, closed);
  }

  private static String stored(DatabaseMetaData data, String name) throws SQLException {
    if (name.length() > 1 && "\"`[".indexOf(name.charAt(0)) >= 0) {
      return name.substring(1, name.length() - 1);
    }
    if (data.storesUpperCaseIdentifiers()) {
      return name.toUpperCase(Locale.ROOT);
    }
    return data.storesLowerCaseIdentifiers() ? name.toLowerCase(Locale.ROOT) : name;
  }

  private static boolean isPlain(DatabaseMetaData data, String catalog, String schema, String name)
      throws SQLException {
    String[] types = {"TABLE", "BASE TABLE"};
    // Underscores are wildcards here.
    try (ResultSet found = data.getTables(catalog, schema, name, types)) {
      while (found.next()) {
        if (found.getString("TABLE_NAME").equals(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private List<String> version(List<String> columns) {
    if (dialect == Dialect.COCKROACH || dialect == Dialect.POSTGRES && settings.version() == null) {
      return dialect.version(settings.version());
    }
    for (String column : columns) {
      if (column.equalsIgnoreCase(settings.version())) {
        return List.of(column);
      }
    }
    return null;
  }

  private Table.Column column(ResultSet rows) throws SQLException {
    String type = rows.getString("TYPE_NAME").toLowerCase(Locale.ROOT);
    boolean text = type.equals("text") || type.contains("varchar") || type.contains("varying");
    Table.Kind kind =
        switch (rows.getInt("DATA_TYPE")) {
          case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT ->
              type.contains("unsigned") ? Table.Kind.OTHER : Table.Kind.INTEGER;
          case Types.NUMERIC, Types.DECIMAL -> Table.Kind.DECIMAL;
          case Types.BOOLEAN -> Table.Kind.BOOLEAN;
          case Types.BIT -> type.startsWith("bool") ? Table.Kind.BOOLEAN : Table.Kind.OTHER;
          case Types.VARCHAR ->
              text && !type.contains("ignorecase") && dialect.comparesTexts()
                  ? Table.Kind.TEXT
                  : Table.Kind.OTHER;
          default -> type.equals("uuid") ? Table.Kind.UUID : Table.Kind.OTHER;
        };
    return new Table.Column(rows.getString("COLUMN_NAME"), kind);
  }

  private boolean isKnownToBeClosed(
      DatabaseMetaData data, String catalog, String schema, String name, Connection connection)
      throws SQLException {
    try {
      return isClosed(data, catalog, schema, name, connection);
    } catch (SQLException e) {
      if (dialect.failsWhole()) {
        throw e;
      }
      // Not all databases have this view.
      return false;
    }
  }

  /** Whether no trigger and no foreign key changes rows of the table behind the driver's back. */
  private static boolean isClosed(
      DatabaseMetaData data, String catalog, String schema, String name, Connection connection)
      throws SQLException {
    try (ResultSet keys = data.getImportedKeys(catalog, schema, name)) {
      while (keys.next()) {
        if (cascades(keys.getInt("DELETE_RULE")) || cascades(keys.getInt("UPDATE_RULE"))) {
          return false;
        }
      }
    }
    String triggers =
        "select count(*) from information_schema.triggers where event_object_table = ?";
    try (PreparedStatement statement = connection.prepareStatement(triggers)) {
      statement.setString(1, name);
      try (ResultSet count = statement.executeQuery()) {
        return count.next() && count.getInt(1) == 0;
      }
    }
  }

  private static boolean cascades(int rule) {
    return rule != DatabaseMetaData.importedKeyNoAction
        && rule != DatabaseMetaData.importedKeyRestrict;
  }
}
