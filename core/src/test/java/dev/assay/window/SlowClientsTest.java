package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A store that runs transactions one after another is judged strictly serializable also where some
 * clients are slow to tell that theirs have ended: others have read what they wrote, or replaced
 * what they read, long before. The engine once took windows back without end there, in one of
 * thirteen such recordings.
 */
class SlowClientsTest {
  /** Only a guard against an engine that never ends; a recording takes a tenth of a second. */
  private static final Duration NEVER = Duration.ofMinutes(3);

  @Test
  void whatCommittedLongBeforeItsClientSaysSoIsInOrder() {
    recordings(60);
  }

  @Test
  @Tag("extended")
  void manyRecordingsOfSlowClientsAreInOrder() {
    recordings(3_000);
  }

  private static void recordings(int count) {
    for (int seed = 0; seed < count; seed++) {
      Random random = new Random(seed);
      Recorder recorder = new Recorder(random);
      int block = 20 + random.nextInt(1_000);
      List<Line> lines = recorder.record(1_000 + random.nextInt(10_000));
      String verdict = assertTimeoutPreemptively(NEVER, () -> verdict(lines, block));
      assertThat(verdict).as("seed %d", seed).isEqualTo("holds");
    }
  }

  private static String verdict(List<Line> lines, int block) {
    MonitorOptions options = MonitorOptions.of(EnumSet.copyOf(Level.surveyed()));
    Engine engine = new Engine(options.lateness(Duration.ZERO), 2);
    for (int from = 0; from < lines.size(); from += block) {
      List<Line> part = lines.subList(from, Math.min(lines.size(), from + block));
      engine.accept(Line.history(part, Streams.nothing()));
      engine.round();
    }
    String verdict = engine.finish().verdict(Level.STRICT_SERIALIZABLE).id();
    engine.close();
    return verdict;
  }

  /** A store, and clients that tell what they saw. */
  private static final class Recorder {
    private final Random random;
    private final int clients;
    private final int keysAtATime;
    private final int writesOfKey;
    private final int oneIsSlowIn;
    private final int slow;

    /** When each client is done with its transaction. */
    private final long[] free;

    private final int[] keys;
    private final int[] writes;
    private final List<Integer> values = new ArrayList<>();
    private int nextValue = 1;

    Recorder(Random random) {
      this.random = random;
      clients = 2 + random.nextInt(12);
      keysAtATime = 1 + random.nextInt(20);
      writesOfKey = 5 + random.nextInt(200);
      oneIsSlowIn = 5 + random.nextInt(1_000);
      slow = 50 + random.nextInt(5_000);
      free = new long[clients];
      keys = IntStream.range(0, keysAtATime).toArray();
      writes = new int[keysAtATime];
      addKeys(keysAtATime);
    }

    private void addKeys(int count) {
      for (int i = 0; i < count; i++) {
        values.add(null);
      }
    }

    /** The transactions in the order in which clients tell of them, and a read of all keys. */
    List<Line> record(int transactions) {
      List<Line> lines = new ArrayList<>();
      long now = clients;
      while (lines.size() < transactions) {
        now++;
        int client = random.nextInt(clients);
        if (free[client] >= now) {
          continue;
        }
        long start = Math.max(free[client] + 1, now - random.nextInt(4));
        boolean isSlow = random.nextInt(oneIsSlowIn) == 0;
        long end = now + (isSlow ? random.nextInt(slow) : random.nextInt(3));
        free[client] = end;
        lines.add(
            new Line(
                client, Outcome.COMMITTED, start * clients, end * clients + client, operations()));
      }
      lines.sort(Comparator.comparingLong(Line::end));
      List<Operation> all = new ArrayList<>();
      for (int key = 0; key < values.size(); key++) {
        all.add(Line.op(OpKind.READ, key, values.get(key)));
      }
      long last = (now + slow) * clients;
      lines.add(new Line(clients, Outcome.COMMITTED, last + 1, last + 2, all));
      return lines;
    }

    private List<Operation> operations() {
      List<Operation> operations = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        int place = random.nextInt(keysAtATime);
        int key = keys[place];
        if (random.nextBoolean()) {
          operations.add(Line.op(OpKind.READ, key, values.get(key)));
        } else {
          values.set(key, nextValue);
          operations.add(Line.op(OpKind.WRITE, key, nextValue++));
          if (++writes[place] == writesOfKey) {
            keys[place] = values.size();
            addKeys(1);
            writes[place] = 0;
          }
        }
      }
      return operations;
    }
  }
}
