package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/**
 * Elle's own examples of predicates, all of which Elle rejects. For Elle what {@code init} loads is
 * there before everything else; here it is a transaction, and comes first by real time: without it
 * serializability may hold where Elle says that it does not.
 */
class EllePredicatesTest {
  private static final String LOADED = "{\"session\":0,\"start\":0,\"end\":1,\"ops\":[%s]}\n";

  @Test
  void aRowThatEveryVersionShowsIsMissed() {
    Checked checked =
        Checked.alone(
            LOADED.formatted("[\"w\",5,3]")
                + """
                {"session":1,"start":2,"end":3,"ops":[["select",{"where":["=",["%","v",2],1]},[]],\
                ["select",{"where":["=","v",3]},[]]]}
                """);
    assertThat(checked.verdict(Level.STRICT_SERIALIZABLE)).isEqualTo("violated");
    assertThat(checked.verdict(Level.SERIALIZABLE)).isEqualTo("holds");
  }

  @Test
  void eachMissesTheRowThatTheOtherChanged() {
    Checked checked =
        Checked.alone(
            LOADED.formatted("[\"w\",\"x\",0],[\"w\",\"y\",0]")
                + """
                {"session":1,"start":2,"end":5,\
                "ops":[["select",{"where":["=","v",0]},[["x",0]]],["w","x",1]]}
                {"session":2,"start":3,"end":4,\
                "ops":[["select",{"where":["=","v",0]},[["y",0]]],["w","y",1]]}
                """);
    assertThat(checked.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
    assertThat(checked.verdict(Level.SNAPSHOT_ISOLATION)).isEqualTo("violated");
  }

  @Test
  void eachSeesTheOthersRowAndNotItsOwn() {
    Checked checked =
        Checked.alone(
            """
            {"session":0,"ops":[["w","x",1],["select",{},[["y",2]]]]}
            {"session":1,"ops":[["w","y",2],["select",{},[["x",1]]]]}
            """);
    assertThat(checked.anomalies()).contains(AnomalyType.G1C, AnomalyType.RESULT_SET_MISMATCH);
    assertThat(checked.verdict(Level.ADYA_READ_COMMITTED)).isEqualTo("violated");
    assertThat(checked.verdict(Level.SERIALIZABLE)).isEqualTo("violated");
  }

  @Test
  void aLoadedRowIsReadAsAbsent() {
    Checked checked =
        Checked.alone(
            LOADED.formatted("[\"w\",7,1]")
                + """
                {"session":1,"start":2,"end":3,\
                "ops":[["select",{"where":["=",["%","v",2],0]},[]],["r",7,null]]}
                """);
    assertThat(checked.verdict(Level.STRONG_SNAPSHOT_ISOLATION)).isEqualTo("violated");
    assertThat(checked.verdict(Level.SERIALIZABLE)).isEqualTo("holds");
  }

  @Test
  void anInsertIsSeenAndWhatWasLoadedBeforeItIsNot() {
    Checked checked =
        Checked.alone(
            LOADED.formatted("[\"w\",\"x\",0],[\"w\",\"z\",0]")
                + """
                {"session":0,"start":2,"end":3,"ops":[["w","x",null],["w","y",1]]}
                {"session":1,"start":4,"end":5,"ops":[["r","y",1],["r","z",null]]}
                """);
    assertThat(checked.anomalies()).contains(AnomalyType.G_SINGLE_ITEM_PROCESS);
    assertThat(checked.verdict(Level.STRICT_SERIALIZABLE)).isEqualTo("violated");
    assertThat(checked.verdict(Level.SERIALIZABLE)).isEqualTo("holds");
  }
}
