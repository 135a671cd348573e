package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ReadOptions;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What is declared about a history, against the oracles: an initial state gives the verdicts that
 * zero as the initial value gives, however it is told, and missing clients take no level away.
 */
class DeclaredAgainstOracleTest {
  /** How a history may say what its registers begin with. */
  private enum Form {
    ONE_VALUE,
    BY_KEY,
    LOADING_TRANSACTION,
    LOADING_SESSION
  }

  private static final long LOADED = 100;

  private static final List<Function<RandomHistories, SmallHistory>> TYPES =
      List.of(RandomHistories::registers, RandomHistories::setsAndRegisters);

  @Test
  void aDeclaredInitialStateIsWhatZeroIsElsewhere() throws Exception {
    List<Shape> shapes =
        List.of(
            Shape.committed(4, 2, 3),
            Shape.committed(4, 2, 3).withTimes().withOutcomes(),
            Shape.committed(4, 2, 3).withDuplicates());
    long seed = 400;
    for (Shape shape : shapes) {
      RandomHistories histories = new RandomHistories(shape, seed++);
      for (int i = 0; i < 150; i++) {
        boolean twice = shape.twice();
        SmallHistory small = TYPES.get(twice ? 0 : i % TYPES.size()).apply(histories);
        Set<Level> holding = LevelOracle.holding(small);
        for (Form form : Form.values()) {
          History history = declared(small.toHistory(), form);
          assertVerdicts(history, holding, small.hasTimes(), form + "\n" + small);
          String id = i % 2 == 0 ? "assay" : "assay-jsonl";
          assertVerdicts(again(history, id), holding, small.hasTimes(), id + "\n" + small);
        }
      }
    }
  }

  private static void assertVerdicts(
      History history, Set<Level> holding, boolean times, String what) {
    Report report =
        Verifier.sample(
            Assay.check(history, LevelOracle.DECIDED, Budget.unlimited()), Given.NOTHING);
    for (Level level : LevelOracle.DECIDED) {
      if (times || !LevelOracle.REAL_TIME.contains(level)) {
        assertThat(report.verdict(level).id())
            .as("%s, %s", level, what)
            .isEqualTo(holding.contains(level) ? "holds" : "violated");
      } else {
        assertThat(report.holds(level) && !holding.contains(level)).as(what).isFalse();
      }
    }
  }

  private static History declared(History zeros, Form form) throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    if (form == Form.ONE_VALUE) {
      builder.initially(LOADED);
    }
    if (form == Form.LOADING_SESSION || form == Form.LOADING_TRANSACTION) {
      int txn = builder.begin(builder.session("load"), Outcome.COMMITTED);
      builder.start(txn, zeros.hasTimes() ? -2 : History.ABSENT);
      builder.end(txn, zeros.hasTimes() ? -1 : History.ABSENT);
      if (form == Form.LOADING_TRANSACTION) {
        builder.loader(txn);
      }
    }
    for (int key = 0; key < zeros.keys().count(); key++) {
      if (isRegister(zeros, key)) {
        Object name = zeros.keys().get(key);
        if (form == Form.BY_KEY) {
          builder.initially(name, LOADED + key);
        } else if (form != Form.ONE_VALUE) {
          builder.write(name, LOADED + key);
        }
      }
    }
    OperationCopy copy = new OperationCopy(zeros, builder);
    for (int from = 0; from < zeros.transactionCount(); from++) {
      copy.begin(from);
      for (int op = zeros.firstOp(from); op < zeros.endOp(from); op++) {
        boolean initial = zeros.kind(op).type() == OpKind.Type.REGISTER && zeros.value(op) == 0;
        if (initial) {
          long value = LOADED + (form == Form.ONE_VALUE ? 0 : zeros.key(op));
          builder.op(zeros.kind(op), (Long) zeros.keys().get(zeros.key(op)), value);
        } else {
          copy.add(op);
        }
      }
    }
    History history = builder.build();
    return form == Form.LOADING_SESSION
        ? read(history, "assay-jsonl", ReadOptions.NONE.loader("load"))
        : history;
  }

  private static boolean isRegister(History history, int key) {
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.key(op) == key) {
        return history.kind(op).type() == OpKind.Type.REGISTER;
      }
    }
    return false;
  }

  private static History again(History history, String format) throws Exception {
    return read(history, format, ReadOptions.NONE);
  }

  private static History read(History history, String format, ReadOptions options)
      throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Formats.byId(format).orElseThrow().write(history, out);
    return Formats.read(Input.of("h", out.toByteArray()), options);
  }

  @Test
  void missingClientsTakeNoLevelAway() throws Exception {
    List<Function<RandomHistories, SmallHistory>> types =
        List.of(RandomHistories::registers, RandomHistories::lists, RandomHistories::sets);
    int missing = 0;
    int compared = 0;
    for (boolean times : new boolean[] {false, true}) {
      Shape shape = Shape.committed(5, 2, 3).withOutcomes();
      RandomHistories histories = new RandomHistories(times ? shape.withTimes() : shape, 500);
      Random random = new Random(500);
      for (int i = 0; i < 300; i++) {
        SmallHistory small = types.get(i % types.size()).apply(histories);
        History whole = small.toHistory();
        History part = without(whole, random.nextInt(whole.sessionCount()));
        History completed = read(part, "assay-jsonl", ReadOptions.NONE.incomplete(true));
        missing += completed.transactionCount() - part.transactionCount();
        Report report =
            Verifier.sample(
                Assay.check(completed, LevelOracle.DECIDED, Budget.unlimited()), Given.NOTHING);
        for (Level level : LevelOracle.holding(small)) {
          assertThat(report.violated(level)).as("%s\n%s\n%s", level, small, part).isFalse();
        }
        Optional<Set<Level>> exact = HistoryOracle.holding(completed);
        if (exact.isPresent()) {
          compared++;
          assertVerdicts(completed, exact.get(), completed.hasTimes(), small.toString());
        }
      }
    }
    assertThat(missing).isGreaterThan(150);
    assertThat(compared).isGreaterThan(100);
  }

  private static History without(History whole, int session) {
    HistoryBuilder builder = new HistoryBuilder();
    OperationCopy copy = new OperationCopy(whole, builder);
    for (int from = 0; from < whole.transactionCount(); from++) {
      if (whole.session(from) != session) {
        copy.begin(from);
        for (int op = whole.firstOp(from); op < whole.endOp(from); op++) {
          // Zero is initial where the history comes from, and nil where it goes.
          if (whole.kind(op) == OpKind.READ && whole.value(op) == 0) {
            builder.read(whole.keys().get(whole.key(op)), null);
          } else {
            copy.add(op);
          }
        }
      }
    }
    return builder.build();
  }
}
