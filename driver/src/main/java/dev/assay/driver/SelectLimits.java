package dev.assay.driver;

import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;

/** What of a query makes it impossible to have hidden columns, or to say what it looked for. */
final class SelectLimits {
  private static final Set<String> AGGREGATES =
      Set.of(
          "count",
          "sum",
          "avg",
          "min",
          "max",
          "string_agg",
          "array_agg",
          "listagg",
          "bool_and",
          "bool_or",
          "every",
          "json_agg",
          "jsonb_agg",
          "group_concat",
          "stddev",
          "variance");

  /** Other functions that are known to be of one row; a column beside others might be an error. */
  private static final Set<String> OF_ONE_ROW =
      Set.of(
          "coalesce",
          "nullif",
          "greatest",
          "least",
          "abs",
          "round",
          "floor",
          "ceil",
          "ceiling",
          "mod",
          "power",
          "sqrt",
          "sign",
          "trunc",
          "lower",
          "upper",
          "trim",
          "ltrim",
          "rtrim",
          "btrim",
          "length",
          "char_length",
          "substring",
          "substr",
          "replace",
          "concat",
          "concat_ws",
          "left",
          "right",
          "lpad",
          "rpad",
          "position",
          "strpos",
          "split_part",
          "md5",
          "to_char",
          "to_date",
          "to_timestamp",
          "to_number",
          "date_trunc",
          "date_part",
          "now",
          "current_timestamp",
          "current_date",
          "clock_timestamp",
          "age",
          "cast",
          "convert",
          "ifnull",
          "nvl",
          "if",
          "year",
          "month",
          "day",
          "hour",
          "minute",
          "second",
          "datediff",
          "nextval",
          "currval",
          "gen_random_uuid",
          "random_uuid",
          "uuid",
          "format");

  private SelectLimits() {}

  /** Why no hidden columns can be added; null if they can. */
  static String unseen(PlainSelect select) {
    if (select.getDistinct() != null) {
      return "selects distinct values";
    }
    if (select.getWithItemsList() != null) {
      return "has a WITH clause";
    }
    if (select.getIntoTables() != null || select.getIntoTempTable() != null) {
      return "selects into a table";
    }
    if (select.getLateralViews() != null
        || select.getPivot() != null
        || select.getQualify() != null
        || select.getOracleHierarchical() != null) {
      return "has a clause that is not rewritten";
    }
    if (select.getJoins() != null) {
      for (Join join : select.getJoins()) {
        if (join.isSemi() || join.isApply() || join.isWindowJoin()) {
          return "has a join that is not rewritten";
        }
      }
    }
    return functions(select).unknown == null
        ? null
        : "uses the function " + functions(select).unknown + ", which is not known";
  }

  /** Whether each row of the result stands for several rows of the table. */
  static boolean isAggregated(PlainSelect select) {
    return select.getGroupBy() != null || select.getHaving() != null || functions(select).aggregate;
  }

  /** Whether some of the rows that satisfy the condition may be missing in the result. */
  static boolean isCut(PlainSelect select) {
    return select.getLimit() != null
        || select.getOffset() != null
        || select.getFetch() != null
        || select.getTop() != null
        || select.getFirst() != null
        || select.getSkip() != null
        || select.getSampleClause() != null
        || select.toString().toUpperCase(Locale.ROOT).contains("SKIP LOCKED");
  }

  static boolean hasQuery(Expression expression) {
    if (expression == null) {
      return false;
    }
    Walk walk = new Walk();
    expression.accept(walk, null);
    return walk.query;
  }

  static boolean hasQueryInList(PlainSelect select) {
    return functions(select).query;
  }

  private static Walk functions(PlainSelect select) {
    Walk walk = new Walk();
    for (SelectItem<?> item : select.getSelectItems()) {
      item.getExpression().accept(walk, null);
    }
    if (select.getOrderByElements() != null) {
      for (OrderByElement order : select.getOrderByElements()) {
        order.getExpression().accept(walk, null);
      }
    }
    return walk;
  }

  /** What there is in an expression. */
  private static final class Walk extends ExpressionVisitorAdapter<Void> {
    boolean aggregate;
    boolean query;
    String unknown;

    @Override
    public <S> Void visit(Function function, S context) {
      String name = function.getName().toLowerCase(Locale.ROOT);
      aggregate |= AGGREGATES.contains(name);
      if (!AGGREGATES.contains(name) && !OF_ONE_ROW.contains(name)) {
        unknown = name;
      }
      return super.visit(function, context);
    }

    /** A window function is one of a row; FILTER alone makes an aggregate look like one. */
    @Override
    public <S> Void visit(AnalyticExpression expression, S context) {
      unknown = expression.getName();
      return null;
    }

    @Override
    public <S> Void visit(Select select, S context) {
      query = true;
      return null;
    }

    @Override
    public <S> Void visit(ParenthesedSelect select, S context) {
      query = true;
      return null;
    }
  }
}
