package dev.assay.predicate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.assay.history.Decimals;
import dev.assay.predicate.Expression.Literal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON of a condition and keeps track of the place for error messages. */
final class ConditionParser {
  /** Maximum depth of nested expressions, to bound recursion. */
  static final int MAX_DEPTH = 200;

  private static final int MAX_DIGITS = 10_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(2 * MAX_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(MAX_DIGITS)
                  .build())
          .build();

  private static final String EXPRESSION =
      "a column's name, a number, true, false, null, {\"text\":…} or an array that begins with an"
          + " operator";

  private static final String OPERATOR =
      "one of =, !=, <, <=, >, >=, between, in, like, is-null, and, or, not, +, -, *, %";

  private final JsonParser json;
  private final StringBuilder path = new StringBuilder();
  private final Map<String, String> columns = new LinkedHashMap<>();
  private int depth;

  private ConditionParser(JsonParser json) {
    this.json = json;
  }

  static Condition parse(String text) throws ConditionException {
    try (JsonParser json = JSON.createParser(text)) {
      return new ConditionParser(json).condition();
    } catch (JsonEOFException e) {
      throw new ConditionException("", "a text that ends too early", "one whole JSON object");
    } catch (JsonProcessingException e) {
      long at = e.getLocation() == null ? 1 : e.getLocation().getCharOffset() + 1;
      throw new ConditionException("character " + at, SentenceText.cut(problem(e)), "JSON");
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory can be read", e);
    }
  }

  /** The parser's message without its advice about settings. */
  private static String problem(JsonProcessingException e) {
    if (e instanceof StreamConstraintsException) {
      return "a number or name that is too long, or too deep nesting";
    }
    String message = e.getOriginalMessage().lines().findFirst().orElse("something else");
    return message.replaceFirst(":? enable `.*| \\(not recognized as one since .*", "");
  }

  // ---- the object

