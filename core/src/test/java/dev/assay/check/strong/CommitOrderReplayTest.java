package dev.assay.check.strong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.solve.Polygraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The commit order found for a level is replayed: every read sees what it saw in the history. */
class CommitOrderReplayTest {
  private static final Set<Level> LEVELS =
      EnumSet.of(
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.STRICT_SERIALIZABLE,
          Level.SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.STRONG_SNAPSHOT_ISOLATION,
          Level.PREFIX);

  private final Map<Level, Integer> replayed = new EnumMap<>(Level.class);

  /** A transaction of a simulated store. */
  private record Open(int txn, int session, Map<Integer, Long> snapshot, Map<Integer, Long> own) {}

  /**
   * A store that runs transactions on snapshots and now and then lets one read something old; what
   * comes out has some of the levels.
   */
  static History simulated(Random random, int transactions, int keys, int sessions) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.zeroIsInitial(true);
    Map<Integer, Long> state = new HashMap<>();
    List<Map<Integer, Long>> past = new ArrayList<>(List.of(Map.of()));
    Open[] open = new Open[sessions];
    long value = 1;
    long time = 1;
    for (int begun = 0; begun < transactions; ) {
      int session = random.nextInt(sessions);
      if (open[session] == null) {
        int txn = builder.begin(builder.session((long) session), Outcome.COMMITTED);
        builder.start(txn, time++);
        boolean stale = random.nextInt(20) == 0;
        Map<Integer, Long> snapshot =
            stale ? past.get(random.nextInt(past.size())) : new HashMap<>(state);
        Map<Integer, Long> own = new HashMap<>();
        for (int op = 0; op < 1 + random.nextInt(3); op++) {
          long key = random.nextInt(keys);
          if (random.nextBoolean()) {
            builder.write(key, value);
            own.put((int) key, value++);
          } else {
            long seen = own.getOrDefault((int) key, snapshot.getOrDefault((int) key, 0L));
            builder.read(key, seen);
          }
        }
        open[session] = new Open(txn, session, snapshot, own);
        begun++;
      } else {
        builder.end(open[session].txn, time++);
        state.putAll(open[session].own);
        past.add(new HashMap<>(state));
        open[session] = null;
      }
    }
    for (Open left : open) {
      if (left != null) {
        builder.end(left.txn, time++);
      }
    }
    return builder.build();
  }

  @Test
  void everyReadSeesTheSameAgain() {
    Random random = new Random(5);
    for (int i = 0; i < 3000; i++) {
      History history = simulated(random, 4 + random.nextInt(12), 2 + random.nextInt(4), 3);
      for (Level level : LEVELS) {
        StrongRun run = new StrongRun(Subject.of(history, Set.of(level), Budget.unlimited()), true);
        run.decide();
        run.commitOrders().forEach((found, events) -> replay(history, found, events));
      }
    }
    assertThat(replayed.keySet()).containsAll(LEVELS);
  }

  /** Also where a stronger level was decided first, and settled it. */
  @Test
  void whatHoldsHasAnOrder() {
    Random random = new Random(6);
    for (int i = 0; i < 3000; i++) {
      History history = simulated(random, 4 + random.nextInt(12), 2 + random.nextInt(4), 3);
      for (Level level : LEVELS) {
        Subject subject = Subject.of(history, Set.of(level), Budget.unlimited());
        boolean holds =
            PolygraphChecker.decide(subject).findings().verdicts().entrySet().stream()
                .anyMatch(
                    it -> it.getValue() instanceof Verdict.Holds && it.getKey().implies(level));
        assertThat(PolygraphChecker.commitOrder(subject, level) != null)
            .as(level.id())
            .isEqualTo(holds);
      }
    }
  }

  private void replay(History history, Level level, int[] events) {
    replayed.merge(level, 1, Integer::sum);
    Model model = Model.of(level);
    boolean split = model.shape() != Polygraph.Shape.SERIAL;
    Map<Integer, Integer> state = new HashMap<>();
    Map<Integer, Map<Integer, Integer>> snapshots = new HashMap<>();
    Map<Integer, Set<Integer>> committedSince = new HashMap<>();
    Map<Integer, Integer> beginAt = new HashMap<>();
    Map<Integer, Integer> commitAt = new HashMap<>();
    for (int place = 0; place < events.length; place++) {
      int txn = events[place] >> 1;
      boolean commits = (events[place] & 1) == 1;
      if (!commits || !split) {
        beginAt.put(txn, place);
        snapshots.put(txn, new HashMap<>(state));
        committedSince.put(txn, new HashSet<>());
      }
      if (commits) {
        commitAt.put(txn, place);
        Map<Integer, Integer> written = read(history, txn, snapshots.remove(txn));
        Set<Integer> since = committedSince.remove(txn);
        if (model.shape() == Polygraph.Shape.SNAPSHOT) {
          assertThat(Collections.disjoint(since, written.keySet())).isTrue();
        }
        state.putAll(written);
        committedSince.values().forEach(keys -> keys.addAll(written.keySet()));
      }
    }
    assertThat(commitAt).hasSize(history.transactionCount());
    for (int a = 0; a < history.transactionCount(); a++) {
      for (int b = 0; b < history.transactionCount(); b++) {
        boolean session =
            history.session(a) == history.session(b)
                && history.placeInSession(a) < history.placeInSession(b);
        boolean time = history.end(a) < history.start(b);
        if ((session && model.sessions()) || (time && model.realTime())) {
          assertThat(commitAt.get(a)).isLessThan(beginAt.get(b));
        }
      }
    }
  }

  /** Replays the operations of a transaction on a snapshot; returns what it wrote. */
  private static Map<Integer, Integer> read(
      History history, int txn, Map<Integer, Integer> snapshot) {
    Map<Integer, Integer> own = new HashMap<>();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int key = history.key(op);
      if (history.kind(op) == OpKind.WRITE) {
        own.put(key, history.value(op));
      } else {
        int expected = own.getOrDefault(key, snapshot.getOrDefault(key, 0));
        assertThat(history.value(op)).isEqualTo(expected);
      }
    }
    return own;
  }
}
