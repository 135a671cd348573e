package dev.assay.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeTest {
  private static final String LEAST = "-9223372036854775808";
  private static final String GREATEST = "9223372036854775807";

  private static Condition where(String expression) {
    try {
      return Condition.parse("{\"where\":" + expression + "}");
    } catch (ConditionException e) {
      throw new AssertionError(expression, e);
    }
  }

  /** {@code *} is an open side, and a {@code ~} before an interval says that it is not exact. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "['=','a',5]|a [5, 5]",
        "['=',5,'a']|a [5, 5]",
        "['<','a',5]|a [*, 4]",
        "['<',5,'a']|a [6, *]",
        "['>=','a',5]|a [5, *]",
        "['<','a',5.5]|a [*, 5]",
        "['<=','a',-5.5]|a [*, -6]",
        "['>','a',5.5]|a [6, *]",
        "['=','a',5.0]|a [5, 5]",
        "['=','a',5.5]|a empty",
        "['!=','a',5.5]|a [*, *]",
        "['!=','a',5]|none",
        "['>','a',1e-999999999]|a [1, *]",
        "['>=','a',-1e-999999999]|a [0, *]",
        "['<','a',1e999999999]|a [*, *]",
        "['>','a',1e999999999]|a empty",
        "['<','a',-9223372036854775808]|a empty",
        "['>','a',9223372036854775807]|a empty",
        "['>','a',9223372036854775808]|a empty",
        "['>','a',-9223372036854775809]|a [*, *]",
        "['=','a',null]|a empty",
        "['=','a',{'text':'x'}]|none",
        "['=','a','b']|none",
        "['<',['+','a',1],5]|none",
        "['between','a',3,9]|a [3, 9]",
        "['between','a',9,3]|a empty",
        "['not',['between','a',3,9]]|none",
        "['not',['between','a',9,3]]|a [*, *]",
        "['between',5,'a',9]|a ~[*, 5]",
        "['in','a',4,2,3,2]|a [2, 4]",
        "['in','a',4,2]|a ~[2, 4]",
        "['in','a',4,null]|a [4, 4]",
        "['in','a',4,'b']|none",
        "['not',['in','a',4,null]]|a empty",
        "['not',['<','a',5]]|a [5, *]",
        "['not',['is-null','a']]|a [*, *]",
        "['is-null','a']|none",
        "['and',['>=','a',5],['<','a',9]]|a [5, 8]",
        "['and',['>=','a',5],['<','a',9],['=',['%','a',2],0]]|a ~[5, 8]",
        "['and',['>','a',5],['<','a',6],['=','b','k']]|a empty",
        "['and',['>=','a',5],['<','b',9]]|a ~[5, *]",
        "['and',['>=','a',5],['=','b',9]]|b ~[9, 9]",
        "['and',['>=','a',5],['is-null','a']]|a ~[5, *]",
        "['or',['<','a',5],['<','b',5]]|none",
        "['or',['=','a',5],['=','a',6]]|a [5, 6]",
        "['or',['=','a',5],['=','a',7]]|a ~[5, 7]",
        "['or',['>','a',5],['<=','a',9]]|a [*, *]",
        "['or',['=','a',5],['is-null','a']]|none",
        "['or',['=','a',5],['and',['=','a',6],['=','b',6]]]|a ~[5, 6]",
        "['not',['or',['<','a',5],['>','a',9]]]|a [5, 9]",
        "['and',['=','a',5],false]|a empty",
        "true|none",
        "'a'|none",
      })
  void theRangeIsTheHullOfWhatCanMatch(String expression, String expected) {
    assertThat(where(expression.replace('\'', '"')).range().map(RangeTest::shown).orElse("none"))
        .isEqualTo(expected);
  }

  private static String shown(Range range) {
    if (range.isEmpty()) {
      assertThat(range.exact()).isTrue();
      return range.column() + " empty";
    }
    return (range.column() + (range.exact() ? " [" : " ~[") + range.low() + ", " + range.high())
            .replace(LEAST, "*")
            .replace(GREATEST, "*")
        + "]";
  }

  @Test
  void theRangeOfAColumnCanBeAskedFor() {
    Condition condition = where("[\"and\",[\">=\",\"a\",5],[\"=\",\"b\",9]]");
    assertThat(condition.range("a")).contains(new Range("a", 5, Long.MAX_VALUE, false));
    assertThat(condition.range("k")).isEmpty();
  }

  @Test
  void rangesOfRandomConditionsAgreeWithEvaluation() throws ConditionException {
    Random random = new Random(7);
    int exact = 0;
    int proper = 0;
    for (int i = 0; i < 6_000; i++) {
      Condition condition = where(random(random, 3));
      Matcher matcher = condition.bind(List.of("a", "b"));
      for (String column : List.of("a", "b")) {
        Range range = condition.range(column).orElse(null);
        if (range != null) {
          check(matcher, range);
          exact += range.exact() ? 1 : 0;
          proper += range.isEmpty() || range.low() == range.high() ? 0 : 1;
        }
      }
    }
    assertThat(exact).isGreaterThan(500);
    assertThat(proper).isGreaterThan(500);
  }

  private static void check(Matcher matcher, Range range) {
    for (Long a : Arrays.asList(null, -1L, 0L, 1L, 2L, 3L, 4L)) {
      for (Long b : Arrays.asList(null, -1L, 0L, 1L, 2L, 3L, 4L)) {
        boolean matches = matcher.matches(0L, Arrays.asList(a, b));
        Long integer = range.column().equals("a") ? a : b;
        boolean inside = integer != null && range.contains(integer);
        String message = "%s of %s over a = %s, b = %s";
        assertThat(!matches || inside).as(message, range, matcher.condition(), a, b).isTrue();
        assertThat(!range.exact() || matches == inside)
            .as(message, range, matcher.condition(), a, b)
            .isTrue();
      }
    }
  }

  private static String random(Random random, int depth) {
    int kind = random.nextInt(depth == 0 ? 5 : 9);
    return switch (kind) {
      case 0 -> "[\"is-null\"," + column(random) + "]";
      case 1 -> "[\"between\"," + column(random) + "," + atom(random) + "," + atom(random) + "]";
      case 2 -> "[\"in\"," + column(random) + "," + atom(random) + "," + atom(random) + "]";
      case 3, 4 -> {
        String operator = List.of("=", "!=", "<", "<=", ">", ">=").get(random.nextInt(6));
        String left = random.nextInt(3) == 0 ? atom(random) : column(random);
        yield "[\"" + operator + "\"," + left + "," + atom(random) + "]";
      }
      case 5 -> "[\"not\"," + random(random, depth - 1) + "]";
      default -> {
        String operator = kind < 8 ? "and" : "or";
        yield "[\"%s\",%s,%s]"
            .formatted(operator, random(random, depth - 1), random(random, depth - 1));
      }
    };
  }

  private static String column(Random random) {
    return random.nextInt(4) == 0 ? "\"b\"" : "\"a\"";
  }

  private static String atom(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> "null";
      case 1 -> "1.5";
      case 2 -> column(random);
      default -> String.valueOf(random.nextInt(5) - 1);
    };
  }
}
