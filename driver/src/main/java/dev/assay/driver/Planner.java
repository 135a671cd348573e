package dev.assay.driver;

import dev.assay.driver.Plan.Control.Word;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.ReturningClause;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;

/**
 * Decides what of a statement can be seen. The parser says what a statement is; only hidden columns
 * are put into its text, which otherwise stays as the application wrote it.
 */
final class Planner {
  private static final Set<String> DEFINITIONS =
      Set.of("CREATE", "ALTER", "DROP", "TRUNCATE", "COMMENT", "GRANT", "REVOKE", "RENAME");

  /** Characters of a statement; to parse more takes seconds. */
  private static final int MAX_LENGTH = 50_000;

  private static final Set<String> HARMLESS =
      Set.of(
          "SET",
          "SHOW",
          "RESET",
          "DISCARD",
          "VACUUM",
          "ANALYZE",
          "ANALYSE",
          "LOCK",
          "LISTEN",
          "UNLISTEN",
          "NOTIFY",
          "CHECKPOINT",
          "USE",
          "DEALLOCATE",
          "DECLARE",
          "CLOSE",
          "");

  private final Catalogue catalogue;
  private final Names names;
  private final boolean conditions;
  private String sql;
  private SqlText text;

  Planner(Catalogue catalogue, Names names, boolean conditions) {
    this.catalogue = catalogue;
    this.names = names;
    this.conditions = conditions;
  }

  /** The plan of a statement that says what it is without a look at tables; null for others. */
  static Plan withoutTables(SqlText text) {
    String first = text.word(0);
    if (text.isSeveral()) {
      return several(text);
    }
    Plan control = control(text, 0);
    if (control != null) {
      return control;
    }
    if (DEFINITIONS.contains(first)) {
      return new Plan.Definition();
    }
    return HARMLESS.contains(first) ? new Plan.Harmless() : null;
  }

  Plan plan(String statement) throws SQLException {
    sql = statement;
    text = new SqlText(statement, catalogue.dialect.isMySql());
    Plan plain = withoutTables(text);
    if (plain != null) {
      return plain;
    }
    String first = text.word(0);
    boolean reads = List.of("SELECT", "VALUES", "TABLE", "WITH").contains(first);
    boolean writes = !reads || text.mentions("INSERT", "UPDATE", "DELETE", "MERGE");
    if (sql.length() > MAX_LENGTH) {
      return new Plan.Unseen("is too long to be looked into", writes, null, false);
    }
    String routine = catalogue.routine(sql, names);
    if (routine != null) {
      return new Plan.Unseen("calls " + routine + ", which may change rows", true, null, true);
    }
    Statement parsed;
    try {
      parsed = CCJSqlParserUtil.parse(statement);
    } catch (JSQLParserException | RuntimeException e) {
      return new Plan.Unseen("is not understood by the parser", writes, null, true);
    }
    if (parsed instanceof PlainSelect select) {
      return select(select);
    }
    if (parsed instanceof Insert insert) {
      return insert(insert);
    }
    if (parsed instanceof Update update) {
      return update(update);
    }
    if (parsed instanceof Delete delete) {
      return delete(delete);
    }
    return parsed instanceof Select
        ? new Plan.Unseen("combines several queries", writes, null, true)
        : new Plan.Unseen("is of a kind that is not rewritten", true, null, true);
  }

  /** Several statements; the last that begins or ends a transaction counts. */
  private static Plan several(SqlText text) {
    Plan last = Plan.Several.UNSEEN;
    for (int beginning : text.beginnings()) {
      if (control(text, beginning) instanceof Plan.Control control) {
        switch (control.word()) {
          case BEGIN -> last = new Plan.Several(true);
          case COMMIT, ROLLBACK -> last = new Plan.Several(false);
          case TWO_PHASE -> {
            return control;
          }
          default -> last = last instanceof Plan.Several ? last : Plan.Several.UNSEEN;
        }
      }
    }
    return last;
  }

  private static Plan control(SqlText text, int at) {
    String second = text.word(at + 1);
    boolean to = second.equals("TO") || text.word(at + 2).equals("TO");
    return switch (text.word(at)) {
      case "BEGIN", "START" -> new Plan.Control(Word.BEGIN, null);
      case "COMMIT", "END" ->
          new Plan.Control(second.equals("PREPARED") ? Word.TWO_PHASE : Word.COMMIT, null);
      case "ABORT" -> new Plan.Control(Word.ROLLBACK, null);
      case "ROLLBACK" -> {
        if (second.equals("PREPARED")) {
          yield new Plan.Control(Word.TWO_PHASE, null);
        }
        yield to ? named(text, Word.ROLLBACK_TO) : new Plan.Control(Word.ROLLBACK, null);
      }
      case "SAVEPOINT" -> named(text, Word.SAVEPOINT);
      case "RELEASE" -> named(text, Word.RELEASE);
      case "PREPARE" ->
          second.equals("TRANSACTION") ? new Plan.Control(Word.TWO_PHASE, null) : null;
      case "XA" -> new Plan.Control(Word.TWO_PHASE, null);
      default -> null;
    };
  }

