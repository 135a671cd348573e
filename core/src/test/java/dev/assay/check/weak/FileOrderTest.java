package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Histories too large for a brute-force oracle, so that work is shared between threads and large
 * tables are used. How a file lists its operations and what keys and values are called must not
 * change any verdict.
 */
class FileOrderTest {
  private static final Set<Level> LEVELS =
      Set.of(
          Level.READ_COMMITTED,
          Level.MONOTONIC_ATOMIC_VIEW,
          Level.READ_ATOMIC,
          Level.CAUSAL,
          Level.PRAM,
          Level.MONOTONIC_READS,
          Level.CUT_ISOLATION);

  private record Line(boolean write, long key, long value, int session, int txn) {
    String text() {
      return "%s(%d,%d,%d,%d)\n".formatted(write ? "w" : "r", key, value, session, txn);
    }
  }

  /**
   * Transactions one after the other. A share of the reads, or of the transactions for all their
   * reads, see the state of some transactions ago.
   */
  private record Made(List<List<Line>> txns) {
    static Made of(Random random, int sessions, int transactions, int keys, double stale) {
      List<List<Line>> txns = new ArrayList<>();
      Map<Long, List<long[]>> versions = new HashMap<>();
      boolean whole = random.nextBoolean();
      for (int txn = 1; txn <= transactions; txn++) {
        int session = 1 + random.nextInt(sessions);
        int lag = random.nextDouble() < stale ? 1 + random.nextInt(30) : 0;
        List<Line> lines = new ArrayList<>();
        Map<Long, Long> own = new HashMap<>();
        int operations = 1 + random.nextInt(random.nextInt(40) == 0 ? 90 : 6);
        for (int i = 0; i < operations; i++) {
          long key = Math.min(random.nextInt(keys), random.nextInt(keys));
          if (random.nextBoolean()) {
            List<long[]> all = versions.computeIfAbsent(key, k -> new ArrayList<>());
            all.add(new long[] {txn, all.size() + 1});
            own.put(key, (long) all.size());
            lines.add(new Line(true, key, all.size(), session, txn));
          } else {
            boolean old = whole || random.nextInt(4) == 0;
            long seen = own.getOrDefault(key, seen(versions.get(key), txn - (old ? lag : 0)));
            lines.add(new Line(false, key, seen, session, txn));
          }
        }
        txns.add(lines);
      }
      return new Made(txns);
    }

    /** The last version that a transaction before this one left behind, or 0. */
    private static long seen(List<long[]> versions, int before) {
      long seen = 0;
      for (long[] version : versions == null ? List.<long[]>of() : versions) {
        seen = version[0] < before ? version[1] : seen;
      }
      return seen;
    }

    private List<Line> lines() {
      return txns.stream().flatMap(List::stream).toList();
    }

    /** The next of each session when its turn comes. */
    private static List<Line> merged(List<List<Line>> units, List<Integer> turns) {
      Map<Integer, List<List<Line>>> left = new TreeMap<>();
      units.forEach(
          unit -> left.computeIfAbsent(unit.get(0).session(), s -> new ArrayList<>()).add(0, unit));
      List<Line> lines = new ArrayList<>();
      for (int session : turns) {
        List<List<Line>> own = left.get(session);
        lines.addAll(own.remove(own.size() - 1));
      }
      return lines;
    }

    private static List<Line> shuffled(List<List<Line>> units, Random random) {
      List<Integer> turns = new ArrayList<>();
      units.forEach(unit -> turns.add(unit.get(0).session()));
      if (random == null) {
        Collections.sort(turns);
      } else {
        Collections.shuffle(turns, random);
      }
      return merged(units, turns);
    }

    /** The same history, listed and named otherwise. */
    Map<String, List<Line>> variants(Random random) {
      Map<String, List<Line>> variants = new TreeMap<>();
      variants.put("as made", lines());
      variants.put("by transaction", shuffled(txns, random));
      variants.put("by session", shuffled(txns, null));
      variants.put("interleaved", shuffled(lines().stream().map(List::of).toList(), random));
      variants.put("sparse values", renamed(variants.get("by transaction"), 1, 7_001));
      variants.put("sparse keys", renamed(variants.get("by transaction"), 5_003, 1));
      variants.put("wide keys", renamed(variants.get("interleaved"), 5_000_000_029L, 900_000_011));
      variants.put("negative", renamed(variants.get("interleaved"), -1, -3));
      return variants;
    }

