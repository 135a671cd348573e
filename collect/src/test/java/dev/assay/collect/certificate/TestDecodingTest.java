package dev.assay.collect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestDecodingTest {
  private final CommitLog log = new CommitLog();

  @Test
  void aTransactionIsWhatItLeftBehind() throws Exception {
    accept(
        7,
        "BEGIN 742",
        "table public.assay_rows: INSERT: k[bigint]:4 val[bigint]:-3 ver[bigint]:77",
        "table public.assay_rows: UPDATE: k[bigint]:4 val[bigint]:5 ver[bigint]:87",
        "table public.assay_rows: DELETE: k[bigint]:9",
        "table public.assay_register: UPDATE: k[bigint]:1 v[bigint]:31",
        "table public.assay_list: UPDATE: k[bigint]:2 v[text]:'11,12,'",
        "table public.assay_list: UPDATE: k[bigint]:2 v[text]:'11,12,13,'",
        "table public.assay_counter: UPDATE: k[bigint]:3 v[bigint]:2",
        "message: transactional: 1 prefix: assay, sz: 2 content:17",
        "COMMIT 742");
    assertThat(log.transactions())
        .containsExactly(
            new CommitLog.Committed(
                742,
                "17",
                new CommitLog.Change(2, 13L),
                List.of(
                    new CommitLog.Change(2, 12L),
                    new CommitLog.Change(2, 13L),
                    new CommitLog.Change(4, List.of(5L, 87L)),
                    new CommitLog.Change(9, null),
                    new CommitLog.Change(1, 31L))));
  }

  @Test
  void transactionsOfOthersAreLeftOut() throws Exception {
    accept(
        7,
        "BEGIN 8",
        "table app.orders: INSERT: id[integer]:4 note[text]:'it''s [here]: now'",
        "message: transactional: 1 prefix: other, sz: 2 content:99",
        "COMMIT 8");
    assertThat(log.transactions()).isEmpty();
  }

  @Test
  void idsContinueOverTheirLimit() throws Exception {
    long base = (3L << 32) - 10;
    for (String id : List.of("4294967290", "5")) {
      accept(
          base,
          "BEGIN " + id,
          "table public.assay_register: INSERT: k[bigint]:1 v[bigint]:31",
          "COMMIT " + id);
    }
    assertThat(log.transactions())
        .extracting(CommitLog.Committed::id)
        .containsExactly((3L << 32) - 6, (3L << 32) + 5);
  }

  @Test
  void theEndIsSeen() throws Exception {
    TestDecoding lines = new TestDecoding(log, 7);
    lines.accept("BEGIN 8");
    assertThat(lines.hasEnded()).isFalse();
    lines.accept("message: transactional: 1 prefix: assay, sz: 3 content:end");
    assertThat(lines.hasEnded()).isTrue();
    lines.accept("COMMIT 8");
    assertThat(log.transactions()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT now",
        "table public.assay_rows: UPDATE: k[bigint]:4 val[bigint]:5",
        "table public.assay_rows: UPDATE: k[bigint]:4 val[bigint]:null ver[bigint]:1",
        "table public.assay_rows: UPDATE: k",
        "table public.assay_list: UPDATE: k[bigint]:2 v[text]:'11",
        "table public"
      })
  void aLineThatMeansNothingIsSaidSo(String line) {
    assertThatThrownBy(() -> accept(7, "BEGIN 1", line))
        .isInstanceOf(CertificateException.class)
        .hasMessageEndingWith(line);
  }

  private void accept(long base, String... lines) throws CertificateException {
    TestDecoding decoding = new TestDecoding(log, base);
    for (String line : lines) {
      decoding.accept(line);
    }
  }
}
