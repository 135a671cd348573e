package dev.assay.format.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A certificate says the same, and has the same faults, whichever parser reads its lines. */
class PlainCertificateTest {
  private static final String CERTIFICATE =
      """
      {"key":1,"versions":[null,{"vector":[5,1]},{"vector":[6,2]}]}
      {"key":"x","versions":[7,8,-12345678901]}
      {"key":"l","versions":["a","b"]}
      {"key":"x","pairs":[[8,7],[null,8]]}
      {"key":1,"pairs":[]}
      {"commits":["t0","t1",2]}
      {"snapshot":"t1","upTo":"t0"}
      {"snapshot":"t0","upTo":null,"except":[]}
      {"select":"2#1","snapshot":{"upTo":"t1","except":["t0"]}}
      {"order":["t0",2,"t1"]}
      """;

  private static History history() {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session("s"), Outcome.COMMITTED);
    b.id(0, b.scalars().of("t0"));
    b.write(1, List.of(5L, 1L));
    b.write("x", 7);
    b.append("l", "a");
    b.begin(b.session("s"), Outcome.COMMITTED);
    b.id(1, b.scalars().of("t1"));
    b.write(1, List.of(6L, 2L));
    b.write("x", 8);
    b.append("l", "b");
    b.begin(b.session("s"), Outcome.COMMITTED);
    b.id(2, b.scalars().of(2L));
    b.write("x", -12345678901L);
    b.predicate(OpKind.SELECT, "{}");
    return b.build();
  }

  @Test
  void plainLinesSayWhatOthersSay() {
    String described = described(CERTIFICATE);
    assertThat(described).contains("1: -1 0 3").contains("x: 1 4 6").contains("l: 2 5");
    assertThat(described).contains("x: 4 1 some\nx: -1 4 some\n");
    assertThat(described).contains("[0, 2, 1]").contains("[0, 1, 2]");
    assertThat(described).contains("Snapshot[commits=1, except=[], also=[]]");
    assertThat(described).contains("Snapshot[commits=2, except=[0], also=[]]");
    assertThat(described(spaced(CERTIFICATE))).isEqualTo(described);
  }

  @Test
  void damagedLinesSayWhatOthersSay() {
    byte[] good = CERTIFICATE.getBytes(StandardCharsets.UTF_8);
    Random random = new Random(7);
    int readable = 0;
    for (int i = 0; i < 4000; i++) {
      String damaged = new String(Mutations.mutate(good, random), StandardCharsets.ISO_8859_1);
      String described = described(damaged);
      assertThat(withoutColumn(described(spaced(damaged))))
          .as(damaged)
          .isEqualTo(withoutColumn(described));
      readable += described.startsWith("c.jsonl") ? 0 : 1;
    }
    assertThat(readable).isBetween(1, 3999);
  }

  @Test
  void aLineThatBeginsWithManySpacesIsNotBlank() {
    assertThat(described(" ".repeat(100) + "{\"key\":\"nobody\",\"versions\":[]}\n"))
        .startsWith("c.jsonl:1: the history has no key nobody");
  }

  /** A tab before the line end makes a line that is not plain. */
  private static String spaced(String text) {
    return text.replace("}\n", "}\t\n");
  }

  /** Of what is wrong only the line: the tab may have changed the rest. */
  private static String withoutColumn(String described) {
    return described.replaceFirst("^(c.jsonl:\\d+):.*", "$1");
  }

  private static String described(String text) {
    History history = history();
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    try {
      return described(VersionCertificates.read(Input.of("c.jsonl", bytes), history), history);
    } catch (ParseException e) {
      return e.place() + ": " + e.getMessage() + ", not " + e.expected() + " (" + e.hint() + ")";
    }
  }

  private static String described(VersionCertificate certificate, History history) {
    StringBuilder text = new StringBuilder();
    for (VersionCertificate.Chain chain : certificate.chains()) {
      text.append(history.keys().text(chain.key())).append(':');
      chain.writes().forEach(write -> text.append(' ').append(write));
      text.append(chain.complete() ? " all" : " some").append('\n');
    }
    text.append(Arrays.toString(certificate.order())).append('\n');
    text.append(Arrays.toString(certificate.commits())).append('\n');
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        text.append(certificate.versionSet(txn, op)).append('\n');
      }
    }
    return text.toString();
  }
}
