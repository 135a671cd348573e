package dev.assay.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.history.Keyword;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatcherTest {
  private static final List<String> COLUMNS = List.of("a", "b", "t", "f");

  private static Matcher where(String expression) {
    return bound("{\"where\":" + expression.replace('\'', '"') + "}", COLUMNS);
  }

  private static Matcher bound(String json, List<String> columns) {
    try {
      return Condition.parse(json).bind(columns);
    } catch (ConditionException e) {
      throw new AssertionError(json, e);
    }
  }

  private static List<Object> row(Object... columns) {
    return Arrays.asList(columns);
  }

  /** Of the row a = 3, b = null, t = 'x', f = true, with the key 7. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "true|true",
        "false|false",
        "null|unknown",
        "'f'|true",
        "'b'|unknown",
        "['=','k',7]|true",
        "['=','a',3]|true",
        "['=',3,'a']|true",
        "['!=','a',3]|false",
        "['<','a',3]|false",
        "['<=','a',3]|true",
        "['>','a',3]|false",
        "['>=','a',3]|true",
        "['<','a',3.5]|true",
        "['=','a',3.0]|true",
        "['=','a',null]|unknown",
        "['=',null,null]|unknown",
        "['=','b','b']|unknown",
        "['!=','b',1]|unknown",
        "['=','t',{'text':'x'}]|true",
        "['<','t',{'text':'xa'}]|true",
        "['=','f',true]|true",
        "['=',['<','a',4],'f']|true",
        "['=',['<','b',4],'f']|unknown",
        "['between','a',3,3]|true",
        "['between','a',4,2]|false",
        "['between','a',4,null]|false",
        "['between','a',null,2]|false",
        "['between','a',1,null]|unknown",
        "['between','b',1,2]|unknown",
        "['in','a',1,2,3]|true",
        "['in','a',1,2]|false",
        "['in','a',1,null]|unknown",
        "['in','a',null,3]|true",
        "['in','b',1,2]|unknown",
        "['in','a','b',['-',10,'k']]|true",
        "['like','t',{'text':'x'}]|true",
        "['like','t',{'text':'%_%'}]|true",
        "['like','t',{'text':'_%_'}]|false",
        "['like','t',{'text':'X'}]|false",
        "['like',{'text':'a-bab-ab'},{'text':'a%ab_ab'}]|true",
        "['like',{'text':''},{'text':'%'}]|true",
        "['like','b',{'text':'%'}]|unknown",
        "['is-null','b']|true",
        "['is-null','a']|false",
        "['is-null',['<','b',1]]|true",
        "['not',['=','b',1]]|unknown",
        "['not',['=','a',1]]|true",
        "['and',true,null]|unknown",
        "['and',null,false]|false",
        "['and',true,true]|true",
        "['or',null,false]|unknown",
        "['or',null,true]|true",
        "['or',false,false]|false",
        "['=',['+','a','k'],10]|true",
        "['=',['-','a','k'],-4]|true",
        "['=',['*','a','k'],21]|true",
        "['=',['%',-7,'a'],-1]|true",
        "['=',['%',7,-3],1]|true",
        "['=',['+','a','b'],10]|unknown",
        "['=',['%','b',0],10]|unknown",
        "['and',false,['=',['%','a',0],1]]|false",
        "['or',true,['<','t',1]]|true",
      })
  void truthIsThreeValued(String expression, String expected) {
    List<Object> row = row(3L, null, "x", true);
    boolean isTrue = where(expression).matches(7L, row);
    boolean isFalse = where("[\"not\"," + expression + "]").matches(7L, row);
    boolean isUnknown = where("[\"is-null\"," + expression + "]").matches(7L, row);
    assertThat(List.of(isTrue, isFalse, isUnknown))
        .containsExactly(
            expected.equals("true"), expected.equals("false"), expected.equals("unknown"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "['<','t',5]|the text 'x' cannot be compared with the number 5, in t < 5, in the row 7: [",
        "['=','a',{'text':'3'}]|the number 3 cannot be compared with the text '3', in a = '3'",
        "['in','f',1]|true cannot be compared with the number 1, in f in (1)",
        "['between','t',1,2]|the text 'x' cannot be compared with the number 1",
        "['and',null,['<','t',5]]|cannot be compared",
        "['=',['%','a',0],1]|3 % 0 divides by zero, in a % 0, in the row 7: [3, null, 'x', true]",
        "['=',['+','a',9223372036854775807],1]|3 + 9223372036854775807 is beyond 64 bits",
        "['=',['-',-9223372036854775808,'a'],1]|is beyond 64 bits",
        "['=',['*',-9223372036854775808,-1],1]|is beyond 64 bits",
        "['=',['+','t','b'],1]|the text 'x' is not an integer of 64 bits to calculate with",
        "'a'|the number 3 is neither true nor false, as a must be here",
        "['not','t']|the text 'x' is neither true nor false",
      })
  void whatHasNoValueIsAnErrorAndNeverFalse(String expression, String message) {
    assertThatThrownBy(() -> where(expression).matches(7L, row(3L, null, "x", true)))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theLeastIntegerHasARemainderByMinusOne() {
    String least = "[\"=\",[\"%\",\"a\",-1],0]";
    assertThat(where(least).matches(1L, row(Long.MIN_VALUE, null, null, null))).isTrue();
  }

  @Test
  void whereThereIsNoRowNothingMatches() {
    assertThat(where("true").matches(1L, null)).isFalse();
    assertThat(where("[\"is-null\",\"a\"]").matches(1L, null)).isFalse();
    assertThat(where("[\"is-null\",\"a\"]").matches(1L, row(null, 1L, null, null))).isTrue();
  }

  @Test
  void aRowWithOtherColumnsIsAnError() {
    for (Object value : List.of(5L, row(1L, 2L, 3L), row(1L, 2L, 3L, 4L, 5L))) {
      assertThatThrownBy(() -> where("true").matches("x", value))
          .isInstanceOf(EvaluationException.class)
          .hasMessageContaining("columns, not 4 (a, b, t, f), in the row 'x': ");
    }
  }

  @Test
  void aPlainValueIsTheColumnV() {
    Matcher matcher = bound("{\"where\":[\">\",\"v\",5]}", List.of());
    assertThat(matcher.matches("x", 6L)).isTrue();
    assertThat(matcher.matches("x", 5L)).isFalse();
    assertThatThrownBy(() -> matcher.matches("x", row(6L)))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("the vector [6] cannot be compared with the number 5");
  }

  @Test
  void aSingleNamedColumnMayBeAPlainValue() {
    Matcher matcher =
        bound("{\"where\":[\">\",\"n\",5],\"set\":{\"n\":[\"*\",\"n\",2]}}", List.of("n"));
    assertThat(matcher.matches("x", 6L)).isTrue();
    assertThat(matcher.matches("x", row(6L))).isTrue();
    assertThat(matcher.updated("x", 6L)).isEqualTo(12L);
    assertThat(matcher.updated("x", row(6L))).isEqualTo(row(12L));
  }

  @Test
  void columnsCanBeReadFromRows() throws ConditionException {
    assertThat(Columns.column(COLUMNS, "t").of(1L, row(1L, 2L, "x", true))).isEqualTo("x");
    assertThat(Columns.column(COLUMNS, "k").of(1L, row(1L, 2L, "x", true))).isEqualTo(1L);
    assertThat(Columns.column(List.of(), "v").of(1L, 5L)).isEqualTo(5L);
    assertThatThrownBy(() -> Columns.column(COLUMNS, "v"))
        .isInstanceOf(ConditionException.class)
        .hasMessage("found the column \"v\", expected one of the columns k, a, b, t, f");
  }

  // ---- comparisons of other types

  @Test
  void numbersOfAllTypesCompareExactly() {
    List<Object> ascending =
        List.of(
            Double.NEGATIVE_INFINITY,
            new BigInteger("-9223372036854775809"),
            Long.MIN_VALUE,
            -0.5,
            0L,
            new BigDecimal("1e-400"),
            0.1,
            new BigDecimal("0.10000000000000001"),
            9007199254740992L,
            9007199254740993L,
            9007199254740994.0,
            Long.MAX_VALUE,
            9223372036854775807e0,
            new BigInteger("9223372036854776001"),
            new BigDecimal("1e999999999"),
            Double.POSITIVE_INFINITY,
            Double.NaN);
    Matcher less = where("[\"<\",\"a\",\"b\"]");
    Matcher equal = where("[\"=\",\"a\",\"b\"]");
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j < ascending.size(); j++) {
        List<Object> row = row(ascending.get(i), ascending.get(j), null, null);
        assertThat(less.matches(1L, row)).as(row + " ascends").isEqualTo(i < j);
        assertThat(equal.matches(1L, row)).as(row + " is equal").isEqualTo(i == j);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "0.10", "1e-1", "10e-2"})
  void equalNumbersAreEqualHoweverTheyAreWritten(String literal) {
    Matcher matcher = where("[\"=\",\"a\"," + literal + "]");
    assertThat(matcher.matches(1L, row(0.1, null, null, null))).isTrue();
    assertThat(matcher.matches(1L, row(new BigDecimal("0.100"), null, null, null))).isTrue();
  }

  @Test
  void bothZerosAreEqual() {
    assertThat(where("[\"=\",\"a\",\"b\"]").matches(1L, row(0.0, -0.0, null, null))).isTrue();
    assertThat(where("[\"=\",\"a\",0]").matches(1L, row(-0.0, null, null, null))).isTrue();
  }

  @Test
  void textsCompareByCodePoints() {
    Matcher less = where("[\"<\",\"a\",\"b\"]");
    assertThat(less.matches(1L, row("\uff5e", "\ud83d\ude00", null, null))).isTrue();
    assertThat(less.matches(1L, row("\ud83d\ude00", "\uff5e", null, null))).isFalse();
    assertThat(less.matches(1L, row("B", "a", null, null))).isTrue();
  }

  @Test
  void keywordsCompareWithKeywordsOnly() {
    Matcher equal = where("[\"=\",\"a\",\"b\"]");
    assertThat(equal.matches(1L, row(new Keyword("x"), new Keyword("x"), null, null))).isTrue();
    assertThat(equal.matches(1L, row(new Keyword("x"), new Keyword("y"), null, null))).isFalse();
    assertThatThrownBy(() -> equal.matches(1L, row(new Keyword("x"), "x", null, null)))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("the keyword :x cannot be compared with the text 'x'");
  }

  // ---- updates and aggregates

  @Test
  void anUpdateSetsAllItsColumnsFromTheOldRow() {
    Matcher swap = bound("{\"set\":{\"a\":\"b\",\"b\":\"a\",\"f\":[\"<\",\"a\",\"b\"]}}", COLUMNS);
    assertThat(swap.updated(1L, row(1L, 2L, "x", null))).isEqualTo(row(2L, 1L, "x", true));
    assertThat(swap.updated(1L, row(1L, null, "x", true))).isEqualTo(row(null, 1L, "x", null));
  }

  @Test
  void aDeletedRowIsNoRow() {
    assertThat(bound("{\"delete\":true}", COLUMNS).updated(1L, row(1L, 2L, "x", null))).isNull();
  }

  @Test
  void theOnlyColumnOfARowCannotBecomeNull() {
    Matcher matcher = bound("{\"set\":{\"v\":null}}", List.of());
    assertThatThrownBy(() -> matcher.updated("x", 5L))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("the only column of a row cannot be set to null");
  }

  @Test
  void aggregatesPassOverNullsAndRowsThatAreNot() {
    List<Map.Entry<Object, Object>> rows =
        List.of(
            new SimpleEntry<>(1L, row(5L, 1L, null, null)),
            new SimpleEntry<>(2L, row(null, 1L, null, null)),
            new SimpleEntry<>(3L, null),
            new SimpleEntry<>(4L, row(-2L, 1L, null, null)),
            new SimpleEntry<>(5L, row(-90L, null, null, null)));
    assertThat(aggregate("\"min\",\"a\"").aggregate(rows)).isEqualTo(-2L);
    assertThat(aggregate("\"max\",\"a\"").aggregate(rows)).isEqualTo(5L);
    assertThat(aggregate("\"sum\",\"a\"").aggregate(rows)).isEqualTo(3L);
    assertThat(aggregate("\"count\"").aggregate(rows)).isEqualTo(3L);
    assertThat(aggregate("\"count\",\"a\"").aggregate(rows)).isEqualTo(2L);
  }

  @Test
  void overNothingOnlyACountHasAResult() {
    List<Map.Entry<Object, Object>> rows =
        List.of(new SimpleEntry<>(1L, row(null, 1L, null, null)));
    assertThat(aggregate("\"min\",\"a\"").aggregate(rows)).isNull();
    assertThat(aggregate("\"max\",\"a\"").aggregate(rows)).isNull();
    assertThat(aggregate("\"sum\",\"a\"").aggregate(rows)).isNull();
    assertThat(aggregate("\"count\",\"a\"").aggregate(rows)).isEqualTo(0L);
    assertThat(aggregate("\"count\"").aggregate(List.of())).isEqualTo(0L);
  }

  @Test
  void sumsGoBeyond64BitsAndBack() {
    Aggregate sum = aggregate("\"sum\",\"a\"").aggregate();
    sum.add(1L, row(Long.MAX_VALUE, 1L, null, null));
    sum.add(2L, row(Long.MAX_VALUE, 1L, null, null));
    assertThat(sum.result()).isEqualTo(new BigInteger("18446744073709551614"));
    sum.add(3L, row(Long.MIN_VALUE, 1L, null, null));
    assertThat(sum.result()).isEqualTo(Long.MAX_VALUE - 1);
    sum.add(4L, row(new BigInteger("-9223372036854775809"), 1L, null, null));
    assertThat(sum.result()).isEqualTo(-3L);
  }

  @ParameterizedTest
  @CsvSource({
    "7, 3, 2.3333, true",
    "7, 3, 2.3332, false",
    "7, 3, 2, true",
    "7, 3, 3, true",
    "7, 3, 4, false",
    "7, 2, 3.5, true",
    "7, 2, 3.0, false",
    "-7, 2, -3, true",
    "-7, 2, -3.5, true",
    "9007199254740993, 2, 4503599627370496.0, true",
    "9007199254740993, 2, 4503599627370000.0, false",
  })
  void anAverageMayBeRoundedAsDatabasesDo(long sum, int count, String given, boolean right) {
    Aggregate average = aggregate("\"avg\",\"a\"").aggregate();
    average.add(1L, row(sum, 1L, null, null));
    average.add(2L, row(null, 1L, null, null));
    for (long key = 3; key < 2 + count; key++) {
      average.add(key, row(0L, 1L, null, null));
    }
    Object result = given.contains(".") ? (Object) Double.valueOf(given) : Long.valueOf(given);
    assertThat(average.gives(result)).isEqualTo(right);
    assertThat(average.gives(null)).isFalse();
    assertThat(average.gives(Double.NaN)).isFalse();
  }

  @Test
  void anAverageOfNothingIsNull() {
    Aggregate average = aggregate("\"avg\",\"a\"").aggregate();
    average.add(1L, row(null, 1L, null, null));
    assertThat(average.result()).isNull();
    assertThat(average.gives(null)).isTrue();
    assertThat(average.gives(0L)).isFalse();
  }

  @Test
  void valuesThatCannotBeAggregatedAreErrors() {
    assertThatThrownBy(() -> aggregate("\"sum\",\"a\"").aggregate().add(1L, row("x", 1L, 0L, 0L)))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining(
            "the text 'x' is not an integer, which sums and averages are of, in the row 1");
    Aggregate min = aggregate("\"min\",\"a\"").aggregate();
    min.add(1L, row("x", 1L, 0L, 0L));
    assertThatThrownBy(() -> min.add(2L, row(5L, 1L, 0L, 0L)))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("the number 5 cannot be compared with the text 'x'");
  }

  /** Over the rows where b is 1. */
  private static Matcher aggregate(String select) {
    return bound("{\"select\":[" + select + "],\"where\":[\"=\",\"b\",1]}", COLUMNS);
  }
}
