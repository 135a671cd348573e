package dev.assay.check;

import static dev.assay.check.Lines.check;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/** Levels of counters that hold by some order of the increments. */
class GuessedCountersTest {
  private static String id(Report report, Level level) {
    return report.verdict(level).id();
  }

  /** Of the increments that ended at 9 and 8 the reader that began at 10 saw one, at first. */
  @Test
  void anIncrementThatEndsLateMayBeTheFirst() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":1,"end":9,"ops":[["inc","c",1],["inc","d",1]]}
            {"session":2,"start":1,"end":8,"ops":[["inc","c",1],["rc","d",1]]}
            {"session":3,"start":2,"end":7,"ops":[["rc","c",1],["rc","d",1]]}
            {"session":3,"start":10,"end":11,"ops":[["rc","c",2],["rc","d",1]]}
            """);
    assertThat(id(report, Level.STRICT_SERIALIZABLE)).isEqualTo("holds");
    assertThat(report.verdict(Level.STRICT_SERIALIZABLE).why())
        .isEqualTo("an order of the increments satisfies it");
  }

  @Test
  void incrementsByMoreThanOneGoPastNoReader() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":1,"end":5,"ops":[["inc","c",2]]}
            {"session":2,"start":1,"end":6,"ops":[["inc","c",1]]}
            {"session":3,"start":2,"end":7,"ops":[["rc","c",1]]}
            {"session":3,"start":8,"end":9,"ops":[["rc","c",3]]}
            """);
    assertThat(id(report, Level.STRICT_SERIALIZABLE)).isEqualTo("holds");
  }

  /** Write skew: neither saw the other's increment. */
  @Test
  void snapshotsOfCountersAreSnapshots() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":1,"end":5,"ops":[["rc","c",0],["inc","d",1]]}
            {"session":2,"start":1,"end":5,"ops":[["rc","d",0],["inc","c",1]]}
            {"session":3,"start":6,"end":9,"ops":[["rc","c",1],["rc","d",1]]}
            """);
    assertThat(id(report, Level.STRONG_SNAPSHOT_ISOLATION)).isEqualTo("holds");
    assertThat(id(report, Level.SERIALIZABLE)).isNotEqualTo("holds");
  }

  @Test
  void statementsThatSeeWhatIsCommittedAreReadCommitted() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":1,"end":4,"ops":[["inc","c",1],["inc","d",1]]}
            {"session":2,"start":1,"end":5,"ops":[["rc","c",0],["rc","d",1],["inc","d",1]]}
            """);
    assertThat(id(report, Level.READ_COMMITTED)).isEqualTo("holds");
    assertThat(id(report, Level.CUT_ISOLATION)).isEqualTo("holds");
    assertThat(id(report, Level.READ_ATOMIC)).isNotEqualTo("holds");
  }

  @Test
  void whateverIsReadIncrementsHaveAnOrder() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["inc","c",1],["rc","c",7]]}
            {"session":2,"ops":[["inc","c",1]]}
            """);
    assertThat(id(report, Level.STRONG_SESSION_READ_UNCOMMITTED)).isEqualTo("holds");
    assertThat(id(report, Level.ADYA_READ_COMMITTED)).isEqualTo("violated");
  }

  @Test
  void setsAndRegistersBesideCountersAreJudgedToo() throws ParseException {
    String lines =
        """
        {"session":1,"ops":[["inc","c",1],["add","s",1],["w","x",1]]}
        {"session":2,"ops":[["rc","c",1],["rs","s",%s],["r","x",1]]}
        """;
    assertThat(id(check(lines.formatted("[1]")), Level.SERIALIZABLE)).isEqualTo("holds");
    assertThat(id(check(lines.formatted("[]")), Level.SERIALIZABLE)).isEqualTo("violated");
  }

  @Test
  void sumsThatMayOverflowAreLeftOpen() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["inc","c",9223372036854775807]]}
            {"session":2,"ops":[["inc","c",9223372036854775807]]}
            """);
    assertThat(id(report, Level.SERIALIZABLE)).isEqualTo("unknown");
  }

  /** Run without its abortion it would add up to two. */
  @Test
  void whatWasAbortedAddsNothing() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"outcome":"aborted","ops":[["inc","c",1]]}
            {"session":1,"ops":[["inc","c",1]]}
            {"session":2,"outcome":"indeterminate","ops":[["inc","c",1]]}
            {"session":3,"ops":[["rc","c",1]]}
            """);
    assertThat(id(report, Level.STRONG_SESSION_SERIALIZABLE)).isEqualTo("holds");
  }
}
