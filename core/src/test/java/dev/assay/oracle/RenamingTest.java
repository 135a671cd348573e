package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Changes of a history that mean nothing change no verdict, of the checker or of the oracle. */
class RenamingTest {
  private static final int FRESH_KEY = 77;

  private static void changesNothing(UnaryOperator<SmallHistory> change) {
    List<SmallHistory> samples = new ArrayList<>();
    SmallHistories.forEach(Size.committed(3, 2, 2).every(101), samples::add);
    SmallHistories.forEach(Size.ofAnyOutcome(3, 1, 2).every(501), samples::add);
    RandomHistories plain = new RandomHistories(Shape.committed(5, 3, 3).withOutcomes(), 21);
    RandomHistories timed = new RandomHistories(Shape.committed(5, 2, 3).withTimes(), 22);
    RandomHistories twice = new RandomHistories(Shape.committed(4, 2, 3).withDuplicates(), 23);
    for (int i = 0; i < 300; i++) {
      samples.add(plain.registers());
      samples.add(plain.lists());
      samples.add(timed.registers());
      samples.add(timed.lists());
      samples.add(twice.registers());
    }
    for (SmallHistory history : samples) {
      SmallHistory changed = change.apply(history);
      Map<Level, String> before = verdicts(history);
      Map<Level, String> after = verdicts(changed);
      ReadsFrom reads = ReadsFrom.of(history.toHistory());
      boolean ambiguous = reads.ambiguousReads() > 0 || !reads.chosen().isEmpty();
      for (Level level : Level.values()) {
        if (ambiguous) {
          dropUnknown(level, before, after);
        }
      }
      assertThat(after).as("%s\nbecomes\n%s", history, changed).isEqualTo(before);
      assertThat(LevelOracle.holding(changed))
          .as("%s\nbecomes\n%s", history, changed)
          .isEqualTo(LevelOracle.holding(history));
    }
  }

  /** A level that is decided only by luck may be decided for one of two equal histories. */
  private static void dropUnknown(Level level, Map<Level, String> a, Map<Level, String> b) {
    if ("unknown".equals(a.get(level)) || "unknown".equals(b.get(level))) {
      a.remove(level);
      b.remove(level);
    }
  }

  private static Map<Level, String> verdicts(SmallHistory history) {
    Report report =
        Verifier.sample(
            Assay.check(history.toHistory(), Level.surveyed(), Budget.unlimited()), Given.NOTHING);
    Map<Level, String> ids = new EnumMap<>(Level.class);
    report.verdicts().forEach((level, verdict) -> ids.put(level, verdict.id()));
    return ids;
  }

  private static SmallHistory mapOps(SmallHistory history, UnaryOperator<Op> change) {
    return new SmallHistory(
        history.txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(change).toList()))
            .toList());
  }

  private static Op renamed(Op op, UnaryOperator<Integer> key, UnaryOperator<Integer> value) {
    int k = key.apply(op.key());
    if (op instanceof Op.Read read) {
      return new Op.Read(k, value.apply(read.value()));
    }
    if (op instanceof Op.UnseenRead) {
      return new Op.UnseenRead(k);
    }
    if (op instanceof Op.Write write) {
      return new Op.Write(k, value.apply(write.value()));
    }
    if (op instanceof Op.Append append) {
      return new Op.Append(k, value.apply(append.value()));
    }
    if (op instanceof Op.ListRead read) {
      return new Op.ListRead(k, read.elements().stream().map(value).toList());
    }
    throw new IllegalArgumentException("no histories of " + op + " here");
  }

  private static SmallHistory with(SmallHistory history, int session) {
    List<Txn> txns = new ArrayList<>(history.txns());
    List<Op> ops = new ArrayList<>();
    boolean lists = history.text().contains("append") || history.text().contains("[]");
    for (int key = FRESH_KEY; key < FRESH_KEY + 2; key++) {
      ops.add(lists ? new Op.Append(key, 1) : new Op.Write(key, 1));
    }
    Txn fresh = Txn.of(session, Outcome.COMMITTED, ops);
    txns.add(history.hasTimes() ? fresh.during(1_000, 1_001) : fresh);
    return new SmallHistory(txns);
  }

  @Test
  void theNamesOfKeysDoNotMatter() {
    changesNothing(
        history -> mapOps(history, op -> renamed(op, key -> 100 - key, UnaryOperator.identity())));
  }

  @Test
  void theNamesOfValuesDoNotMatter() {
    changesNothing(
        history ->
            mapOps(
                history,
                op ->
                    renamed(
                        op,
                        UnaryOperator.identity(),
                        value -> value == 0 ? 0 : 1_000 - 3 * value)));
  }

  @Test
  void theNamesOfSessionsDoNotMatter() {
    changesNothing(
        history ->
            new SmallHistory(
                history.txns().stream()
                    .map(
                        txn ->
                            new Txn(
                                50 - txn.session(),
                                txn.outcome(),
                                txn.ops(),
                                txn.start(),
                                txn.end()))
                    .toList()));
  }

  @Test
  void theOrderOfSessionsInTheFileDoesNotMatter() {
    changesNothing(
        history ->
            new SmallHistory(
                history.txns().stream()
                    .sorted(Comparator.comparing(Txn::session).reversed())
                    .toList()));
  }

  @Test
  void aTransactionOnFreshKeysInANewSessionDoesNotMatter() {
    changesNothing(history -> with(history, 1_000));
  }

  @Test
  void aTransactionOnFreshKeysAtTheEndOfASessionDoesNotMatter() {
    changesNothing(history -> with(history, history.txns().get(0).session()));
  }

  @Test
  void shiftingAllTimesDoesNotMatter() {
    changesNothing(
        history ->
            new SmallHistory(
                history.txns().stream()
                    .map(
                        txn ->
                            txn.start() == History.ABSENT
                                ? txn
                                : txn.during(3 * txn.start() - 500, 3 * txn.end() - 500))
                    .toList()));
  }
}
