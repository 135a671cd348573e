package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.oracle.Disagreements;
import dev.assay.oracle.Names;
import dev.assay.oracle.predicate.PredicateHistory.Txn;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Expected serialization orders and the database's timestamps are accepted exactly where running
 * the transactions that way gives what they gave.
 */
class GivenOrdersAgainstOracleTest {
  private final Disagreements disagreements = new Disagreements();
  private int accepted;
  private int refused;

  private void finish() {
    disagreements.assertNone();
    assertThat(Math.min(accepted, refused)).isGreaterThan(100);
  }

  private void count(boolean agrees) {
    accepted += agrees ? 1 : 0;
    refused += agrees ? 0 : 1;
  }

  private void expect(boolean holds, Level level, Report report, String text) {
    if (!report.verdict(level).id().equals(holds ? "holds" : "violated")) {
      disagreements.add(level + " is " + report.verdict(level).id() + ", expected: " + holds, text);
    }
  }

  // ---- serial orders

  private void compareOrder(PredicateHistory small, List<Integer> order) {
    int[] given = order.stream().mapToInt(Integer::intValue).toArray();
    VersionCertificate certificate = new VersionCertificate(List.of(), given);
    Report report =
        Assay.check(
            small.toHistory(),
            SerialOracle.DECIDED,
            new Given(Assumption.DEFAULT, certificate),
            Budget.unlimited());
    String text = small.text() + "order " + order + "\n";
    Names.compare(report, disagreements, text);
    boolean explains = SerialOracle.explains(small, order);
    count(explains);
    expect(explains, Level.SERIALIZABLE, report, text);
    if (explains && respects(small, order, false)) {
      expect(true, Level.STRONG_SESSION_SERIALIZABLE, report, text);
      if (small.isTimed() && respects(small, order, true)) {
        expect(true, Level.STRICT_SERIALIZABLE, report, text);
      }
    }
    holdOnlyWhatIsPossible(report, small, text);
  }

  private static boolean respects(PredicateHistory small, List<Integer> order, boolean realTime) {
    for (int i = 0; i < order.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (small.precedes(order.get(i), order.get(j), true, realTime)) {
          return false;
        }
      }
    }
    return true;
  }

  private void holdOnlyWhatIsPossible(Report report, PredicateHistory small, String text) {
    Set<Level> possible = SerialOracle.holding(small);
    for (Level level : SerialOracle.DECIDED) {
      if (report.holds(level) && !possible.contains(level)) {
        disagreements.add(level + " is said to hold, but no order exists", text);
      }
    }
  }

  @Test
  void aSerialOrderIsAcceptedExactlyWhereItExplainsEveryResult() {
    PredicateHistories histories = new PredicateHistories(3);
    for (int i = 0; i < 200; i++) {
      PredicateHistory small = histories.next(4, 2, i % 2 == 0);
      List<Integer> txns = IntStream.range(0, small.size()).boxed().toList();
      AnyCertificate.permutations(txns).forEach(order -> compareOrder(small, order));
    }
    finish();
  }

  // ---- timestamps

  /** The history with a snapshot for each transaction and commits at different times. */
  private static PredicateHistory stamped(PredicateHistory small, Random random) {
    List<Long> commits = new ArrayList<>();
    for (long i = 0; i < small.size(); i++) {
      commits.add(10 * i + 10);
    }
    Collections.shuffle(commits, random);
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < small.size(); txn++) {
      long commit = commits.get(txn);
      long snapshot = Math.max(0, commit - 1 - random.nextInt(5) * random.nextInt(6));
      txns.add(small.txns().get(txn).stamped(snapshot, commit));
    }
    return new PredicateHistory(txns);
  }

  /** Whether everyone saw what had committed by his snapshot, and nobody overwrote another's. */
  private static boolean explain(PredicateHistory small) {
    List<Txn> byCommit = new ArrayList<>(small.txns());
    byCommit.sort((a, b) -> Long.compare(a.commit(), b.commit()));
    for (Txn txn : small.txns()) {
      Rows table = new Rows();
      Set<String> later = new HashSet<>();
      for (Txn other : byCommit) {
        Map<String, PredicateHistory.Row> writes = small.finalWrites(small.txns().indexOf(other));
        if (other.commit() <= txn.snapshot()) {
          table.putAll(writes);
        } else if (other.commit() < txn.commit()) {
          later.addAll(writes.keySet());
        }
      }
      Set<String> own = small.finalWrites(small.txns().indexOf(txn)).keySet();
      if (!table.agrees(txn) || !Collections.disjoint(own, later)) {
        return false;
      }
    }
    return true;
  }

  private void compareStamps(PredicateHistory small) {
    History history = small.toHistory();
    Given given = new Given(EnumSet.of(Assumption.TIMESTAMPS), VersionCertificate.NONE);
    Report report = Assay.check(history, SerialOracle.DECIDED, given, Budget.unlimited());
    Names.compare(report, disagreements, small.text());
    boolean explains = explain(small);
    count(explains);
    expect(
        explains,
        explains ? Level.SNAPSHOT_ISOLATION : Level.STRONG_SNAPSHOT_ISOLATION,
        report,
        small.text());
    List<Integer> byCommit = new ArrayList<>(IntStream.range(0, small.size()).boxed().toList());
    byCommit.sort(
        (a, b) -> Long.compare(small.txns().get(a).commit(), small.txns().get(b).commit()));
    if (explains && SerialOracle.explains(small, byCommit)) {
      expect(true, Level.SERIALIZABLE, report, small.text());
    }
    Set<Level> possible = SerialOracle.holding(small);
    for (Level level : SerialOracle.DECIDED) {
      if (!level.needsRealTime() && report.holds(level) && !possible.contains(level)) {
        disagreements.add(level + " is said to hold, but no order exists", small.text());
      }
    }
  }

  @Test
  void timestampsAreAcceptedExactlyWhereTheirSnapshotsExplainEveryResult() {
    PredicateHistories histories = new PredicateHistories(4);
    Random random = new Random(4);
    for (int i = 0; i < 1_000; i++) {
      PredicateHistory small = histories.next(4, 2, false);
      compareStamps(stamped(small, random));
      compareStamps(stamped(small, random));
    }
    finish();
  }
}
