package dev.assay.check.predicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Lines;
import dev.assay.check.Verdict;
import dev.assay.check.replay.Replay;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.infer.VersionOrders;
import dev.assay.infer.predicates.CommittedResults;
import dev.assay.infer.predicates.Deadline;
import dev.assay.infer.predicates.Observations;
import dev.assay.infer.predicates.PredicateDependencies;
import dev.assay.infer.predicates.PredicateTable;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every stage that compares results with versions looks at the budget while it does. */
class PredicateBudgetTest {
  private static final int KEYS = 50;
  private static final int TRANSACTIONS = 300;

  /** Looks after the end of the time: those of loops that unwind, whatever the history. */
  private static final long FEW_LOOKS = 200;

  /** More steps of work than are ever done between two looks. */
  private static final int STEPS_PER_LOOK = 10_000;

  private enum GivenBeside {
    NOTHING,
    CERTIFICATE,
    ORDER
  }

  /** Transactions that ran one after another on rows, as lines, with what else can be given. */
  private record Run(String history, String certificate, String order) {
    /** Rows in a range, their number and the least of them, and rows written one by one. */
    static Run make() {
      Random random = new Random(3);
      TreeMap<Integer, Integer> rows = new TreeMap<>();
      List<List<String>> versions = new ArrayList<>();
      IntStream.range(0, KEYS).forEach(key -> versions.add(new ArrayList<>()));
      StringBuilder history = new StringBuilder();
      StringBuilder certificate = new StringBuilder();
      List<String> names = new ArrayList<>();
      for (int txn = 0; txn < TRANSACTIONS; txn++) {
        int key = random.nextInt(KEYS);
        int low = random.nextInt(TRANSACTIONS);
        List<String> found = new ArrayList<>();
        rows.forEach((k, v) -> found.add(v < low ? null : "[%d,%d]".formatted(k, v)));
        found.removeIf(row -> row == null);
        Integer least = rows.values().stream().min(Integer::compare).orElse(null);
        history.append(
            """
            {"session":%d,"id":"t%d","start":%d,"end":%d,"ops":[\
            ["select",{"where":[">=","v",%d]},[%s]],\
            ["select",{"select":["count"]},%d],["select",{"select":["min","v"]},%s],\
            ["w",%d,%d]]}
            """
                .formatted(
                    txn % 7,
                    txn,
                    10 * txn,
                    10 * txn + 25,
                    low,
                    String.join(",", found),
                    rows.size(),
                    least,
                    key,
                    txn));
        rows.put(key, txn);
        versions.get(key).add(Integer.toString(txn));
        names.add("\"t" + txn + "\"");
      }
      for (int key = 0; key < KEYS; key++) {
        String all = String.join(",", versions.get(key));
        certificate.append("{\"key\":%d,\"versions\":[%s]}%n".formatted(key, all));
      }
      certificate.append("{\"commits\":[%s]}%n".formatted(String.join(",", names)));
      for (int txn = 1; txn < TRANSACTIONS; txn++) {
        certificate.append(
            "{\"snapshot\":%s,\"upTo\":%s}%n".formatted(names.get(txn), names.get(txn - 1)));
      }
      certificate.append("{\"snapshot\":\"t0\",\"upTo\":null}\n");
      return new Run(
          history.toString(),
          certificate.toString(),
          "{\"order\":[%s]}%n".formatted(String.join(",", names)));
    }

    Given given(GivenBeside beside, History of) throws ParseException {
      return switch (beside) {
        case NOTHING -> Given.NOTHING;
        case CERTIFICATE -> new Given(Assumption.DEFAULT, Lines.certificate(certificate, of));
        case ORDER -> new Given(Assumption.DEFAULT, Lines.certificate(order, of));
      };
    }
  }

  private static final Run RUN = Run.make();

  @ParameterizedTest
  @EnumSource(GivenBeside.class)
  void aCheckStopsSoonAfterAnyMomentAndSaysNothingElse(GivenBeside beside) throws ParseException {
    History history = Lines.history(RUN.history);
    Given given = RUN.given(beside, history);
    AtomicLong all = new AtomicLong();
    Report whole = check(history, given, Budget.by(all::incrementAndGet, Long.MAX_VALUE));
    assertThat(whole.holds(Level.SERIALIZABLE)).isTrue();
    long step = Math.max(1, all.get() / 12);
    for (long end = 1; end < all.get(); end += step) {
      AtomicLong looks = new AtomicLong();
      Report report = check(history, given, Budget.by(looks::incrementAndGet, end));
      assertThat(looks.get()).as("the end after %d looks", end).isLessThan(end + FEW_LOOKS);
      for (Level level : Level.surveyed()) {
        Verdict verdict = report.verdict(level);
        assertThat(verdict instanceof Verdict.Unknown || report.holds(level) == whole.holds(level))
            .as("%s: %s", level, verdict)
            .isTrue();
      }
      assertThat(report.anomalies()).isEmpty();
    }
  }

  private static Report check(History history, Given given, Budget budget) {
    return Assay.check(history, Level.surveyed(), given, budget);
  }

  private interface Stage {
    void run(Deadline deadline) throws Exception;
  }

  /** Runs a stage that looks at the budget as often as its work asks for, and stops if told to. */
  private static void assertLooks(String name, long steps, Stage stage) throws Exception {
    AtomicLong looks = new AtomicLong();
    stage.run(new Deadline(() -> looks.incrementAndGet() < 0));
    assertThat(looks.get()).as(name).isGreaterThanOrEqualTo(steps / STEPS_PER_LOOK).isPositive();
    long half = looks.get() / 2;
    AtomicLong until = new AtomicLong();
    assertThatThrownBy(() -> stage.run(new Deadline(() -> until.incrementAndGet() > half)))
        .as(name)
        .isInstanceOf(Deadline.Expired.class);
    assertThat(until.get()).as(name).isEqualTo(half + 1);
  }

  @Test
  void eachStageLooksAtTheBudgetAsItsWorkGrows() throws Exception {
    History history = Lines.history(RUN.history);
    ReadsFrom reads = ReadsFrom.of(history);
    PredicateTable table = new PredicateTable(history, reads, Deadline.NONE);
    int[] order = IntStream.range(0, TRANSACTIONS).toArray();
    Given given = RUN.given(GivenBeside.CERTIFICATE, history);
    VersionOrders versions = new VersionOrders(history, reads, given);
    // Results list the rows that match; what they leave out is compared version by version.
    long compared = (long) TRANSACTIONS * TRANSACTIONS;
    assertLooks("setup", KEYS, end -> new PredicateTable(history, reads, end));
    assertLooks("observations", compared, end -> new Observations(table, reads, false, end));
    assertLooks(
        "observations in real time",
        (long) TRANSACTIONS * KEYS,
        end -> new Observations(table, reads, true, end));
    assertLooks(
        "committed results",
        compared,
        end ->
            assertThat(new CommittedResults(table, reads).lackingIn(order, end).size()).isZero());
    assertLooks(
        "dependencies",
        (long) TRANSACTIONS * KEYS,
        end -> PredicateDependencies.of(history, reads, versions, end));
    assertLooks(
        "replay",
        (long) TRANSACTIONS * KEYS,
        end -> {
          Replay replay = new Replay(history, end);
          for (int txn : order) {
            assertThat(replay.tryOut(txn)).isNull();
            replay.installed(txn);
          }
        });
  }
}
