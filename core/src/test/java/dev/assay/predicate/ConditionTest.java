package dev.assay.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.history.Keyword;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTest {

  private static Condition parsed(String json) {
    try {
      return Condition.parse(json);
    } catch (ConditionException e) {
      throw new AssertionError(json, e);
    }
  }

  // ---- the rows that decide a result

  @ParameterizedTest
  @CsvSource({
    "min, k < 7 and val <= 3",
    "max, k < 7 and val >= 3",
    "sum, k < 7",
    "count, k < 7",
  })
  void anExtremeIsDecidedByTheRowsUpToIt(String aggregate, String expected) {
    Condition condition =
        parsed("{\"select\":[\"" + aggregate + "\",\"val\"],\"where\":[\"<\",\"k\",7]}");
    Condition refined = condition.refined(3L);
    assertThat(refined.sentence()).isEqualTo(expected);
    assertThat(refined.form()).isEqualTo(Condition.Form.ROWS);
    assertThat(parsed(refined.toString())).isEqualTo(refined);
  }

  @ParameterizedTest
  @CsvSource({"min, val is not null", "max, val is not null", "sum, val is not null"})
  void aNullIsDecidedByAllRowsThatAreNotNull(String aggregate, String expected) {
    assertThat(parsed("{\"select\":[\"" + aggregate + "\",\"val\"]}").refined(null).sentence())
        .isEqualTo(expected);
  }

  @Test
  void anExtremeOfAnyTypeIsDecidedByRowsThatCanBeWrittenDown() {
    Condition min = parsed("{\"select\":[\"min\",\"val\"]}");
    assertThat(min.refined("it's").sentence()).isEqualTo("val <= 'it''s'");
    assertThat(min.refined(2.5).sentence()).isEqualTo("val <= 2.5");
    Condition decimal = min.refined(new BigDecimal("1.50"));
    assertThat(parsed(decimal.toString())).isEqualTo(decimal);
    assertThat(min.refined(new Keyword("x")).sentence()).isEqualTo("val is not null");
    assertThat(min.refined(Double.NaN).sentence()).isEqualTo("val is not null");
  }

  @Test
  void rowsAreDecidedByTheRowsThatMatch() {
    Condition rows = parsed("{\"where\":[\"and\",[\"<\",\"k\",7],[\">\",\"k\",2]]}");
    assertThat(rows.refined(null)).isEqualTo(rows);
    Condition set = parsed("{\"where\":[\"<\",\"k\",7],\"set\":{\"val\":1}}");
    assertThat(set.refined(null).sentence()).isEqualTo("k < 7");
  }

  // ---- wording and SQL

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "['and',['between','val',3,9],['!=','k',4]]|val between 3 and 9 and k != 4"
            + "|((val BETWEEN 3 AND 9) AND (k <> 4))",
        "['and',['or','f','g'],['not','f']]|(f or g) and not f|((f OR g) AND (NOT f))",
        "['or',['and','f','g'],['not',['and','f']]]|f and g or not f" + "|((f AND g) OR (NOT (f)))",
        "['not',['=','a',1]]|not (a = 1)|(NOT (a = 1))",
        "['not',['is-null','a']]|a is not null|(NOT (a IS NULL))",
        "['=',['-','a',['-','b',-5]],-1]|a - (b - -5) = -1|((a - (b - (-5))) = (-1))",
        "['=',['*',['+','a',1],['%','b',3]],1]|(a + 1) * (b % 3) = 1"
            + "|(((a + 1) * MOD(b, 3)) = 1)",
        "['in','t',{'text':'it\\u0027s'},null]|t in ('it''s', null)|(t IN ('it''s', NULL))",
        "['=',['<','a',1],true]|(a < 1) = true|((a < 1) = TRUE)",
        "['>','a',0.5]|a > 0.5|(a > 0.5)",
        "['and','f',['and',['or','g','h']]]|f and (g or h)|(f AND ((g OR h)))",
        "true|all rows|TRUE",
        "false|false|FALSE",
      })
  void conditionsAreWordedAndWrittenAsSql(String expression, String sentence, String sql) {
    Condition condition = parsed("{\"where\":" + expression.replace('\'', '"') + "}");
    assertThat(condition.sentence()).isEqualTo(sentence);
    assertThat(condition.whereSql(name -> name)).isEqualTo(sql);
  }

  @Test
  void whatIsReadOrSetIsWordedAndWrittenAsSql() {
    SqlTerms quoted = name -> '"' + name + '"';
    Condition min = parsed("{\"select\":[\"min\",\"val\"],\"where\":[\"<\",\"k\",7]}");
    assertThat(min.sentence()).isEqualTo("min(val) where k < 7");
    assertThat(min.aggregateSql(quoted)).isEqualTo("MIN(\"val\")");
    Condition count = parsed("{\"select\":[\"count\"]}");
    assertThat(count.sentence()).isEqualTo("count(*)");
    assertThat(count.aggregateSql(quoted)).isEqualTo("COUNT(*)");
    Condition set =
        parsed("{\"where\":[\"=\",\"k\",7],\"set\":{\"v\":[\"+\",\"v\",1],\"f\":[\"<\",1,\"b\"]}}");
    assertThat(set.sentence()).isEqualTo("set v = v + 1, f = (1 < b) where k = 7");
    assertThat(set.setSql(quoted)).isEqualTo("\"v\" = (\"v\" + 1), \"f\" = (1 < \"b\")");
    assertThat(parsed("{\"where\":[\"=\",\"k\",7],\"delete\":true}").sentence())
        .isEqualTo("delete where k = 7");
    assertThatThrownBy(() -> set.aggregateSql(quoted)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> min.setSql(quoted)).isInstanceOf(IllegalStateException.class);
  }
}