  private static Plan named(SqlText text, Word word) {
    return new Plan.Control(word, text.lastName());
  }

  // ---- queries

  private Plan select(PlainSelect select) throws SQLException {
    if (select.getFromItem() == null && select.getWithItemsList() == null) {
      return SelectLimits.hasQueryInList(select) || SelectLimits.hasQuery(select.getWhere())
          ? new Plan.Unseen("has a query within, whose rows are not seen", false, null, true)
          : new Plan.Harmless();
    }
    String why = SelectLimits.unseen(select);
    if (why != null) {
      boolean writes = text.mentions("INSERT", "UPDATE", "DELETE", "MERGE");
      return new Plan.Unseen(why, writes, null, true);
    }
    List<FromItem> items = new ArrayList<>();
    items.add(select.getFromItem());
    if (select.getJoins() != null) {
      for (Join join : select.getJoins()) {
        items.add(join.getFromItem());
      }
    }
    List<Table> tables = new ArrayList<>();
    List<String> hidden = new ArrayList<>();
    for (FromItem item : items) {
      if (!(item instanceof net.sf.jsqlparser.schema.Table named)) {
        return new Plan.Unseen("reads from something that is not a table", false, null, true);
      }
      Object found = table(named);
      if (!(found instanceof Table table)) {
        return unknown(named, found, false);
      }
      if (named.getAlias() != null && named.getAlias().getAliasColumns() != null) {
        return new Plan.Unseen("gives columns other names", false, null, true);
      }
      tables.add(table);
      String alias =
          named.getAlias() == null ? named.getFullyQualifiedName() : named.getAlias().getName();
      for (String column : table.hidden()) {
        hidden.add(alias + "." + Dialect.quoted(names.connection(), column));
      }
    }
    boolean aggregated = SelectLimits.isAggregated(select);
    String columns = named(hidden);
    if (aggregated) {
      String all = tables.size() == 1 ? catalogue.dialect.aggregate(hidden) : null;
      columns = all == null ? null : named(List.of(all));
      if (columns == null) {
        return new Plan.Unseen("aggregates rows that cannot be listed", false, null, true);
      }
    }
    return query(select, tables, columns, aggregated);
  }

  /** Hidden columns under names that no application uses. */
  private static String named(List<String> columns) {
    List<String> named = new ArrayList<>();
    for (String column : columns) {
      named.add(column + " as assay_" + named.size());
    }
    return String.join(", ", named);
  }

  private Plan query(PlainSelect select, List<Table> tables, String columns, boolean aggregated) {
    int from = text.from();
    if (from < 0) {
      return new Plan.Unseen("is not understood", false, null, true);
    }
    Condition condition = null;
    Condition.Key key = null;
    Expression where = select.getWhere();
    boolean single = tables.size() == 1;
    boolean inner = SelectLimits.hasQuery(where) || SelectLimits.hasQueryInList(select);
    if (single && !inner && !SelectLimits.isCut(select)) {
      key = aggregated ? null : ConditionReader.key(tables.get(0), where, true);
      condition =
          conditions && key == null && select.getHaving() == null
              ? ConditionReader.read(tables.get(0), where)
              : null;
    }
    String missing = null;
    if (inner) {
      missing = "has a query within, whose rows are not seen";
    } else if (conditions && condition == null && key == null) {
      missing =
          single
              ? "has a condition that cannot be recorded: rows that it did not find do not count"
              : "joins tables: rows that it did not find do not count";
    }
    String rewritten = sql.substring(0, from) + ", " + columns + " " + sql.substring(from);
    if (!isAsMeant(select, rewritten, aggregated ? 1 : columns.split(" as assay_").length - 1)) {
      return new Plan.Unseen("cannot be rewritten", false, null, true);
    }
    boolean one = aggregated && select.getGroupBy() == null && select.getHaving() == null;
    return new Plan.Query(rewritten, tables, aggregated, one, condition, key, null, missing);
  }

  /**
   * Whether the parser finds the hidden columns at the end of the list, and nothing else changed.
   */
  private static boolean isAsMeant(PlainSelect select, String rewritten, int hidden) {
    try {
      return CCJSqlParserUtil.parse(rewritten) instanceof PlainSelect changed
          && changed.getSelectItems().size() == select.getSelectItems().size() + hidden
          && String.valueOf(changed.getFromItem()).equals(String.valueOf(select.getFromItem()))
          && String.valueOf(changed.getWhere()).equals(String.valueOf(select.getWhere()));
    } catch (JSQLParserException | RuntimeException e) {
      return false;
    }
  }

  private Object table(net.sf.jsqlparser.schema.Table named) throws SQLException {
    return catalogue.table(named.getSchemaName(), named.getName(), names);
  }

  /** Not remembered: the table may be created later. */
  private static Plan unknown(net.sf.jsqlparser.schema.Table named, Object why, boolean writes) {
    return new Plan.Unseen(named.getName() + " " + why, writes, named.getName(), false);
  }

