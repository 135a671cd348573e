package dev.assay.check.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Lines;
import dev.assay.format.ParseException;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The database's own timestamps are the real time of the strong levels, where they are trusted. */
class TimestampCheckerTest {
  private static Report check(String lines) throws ParseException {
    Given given = new Given(Set.of(Assumption.TIMESTAMPS), VersionCertificate.NONE);
    return Assay.check(Lines.history(lines), Level.surveyed(), given, Budget.unlimited());
  }

  private static final String SERIAL =
      """
      {"session":1,"snapshot":0,"commitTs":5,"ops":[["w","x",1]]}
      {"session":2,"snapshot":6,"commitTs":8,"ops":[["r","x",1],["w","x",2]]}
      {"session":3,"snapshot":9,"commitTs":10,"ops":[["r","x",2]]}
      """;

  @Test
  void aSerialOrderOfTimestampsIsStrict() throws ParseException {
    Report report = check(SERIAL);
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(report.anomalies()).isEmpty();
  }

  @Test
  void aReadThatMissesWhatWasCommittedBeforeItsSnapshotIsStale() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"snapshot":0,"commitTs":5,"ops":[["w","x",1]]}
            {"session":2,"snapshot":6,"commitTs":8,"ops":[["r","x",null],["w","y",2]]}
            """);
    assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.STRONG_CONSISTENT_VIEW)).isTrue();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.STRONG_ADYA_READ_COMMITTED)).isTrue();
  }

  @Test
  void writeSkewOnSnapshotsIsStrongSnapshotIsolation() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"snapshot":0,"commitTs":5,"ops":[["r","x",null],["w","y",1]]}
            {"session":2,"snapshot":0,"commitTs":6,"ops":[["r","y",null],["w","x",1]]}
            """);
    assertThat(report.holds(Level.STRONG_SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void aSnapshotAtTheTimeOfACommitHasIt() throws ParseException {
    Report report =
        check(
            """
            {"session":2,"snapshot":5,"ops":[["r","x",1]]}
            {"session":1,"snapshot":0,"commitTs":5,"ops":[["w","x",1]]}
            """);
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  @Test
  void aSessionThatDoesNotSeeItsPastProvesNoStrongLevel() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"snapshot":0,"commitTs":5,"ops":[["w","x",1]]}
            {"session":1,"snapshot":2,"commitTs":6,"ops":[["r","x",null],["w","y",1]]}
            """);
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.STRONG_SESSION_SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void clocksOfClientsThatDisagreeKeepALevelFromHolding() throws ParseException {
    String late =
        """
        {"session":1,"start":20,"end":30,"snapshot":0,"commitTs":5,"ops":[["w","x",1]]}
        {"session":2,"start":1,"end":2,"snapshot":6,"commitTs":8,"ops":[["r","x",1]]}
        """;
    assertThat(check(late).holds(Level.STRONG_SNAPSHOT_ISOLATION)).isFalse();
    assertThat(
            check(
                    late.replace("\"start\":1,", "\"start\":31,")
                        .replace("\"end\":2,", "\"end\":32,"))
                .holds(Level.STRICT_SERIALIZABLE))
        .isTrue();
  }

  @Test
  void aTransactionWithoutATimestampLeavesThemUndecided() throws ParseException {
    String part = SERIAL.replace("\"snapshot\":6,\"commitTs\":8,", "");
    assertThat(check(part).holds(Level.STRICT_SERIALIZABLE)).isFalse();
    assertThat(check(part).violated(Level.STRICT_SERIALIZABLE)).isFalse();
  }
}
