package dev.assay.collect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers in the form that the documentation of CockroachDB and TiDB shows. */
class DocumentedAnswersTest {
  private static CommitLog.Change change(long key, Object version) {
    return new CommitLog.Change(key, version);
  }

  @Test
  void aChangefeedIsTransactionsInTheOrderOfTheirTimestamps() throws Exception {
    Changefeed feed = changefeed();
    CommitLog log =
        feed.log(
            Map.of(
                "1532377313004127711.0000000000", "17",
                "1532377312873458612.0000000001", "9"));
    assertThat(log.transactions())
        .containsExactly(
            new CommitLog.Committed(
                0,
                null,
                change(2, List.of(74L, 0L)),
                List.of(change(0, List.of(56L, 0L)), change(2, List.of(74L, 0L)))),
            new CommitLog.Committed(
                1, null, change(0, List.of(9L, 30L)), List.of(change(0, List.of(9L, 30L)))),
            new CommitLog.Committed(
                2, "9", change(2, List.of(75L, 41L)), List.of(change(2, List.of(75L, 41L)))),
            new CommitLog.Committed(3, "17", null, List.of(change(0, null))),
            new CommitLog.Committed(4, null, change(7, 12L), List.of(change(7, 12L))));
  }

  @ParameterizedTest
  @CsvSource({
    "1532377312562986714.9, -1, 0",
    "1532377312562986715, -1, 1",
    "1532377312873458612.0000000000, -1, 2",
    "1532377312873458612.0000000001, -1, 3",
    "1532377312873458612.0000000001, 2, 2",
    "1632377312873458612.0000000001, -1, 5"
  })
  void aTimestampSeesWhatIsNotLaterAndNotItself(String timestamp, int own, int upTo)
      throws Exception {
    Changefeed feed = changefeed();
    feed.log(Map.of());
    Snapshots.Visible visible = feed.snapshots().read(timestamp, own);
    assertThat(visible.upTo()).isEqualTo(upTo);
    assertThat(visible.except()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]|{\"after\": {\"k\": 1}, \"updated\": \"15.0\"}",
        "[1]|{\"after\": null}",
        "[1]|{\"updated\": \"15.0\"}",
        "[1]|{\"after\": {\"val\": 1, \"ver\": 2}, \"updated\": \"now\"}",
        "[1]|[]",
        "x|{\"after\": null, \"updated\": \"15.0\"}",
        "[1]|{\"after\": {\"val\": 1"
      })
  void aMessageThatMeansNothingIsSaidSo(String key, String value) {
    assertThatThrownBy(() -> new Changefeed().accept("assay_rows", key, value))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("unknown");
  }

  @Test
  void theVersionsOfRowsAreTransactionsInTheOrderOfTheirCommits() throws Exception {
    MvccVersions versions = new MvccVersions();
    versions.accept(0, resource("mvcc-row-0.json"));
    versions.accept(2, resource("mvcc-row-2.json"));
    Map<String, String> ids =
        Map.of(
            "405179368526053377", "1",
            "405179368526053381", "2",
            "405179368526053384", "3",
            "405179368526053387", "4");
    assertThat(versions.log(ids).transactions())
        .containsExactly(
            new CommitLog.Committed(
                405179368526053380L, "1", null, List.of(change(0, null), change(2, null))),
            new CommitLog.Committed(405179368526053383L, "2", null, List.of(change(2, null))),
            new CommitLog.Committed(405179368526053390L, "4", null, List.of(change(0, null))));
    assertThatThrownBy(() -> versions.log(Map.of("405179368526053377", "1")))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("405179368526053381");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"info\":{\"writes\":[{\"start_ts\":5}]}}",
        "{\"info\":{\"writes\":[{\"start_ts\":5,\"commit_ts\":4}]}}",
        "{\"info\":{\"writes\":[{\"start_ts\":5,\"commit_ts\":6,\"type\":9}]}}",
        "{\"writes\":[{\"start_ts\":5,\"commit_ts\":6},{\"start_ts\":4,\"commit_ts\":6}]}",
        "{\"info\":{\"writes\":[{\"start_ts\":\"x\",\"commit_ts\":6}]}}",
        "{\"info\":{\"writes\":["
      })
  void versionsThatMeanNothingAreSaidSo(String answer) {
    assertThatThrownBy(() -> new MvccVersions().accept(1, answer))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("cannot interpret TiDB's versions of");
  }

  private static Changefeed changefeed() throws IOException {
    Changefeed feed = new Changefeed();
    for (String line : resource("changefeed.txt").lines().toList()) {
      String[] fields = line.split("\t");
      feed.accept(fields[0].equals("-") ? null : fields[0], fields[1], fields[2]);
    }
    return feed;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = DocumentedAnswersTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
