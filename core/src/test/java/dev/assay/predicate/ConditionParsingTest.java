package dev.assay.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionParsingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"where\":[\"=\",\"v\",1]}",
        "{\"where\":[\"and\",[\"between\",\"val\",3,9],[\"not\",[\"in\",\"k\",4,null]]]}",
        "{\"where\":[\"or\",[\"is-null\",\"val\"],\"flag\"]}",
        "{\"where\":[\"!=\",\"name\",{\"text\":\"a\\\"é\\n\"}]}",
        "{\"where\":[\"<\",[\"%\",[\"*\",[\"-\",[\"+\",\"a\",1],\"b\"],2],3],9]}",
        "{\"where\":[\"=\",\"v\",123456789012345678901234567890]}",
        "{\"where\":[\"=\",\"v\",0.5]}",
        "{\"where\":[\"=\",\"v\",{\"text\":\"\\ud800x\"}]}",
        "{\"where\":false}",
        "{\"where\":null}",
        "{\"select\":[\"min\",\"val\"],\"where\":[\">\",\"k\",-5]}",
        "{\"select\":[\"count\"]}",
        "{\"select\":[\"count\",\"val\"]}",
        "{\"where\":[\"=\",\"k\",1],\"set\":{\"val\":[\"+\",\"val\",1],\"ver\":7}}",
        "{\"delete\":true}",
      })
  void aCanonicalTextStaysAsItIs(String json) throws ConditionException {
    assertThat(Condition.parse(json)).hasToString(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ \"where\" : true }|{}",
        "{\"where\":[\"=\",\"v\",1.50]}|{\"where\":[\"=\",\"v\",1.5]}",
        "{\"where\":[\"<\",\"v\",1],\"select\":[\"max\",\"v\"]}"
            + "|{\"select\":[\"max\",\"v\"],\"where\":[\"<\",\"v\",1]}",
        "{\"where\":[\"=\",\"\\u0076\",1]}|{\"where\":[\"=\",\"v\",1]}",
      })
  void differentTextsOfOneConditionAreEqual(String json, String canonical)
      throws ConditionException {
    assertThat(Condition.parse(json)).hasToString(canonical).isEqualTo(Condition.parse(canonical));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "||found nothing, expected a JSON object such as",
        "[1]||found an array, expected a JSON object such as",
        "{'where':['=','v',1]||found a text that ends too early, expected one whole JSON",
        "{'where':['=' 'v',1]}|character 15|at character 15: found Unexpected character",
        "{} {}||found an object after the object, expected nothing",
        "{'wehre':1}|wehre|at wehre: found an unknown field, expected only the fields where",
        "{'where':true,'where':true}||found the field \"where\" again, expected each field once",
        "{'where':5}|where|at where: found 5, expected a condition, which is true or false",
        "{'where':{'text':'a'}}|where|at where: found a text, expected a condition",
        "{'where':['+','a',1]}|where|at where: found arithmetic, expected a condition",
        "{'where':{'vector':[]}}|where|found an object with \"vector\", expected {\"text\":…}",
        "{'where':{'text':5}}|where|found 5, expected a string inside",
        "{'where':{'text':'a','b':1}}|where|found \"b\", expected nothing beside \"text\"",
        "{'where':[]}|where[0]|found the end of the array, expected one of =",
        "{'where':['ilike','v',1]}|where[0]|at where[0]: found \"ilike\", expected one of =, !=",
        "{'where':['like','v',1]}|where|found \"like\" without a pattern, expected [\"like\",a,{",
        "{'where':['like','v']}|where|found \"like\" with one operand, expected 2 operands",
        "{'where':['=','v']}|where|at where: found \"=\" with one operand, expected 2 operands",
        "{'where':['between','v',1]}|where|found \"between\" with 2 operands, expected 3 operands",
        "{'where':['in','v']}|where|found \"in\" without elements, expected [\"in\",a,x,…]",
        "{'where':['and']}|where|found \"and\" with no operand, expected at least one operand",
        "{'where':['not','a','b']}|where|found \"not\" with 2 operands, expected one operand",
        "{'where':['and',true,['or','f',7]]}|where[2][2]|at where[2][2]: found 7, expected a",
        "{'where':['=',['+','a',1.5],1]}|where[1][2]|found 1.5, expected an integer of 64",
        "{'where':['=',['+','a',['=',1,1]],1]}|where[1][2]|found a condition, expected an",
        "{'where':['=','v',1e99999999999]}|where[2]|expected a number whose exponent has at",
        "{'select':'min'}|select|found \"min\", expected an array [\"min\",column]",
        "{'select':['median','v']}|select|found \"median\", expected min, max, sum, avg or count",
        "{'select':['min']}|select[1]|found the end of the array, expected the name of a column",
        "{'select':['min','a','b']}|select|found \"b\", expected the end of the array",
        "{'delete':false}|delete|at delete: found false, expected true",
        "{'delete':true,'set':{'v':1}}||found delete and set, expected only one of",
        "{'set':{}}|set|found an empty object, expected at least one column",
        "{'set':{'k':1}}|set|found the key k, expected columns other than the key",
        "{'set':{'a':1,'a':2}}|set.a|found the column again, expected each column once",
        "{'set':{'a':['-',1]}}|set.a|at set.a: found \"-\" with one operand, expected 2 operands",
      })
  void whatIsWrongIsSaidWithItsPlace(String json, String place, String message) {
    ConditionException e =
        catchThrowableOfType(
            ConditionException.class,
            () -> Condition.parse(json == null ? "" : json.replace('\'', '"')));
    assertThat(e).hasMessageContaining(message);
    assertThat(e.place()).isEqualTo(place == null ? "" : place);
  }

  @Test
  void expressionsNestedTooDeepAreRefused() throws ConditionException {
    assertThat(Condition.parse(nested(ConditionParser.MAX_DEPTH)).bind(List.of()).matches(1, true))
        .isTrue();
    for (int depth : new int[] {ConditionParser.MAX_DEPTH + 1, 1_000_000}) {
      ConditionException e =
          catchThrowableOfType(ConditionException.class, () -> Condition.parse(nested(depth)));
      assertThat(e).hasMessageContaining("found expressions nested more than 200 deep");
    }
  }

  private static String nested(int depth) {
    return "{\"where\":" + "[\"not\",".repeat(depth) + "\"v\"" + "]".repeat(depth) + "}";
  }

  @Test
  void messagesAreShortAndOnOneLineWhateverTheInput() {
    String column = "\\n" + "x".repeat(100_000);
    ConditionException e =
        catchThrowableOfType(
            ConditionException.class,
            () -> Condition.parse("{\"where\":\"" + column + "\"}").bind(List.of()));
    assertThat(e.getMessage()).hasSizeLessThan(200).doesNotContain("\n");
  }

  @Test
  void anUnknownColumnIsNamedWithItsPlace() throws ConditionException {
    Condition condition = Condition.parse("{\"where\":[\"and\",[\"=\",\"k\",1],[\"<\",5,\"w\"]]}");
    ConditionException e =
        catchThrowableOfType(ConditionException.class, () -> condition.bind(List.of("val", "ver")));
    assertThat(e)
        .hasMessage(
            "at where[2][2]: found the column \"w\", expected one of the columns k, val, ver");
    ConditionException scalar =
        catchThrowableOfType(ConditionException.class, () -> condition.bind(List.of()));
    assertThat(scalar).hasMessageEndingWith("expected one of the columns k, v");
    assertThat(condition.columns()).containsExactly("k", "w");
  }

  @Test
  void namesOfColumnsComeFromTheMetadata() throws ConditionException {
    assertThat(Columns.parse(null)).isEmpty();
    assertThat(Columns.parse("val, ver")).containsExactly("val", "ver");
    for (String wrong : List.of("", "a,,b", "a,b,a", "k,v")) {
      ConditionException e =
          catchThrowableOfType(ConditionException.class, () -> Columns.parse(wrong));
      assertThat(e).hasMessageContaining("at columns: found \"" + wrong + "\"");
    }
  }

  @Test
  void aFormFitsReadsOrUpdates() throws ConditionException {
    Condition rows = Condition.parse("{}");
    Condition count = Condition.parse("{\"select\":[\"count\"]}");
    Condition set = Condition.parse("{\"set\":{\"v\":1}}");
    assertThat(List.of(rows.fitsSelect(), rows.fitsUpdate())).containsExactly(true, true);
    assertThat(List.of(count.fitsSelect(), count.fitsUpdate())).containsExactly(true, false);
    assertThat(List.of(set.fitsSelect(), set.fitsUpdate())).containsExactly(false, true);
  }
}
