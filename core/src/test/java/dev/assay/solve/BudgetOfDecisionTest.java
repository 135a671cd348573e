package dev.assay.solve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Time that is up at any look at the budget ends a decision soon, with no more than an answer. */
class BudgetOfDecisionTest {
  private static final int TRANSACTIONS = 150;
  private static final int KEYS = 5;

  /** A few stages may each notice that time is up. */
  private static final int MOST_LOOKS_AFTER = 12;

  @ParameterizedTest
  @EnumSource(
      value = Polygraph.Shape.class,
      names = {"SERIAL", "SNAPSHOT", "PREFIX"})
  void aDecisionEndsWheneverTimeIsUp(Polygraph.Shape shape) {
    assertThat(looks(shuffled(shape, 0))).isGreaterThan(10);
    assertThat(looks(shuffled(shape, 3))).isPositive();
  }

  /** Lets time be up at every look, later and later, until it is not any more. */
  private static int looks(Polygraph problem) {
    int[] order = new int[TRANSACTIONS];
    for (int txn = 0; txn < TRANSACTIONS; txn++) {
      order[txn] = txn;
    }
    Decision.Result whole = null;
    int limit = 0;
    for (boolean expired = true; expired; limit += 1 + limit / 20) {
      int[] looks = new int[1];
      int most = limit;
      Decision decision =
          new Decision(problem, () -> ++looks[0] > most, new Effort(), Long.MAX_VALUE);
      whole = decision.runFromAnywhere(order);
      expired = looks[0] > limit;
      assertThat(looks[0])
          .as("looks with a limit of %d", limit)
          .isLessThan(limit + MOST_LOOKS_AFTER);
    }
    assertThat(whole).isNotInstanceOf(Decision.Result.Expired.class);
    return limit;
  }

  /** Reads and writes in an order that the problem does not say, some of ten reads ambiguous. */
  private static Polygraph shuffled(Polygraph.Shape shape, int ambiguous) {
    Random random = new Random(3);
    int[][] source = new int[KEYS][TRANSACTIONS];
    boolean[][] writes = new boolean[KEYS][TRANSACTIONS];
    int[] number = random.ints(0, TRANSACTIONS).distinct().limit(TRANSACTIONS).toArray();
    for (int key = 0; key < KEYS; key++) {
      int last = Polygraph.INITIAL;
      for (int i = 0; i < TRANSACTIONS; i++) {
        boolean reads = random.nextInt(12) == 0;
        source[key][number[i]] = reads ? last : Integer.MIN_VALUE;
        if (!reads && random.nextInt(3) == 0) {
          writes[key][number[i]] = true;
          last = number[i];
        }
      }
    }
    PolygraphBuilder builder = new PolygraphBuilder(shape, TRANSACTIONS);
    for (int key = 0; key < KEYS; key++) {
      builder.startKey();
      int[] writers = writers(writes[key]);
      for (int writer : writers) {
        builder.writer(writer);
      }
      for (int txn = 0; txn < TRANSACTIONS; txn++) {
        if (source[key][txn] != Integer.MIN_VALUE) {
          int other = writers[random.nextInt(writers.length)];
          if (random.nextInt(10) >= ambiguous || other == source[key][txn]) {
            builder.read(txn, source[key][txn]);
          } else {
            builder.choice(txn, new int[] {source[key][txn], other});
          }
        }
      }
      builder.endKey();
    }
    return builder.build();
  }

  private static int[] writers(boolean[] writes) {
    return IntStream.range(0, TRANSACTIONS).filter(txn -> writes[txn]).toArray();
  }
}
