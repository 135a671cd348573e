package dev.assay.check.adya;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.Lines;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which certificates agree with an order of the transactions, and what that proves. */
class AgreedOrderTest {
  private static final String HISTORY =
      """
      {"session":1,"id":"A","ops":[["w","x",1],["w","y",1]]}
      {"session":2,"id":"B","ops":[["r","x",1],["w","x",2]]}
      {"session":1,"id":"C","ops":[["r","x",2],["r","y",1]]}
      """;

  private static final String VERSIONS =
      """
      {"key":"x","versions":[1,2]}
      {"key":"y","versions":[1]}
      """;

  private static Level proven(String text, String certificate, Set<Level> violated)
      throws ParseException {
    History history = Lines.history(text);
    VersionCertificate given =
        certificate.isEmpty() ? VersionCertificate.NONE : Lines.certificate(certificate, history);
    ReadsFrom reads = ReadsFrom.of(history);
    VersionOrders versions =
        new VersionOrders(history, reads, new Given(Assumption.DEFAULT, given));
    return new AgreedOrder(
            new Subject(
                history,
                reads,
                versions,
                EnumSet.of(Level.SERIALIZABLE),
                violated,
                Set.of(),
                Budget.unlimited()))
        .proven();
  }

  private static Level proven(String text, String certificate) throws ParseException {
    return proven(text, certificate, Set.of());
  }

  @Test
  void versionsInTheOrderOfTheFileProveThatOrder() throws ParseException {
    assertThat(proven(HISTORY, VERSIONS)).isEqualTo(Level.STRONG_SESSION_SERIALIZABLE);
  }

  @Test
  void theOrderOfCommitsIsTriedWhereAllTransactionsAreInIt() throws ParseException {
    String turned =
        """
        {"session":2,"id":"B","ops":[["r","x",1],["w","x",2]]}
        {"session":1,"id":"A","ops":[["w","x",1],["w","y",1]]}
        {"session":1,"id":"C","ops":[["r","x",2],["r","y",1]]}
        """;
    assertThat(proven(turned, VERSIONS)).isNull();
    assertThat(proven(turned, VERSIONS + "{\"commits\":[\"A\",\"B\",\"C\"]}\n"))
        .isEqualTo(Level.STRONG_SESSION_SERIALIZABLE);
    assertThat(proven(turned, VERSIONS + "{\"commits\":[\"A\",\"B\"]}\n")).isNull();
  }

  @Test
  void timesMakeItStrictOrProveNothing() throws ParseException {
    String timed =
        """
        {"session":1,"id":"A","start":1,"end":2,"ops":[["w","x",1]]}
        {"session":2,"id":"B","start":%d,"end":%d,"ops":[["r","x",1],["w","x",2]]}
        {"session":3,"id":"C","start":5,"end":6,"ops":[["r","x",1]]}
        """;
    String certificate = "{\"key\":\"x\",\"versions\":[1,2]}\n{\"commits\":[\"A\",\"C\",\"B\"]}\n";
    assertThat(proven(timed.formatted(4, 7), certificate)).isEqualTo(Level.STRICT_SERIALIZABLE);
    assertThat(proven(timed.formatted(3, 4), certificate)).isNull();
  }

  @Test
  void anOrderAgainstASessionProvesNothing() throws ParseException {
    String history =
        """
        {"session":1,"id":"A","ops":[["r","x",2]]}
        {"session":1,"id":"B","ops":[["w","x",1]]}
        {"session":2,"id":"C","ops":[["r","x",1],["w","x",2]]}
        """;
    String certificate = "{\"key\":\"x\",\"versions\":[1,2]}\n{\"commits\":[\"B\",\"C\",\"A\"]}\n";
    assertThat(proven(history, certificate)).isNull();
  }

  @Test
  void versionsThatTheOrderDoesNotWriteOneAfterAnotherAreRefused() throws ParseException {
    String blind =
        """
        {"session":1,"id":"A","ops":[["w","x",1]]}
        {"session":2,"id":"B","ops":[["w","x",2]]}
        """;
    assertThat(proven(blind, "{\"key\":\"x\",\"versions\":[1,2]}")).isNotNull();
    assertThat(proven(blind, "{\"key\":\"x\",\"versions\":[2,1]}")).isNull();
  }

  @Test
  void aReadThatTheOrderDoesNotExplainIsRefused() throws ParseException {
    String stale = HISTORY.replace("[\"r\",\"x\",2]", "[\"r\",\"x\",1]");
    assertThat(proven(stale, VERSIONS)).isNull();
  }

  @Test
  void nothingIsProvenWithoutVersionOrders() throws ParseException {
    assertThat(proven(HISTORY, "")).isNull();
    assertThat(proven(HISTORY, "{\"commits\":[\"A\",\"B\",\"C\"]}")).isNull();
    assertThat(proven(HISTORY, "{\"key\":\"x\",\"versions\":[1]}")).isNull();
  }

  @Test
  void pairsOfVersionsLeaveTheRestOpenToAGuess() throws ParseException {
    assertThat(proven(HISTORY, "{\"key\":\"x\",\"pairs\":[[1,2]]}")).isNotNull();
    assertThat(proven(HISTORY, "{\"key\":\"x\",\"pairs\":[[2,1]]}")).isNull();
  }

  @Test
  void nothingIsProvenWhereSomethingWasFound() throws ParseException {
    assertThat(proven(HISTORY, VERSIONS, EnumSet.of(Level.CAUSAL))).isNull();
  }

  @Test
  void onlyRegistersWhoseReadsNameTheirWritersAreLookedAt() throws ParseException {
    String list = "{\"session\":3,\"id\":\"D\",\"ops\":[[\"append\",\"l\",1]]}\n";
    assertThat(proven(HISTORY + list, VERSIONS)).isNull();
    String again = "{\"session\":3,\"id\":\"D\",\"ops\":[[\"w\",\"z\",5]]}\n";
    String reader = "{\"session\":5,\"id\":\"F\",\"ops\":[[\"r\",\"z\",5]]}\n";
    String twice = again + again.replace("\"D\"", "\"E\"").replace("3", "4") + reader;
    assertThat(proven(HISTORY + again + reader, VERSIONS)).isNotNull();
    assertThat(proven(HISTORY + twice, VERSIONS)).isNull();
  }
}
