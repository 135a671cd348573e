package dev.assay.check.adya;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/** Elements of a set are items of their own: who adds different ones is in no conflict. */
class SetElementsTest {
  /** Two snapshots of an empty set, as in any database whose sets are rows. */
  @Test
  void whoAddsToASetThatAnotherAddsToMeanwhileLosesNoUpdate() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["rs","s",[]],["add","s",1]]}
            {"session":2,"ops":[["rs","s",[]],["add","s",2]]}
            {"session":3,"ops":[["rs","s",[1]]]}
            {"session":4,"ops":[["rs","s",[1,2]]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.G2_ITEM);
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isFalse();
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void aForkOfTheElementsOfASetIsNoSnapshot() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add","s",1]]}
            {"session":2,"ops":[["add","s",2]]}
            {"session":3,"ops":[["rs","s",[1]]]}
            {"session":4,"ops":[["rs","s",[2]]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.G_NONADJACENT_ITEM);
    assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void aReadThatMissesWhatItsSourceHadSeenIsReadSkew() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add","s",1],["add","t",1]]}
            {"session":2,"ops":[["rs","s",[1]],["rs","t",[]]]}
            """);
    assertThat(types(report)).contains(AnomalyType.G_SINGLE_ITEM);
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
    assertThat(report.holds(Level.ADYA_READ_COMMITTED)).isTrue();
  }

  @Test
  void aReadOfUnknownResultIsNoWitness() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["rs","s"],["rs","s",[]],["add","t",1]]}
            {"session":2,"ops":[["rs","t"],["rs","t",[]],["add","s",1]]}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.G2_ITEM);
  }

  @Test
  void aReadOfAnUnknownNumberIsNoWitness() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["inc","c",1]]}
            {"session":1,"ops":[["inc","d",1]]}
            {"session":2,"ops":[["rc","c"],["rc","d"],["rc","c",0],["rc","d",1]]}
            {"session":3,"ops":[["rc","d"],["rc","c"],["rc","d",0],["rc","c",1]]}
            """);
    assertThat(types(report)).contains(AnomalyType.CO_CONFLICT, AnomalyType.G_NONADJACENT_ITEM);
    report.anomalies().stream()
        .flatMap(anomaly -> anomaly.witnesses().stream())
        .flatMap(witness -> witness.edges().stream())
        .filter(edge -> edge.kind() == EdgeKind.RW)
        .forEach(
            edge -> assertThat(report.history().value(edge.fromOp())).isNotEqualTo(Values.UNKNOWN));
  }
}
