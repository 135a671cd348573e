package dev.assay.predicate;

import java.util.List;

/** An expression over the columns of one row, as it was parsed. */
public sealed interface Expression {

  /** The value of a column. */
  record Column(String name) implements Expression {}

  /**
   * A constant: null, Boolean, Long, BigInteger beyond 64 bits, Double, BigDecimal or String, as a
   * history holds them.
   */
  record Literal(Object value) implements Expression {}

  record Comparison(Comparator comparator, Expression left, Expression right)
      implements Expression {}

  /** {@code operand >= low and operand <= high}. */
  record Between(Expression operand, Expression low, Expression high) implements Expression {}

  /** {@code operand = first or operand = second …}; there is at least one element. */
  record In(Expression operand, List<Expression> elements) implements Expression {
    public In {
      elements = List.copyOf(elements);
    }
  }

  /**
   * The operand is a text of this pattern, in which {@code %} stands for any characters and {@code
   * _} for one.
   */
  record Like(Expression operand, String pattern) implements Expression {}

  record IsNull(Expression operand) implements Expression {}

  /** There is at least one operand. */
  record And(List<Expression> operands) implements Expression {
    public And {
      operands = List.copyOf(operands);
    }
  }

  /** There is at least one operand. */
  record Or(List<Expression> operands) implements Expression {
    public Or {
      operands = List.copyOf(operands);
    }
  }

  record Not(Expression operand) implements Expression {}

  /** Arithmetic on integers of 64 bits. */
  record Arithmetic(Operator operator, Expression left, Expression right) implements Expression {}

  /** How two values are compared. */
  enum Comparator {
    EQUAL("=", "="),
    UNEQUAL("!=", "<>"),
    LESS("<", "<"),
    AT_MOST("<=", "<="),
    GREATER(">", ">"),
    AT_LEAST(">=", ">=");

    private final String symbol;
    private final String sql;

    Comparator(String symbol, String sql) {
      this.symbol = symbol;
      this.sql = sql;
    }

    public String symbol() {
      return symbol;
    }

    public String sql() {
      return sql;
    }

    /** Whether values in this relation satisfy the comparison; negative: left is the lesser. */
    public boolean accepts(int relation) {
      return switch (this) {
        case EQUAL -> relation == 0;
        case UNEQUAL -> relation != 0;
        case LESS -> relation < 0;
        case AT_MOST -> relation <= 0;
        case GREATER -> relation > 0;
        case AT_LEAST -> relation >= 0;
      };
    }

    /** The comparator that says the same of the two sides exchanged. */
    public Comparator mirrored() {
      return switch (this) {
        case EQUAL, UNEQUAL -> this;
        case LESS -> GREATER;
        case AT_MOST -> AT_LEAST;
        case GREATER -> LESS;
        case AT_LEAST -> AT_MOST;
      };
    }

    /** The negation of this comparator. */
    public Comparator negated() {
      return switch (this) {
        case EQUAL -> UNEQUAL;
        case UNEQUAL -> EQUAL;
        case LESS -> AT_LEAST;
        case AT_MOST -> GREATER;
        case GREATER -> AT_MOST;
        case AT_LEAST -> LESS;
      };
    }
  }

  /** What is calculated of two integers. */
  enum Operator {
    PLUS("+"),
    MINUS("-"),
    TIMES("*"),
    /** The remainder, with the sign of the left operand. */
    REMAINDER("%");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    public String symbol() {
      return symbol;
    }

    /**
     * The result.
     *
     * @throws ArithmeticException if it does not fit 64 bits, or the right operand of a remainder
     *     is zero
     */
    public long apply(long left, long right) {
      return switch (this) {
        case PLUS -> Math.addExact(left, right);
        case MINUS -> Math.subtractExact(left, right);
        case TIMES -> Math.multiplyExact(left, right);
        case REMAINDER -> left % right;
      };
    }
  }
}
