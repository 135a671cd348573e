package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.replay.SerialSearch;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Running the transactions of a whole history one after another finds orders that there are. */
class SerialSearchAgainstOracleTest {
  @Test
  void anOrderIsFoundOnlyWhereThereIsOneAndMostlyThere() {
    int found = 0;
    int missed = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      Shape shape = Shape.committed(5, 2, 3);
      shape = seed % 3 == 0 ? shape.withOutcomes() : shape;
      shape = seed % 2 == 0 ? shape.withTimes() : shape;
      shape = seed % 5 == 0 ? shape.withDuplicates() : shape;
      RandomHistories random = new RandomHistories(shape, seed);
      SmallHistory small = seed % 4 < 2 ? random.registers() : random.lists();
      History history = small.toHistory();
      Level level =
          history.hasTimes() ? Level.STRICT_SERIALIZABLE : Level.STRONG_SESSION_SERIALIZABLE;
      boolean holds = LevelOracle.holding(small).contains(level);
      int[] order = search(history);
      assertThat(order != null && !holds).as("seed %d: %s", seed, small).isFalse();
      found += order != null ? 1 : 0;
      missed += order == null && holds ? 1 : 0;
    }
    assertThat(found).isGreaterThan(200);
    assertThat(missed).isLessThan(found / 4);
  }

  @Test
  void aLongRecordingIsFollowedHoweverItIsListed() {
    for (int seed = 0; seed < 20; seed++) {
      History history = recorded(20_000, 8, new Random(seed));
      int[] order = search(history);
      assertThat(order).as("seed %d", seed).hasSize(history.transactionCount());
    }
  }

  private static int[] search(History history) {
    return SerialSearch.run(history, ReadsFrom.of(history), Budget.unlimited());
  }

  /** What clients saw of a store that runs transactions one after another, client by client. */
  private static History recorded(int transactions, int clients, Random random) {
    int[] values = new int[50];
    long[] free = new long[clients];
    List<List<long[]>> times = new ArrayList<>();
    List<List<int[]>> accesses = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      times.add(new ArrayList<>());
      accesses.add(new ArrayList<>());
    }
    long now = 0;
    for (int i = 1; i <= transactions; i++) {
      int client = random.nextInt(clients);
      now = Math.max(now + 1, free[client] + 1);
      long start = Math.max(free[client] + 1, now - random.nextInt(20));
      free[client] = now + random.nextInt(random.nextInt(100) == 0 ? 500 : 20);
      int read = random.nextInt(values.length);
      int written = random.nextInt(values.length);
      accesses.get(client).add(new int[] {read, values[read], written, i});
      times.get(client).add(new long[] {start, free[client]});
      values[written] = i;
    }
    HistoryBuilder builder = new HistoryBuilder();
    RawScalars scalars = builder.scalars();
    for (int client = 0; client < clients; client++) {
      int session = builder.session("client " + client);
      for (int i = 0; i < accesses.get(client).size(); i++) {
        int txn = builder.begin(session, Outcome.COMMITTED);
        builder.start(txn, times.get(client).get(i)[0]);
        builder.end(txn, times.get(client).get(i)[1]);
        int[] access = accesses.get(client).get(i);
        Object seen = access[1] == 0 ? null : access[1];
        builder.op(OpKind.READ, scalars.of(access[0]), scalars.of(seen));
        builder.op(OpKind.WRITE, scalars.of(access[2]), scalars.of(access[3]));
      }
    }
    return builder.build();
  }
}
