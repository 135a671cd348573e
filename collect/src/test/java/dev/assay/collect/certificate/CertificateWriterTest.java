package dev.assay.collect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateWriterTest {
  private static final String HISTORY =
      """
      {"assay":1,"initial":null,"metadata":{"columns":"val,ver"}}
      {"session":0,"outcome":"committed","id":1,"ops":[["w",5,{"vector":[3,0]}]]}
      {"session":1,"outcome":"indeterminate","id":2,"ops":[["w",5,{"vector":[4,7]}]]}
      {"session":2,"outcome":"committed","id":3,"ops":[["select",{},[[5,{"vector":[3,0]}]]]]}
      {"session":3,"outcome":"committed","id":4,"ops":[["update",{"delete":true},[[5,null]]]]}
      {"session":4,"outcome":"aborted","id":5,"ops":[["w",5,{"vector":[9,9]}]]}
      {"session":5,"outcome":"indeterminate","id":6,"ops":[["w",6,{"vector":[1,8]}]]}
      """;

  @TempDir Path folder;

  private final CommitLog log = new CommitLog();

  @Test
  void theCertificateIsInTheFormThatCheckReads() throws Exception {
    commit(100, null, 5, List.of(3L, 0L));
    commit(102, null, 5, List.of(4L, 7L));
    commit(101, "4", 5, null);
    Tracing tracing = new Tracing(Probe.NONE);
    tracing.saw(3, 0, "101:103:102");
    tracing.saw(4, Tracing.Seen.WHOLE, "101:101:");
    tracing.saw(5, 0, "101:101:");
    tracing.saw(1, Tracing.Seen.WHOLE, "100:100:");
    tracing.saw(6, Tracing.Seen.NAME, "x");

    Path file = folder.resolve("certificate.jsonl");
    new CertificateWriter(history(), log)
        .write(file, tracing.seen(), new XidSnapshots(log.transactions()));
    assertThat(file)
        .hasContent(
            """
            {"commits":["1","2","4"]}
            {"key":5,"versions":[{"vector":[3,0]},{"vector":[4,7]},{"by":"4"}]}
            {"select":"3#0","snapshot":{"upTo":"4","except":["2"]}}
            {"snapshot":"4","upTo":"1"}
            {"snapshot":"1","upTo":null}
            """);
  }

  /** Readers go where they say the log ended; an order that lacks one is not written. */
  @Test
  void aSerialOrderIsWrittenOnlyIfItHasAllThatCommitted() throws Exception {
    commit(100, null, 5, List.of(3L, 0L));
    commit(101, "4", 5, null);
    Tracing tracing = new Tracing(Probe.NONE);
    tracing.saw(4, Tracing.Seen.NAME, "100");
    assertThat(ordered(tracing)).isEmpty();
    tracing.saw(3, Tracing.Seen.NAME, "100");
    assertThat(ordered(tracing)).containsExactly("{\"order\":[\"1\",\"3\",\"4\"]}");
  }

  private List<String> ordered(Tracing tracing) throws Exception {
    OrderedSnapshots places = new OrderedSnapshots(log.transactions());
    Snapshots serial =
        new Snapshots() {
          @Override
          public Visible read(String text, int own) {
            return places.upTo(Long.parseLong(text));
          }

          @Override
          public boolean areOfSerialOrder() {
            return true;
          }
        };
    Path file = folder.resolve("certificate.jsonl");
    new CertificateWriter(history(), log).write(file, tracing.seen(), serial);
    return Files.readAllLines(file).stream().filter(line -> line.contains("order")).toList();
  }

  /** 2 was never acknowledged; the log has it in the snapshot of 3, which does not show it. */
  @Test
  void aReaderThatMissesACommitOfUnknownOutcomeIsFound() throws Exception {
    commit(100, null, 5, List.of(3L, 0L));
    commit(102, null, 5, List.of(4L, 7L));
    commit(104, "4", 5, null);
    assertThat(judged("103:103:")).isEqualTo("violated");
    assertThat(judged("102:102:")).isEqualTo("holds");
  }

  private String judged(String snapshot) throws Exception {
    Tracing tracing = new Tracing(Probe.NONE);
    tracing.saw(3, 0, snapshot);
    tracing.saw(4, Tracing.Seen.WHOLE, "103:103:");
    Path file = folder.resolve("certificate.jsonl");
    History history = history();
    new CertificateWriter(history, log)
        .write(file, tracing.seen(), new XidSnapshots(log.transactions()));
    Given given = new Given(Assumption.DEFAULT, VersionCertificates.read(Input.of(file), history));
    Set<Level> serializable = Set.of(Level.SERIALIZABLE);
    return Assay.check(history, serializable, given, Budget.unlimited())
        .verdict(Level.SERIALIZABLE)
        .id();
  }

  @Test
  void aLogThatCannotBeOfThisRunIsRefused() throws Exception {
    commit(100, null, 5, List.of(3L, 1L));
    refused("the log has 5 = [3, 1] in a transaction that is not the one of the history");
  }

  @Test
  void aTransactionThatNobodyCanBeIsRefused() throws Exception {
    commit(100, null, 5, null);
    refused("log transaction 100 matches none in the history");
  }

  @Test
  void aMarkOfAnotherTransactionIsRefused() throws Exception {
    commit(100, "2", 5, List.of(3L, 0L));
    refused("the log has 5 = [3, 0] in a transaction that is not the one of the history");
  }

  @Test
  void anAbortedTransactionThatTheLogHasCommittedIsSaidSo() throws Exception {
    commit(100, null, 5, List.of(9L, 9L));
    refused("transaction 5 is committed in the log, but its client saw it abort");
  }

  private void refused(String message) throws Exception {
    History history = history();
    assertThatThrownBy(() -> new CertificateWriter(history, log))
        .isInstanceOf(CertificateException.class)
        .hasMessage(message);
  }

  private void commit(long id, String mark, long key, Object version) {
    log.begin();
    log.mark(mark);
    log.version(key, version);
    log.commit(id);
  }

  private History history() throws Exception {
    Path file = folder.resolve("history.jsonl");
    Files.writeString(file, HISTORY);
    return Formats.read(Input.of(file));
  }
}
