package dev.assay.predicate;

import dev.assay.history.Decimals;
import dev.assay.predicate.Expression.Column;
import dev.assay.predicate.Expression.Comparator;
import dev.assay.predicate.Expression.Comparison;
import dev.assay.predicate.Expression.Literal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The condition of a predicate operation: which rows it matches, and what it reads or sets. Two
 * conditions are equal when their {@linkplain #toString() canonical texts} are.
 */
public final class Condition {
  private final Form form;
  private final Expression where;
  private final String aggregated;
  private final Map<String, Expression> set;
  private final Map<String, String> columns;

  /** Computed on first use; a race between threads computes the same text twice. */
  private String canonical;

  /** What the condition does with the rows that match. */
  public enum Form {
    /** Nothing: a read of the rows, or an update that does not say what it sets. */
    ROWS,
    MIN,
    MAX,
    COUNT,
    SUM,
    AVG,
    /** An update that says what it sets. */
    SET,
    DELETE;

    public boolean isAggregate() {
      return this == MIN || this == MAX || this == COUNT || isOfNumbers();
    }

    /** Whether it adds up what is in its column, and so is null over nothing but nulls. */
    boolean isOfNumbers() {
      return this == SUM || this == AVG;
    }

    /** The name in conditions. */
    String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param aggregated the column of an aggregate; null for a count of rows and other forms
   * @param columns the columns mentioned, and where they are first
   */
  Condition(
      Form form,
      Expression where,
      String aggregated,
      Map<String, Expression> set,
      Map<String, String> columns) {
    this.form = form;
    this.where = where;
    this.aggregated = aggregated;
    this.set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    this.columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }

  /**
   * Parses the JSON of a condition, such as {@code {"where":["=","v",1]}}.
   *
   * @throws ConditionException if it is not a condition
   */
  public static Condition parse(String json) throws ConditionException {
    return ConditionParser.parse(json);
  }

  public Form form() {
    return form;
  }

  /** Whether a predicate read can have this condition. */
  public boolean fitsSelect() {
    return form == Form.ROWS || form.isAggregate();
  }

  /** Whether a predicate update can have this condition. */
  public boolean fitsUpdate() {
    return !form.isAggregate();
  }

  /** The expression that is true of the matching rows; the literal true if all match. */
  public Expression where() {
    return where;
  }

  /** Whether this does not match all rows. */
  public boolean isRestricted() {
    return !(where instanceof Literal literal && Boolean.TRUE.equals(literal.value()));
  }

  /** The column of an aggregate; null for a count of rows and for everything but aggregates. */
  public String aggregated() {
    return aggregated;
  }

  /** The columns that an update sets, and to what; empty for other forms. */
  public Map<String, Expression> set() {
    return set;
  }

  /** The columns mentioned, in the order of their first mention. */
  public Set<String> columns() {
    return columns.keySet();
  }

  /**
   * This condition on rows whose values are vectors with these columns, or, where there are none,
   * on rows whose values are the column {@code v}. A row with a single named column may also be a
   * plain value.
   *
   * @throws ConditionException if the condition mentions any other column
   */
  public Matcher bind(List<String> names) throws ConditionException {
    return bind(Columns.of(names));
  }

  /** The same for columns that several conditions are bound to. */
  public Matcher bind(Columns known) throws ConditionException {
    requireIn(known);
    return new Matcher(this, known);
  }

  /** Refuses columns without one that this condition mentions. */
  public void requireIn(Columns known) throws ConditionException {
    for (Map.Entry<String, String> column : columns.entrySet()) {
      if (known.slot(column.getKey()) == null) {
        throw new ConditionException(
            column.getValue(),
            "the column " + SentenceText.quoted(column.getKey()),
            "one of the columns " + known.listed());
      }
    }
  }

  /** The narrowest range of any column, if the condition has one. */
  public Optional<Range> range() {
    return RangeAnalysis.best(where, columns.keySet());
  }

  /** The range of a column, if the condition has one. */
  public Optional<Range> range(String column) {
    return RangeAnalysis.of(where, column);
  }

  /**
   * The condition of the rows that decide a result of this one. For a minimum these are the rows
   * that match and are not above it: the result changes only if these rows do or others join them.
   * For a maximum those not below it; if it is null, or of a type without literals, all where the
   * column is not null. For all other forms the rows that match.
   *
   * @param result the result of an aggregate; any other form has none and takes anything
   */
  public Condition refined(Object result) {
    boolean ofExtreme = form == Form.MIN || form == Form.MAX;
    if (!ofExtreme && !(form.isOfNumbers() && result == null)) {
      return new Condition(Form.ROWS, where, null, Map.of(), columns);
    }
    Column column = new Column(aggregated);
    Object literal = ofExtreme ? literal(result) : null;
    Comparator comparator = form == Form.MIN ? Comparator.AT_MOST : Comparator.AT_LEAST;
    Expression deciding =
        literal == null
            ? new Expression.Not(new Expression.IsNull(column))
            : new Comparison(comparator, column, new Literal(literal));
    List<Expression> all = new ArrayList<>();
    if (where instanceof Expression.And and) {
      all.addAll(and.operands());
    } else if (isRestricted()) {
      all.add(where);
    }
    all.add(deciding);
    Expression refined = all.size() == 1 ? deciding : new Expression.And(all);
    return new Condition(Form.ROWS, refined, null, Map.of(), columns);
  }

  /** The value as a literal, or null if there is none. */
  private static Object literal(Object value) {
    if (value instanceof Integer || value instanceof Short) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigDecimal decimal) {
      return Decimals.valueOf(decimal.toString());
    }
    boolean possible =
        value instanceof Double number
            ? Double.isFinite(number)
            : value instanceof Long
                || value instanceof BigInteger
                || value instanceof String
                || value instanceof Boolean;
    return possible ? value : null;
  }

  /** The SQL after {@code WHERE}. */
  public String whereSql(SqlTerms terms) {
    return new SqlText(terms).of(where);
  }

  /** An aggregate, such as {@code MIN(val)}. */
  public String aggregateSql(SqlTerms terms) {
    if (!form.isAggregate()) {
      throw new IllegalStateException("not an aggregate: " + this);
    }
    return form.name() + "(" + (aggregated == null ? "*" : terms.column(aggregated)) + ")";
  }

  /** The SQL after {@code SET}. */
  public String setSql(SqlTerms terms) {
    if (form != Form.SET) {
      throw new IllegalStateException("not known what is set: " + this);
    }
    SqlText text = new SqlText(terms);
    StringJoiner joined = new StringJoiner(", ");
    set.forEach((column, value) -> joined.add(terms.column(column) + " = " + text.of(value)));
    return joined.toString();
  }

  /** In readable form: {@code val between 3 and 9 and k != 4}, {@code min(val) where k < 7}. */
  public String sentence() {
    return SentenceText.of(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Condition condition && toString().equals(condition.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** The canonical JSON, from which {@link #parse} makes an equal condition. */
  @Override
  public String toString() {
    if (canonical == null) {
      canonical = CanonicalText.of(this);
    }
    return canonical;
  }
}
