package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jepsen's bank: transfers between accounts, and reads of all of them. */
class JepsenBankTest {
  private static History read(String text) throws ParseException {
    return Formats.read(Input.of("h", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String op(String type, int process, String f, String value) {
    return "{:type :%s, :f :%s, :value %s, :process %d}\n".formatted(type, f, value, process);
  }

  private static String transfer(int process, String outcome) {
    String value = "{:from 0, :to 1, :amount 5}";
    return op("invoke", process, "transfer", value) + op(outcome, process, "transfer", value);
  }

  private static String balances(int process, String balances) {
    return op("invoke", process, "read", "nil") + op("ok", process, "read", balances);
  }

  private static Report check(History history) {
    return Assay.check(history, Level.surveyed(), Budget.of(Duration.ofSeconds(20)));
  }

  @Test
  void transfersMoveWhatReadsOfAllAccountsSee() throws ParseException {
    History history =
        read(balances(0, "{0 50, 1 50}") + transfer(1, "ok") + balances(0, "{0 45, 1 55}"));
    assertThat(history.countersBeginAnywhere()).isTrue();
    assertThat(history.kind(2)).isEqualTo(OpKind.INCREMENT);
    assertThat(check(history).holds(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  @Test
  void whatFailedMaySayWhyInPlaceOfItsValue() throws ParseException {
    String invoked = op("invoke", 1, "transfer", "{:from 0, :to 1, :amount 5}");
    String before = balances(0, "{0 50, 1 50}");
    String failed = before + invoked + op("fail", 1, "transfer", "[:negative 0 -5]") + before;
    assertThat(check(read(failed)).holds(Level.STRICT_SERIALIZABLE)).isTrue();
    String unknown = before + invoked + op("info", 1, "transfer", "[:timed-out 0 5]");
    assertThat(check(read(unknown + balances(0, "{0 45, 1 55}"))).holds(Level.STRICT_SERIALIZABLE))
        .isTrue();
    assertThatThrownBy(() -> read(before + invoked + op("ok", 1, "transfer", "[:negative 0 -5]")))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining(":transfer");
    assertThatThrownBy(() -> read(before + op("fail", 1, "transfer", "[:negative 0 -5]")))
        .isInstanceOf(ParseException.class);
  }

  @Test
  void aTransferThatFailedMovesNothingAndOneOfUnknownOutcomeMay() throws ParseException {
    String before = balances(0, "{0 50, 1 50}");
    assertThat(check(read(before + transfer(1, "fail") + before)).holds(Level.STRICT_SERIALIZABLE))
        .isTrue();
    for (String after : List.of(before, balances(0, "{0 45, 1 55}"))) {
      Report report = check(read(before + transfer(1, "info") + after));
      assertThat(report.holds(Level.STRICT_SERIALIZABLE)).as(after).isTrue();
    }
    Report missed = check(read(before + transfer(1, "ok") + before));
    assertThat(missed.holds(Level.STRICT_SERIALIZABLE)).isFalse();
    assertThat(missed.violated(Level.SERIALIZABLE)).isFalse();
  }

  @Test
  void aReadWithAnotherTotalSawPartOfATransfer() throws ParseException {
    Report report =
        check(read(balances(0, "{0 50, 1 50}") + transfer(1, "ok") + balances(0, "{0 45, 1 50}")));
    assertThat(report.anomalies()).extracting(a -> a.type()).contains(AnomalyType.WRONG_TOTAL);
    for (Level level :
        List.of(
            Level.CONSISTENT_VIEW,
            Level.SNAPSHOT_ISOLATION,
            Level.REPEATABLE_READ,
            Level.SERIALIZABLE)) {
      assertThat(report.violated(level)).as(level.id()).isTrue();
    }
  }

  @Test
  void balancesMayBeAVectorAndHistoriesJson() throws ParseException {
    History vector = read(transfer(1, "ok") + balances(0, "[45 55]"));
    assertThat(vector.keys().count()).isEqualTo(2);
    String json =
        """
        {"type":"invoke","process":0,"f":"read","value":null}
        {"type":"ok","process":0,"f":"read","value":{"0":50,"1":50}}
        {"type":"invoke","process":1,"f":"transfer","value":{"from":0,"to":1,"amount":5}}
        {"type":"ok","process":1,"f":"transfer","value":{"from":0,"to":1,"amount":5}}
        {"type":"invoke","process":0,"f":"read","value":null}
        {"type":"ok","process":0,"f":"read","value":{"0":45,"1":%d}}
        """;
    assertThat(check(read(json.formatted(55))).holds(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(check(read(json.formatted(50))).violated(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void negativeBalancesAreNoted() throws ParseException {
    History history = read(transfer(1, "ok") + balances(0, "{0 -5, 1 55}"));
    assertThat(history.metadata().get("note.negative")).startsWith("1 read saw a negative");
  }

  @Test
  void whatIsNoBankIsRefused() {
    for (String wrong :
        List.of(
            op("invoke", 0, "transfer", "5"),
            op("invoke", 0, "transfer", "{:from 0, :to 1}"),
            op("invoke", 0, "transfer", "{:from 0, :to 1, :amount 1.5}"),
            balances(0, "{0 nil, 1 5}"),
            transfer(1, "ok") + balances(0, "7"),
            transfer(1, "ok") + op("invoke", 0, "write", "3"))) {
      assertThatThrownBy(() -> read(wrong))
          .as(wrong)
          .isInstanceOf(ParseException.class)
          .hasMessageContaining("whose :f is");
    }
  }

  // ---- simulated banks

  private enum Store {
    /** Each operation at one moment. */
    SERIAL,
    /** Reads go over the accounts one by one. */
    FRACTURED,
    /** Some transfers add what they do not take. */
    LOSING
  }

  /** A simulated run, with whether all its reads had the same total. */
  private record Run(String edn, boolean sameTotals) {}

  private static Run run(Store store, int operations, int processes, long seed) {
    Random random = new Random(seed);
    int accounts = 3;
    long[] balance = new long[accounts];
    Arrays.fill(balance, 20);
    StringBuilder edn = new StringBuilder();
    boolean same = true;
    int[] step = new int[processes];
    int[][] transfer = new int[processes][];
    long[][] seen = new long[processes][];
    int started = 0;
    List<Integer> free = new ArrayList<>();
    for (int p = 0; p < processes; p++) {
      free.add(p);
    }
    while (started < operations || free.size() < processes) {
      int p = random.nextInt(processes);
      if (step[p] == 0) {
        if (started == operations) {
          continue;
        }
        started++;
        free.remove((Integer) p);
        step[p] = 1;
        if (random.nextBoolean()) {
          int from = random.nextInt(accounts);
          int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
          transfer[p] = new int[] {from, to, 1 + random.nextInt(5)};
          edn.append(op("invoke", p, "transfer", shown(transfer[p])));
        } else {
          transfer[p] = null;
          seen[p] = new long[accounts];
          edn.append(op("invoke", p, "read", "nil"));
        }
      } else if (transfer[p] != null) {
        if (step[p]++ == 1) {
          boolean lost = store == Store.LOSING && random.nextInt(4) == 0;
          balance[transfer[p][0]] -= lost ? 0 : transfer[p][2];
          balance[transfer[p][1]] += transfer[p][2];
        } else {
          edn.append(op("ok", p, "transfer", shown(transfer[p])));
          step[p] = 0;
          free.add(p);
        }
      } else if (step[p] <= accounts) {
        boolean one = store == Store.FRACTURED;
        for (int account = one ? step[p] - 1 : 0; account < (one ? step[p] : accounts); account++) {
          seen[p][account] = balance[account];
        }
        step[p] = one ? step[p] + 1 : accounts + 1;
      } else {
        same &= Arrays.stream(seen[p]).sum() == 20L * accounts;
        edn.append(op("ok", p, "read", "{0 %d, 1 %d, 2 %d}".formatted(boxed(seen[p]))));
        step[p] = 0;
        free.add(p);
      }
    }
    return new Run(edn.toString(), same);
  }

  private static Object[] boxed(long[] values) {
    return Arrays.stream(values).boxed().toArray();
  }

  private static String shown(int[] transfer) {
    return "{:from %d, :to %d, :amount %d}".formatted(transfer[0], transfer[1], transfer[2]);
  }

  @Test
  void runsOfASerialBankAreStrictSerializable() throws ParseException {
    for (long seed = 0; seed < 60; seed++) {
      History history = read(run(Store.SERIAL, 200, 5, seed).edn);
      Report report = Assay.check(history, Set.of(Level.STRICT_SERIALIZABLE), Budget.unlimited());
      assertThat(report.verdict(Level.STRICT_SERIALIZABLE).id())
          .as("seed " + seed)
          .isEqualTo("holds");
    }
  }

  @Test
  void aWrongTotalIsFoundIfThereIsOne() throws ParseException {
    int wrong = 0;
    for (Store store : List.of(Store.FRACTURED, Store.LOSING)) {
      for (long seed = 0; seed < 60; seed++) {
        Run run = run(store, 12, 3, seed);
        History history = read(run.edn);
        Report report = check(history);
        boolean several =
            report.anomalies().stream().anyMatch(a -> a.type() == AnomalyType.WRONG_TOTAL);
        // Where money is lost before the first read, all reads agree.
        assertThat(several && run.sameTotals).as(run.edn).isFalse();
        assertThat(several).as(run.edn).isEqualTo(BankOracle.totals(history) > 1);
        assertThat(report.violated(Level.SNAPSHOT_ISOLATION) || !several).isTrue();
        wrong += several ? 1 : 0;
      }
    }
    assertThat(wrong).isGreaterThan(30);
  }

  @Test
  void verdictsOnSmallBanksAgreeWithAllSerialOrders() throws ParseException {
    int violated = 0;
    for (Store store : Store.values()) {
      for (long seed = 0; seed < 150; seed++) {
        History history = read(run(store, 6, 3, seed).edn);
        Report report = check(history);
        boolean serializable = BankOracle.isSerializable(history, false);
        boolean strict = BankOracle.isSerializable(history, true);
        String as = store + " " + seed;
        assertThat(report.verdict(Level.SERIALIZABLE).id())
            .as(as)
            .isNotEqualTo(serializable ? "violated" : "holds");
        assertThat(report.verdict(Level.STRICT_SERIALIZABLE).id())
            .as(as)
            .isNotEqualTo(strict ? "violated" : "holds");
        assertThat(strict && !report.holds(Level.STRICT_SERIALIZABLE)).as(as).isFalse();
        violated += serializable ? 0 : 1;
      }
    }
    assertThat(violated).isGreaterThan(20);
  }
}
