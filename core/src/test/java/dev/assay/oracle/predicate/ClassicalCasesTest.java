package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/**
 * What certificates decide, one small history each. These are cases of our own: the figures of the
 * paper on version certificate recovery were not at hand. The first two are what its Figure 3 is
 * said to show, once by items and once by a predicate.
 */
class ClassicalCasesTest {
  @Test
  void aHistoryOfItemsThatSomeOrderExplainsIsRejectedByACertificateThatShowsAnother() {
    String history =
        """
        {"session":1,"id":"A","ops":[["w","x",1]]}
        {"session":2,"id":"B","ops":[["r","y",3],["w","x",2]]}
        {"session":3,"id":"C","ops":[["r","x",1],["w","y",3]]}
        """;
    assertThat(Checked.alone(history).verdict(Level.SERIALIZABLE)).isEqualTo("holds");
    assertThat(Checked.with(history, "{\"key\":\"x\",\"versions\":[1,2]}").anomalies()).isEmpty();
    Checked certified = Checked.with(history, "{\"key\":\"x\",\"versions\":[2,1]}");
    assertThat(certified.anomalies()).containsExactly(AnomalyType.G1C);
    assertThat(certified.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
  }

  @Test
  void aHistoryThatSomeOrderExplainsIsRejectedByACertificateThatShowsAnother() {
    String history =
        """
        {"session":1,"id":"A","ops":[["select",{"where":["<","v",5]},[]],["w","x",1]]}
        {"session":2,"id":"B","ops":[["select",{"where":["<","v",5]},[]],["w","x",7]]}
        """;
    assertThat(Checked.alone(history).verdict(Level.SERIALIZABLE)).isEqualTo("holds");
    Checked certified =
        Checked.with(
            history,
            """
            {"key":"x","versions":[1,7]}
            {"select":"A#0","set":{}}
            {"select":"B#0","set":{}}
            """);
    assertThat(certified.anomalies()).containsExactly(AnomalyType.G_SINGLE);
    assertThat(certified.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
  }

  @Test
  void aPhantomIsRepeatableReadButNotSerializable() {
    String history =
        """
        {"session":1,"id":"L","ops":[["w","x",1]]}
        {"session":2,"id":"A","ops":[["select",{"where":["<","v",5]},[["x",1]]],["w","y",2]]}
        {"session":3,"id":"B","ops":[["select",{"where":["<","v",5]},[["x",1]]],["w","z",3]]}
        """;
    Checked certified =
        Checked.with(
            history,
            """
            {"commits":["L","A","B"]}
            {"snapshot":"A","upTo":"L"}
            {"snapshot":"B","upTo":"L"}
            """);
    assertThat(certified.anomalies()).containsExactly(AnomalyType.G2);
    assertThat(certified.verdict(Level.REPEATABLE_READ)).isEqualTo("holds");
    assertThat(certified.verdict(Level.SNAPSHOT_ISOLATION)).isEqualTo("holds");
    assertThat(certified.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
    assertThat(Checked.alone(history).verdict(Level.SERIALIZABLE)).isEqualTo("violated");
  }

  /** A select finds no row: it was not born yet, or dead already. */
  private static final String BORN_AND_DEAD =
      """
      {"session":1,"id":"I","ops":[["w","x",1],["w","y",1]]}
      {"session":2,"id":"D","ops":[["w","x",null]]}
      {"session":3,"id":"S","ops":[["select",{"where":["=","k",{"text":"x"}]},[]],["r","y",%s]]}
      """;

  private static final String UNBORN = "";
  private static final String ALIVE = "\"x\":1";
  private static final String DEAD = "\"x\":{\"by\":\"D\"}";

  private static Checked looking(String y, String x) {
    return Checked.with(
        BORN_AND_DEAD.formatted(y),
        """
        {"key":"x","versions":[1,{"by":"D"}]}
        {"select":"S#0","set":{%s}}
        """
            .formatted(x));
  }

  @Test
  void whoSeesADeadVersionFollowsWhoKilledIt() {
    assertThat(looking("1", DEAD).anomalies()).isEmpty();
    assertThat(looking("1", DEAD).verdict(Level.SERIALIZABLE)).isEqualTo("holds");
    Checked tooOld = looking("null", DEAD);
    assertThat(tooOld.anomalies()).containsExactly(AnomalyType.G_SINGLE_ITEM);
  }

  @Test
  void whoSeesAnUnbornVersionPrecedesWhoBoreIt() {
    assertThat(looking("null", UNBORN).anomalies()).isEmpty();
    assertThat(looking("null", UNBORN).verdict(Level.SERIALIZABLE)).isEqualTo("holds");
    assertThat(looking("1", UNBORN).anomalies()).containsExactly(AnomalyType.G_SINGLE);
  }

  /** A single row is not there: it was not born yet, or dead already. */
  private static Checked reading(String z, String upTo) {
    return Checked.with(
        """
        {"session":1,"id":"I","ops":[["w","x",1]]}
        {"session":2,"id":"D","ops":[["w","x",null],["w","z",2]]}
        {"session":3,"id":"S","ops":[["r","x",null],["r","z",%s],["select",{"where":[">","v",9]},\
        []]]}
        """
            .formatted(z),
        """
        {"key":"x","versions":[1,{"by":"D"}]}
        {"commits":["I","D","S"]}
        {"snapshot":"S","upTo":%s}
        """
            .formatted(upTo));
  }

  @Test
  void theSnapshotOfATransactionSaysWhetherARowItDidNotFindWasDeadOrUnborn() {
    assertThat(reading("2", "\"D\"").verdict(Level.SERIALIZABLE)).isEqualTo("holds");
    assertThat(reading("null", "null").verdict(Level.SERIALIZABLE)).isEqualTo("holds");
    assertThat(reading("2", "null").anomalies()).contains(AnomalyType.G_SINGLE_ITEM);
    assertThat(reading("null", "\"D\"").anomalies()).contains(AnomalyType.G_SINGLE_ITEM);
  }

  @Test
  void aSnapshotThatHasARowWhichWasNotFoundIsContradicted() {
    Checked alive = reading("null", "\"I\"");
    assertThat(alive.anomalies()).containsExactly(AnomalyType.CERTIFICATE_CONTRADICTION);
    assertThat(alive.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
  }

  @Test
  void aResultThatTheVersionsLookedAtDoNotGiveIsAMismatch() {
    Checked alive = looking("1", ALIVE);
    assertThat(alive.anomalies()).contains(AnomalyType.RESULT_SET_MISMATCH);
    assertThat(alive.verdict(Level.CONSISTENT_VIEW)).isEqualTo("violated");
  }

  @Test
  void aMinimumThatGoesDownInItsOwnRowWasOverwritten() {
    Checked certified =
        Checked.with(
            """
            {"session":1,"id":"L","ops":[["w","x",5]]}
            {"session":2,"id":"A","ops":[["select",{"select":["min","v"]},5],["w","y",9]]}
            {"session":3,"id":"B","ops":[["r","y",null],["w","x",3]]}
            """,
            """
            {"key":"x","versions":[5,3]}
            {"select":"A#0","set":{"x":5}}
            """);
    assertThat(certified.anomalies()).containsExactly(AnomalyType.G2);
    assertThat(certified.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
  }

  @Test
  void whatIsSeenByAPredicateAndMissedAsAnItemIsNoRepeatableRead() {
    Checked certified =
        Checked.with(
            """
            {"session":1,"id":"A","ops":[["w","x",1]]}
            {"session":2,"id":"B","ops":[["r","x",null],["select",{"select":["count"]},1]]}
            """,
            "{\"select\":\"B#1\",\"set\":{\"x\":1}}");
    assertThat(certified.anomalies()).containsExactly(AnomalyType.G_SINGLE_ITEM);
    assertThat(certified.verdict(Level.REPEATABLE_READ)).isEqualTo("violated");
  }

  private static final String TWO_UPDATES =
      """
      {"session":1,"id":"L","ops":[["w","x",1]]}
      {"session":2,"id":"A","ops":[["update",{"set":{"v":["+","v",1]}},[["x",2]]]]}
      {"session":3,"id":"B","ops":[["update",%s,[["x",%s]]]]}
      """;

  private static final String BOTH_SAW_THE_FIRST =
      """
      {"key":"x","versions":[1,2,%s]}
      {"select":"A#0","set":{"x":1}}
      {"select":"B#0","set":{"x":1}}
      """;

  @Test
  void anUpdateByPredicateOfAVersionThatIsNotTheLastIsLost() {
    String addsTen = "{\"set\":{\"v\":[\"+\",\"v\",10]}}";
    Checked certified =
        Checked.with(TWO_UPDATES.formatted(addsTen, "11"), BOTH_SAW_THE_FIRST.formatted("11"));
    assertThat(certified.anomalies())
        .containsExactly(AnomalyType.G_SINGLE_ITEM, AnomalyType.LOST_UPDATE);
    assertThat(certified.verdict(Level.SNAPSHOT_ISOLATION)).isEqualTo("violated");
    assertThat(certified.verdict(Level.REPEATABLE_READ)).isEqualTo("violated");
  }

  @Test
  void aDeletionOnlyNeedsTheRowToMatch() {
    Checked certified =
        Checked.with(
            TWO_UPDATES.formatted("{\"delete\":true}", "null"),
            BOTH_SAW_THE_FIRST.formatted("{\"by\":\"B\"}"));
    assertThat(certified.anomalies()).isEmpty();
    assertThat(certified.verdict(Level.SERIALIZABLE)).isEqualTo("holds");
  }

  @Test
  void noOperationLookedAtWhatItsTransactionWroteLater() {
    Checked certified =
        Checked.with(
            """
            {"session":1,"id":"A","ops":[["select",{},[]],["w","x",null]]}
            {"session":2,"id":"B","ops":[["w","x",1]]}
            """,
            """
            {"key":"x","versions":[1,{"by":"A"}]}
            {"select":"A#0","set":{"x":{"by":"A"}}}
            """);
    assertThat(certified.anomalies()).contains(AnomalyType.CERTIFICATE_CONTRADICTION);
  }

  /** C saw what A wrote, so A counts, and B follows it in their session. */
  @Test
  void aTransactionOfUnknownOutcomeThatCountsIsSeenByTheNextOfItsSession() {
    String history =
        """
        {"session":0,"id":"A","outcome":"indeterminate","ops":[["w","x",2]]}
        {"session":0,"id":"B","ops":[["select",{"select":["sum","v"]},null],["r","y",null]]}
        {"session":0,"id":"C","ops":[["select",{"where":["=","v",2]},[["x",2]]]]}
        """;
    Checked checked = Checked.alone(history);
    assertThat(checked.verdict(Level.STRONG_SESSION_SNAPSHOT_ISOLATION)).isEqualTo("violated");
    assertThat(checked.verdict(Level.STRONG_SESSION_SERIALIZABLE)).isEqualTo("violated");
    assertThat(checked.verdict(Level.SERIALIZABLE)).isEqualTo("holds");
  }
}
