package dev.assay.check.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.check.Budget;
import dev.assay.check.Lines;
import dev.assay.check.Verdict;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an expected serialization order proves before anything else is looked at. */
class SerialOrderCheckerTest {
  private static final String HISTORY =
      """
      {"session":1,"id":"A","ops":[["w","x",1]]}
      {"session":2,"id":"B","ops":[["r","x",1],["select",{"where":["<","v",5]},[["x",1]]],\
      ["w","x",2]]}
      {"session":1,"id":"C","ops":[["r","x",2]]}
      """;

  private static final String ORDER = "{\"order\":[\"A\",\"B\",\"C\"]}\n";

  private static Map<Level, Verdict> proven(String text, String order, Set<Assumption> assumptions)
      throws ParseException {
    History history = Lines.history(text);
    Given given = new Given(assumptions, Lines.certificate(order, history));
    return SerialOrderChecker.provenAlone(history, given, Budget.unlimited());
  }

  private static Map<Level, Verdict> proven(String text, String order) throws ParseException {
    return proven(text, order, Assumption.DEFAULT);
  }

  @Test
  void anOrderThatExplainsEveryReadProvesWhatItRespects() throws ParseException {
    assertThat(proven(HISTORY, ORDER)).containsOnlyKeys(Level.STRONG_SESSION_SERIALIZABLE);
    String reader = HISTORY.replace("{\"session\":1,\"id\":\"C\"", "{\"session\":2,\"id\":\"C\"");
    String early = "{\"session\":2,\"id\":\"Z\",\"ops\":[[\"r\",\"x\",2]]}\n";
    assertThat(proven(early + reader, "{\"order\":[\"A\",\"B\",\"C\",\"Z\"]}"))
        .containsOnlyKeys(Level.SERIALIZABLE);
  }

  @Test
  void anAbortedTransactionIsNotInTheWay() throws ParseException {
    String aborted =
        "{\"session\":3,\"id\":\"D\",\"outcome\":\"aborted\",\"ops\":[[\"w\",\"x\",9]]}\n";
    assertThat(proven(HISTORY + aborted, ORDER)).isNotEmpty();
    String named = "{\"order\":[\"D\",\"A\",\"B\",\"C\"]}";
    assertThatThrownBy(() -> proven(HISTORY + aborted, named))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("transaction D aborted");
  }

  @Test
  void anOrderThatExplainsNotAllOrLacksSomebodyProvesNothing() throws ParseException {
    assertThat(proven(HISTORY, "{\"order\":[\"B\",\"A\",\"C\"]}")).isEmpty();
    assertThat(proven(HISTORY, "{\"order\":[\"A\",\"B\"]}")).isEmpty();
  }

  @Test
  void whereMoreIsGivenOthersMustLook() throws ParseException {
    assertThat(proven(HISTORY, ORDER + "{\"key\":\"x\",\"versions\":[1,2]}")).isEmpty();
    assertThat(proven(HISTORY, ORDER + "{\"commits\":[\"A\",\"B\",\"C\"]}")).isEmpty();
    assertThat(proven(HISTORY, ORDER, EnumSet.of(Assumption.SEQUENTIAL_KEYS))).isEmpty();
  }

  @Test
  void aRowThatLacksAColumnLeavesTheOrderOpen() throws ParseException {
    String history =
        """
        {"assay":1,"metadata":{"columns":"val,ver"}}
        {"session":1,"id":"A","ops":[["w","x",{"vector":[%s]}]]}
        {"session":2,"id":"B","ops":[["select",{"where":["=","ver",2]},[]]]}
        """;
    String order = "{\"order\":[\"A\",\"B\"]}";
    assertThat(proven(history.formatted("1,1"), order)).isNotEmpty();
    assertThat(proven(history.formatted("1"), order)).isEmpty();
  }

  @Test
  void unknownOutcomesAndOtherTypesAreForOthers() throws ParseException {
    String open =
        "{\"session\":3,\"id\":\"D\",\"outcome\":\"indeterminate\",\"ops\":[[\"w\",\"y\",9]]}\n";
    assertThat(proven(HISTORY + open, ORDER)).isEmpty();
    String list = "{\"session\":3,\"id\":\"D\",\"ops\":[[\"append\",\"l\",1]]}\n";
    assertThat(proven(HISTORY + list, "{\"order\":[\"A\",\"B\",\"C\",\"D\"]}")).isEmpty();
  }
}
