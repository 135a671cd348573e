package dev.assay.check;

import static dev.assay.check.Lines.check;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.level.Level;
import org.junit.jupiter.api.Test;

/** Transactions that write only initial values: reads of these name them where they came first. */
class LoadersTest {
  @Test
  void whoReadNilBeforeItWasWrittenReadNothing() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":0,"end":1,"ops":[["r","x",null]]}
            {"session":2,"start":2,"end":3,"ops":[["w","x",null]]}
            {"session":3,"start":4,"end":5,"ops":[["r","x",null]]}
            """);
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  @Test
  void whoReadNilAfterItWasLoadedReadTheLoader() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"start":0,"end":1,"ops":[["w","x",null]]}
            {"session":2,"start":2,"end":3,"ops":[["w","x",1]]}
            {"session":3,"start":4,"end":5,"ops":[["r","x",null]]}
            """);
    assertThat(report.violated(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  /** The last read may be of the first write, which the others need not have seen. */
  @Test
  void aWriteAmongOthersLoadsNothingOperationByOperation() throws ParseException {
    Report report =
        check(
            """
            {"assay":1,"initial":0}
            {"session":2,"ops":[["w","x",0],["w","x",1],["r","x",1]]}
            {"session":1,"ops":[["r","x",0]]}
            {"session":1,"ops":[["w","x",2]]}
            {"session":1,"ops":[["r","x",0]]}
            """);
    assertThat(report.violated(Level.CAUSAL_NON_TRANSACTIONAL)).isFalse();
  }
}