  // ---- writes

  private Plan insert(Insert insert) throws SQLException {
    if (insert.getWithItemsList() != null) {
      return new Plan.Unseen("has a WITH clause", true, null, true);
    }
    if (insert.getConflictAction() != null && insert.getConflictAction().getUpdateSets() != null) {
      Plan keys = changesKey(insert.getTable(), insert.getConflictAction().getUpdateSets());
      if (keys != null) {
        return keys;
      }
    }
    Select source = insert.getSelect();
    boolean values = source == null || source.getClass().getSimpleName().endsWith("Values");
    String missing = values ? null : "inserts the result of a query, whose rows are not seen";
    Condition.Key key =
        values && table(insert.getTable()) instanceof Table table
            ? ConditionReader.inserted(table, insert)
            : null;
    return write(insert.getTable(), false, key, insert.getReturningClause(), missing);
  }

  private Plan update(Update update) throws SQLException {
    if (update.getWithItemsList() != null
        || update.getFromItem() != null
        || update.getJoins() != null
        || update.getStartJoins() != null) {
      boolean deletes = update.getWithItemsList() != null;
      return new Plan.Unseen("updates rows of a join", true, null, true, deletes);
    }
    Plan keys = changesKey(update.getTable(), update.getUpdateSets());
    return keys != null
        ? keys
        : change(update.getTable(), update.getWhere(), false, update.getReturningClause());
  }

  /** The plan of a statement that changes primary keys; null if it changes none. */
  private Plan changesKey(net.sf.jsqlparser.schema.Table named, List<UpdateSet> sets)
      throws SQLException {
    if (table(named) instanceof Table known) {
      for (UpdateSet set : sets) {
        for (Column column : set.getColumns()) {
          if (known.key().stream().anyMatch(one -> isNamed(column, one.name()))) {
            return new Plan.Unseen("changes primary keys", true, known.label(), true);
          }
        }
      }
    }
    return null;
  }

  private Plan delete(Delete delete) throws SQLException {
    boolean several = delete.getTables() != null && !delete.getTables().isEmpty();
    boolean using = delete.getUsingList() != null && !delete.getUsingList().isEmpty();
    if (delete.getWithItemsList() != null || several || using || delete.getJoins() != null) {
      return new Plan.Unseen("deletes rows of a join", true, null, true);
    }
    return change(delete.getTable(), delete.getWhere(), true, delete.getReturningClause());
  }

  private static boolean isNamed(Column column, String name) {
    return column.getColumnName().replaceAll("[\"`\\[\\]]", "").equalsIgnoreCase(name);
  }

  private Plan change(
      net.sf.jsqlparser.schema.Table named,
      Expression where,
      boolean deletes,
      ReturningClause returning)
      throws SQLException {
    String missing =
        SelectLimits.hasQuery(where) ? "has a query within, whose rows are not seen" : null;
    Condition.Key key =
        table(named) instanceof Table table ? ConditionReader.key(table, where, false) : null;
    return write(named, deletes, key, returning, missing);
  }

  private Plan write(
      net.sf.jsqlparser.schema.Table named,
      boolean deletes,
      Condition.Key key,
      ReturningClause returning,
      String missing)
      throws SQLException {
    Object found = table(named);
    if (!(found instanceof Table table)) {
      return unknown(named, found, true);
    }
    boolean returns =
        deletes ? catalogue.dialect.returnsDeleted() : catalogue.dialect.returnsRows();
    if (!returns && key == null) {
      return new Plan.Unseen(
          "changes rows whose keys it does not name", true, table.label(), true, deletes);
    }
    String rest = sql.substring(text.trimmed().length());
    if (returning == null && rest.matches("(?s)\\s*;.*\\S.*")) {
      // To pgJDBC that is another statement, which has a result.
      return new Plan.Unseen("has a comment after its end", true, table.label(), true, deletes);
    }
    String lookup = key == null || deletes ? null : lookup(table, named);
    Plan.Write write = new Plan.Write(text.trimmed(), table, deletes, key, lookup, missing);
    if (returning == null) {
      return write;
    }
    List<String> hidden = new ArrayList<>();
    for (String column : table.hidden()) {
      hidden.add(Dialect.quoted(names.connection(), column));
    }
    String rewritten = text.trimmed() + ", " + named(hidden) + " " + rest;
    return new Plan.Query(rewritten, List.of(table), false, false, null, null, write, missing);
  }

  private String lookup(Table table, net.sf.jsqlparser.schema.Table named) throws SQLException {
    List<String> hidden = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (String column : table.hidden()) {
      hidden.add(Dialect.quoted(names.connection(), column));
    }
    for (Table.Column column : table.key()) {
      keys.add(Dialect.quoted(names.connection(), column.name()) + " = ?");
    }
    return "select "
        + String.join(", ", hidden)
        + " from "
        + named.getFullyQualifiedName()
        + " where "
        + String.join(" and ", keys);
  }
}
