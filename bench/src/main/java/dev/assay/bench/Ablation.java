package dev.assay.bench;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.collect.Generator;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What each idea of the weak checker is worth, in the manner of Plume's Figure 12: deciding causal
 * consistency by plain traversal, with vector clocks, and by repairing a guessed order. Each is run
 * on histories as they were committed and on the same ones listed session by session, where the
 * order of commits has to be found again.
 */
final class Ablation {
  private static final int REPEATS = 1;

  private Ablation() {}

  static void print() {
    System.out.println("| history | plain traversal s | vectors s | guessed order s | holds |");
    System.out.println("|---|---|---|---|---|");
    rows("10×100×10, 100 keys", Histories.registers(10, 100, 10, 100, Distribution.UNIFORM), true);
    rows(
        "25×200×20, 10k keys",
        Histories.registers(25, 200, 20, 10_000, Distribution.UNIFORM),
        true);
    rows(
        "b: 50×2000×20, 10k keys",
        Histories.registers(50, 2000, 20, 10_000, Distribution.UNIFORM),
        false);
    rows("d: b with zipf", Histories.registers(50, 2000, 20, 10_000, Distribution.ZIPF), false);
    rows(
        "e: 1000×100×20, 10k keys",
        Histories.registers(1000, 100, 20, 10_000, Distribution.UNIFORM),
        false);
  }

  private static void rows(String name, WorkloadSpec spec, boolean small) {
    for (StoreLevel store : List.of(StoreLevel.SERIALIZABLE, StoreLevel.CAUSAL)) {
      History history = new Generator(spec, store).history();
      row(name + ", " + store.id(), history, small);
      row(name + ", " + store.id() + ", by session", bySession(history), small);
    }
  }

  private static void row(String name, History history, boolean small) {
    ReadsFrom reads = ReadsFrom.of(history);
    boolean[] holds = new boolean[1];
    String plain = small ? time(history, h -> new CausalByTraversal(h, reads).holds(), holds) : "–";
    String vectors = time(history, h -> new CausalByVectors(h, reads).holds(), holds);
    boolean before = holds[0];
    String guessed =
        time(
            history,
            h -> Assay.check(h, Set.of(Level.CAUSAL), Budget.unlimited()).holds(Level.CAUSAL),
            holds);
    if (before != holds[0]) {
      throw new IllegalStateException("the methods disagree on " + name);
    }
    System.out.println(
        "| " + String.join(" | ", name, plain, vectors, guessed, holds[0] ? "yes" : "no") + " |");
  }

  private static String time(History history, Predicate<History> method, boolean[] result) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < REPEATS; i++) {
      long start = System.nanoTime();
      result[0] = method.test(history);
      best = Math.min(best, (System.nanoTime() - start) / 1e9);
    }
    return String.format(Locale.ROOT, "%.3f", best);
  }

  /** The same history with the transactions of each session together and no times. */
  private static History bySession(History history) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(history);
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int i = 0; i < history.sessionSize(session); i++) {
        int txn = history.sessionTransaction(session, i);
        builder.begin(builder.session(session), Outcome.COMMITTED);
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          Object key = history.operation(op).key();
          Object value = history.operation(op).value();
          if (history.kind(op) == OpKind.READ) {
            builder.read(key, value);
          } else {
            builder.write(key, value);
          }
        }
      }
    }
    return builder.build();
  }
}
