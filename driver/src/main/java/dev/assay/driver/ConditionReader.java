package dev.assay.driver;

import dev.assay.driver.Condition.Constant;
import dev.assay.driver.Condition.Parameters;
import dev.assay.driver.Condition.Term;
import dev.assay.driver.Table.Column;
import dev.assay.driver.Table.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ComparisonOperator;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.statement.insert.Insert;

/** Turns the condition of a statement on one table into one of the history. */
final class ConditionReader {
  /** Thrown where something has no counterpart in the history. */
  private static final class Inexpressible extends Exception {
    private static final long serialVersionUID = 1;
    static final Inexpressible INSTANCE = new Inexpressible();

    private Inexpressible() {
      super(null, null, false, false);
    }
  }

  private final Table table;
  private final Set<String> used = new TreeSet<>();

  private ConditionReader(Table table) {
    this.table = table;
  }

  /** The condition, or null if it cannot be expressed. */
  static Condition read(Table table, Expression where) {
    if (!table.closed()) {
      return null;
    }
    ConditionReader reader = new ConditionReader(table);
    try {
      Term term = where == null ? null : reader.term(where);
      return new Condition(table, reader.used, term);
    } catch (Inexpressible e) {
      return null;
    }
  }

  /** The key that a condition asks for, if it asks for exactly one; else null. */
  static Condition.Key key(Table table, Expression where, boolean alone) {
    List<Expression> conjuncts = new ArrayList<>();
    if (where != null) {
      conjuncts(where, conjuncts);
    }
    if (alone && conjuncts.size() != table.key().size()) {
      return null;
    }
    List<Constant> parts = new ArrayList<>();
    for (Column column : table.key()) {
      if (!isNamedAlike(column)) {
        return null;
      }
      Constant part = null;
      for (Expression conjunct : conjuncts) {
        if (conjunct instanceof EqualsTo equal && isColumn(equal.getLeftExpression(), column)) {
          part = constant(column.kind(), equal.getRightExpression());
        }
      }
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new Condition.Key(table, parts);
  }

  /** The key of the only row that an insert names; null if there are several or none is named. */
  static Condition.Key inserted(Table table, Insert insert) {
    if (insert.getColumns() == null
        || insert.getValues() == null
        || insert.getConflictAction() != null) {
      return null;
    }
    List<?> values = insert.getValues().getExpressions();
    List<Constant> parts = new ArrayList<>();
    for (Column column : table.key()) {
      if (!isNamedAlike(column)) {
        return null;
      }
      Constant part = null;
      for (int i = 0; i < insert.getColumns().size() && i < values.size(); i++) {
        if (isColumn(insert.getColumns().get(i), column)
            && values.get(i) instanceof Expression value) {
          part = constant(column.kind(), value);
        }
      }
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new Condition.Key(table, parts);
  }

  /** Whether a value has one text: 1.0 and 1.00 are the same number, and true is also t. */
  private static boolean isNamedAlike(Column column) {
    return column.kind() != Kind.DECIMAL && column.kind() != Kind.BOOLEAN;
  }

  private static void conjuncts(Expression where, List<Expression> into) {
    if (where instanceof AndExpression and) {
      conjuncts(and.getLeftExpression(), into);
      conjuncts(and.getRightExpression(), into);
    } else if (inner(where) != where) {
      conjuncts(inner(where), into);
    } else {
      into.add(where);
    }
  }

  /** What is in parentheses. */
  private static Expression inner(Expression expression) {
    return expression instanceof ParenthesedExpressionList<?> list && list.size() == 1
        ? list.get(0)
        : expression;
  }

  private static boolean isColumn(Expression expression, Column column) {
    return expression instanceof net.sf.jsqlparser.schema.Column name
        && plain(name.getColumnName()).equalsIgnoreCase(column.name());
  }

  private static String plain(String name) {
    boolean quoted = name.length() > 1 && "\"`[".indexOf(name.charAt(0)) >= 0;
    return quoted ? name.substring(1, name.length() - 1) : name;
  }

  private Term term(Expression e) throws Inexpressible {
    if (inner(e) != e) {
      return term(inner(e));
    }
    if (e instanceof AndExpression and) {
      return joined("and", List.of(and.getLeftExpression(), and.getRightExpression()));
    }
    if (e instanceof OrExpression or) {
      return joined("or", List.of(or.getLeftExpression(), or.getRightExpression()));
    }
    if (e instanceof NotExpression not) {
      return joined("not", List.of(not.getExpression()));
    }
    if (e instanceof IsNullExpression is) {
      Term isNull = list("is-null", List.of(fixed(name(column(is.getLeftExpression())))));
      return is.isNot() ? list("not", List.of(isNull)) : isNull;
    }
    if (e instanceof ComparisonOperator comparison) {
      return comparison(comparison);
    }
    if (e instanceof Between between) {
      Column column = column(between.getLeftExpression());
      requireOrder(column);
      Term term =
          list(
              "between",
              List.of(
                  fixed(name(column)),
                  value(column, between.getBetweenExpressionStart()),
                  value(column, between.getBetweenExpressionEnd())));
      return between.isNot() ? list("not", List.of(term)) : term;
    }
    if (e instanceof InExpression in) {
      return in(in);
    }
    Column column = column(e);
    if (column.kind() != Kind.BOOLEAN) {
      throw Inexpressible.INSTANCE;
    }
    return fixed(name(column));
  }

  private Term in(InExpression in) throws Inexpressible {
    if (!(in.getRightExpression() instanceof ExpressionList<?> values) || values.isEmpty()) {
      throw Inexpressible.INSTANCE;
    }
    Column column = column(in.getLeftExpression());
    List<Term> parts = new ArrayList<>();
    parts.add(fixed(name(column)));
    for (Expression value : values) {
      parts.add(value(column, value));
    }
    Term term = list("in", parts);
    return in.isNot() ? list("not", List.of(term)) : term;
  }

  private Term comparison(ComparisonOperator comparison) throws Inexpressible {
    String operator = comparison.getStringExpression().strip();
    operator = operator.equals("<>") ? "!=" : operator;
    if (!Arrays.asList("=", "!=", "<", "<=", ">", ">=").contains(operator)) {
      throw Inexpressible.INSTANCE;
    }
    Column column = column(comparison.getLeftExpression());
    if (!operator.endsWith("=") || operator.length() == 2 && !operator.equals("!=")) {
      requireOrder(column);
    }
    Term value = value(column, comparison.getRightExpression());
    return list(operator, List.of(fixed(name(column)), value));
  }

  /** The order of texts depends on a collation. */
  private static void requireOrder(Column column) throws Inexpressible {
    if (column.kind() != Kind.INTEGER && column.kind() != Kind.DECIMAL) {
      throw Inexpressible.INSTANCE;
    }
  }

  private Column column(Expression e) throws Inexpressible {
    Column column =
        e instanceof net.sf.jsqlparser.schema.Column name
            ? table.column(plain(name.getColumnName()))
            : null;
    if (column == null) {
      throw Inexpressible.INSTANCE;
    }
    used.add(column.name());
    return column;
  }

  private String name(Column column) {
    return Json.quoted(table.label() + "." + column.name());
  }

  private Term joined(String operator, List<Expression> operands) throws Inexpressible {
    List<Term> terms = new ArrayList<>();
    for (Expression operand : operands) {
      terms.add(term(operand));
    }
    return list(operator, terms);
  }

  private static Term fixed(String json) {
    return parameters -> json;
  }

  private static Term list(String operator, List<Term> parts) {
    return parameters -> {
      StringBuilder json = new StringBuilder("[\"" + operator + "\"");
      for (Term part : parts) {
        String text = part.json(parameters);
        if (text == null) {
          return null;
        }
        json.append(',').append(text);
      }
      return json.append(']').toString();
    };
  }

  private static Term value(Column column, Expression e) throws Inexpressible {
    Constant constant = constant(column.kind(), e);
    if (constant == null) {
      throw Inexpressible.INSTANCE;
    }
    boolean text = column.kind() == Kind.TEXT || column.kind() == Kind.UUID;
    return parameters -> {
      Optional<String> value = constant.text(parameters);
      if (value == null) {
        return null;
      }
      String json = column.json(value.orElse(null));
      return text && value.isPresent() ? "{\"text\":" + json + "}" : json;
    };
  }

  /** A constant or parameter that is compared with a column of a kind; null for anything else. */
  private static Constant constant(Kind kind, Expression e) {
    if (e instanceof JdbcParameter parameter && parameter.getIndex() != null) {
      int index = parameter.getIndex();
      return parameters -> text(kind, parameters.get(index));
    }
    Object literal = literal(e);
    if (literal == Parameters.UNKNOWN || text(kind, literal) == null) {
      return null;
    }
    return parameters -> text(kind, literal);
  }

  private static Object literal(Expression e) {
    if (e instanceof NullValue) {
      return null;
    }
    if (e instanceof SignedExpression signed && signed.getSign() == '-') {
      Object number = literal(signed.getExpression());
      return number instanceof BigDecimal decimal ? decimal.negate() : Parameters.UNKNOWN;
    }
    if (e instanceof LongValue || e instanceof DoubleValue) {
      try {
        return new BigDecimal(e.toString());
      } catch (NumberFormatException notPlain) {
        return Parameters.UNKNOWN;
      }
    }
    if (e instanceof StringValue text && text.getPrefix() == null) {
      return text.getNotExcapedValue();
    }
    return e instanceof BooleanValue bool ? (Object) bool.getValue() : Parameters.UNKNOWN;
  }

  /** The value as the database would write it; null if it is not one of this kind. */
  private static Optional<String> text(Kind kind, Object value) {
    if (value == null) {
      return Optional.empty();
    }
    return switch (kind) {
      case INTEGER -> isWhole(value) ? Optional.of(number(value).toPlainString()) : null;
      case DECIMAL ->
          isWhole(value) || value instanceof BigDecimal
              ? Optional.of(number(value).toPlainString())
              : null;
      case BOOLEAN -> value instanceof Boolean ? Optional.of(value.toString()) : null;
      case TEXT -> value instanceof String text ? Optional.of(text) : null;
      case UUID -> uuid(value);
      case OTHER -> null;
    };
  }

  private static boolean isWhole(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger
        || value instanceof BigDecimal decimal && decimal.scale() == 0;
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  private static Optional<String> uuid(Object value) {
    try {
      return Optional.of(UUID.fromString(value.toString()).toString());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
