package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No anomaly hides another one: two histories of their own keys and sessions, pasted into one, have
 * every anomaly that either of them has.
 */
class PastedAnomaliesTest {
  private static final Shape PLAIN = Shape.committed(4, 2, 3);
  private static final Shape TIMED = PLAIN.withTimes().withOutcomes();

  /** Keys and sessions of the second history begin here. */
  private static final int OTHERS = 10;

  /** By what is hidden, the shortest history in which it is. */
  private final TreeMap<String, SmallHistory> hidden = new TreeMap<>();

  private int found;

  @Test
  void everyAnomalyOfAPartIsFoundInTheWhole() {
    pasteAll(250, 1);
  }

  @Test
  @Tag("extended")
  void everyAnomalyOfAPartIsFoundInTheWholeOfManyHistories() {
    pasteAll(10_000, 100);
  }

  private void pasteAll(int count, int seed) {
    Random random = new Random(seed);
    for (Shape shape : List.of(PLAIN, TIMED)) {
      paste(new RandomHistories(shape, seed)::registers, count, random, false);
      paste(new RandomHistories(shape, seed + 1)::lists, count, random, false);
      paste(new RandomHistories(shape, seed + 2)::sets, count, random, false);
      paste(new RandomHistories(shape, seed + 3)::registers, count, random, true);
    }
    StringBuilder text = new StringBuilder();
    hidden.forEach((what, history) -> text.append(what).append('\n').append(history).append('\n'));
    assertThat(text.toString()).isEmpty();
    assertThat(found).isGreaterThan(count);
  }

  /** With certificates these give a serial order of each part, so the versions of its keys. */
  private void paste(
      Supplier<SmallHistory> histories, int count, Random random, boolean certified) {
    for (int i = 0; i < count; i++) {
      SmallHistory one = histories.get();
      SmallHistory other = moved(histories.get(), random.nextBoolean() ? 0 : 1000);
      List<Txn> both = new ArrayList<>(one.txns());
      both.addAll(other.txns());
      SmallHistory whole = new SmallHistory(both);
      Set<AnomalyType> expected = types(one, certified);
      expected.addAll(types(other, certified));
      found += expected.size();
      Set<AnomalyType> missing =
          EnumSet.copyOf(expected.isEmpty() ? Set.of(AnomalyType.G0) : expected);
      missing.retainAll(expected);
      missing.removeAll(types(whole, certified));
      for (AnomalyType type : missing) {
        String what = type + (certified ? " by certificates" : "") + " is hidden";
        hidden.merge(what, whole, (a, b) -> a.text().length() <= b.text().length() ? a : b);
      }
    }
  }

  private static Set<AnomalyType> types(SmallHistory small, boolean certified) {
    History history = small.toHistory();
    Given given = certified ? certificate(history) : Given.NOTHING;
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    Assay.check(history, Level.surveyed(), given, Budget.unlimited()).anomalies().stream()
        .map(Anomaly::type)
        .forEach(types::add);
    return types;
  }

  /** Versions follow each other as in the list of transactions. */
  private static Given certificate(History history) {
    Map<Integer, List<Integer>> versions = new LinkedHashMap<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean last =
            history.kind(op) == OpKind.WRITE && history.lastWrite(txn, history.key(op)) == op;
        if (last && history.isCommitted(txn)) {
          versions.computeIfAbsent(history.key(op), key -> new ArrayList<>()).add(op);
        }
      }
    }
    List<VersionCertificate.Chain> chains = new ArrayList<>();
    versions.forEach((key, ops) -> chains.add(new VersionCertificate.Chain(key, ops, true)));
    return new Given(Assumption.DEFAULT, new VersionCertificate(chains, new int[0]));
  }

  /** The same on other keys by other sessions, perhaps later. */
  private static SmallHistory moved(SmallHistory history, long later) {
    return new SmallHistory(
        history.txns().stream()
            .map(
                txn -> {
                  boolean timed = txn.start() != History.ABSENT;
                  return new Txn(
                      txn.session() + OTHERS,
                      txn.outcome(),
                      txn.ops().stream().map(PastedAnomaliesTest::moved).toList(),
                      timed ? txn.start() + later : txn.start(),
                      timed ? txn.end() + later : txn.end());
                })
            .toList());
  }

  private static Op moved(Op op) {
    int key = op.key() + OTHERS;
    if (op instanceof Op.Read read) {
      return new Op.Read(key, read.value());
    }
    if (op instanceof Op.Write write) {
      return new Op.Write(key, write.value());
    }
    if (op instanceof Op.Append append) {
      return new Op.Append(key, append.value());
    }
    if (op instanceof Op.ListRead read) {
      return new Op.ListRead(key, read.elements());
    }
    if (op instanceof Op.Add add) {
      return new Op.Add(key, add.value());
    }
    return op instanceof Op.SetRead read
        ? new Op.SetRead(key, read.elements())
        : new Op.UnseenRead(key);
  }
}