  private Condition condition() throws IOException, ConditionException {
    json.nextToken();
    expect(JsonToken.START_OBJECT, "a JSON object such as {\"where\":[\"=\",\"v\",1]}");
    Map<String, Boolean> seen = new LinkedHashMap<>();
    Expression where = new Literal(true);
    Condition.Form form = Condition.Form.ROWS;
    String aggregated = null;
    Map<String, Expression> set = Map.of();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      if (seen.put(field, true) != null) {
        throw wrong("the field " + SentenceText.quoted(field) + " again", "each field once");
      }
      int length = enter(field);
      json.nextToken();
      switch (field) {
        case "where" -> where = truth("a condition");
        case "select" -> {
          form = aggregateForm();
          aggregated = aggregateColumn(form);
        }
        case "set" -> {
          form = Condition.Form.SET;
          set = assignments();
        }
        case "delete" -> {
          form = Condition.Form.DELETE;
          expect(JsonToken.VALUE_TRUE, "true");
        }
        default ->
            throw wrong(
                "an unknown field", "only the fields where, and select, set or delete if any");
      }
      path.setLength(length);
    }
    seen.remove("where");
    if (seen.size() > 1) {
      throw wrong(String.join(" and ", seen.keySet()), "only one of select, set and delete");
    }
    if (json.nextToken() != null) {
      throw wrong(found() + " after the object", "nothing");
    }
    return new Condition(form, where, aggregated, set, columns);
  }

  private Condition.Form aggregateForm() throws IOException, ConditionException {
    String forms =
        "an array [\"min\",column], [\"max\",column], [\"sum\",column], [\"avg\",column] or"
            + " [\"count\"]";
    expect(JsonToken.START_ARRAY, forms);
    json.nextToken();
    expect(JsonToken.VALUE_STRING, "min, max, sum, avg or count");
    return switch (json.getText()) {
      case "min" -> Condition.Form.MIN;
      case "max" -> Condition.Form.MAX;
      case "sum" -> Condition.Form.SUM;
      case "avg" -> Condition.Form.AVG;
      case "count" -> Condition.Form.COUNT;
      default -> throw unsupported("min, max, sum, avg or count");
    };
  }

  /** The column of an aggregate; null for a count of rows. */
  private String aggregateColumn(Condition.Form form) throws IOException, ConditionException {
    int length = enter("[1]");
    if (json.nextToken() == JsonToken.END_ARRAY && form == Condition.Form.COUNT) {
      path.setLength(length);
      return null;
    }
    expect(JsonToken.VALUE_STRING, "the name of a column");
    String column = column(json.getText());
    path.setLength(length);
    json.nextToken();
    expect(JsonToken.END_ARRAY, "the end of the array after the column");
    return column;
  }

  private Map<String, Expression> assignments() throws IOException, ConditionException {
    expect(JsonToken.START_OBJECT, "an object of columns and expressions");
    Map<String, Expression> set = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String column = json.currentName();
      if (column.equals(Columns.KEY)) {
        throw wrong("the key " + Columns.KEY, "columns other than the key, which stays");
      }
      int length = enter("." + column);
      column(column);
      json.nextToken();
      if (set.put(column, expression()) != null) {
        throw wrong("the column again", "each column once");
      }
      path.setLength(length);
    }
    if (set.isEmpty()) {
      throw wrong("an empty object", "at least one column and its expression");
    }
    return set;
  }

  // ---- expressions

  /** The expression that begins at the current token; the parser is left at its last token. */
  private Expression expression() throws IOException, ConditionException {
    return switch (json.currentToken()) {
      case VALUE_STRING -> new Expression.Column(column(json.getText()));
      case VALUE_NULL -> new Literal(null);
      case VALUE_TRUE -> new Literal(true);
      case VALUE_FALSE -> new Literal(false);
      case VALUE_NUMBER_INT -> new Literal(integer());
      case VALUE_NUMBER_FLOAT -> new Literal(decimal());
      case START_OBJECT -> text();
      case START_ARRAY -> operation();
      default -> throw wrong(found(), EXPRESSION);
    };
  }

  private Object integer() throws IOException {
    return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? json.getBigIntegerValue()
        : (Object) json.getLongValue();
  }

  private Object decimal() throws IOException, ConditionException {
    try {
      return Decimals.valueOf(json.getText());
    } catch (NumberFormatException | ArithmeticException e) {
      throw wrong(found(), "a number whose exponent has at most nine digits");
    }
  }

  private Literal text() throws IOException, ConditionException {
    boolean isText = json.nextToken() == JsonToken.FIELD_NAME && json.currentName().equals("text");
    if (!isText) {
      String found = json.currentToken() == JsonToken.FIELD_NAME ? "an object with " : "";
      throw wrong(found + found(), "{\"text\":…}, the only object that is an expression");
    }
    json.nextToken();
    expect(JsonToken.VALUE_STRING, "a string inside {\"text\":…}");
    Literal literal = new Literal(json.getText());
    json.nextToken();
    expect(JsonToken.END_OBJECT, "nothing beside \"text\"");
    return literal;
  }

  private Expression operation() throws IOException, ConditionException {
    if (++depth > MAX_DEPTH) {
      throw wrong(
          "expressions nested more than " + MAX_DEPTH + " deep",
          "at most " + MAX_DEPTH + " levels");
    }
    int length = enter("[0]");
    if (json.nextToken() != JsonToken.VALUE_STRING) {
      throw wrong(found(), OPERATOR);
    }
    String operator = json.getText();
    Expression result =
        switch (operator) {
          case "and" -> new Expression.And(truths(length, operator));
          case "or" -> new Expression.Or(truths(length, operator));
          case "not" -> new Expression.Not(truths(length, 1, operator).get(0));
          case "is-null" -> new Expression.IsNull(values(length, 1, operator).get(0));
          case "in" -> in(length);
          case "like" -> like(length);
          case "between" -> {
            List<Expression> parts = values(length, 3, operator);
            yield new Expression.Between(parts.get(0), parts.get(1), parts.get(2));
          }
          default -> binary(operator, length);
        };
    path.setLength(length);
    depth--;
    return result;
  }

  private Expression binary(String operator, int length) throws IOException, ConditionException {
    for (Expression.Comparator comparator : Expression.Comparator.values()) {
      if (comparator.symbol().equals(operator)) {
        List<Expression> sides = values(length, 2, operator);
        return new Expression.Comparison(comparator, sides.get(0), sides.get(1));
      }
    }
    for (Expression.Operator arithmetic : Expression.Operator.values()) {
      if (arithmetic.symbol().equals(operator)) {
        List<Expression> sides = operands(length, 2, operator, this::number);
        return new Expression.Arithmetic(arithmetic, sides.get(0), sides.get(1));
      }
    }
    throw unsupported(OPERATOR);
  }

  private Expression in(int length) throws IOException, ConditionException {
    List<Expression> parts = operands(length, -1, "in", this::expression);
    if (parts.size() < 2) {
      throw wrong("\"in\" without elements", "[\"in\",a,x,…] with at least one x");
    }
    return new Expression.In(parts.get(0), parts.subList(1, parts.size()));
  }

  private Expression like(int length) throws IOException, ConditionException {
    List<Expression> parts = values(length, 2, "like");
    if (parts.get(1) instanceof Literal literal && literal.value() instanceof String pattern) {
      return new Expression.Like(parts.get(0), pattern);
    }
    throw wrong("\"like\" without a pattern", "[\"like\",a,{\"text\":pattern}]");
  }

  private List<Expression> truths(int length, String operator)
      throws IOException, ConditionException {
    List<Expression> operands = truths(length, -1, operator);
    if (operands.isEmpty()) {
      throw wrong(SentenceText.quoted(operator) + " with no operand", "at least one operand");
    }
    return operands;
  }

  private List<Expression> truths(int length, int count, String operator)
      throws IOException, ConditionException {
    return operands(length, count, operator, () -> truth("a condition"));
  }

  private List<Expression> values(int length, int count, String operator)
      throws IOException, ConditionException {
    return operands(length, count, operator, this::expression);
  }

  private interface Operand {
    Expression read() throws IOException, ConditionException;
  }

  /** The operands up to the end of the array; there must be this many, -1: any number. */
  private List<Expression> operands(int length, int count, String operator, Operand operand)
      throws IOException, ConditionException {
    List<Expression> operands = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      path.setLength(length);
      enter("[" + (operands.size() + 1) + "]");
      operands.add(operand.read());
    }
    path.setLength(length);
    if (count >= 0 && operands.size() != count) {
      throw wrong(
          SentenceText.quoted(operator) + " with " + counted(operands.size()), counted(count));
    }
    return operands;
  }

  private static String counted(int operands) {
    return operands == 0 ? "no operand" : operands == 1 ? "one operand" : operands + " operands";
  }

  // ---- types, as far as they show without a row

  /** An expression that can be true, false or unknown. */
  private Expression truth(String expected) throws IOException, ConditionException {
    String found = found();
    Expression expression = expression();
    boolean never =
        expression instanceof Expression.Arithmetic
            || expression instanceof Literal literal
                && literal.value() != null
                && !(literal.value() instanceof Boolean);
    if (never) {
      throw wrong(described(expression, found), expected + ", which is true or false");
    }
    return expression;
  }

  /** An expression that can be an integer. */
  private Expression number() throws IOException, ConditionException {
    String found = found();
    Expression expression = expression();
    boolean possible =
        expression instanceof Expression.Arithmetic
            || expression instanceof Expression.Column
            || expression instanceof Literal literal
                && (literal.value() == null || literal.value() instanceof Long);
    if (!possible) {
      throw wrong(described(expression, found), "an integer of 64 bits to calculate with");
    }
    return expression;
  }

  private static String described(Expression expression, String found) {
    if (expression instanceof Expression.Arithmetic) {
      return "arithmetic";
    }
    if (expression instanceof Literal literal) {
      return literal.value() instanceof String ? "a text" : found;
    }
    return "a condition";
  }

  // ---- places

  private int enter(String step) {
    int length = path.length();
    path.append(step);
    return length;
  }

  private String column(String name) {
    columns.putIfAbsent(name, path.toString());
    return name;
  }

  private void expect(JsonToken token, String expected) throws IOException, ConditionException {
    if (json.currentToken() != token) {
      throw wrong(found(), expected);
    }
  }

  private ConditionException wrong(String found, String expected) {
    return new ConditionException(SentenceText.cut(path.toString()), found, expected);
  }

  private ConditionException unsupported(String expected) throws IOException {
    return new ConditionException(SentenceText.cut(path.toString()), found(), expected, true);
  }

  private String found() throws IOException {
    JsonToken token = json.currentToken();
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case END_OBJECT -> "the end of the object";
      case START_ARRAY -> "an array";
      case END_ARRAY -> "the end of the array";
      case VALUE_STRING, FIELD_NAME -> SentenceText.quoted(json.getText());
      default -> SentenceText.cut(json.getText());
    };
  }
}