    private static List<Line> renamed(List<Line> lines, long key, long value) {
      return lines.stream()
          .map(l -> new Line(l.write, l.key * key, l.value * value, l.session, l.txn))
          .toList();
    }
  }

  private static History read(List<Line> lines) throws Exception {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.text()));
    return Formats.read(Input.of("made.txt", text.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private static Map<Level, String> verdicts(History history) {
    Report report = Assay.check(history, LEVELS, Budget.unlimited());
    Map<Level, String> verdicts = new EnumMap<>(Level.class);
    LEVELS.forEach(level -> verdicts.put(level, report.verdict(level).getClass().getSimpleName()));
    return verdicts;
  }

  @Test
  void verdictsDoNotDependOnTheOrderOfTheFile() throws Exception {
    Random random = new Random(5);
    Map<Level, Map<String, Integer>> seen = new EnumMap<>(Level.class);
    for (int i = 0; i < 9; i++) {
      double stale = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.002 : 0.2;
      int keys = i % 2 == 0 ? 20 : 300;
      Made made = Made.of(random, 2 + random.nextInt(30), 900, keys, stale);
      Map<Level, String> expected = verdicts(read(made.lines()));
      for (Map.Entry<String, List<Line>> variant : made.variants(random).entrySet()) {
        assertThat(verdicts(read(variant.getValue())))
            .as("history %d, %s", i, variant.getKey())
            .isEqualTo(expected);
      }
      expected.forEach(
          (level, verdict) ->
              seen.computeIfAbsent(level, l -> new TreeMap<>()).merge(verdict, 1, Integer::sum));
    }
    // Otherwise this would compare nothing.
    assertThat(seen.get(Level.CAUSAL).keySet()).contains("Holds", "Violated");
    assertThat(seen.get(Level.READ_COMMITTED).keySet()).contains("Holds", "Violated");
  }

  @Test
  void everyReadNamesTheWriteOfItsValue() throws Exception {
    Random random = new Random(6);
    for (int i = 0; i < 4; i++) {
      Made made = Made.of(random, 8, 900, i % 2 == 0 ? 6 : 500, 0.1);
      for (Map.Entry<String, List<Line>> variant : made.variants(random).entrySet()) {
        History history = read(variant.getValue());
        ReadsFrom reads = ReadsFrom.of(history);
        Map<List<Integer>, Integer> writes = new HashMap<>();
        for (int op = 0; op < history.operationCount(); op++) {
          if (history.kind(op) == OpKind.WRITE) {
            writes.put(List.of(history.key(op), history.value(op)), op);
          }
        }
        for (int op = 0; op < history.operationCount(); op++) {
          List<Integer> version = List.of(history.key(op), history.value(op));
          if (history.kind(op) == OpKind.READ) {
            assertThat(reads.source(op))
                .as("%s, %s", variant.getKey(), history.text(op))
                .isEqualTo(writes.getOrDefault(version, ReadsFrom.INITIAL));
          }
        }
      }
    }
  }

  @Test
  void keysKeepTheirNames() throws Exception {
    Made made = Made.of(new Random(7), 4, 900, 400, 0);
    for (List<Line> lines : made.variants(new Random(8)).values()) {
      History history = read(lines);
      Map<String, Integer> expected = new HashMap<>();
      lines.forEach(l -> expected.merge(l.key + (l.write ? "w" : "r") + l.value, 1, Integer::sum));
      Map<String, Integer> found = new HashMap<>();
      for (int op = 0; op < history.operationCount(); op++) {
        String name =
            history.keys().text(history.key(op))
                + (history.kind(op) == OpKind.WRITE ? "w" : "r")
                + history.values().text(history.value(op));
        found.merge(name, 1, Integer::sum);
      }
      assertThat(found).isEqualTo(expected);
    }
  }
}
