package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.resolve.ReadsFrom;
import dev.assay.window.PartCheck;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Running transactions one after another proves nothing that the checkers do not find. */
class PartsInOrderTest {
  private static final Set<Level> SOME_LEVELS =
      EnumSet.of(Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION, Level.CAUSAL, Level.READ_COMMITTED);

  private int proven;
  private int refuted;

  @Test
  void whatIsProvenInOrderHolds() {
    for (int seed = 0; seed < 1_500; seed++) {
      Shape shape = Shape.committed(5, 2, 3);
      shape = seed % 3 == 0 ? shape.withOutcomes() : shape;
      shape = seed % 4 == 0 ? shape.withTimes() : shape;
      shape = seed % 5 == 0 ? shape.withDuplicates() : shape;
      RandomHistories random = new RandomHistories(shape, seed);
      compare((seed % 2 == 0 ? random.registers() : random.lists()).toHistory(), seed);
    }
    assertThat(proven).isGreaterThan(150);
    assertThat(refuted).isGreaterThan(150);
  }

  private void compare(History history, long seed) {
    Set<Level> levels = seed % 7 < 4 ? SOME_LEVELS : EnumSet.copyOf(Level.surveyed());
    List<Chain> pins = pins(history, new Random(seed));
    PartCheck.Answer plain = check(history, pins).ask(levels);
    PartCheck.Answer first = check(history, pins).inOrderFirst(ReadsFrom.of(history)).ask(levels);
    String name = "seed " + seed + " " + pins;
    assertThat(first.open()).as(name).isEqualTo(plain.open());
    assertThat(first.unknown().keySet()).as(name).isEqualTo(plain.unknown().keySet());
    assertThat(violated(first, levels)).as(name).isEqualTo(violated(plain, levels));
    proven += first.part() == null ? 1 : 0;
    refuted += first.open().isEmpty() && violated(first, levels).isEmpty() ? 0 : 1;
  }

  private static PartCheck check(History history, List<Chain> pins) {
    return new PartCheck(history, pins, () -> history, false, Budget.unlimited());
  }

  private static Set<Level> violated(PartCheck.Answer answer, Set<Level> levels) {
    Set<Level> violated = EnumSet.noneOf(Level.class);
    levels.stream()
        .filter(level -> answer.part() != null && answer.part().violated(level))
        .forEach(violated::add);
    return violated;
  }

  /** For some keys, one of the last writes of transactions as the last of all. */
  private static List<Chain> pins(History history, Random random) {
    ReadsFrom reads = ReadsFrom.of(history);
    Map<Integer, List<Integer>> writes = new HashMap<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn) && reads.counts(txn); op++) {
        boolean ends = history.kind(op) == OpKind.WRITE && !reads.isOverwritten(op);
        if (ends || history.kind(op) == OpKind.APPEND) {
          writes.computeIfAbsent(history.key(op), key -> new ArrayList<>()).add(op);
        }
      }
    }
    List<Chain> pins = new ArrayList<>();
    writes.forEach(
        (key, all) -> {
          if (random.nextInt(3) > 0) {
            int last = all.remove(random.nextInt(all.size()));
            all.forEach(write -> pins.add(Chain.of(key, write, last)));
          }
        });
    return pins;
  }
}
