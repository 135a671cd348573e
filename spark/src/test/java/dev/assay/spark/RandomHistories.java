package dev.assay.spark;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Recordings of a simulated store whose transactions overlap. Reads see the store as it was when
 * their transaction began or as it is now; a few see something else.
 */
final class RandomHistories {
  private final Random random;
  private final HistoryBuilder builder = new HistoryBuilder();

  /** Versions of each key that took effect, and values that did not. */
  private final Map<String, List<Long>> versions = new HashMap<>();

  private final Map<String, List<Long>> refused = new HashMap<>();
  private final int clients;
  private final int keys;
  private final int disturbed;

  /** What keys may be. */
  private final List<String> types;

  private final boolean snapshots;
  private final boolean outcomes;
  private final int repeats;

  /** 0 for no times, else the precision of the clock. */
  private final int tick;

  private final int writesPerKey;
  private long nextValue = 1;
  private long clock;
  private int retired;

  /** A transaction that runs. */
  private static final class Running {
    long start;
    int left;
    final Map<String, Integer> snapshot = new HashMap<>();
    final Map<String, List<Long>> own = new HashMap<>();
    final List<Runnable> ops = new ArrayList<>();
  }

  private RandomHistories(Random random) {
    this.random = random;
    clients = 1 + random.nextInt(5);
    keys = 1 + random.nextInt(6);
    disturbed = random.nextInt(3) == 0 ? 0 : 30 << random.nextInt(5);
    types =
        List.of(List.of("reg"), List.of("list"), List.of("set"), List.of("list", "reg", "set"))
            .get(random.nextInt(4));
    snapshots = random.nextBoolean();
    outcomes = random.nextInt(3) > 0;
    repeats = random.nextInt(5) == 0 ? 20 : 0;
    tick = new int[] {0, 1, 1, 1, 8}[random.nextInt(5)];
    writesPerKey = random.nextInt(3) == 0 ? 0 : 4 + random.nextInt(20);
  }

  static History of(int transactions, Random random) {
    return new RandomHistories(random).run(transactions);
  }

  private History run(int transactions) {
    Running[] running = new Running[clients];
    int[] session = new int[clients];
    for (int i = 0; i < clients; i++) {
      session[i] = builder.session("s" + i);
    }
    int sessions = clients;
    while (builder.transactionCount() < transactions) {
      int client = random.nextInt(clients);
      clock += 1 + random.nextInt(3);
      Running txn = running[client];
      if (txn == null) {
        running[client] = txn = new Running();
        txn.start = clock;
        txn.left = 1 + random.nextInt(4);
        Map<String, Integer> snapshot = txn.snapshot;
        versions.forEach((key, all) -> snapshot.put(key, all.size()));
      } else if (txn.left-- > 0) {
        operate(txn, key());
      } else if (end(txn, session[client]) == Outcome.INDETERMINATE) {
        session[client] = builder.session("s" + sessions++);
        running[client] = null;
      } else {
        running[client] = null;
      }
    }
    return builder.build();
  }

  private String key() {
    int number = random.nextInt(keys);
    // Keys are replaced now and then, as Jepsen's workloads do.
    int generation = writesPerKey == 0 ? 0 : retired / writesPerKey;
    return types.get(number % types.size()) + number + "." + generation;
  }

  private void operate(Running txn, String key) {
    if (random.nextBoolean()) {
      boolean repeat = repeats > 0 && random.nextInt(repeats) == 0;
      long value = repeat ? 1 + random.nextLong(nextValue) : nextValue++;
      txn.own.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
      txn.ops.add(() -> write(key, value));
      retired++;
      return;
    }
    List<Long> seen = seen(txn, key);
    txn.ops.add(() -> read(key, seen));
  }

  private void write(String key, long value) {
    if (key.startsWith("list")) {
      builder.append(key, value);
    } else if (key.startsWith("set")) {
      builder.add(key, value);
    } else {
      builder.write(key, value);
    }
  }

  private void read(String key, List<Long> seen) {
    if (key.startsWith("list")) {
      builder.readList(key, seen);
    } else if (key.startsWith("set")) {
      builder.readSet(key, List.copyOf(new LinkedHashSet<>(seen)));
    } else {
      builder.read(key, seen.isEmpty() ? null : seen.get(seen.size() - 1));
    }
  }

  private List<Long> seen(Running txn, String key) {
    List<Long> all = versions.getOrDefault(key, List.of());
    int version = snapshots ? txn.snapshot.getOrDefault(key, 0) : all.size();
    List<Long> own = txn.own.getOrDefault(key, List.of());
    if (disturbed > 0 && random.nextInt(disturbed) == 0) {
      List<Long> never = refused.getOrDefault(key, List.of());
      switch (random.nextInt(5)) {
        case 0 -> own = List.of();
        case 1 -> own = never.isEmpty() ? own : List.of(never.get(random.nextInt(never.size())));
        case 2 -> version = Math.max(0, version - 1 - random.nextInt(3));
        case 3 -> own = List.of(1_000_000 + nextValue++);
        default -> version = random.nextInt(all.size() + 1);
      }
    }
    List<Long> seen = new ArrayList<>(all.subList(0, version));
    seen.addAll(own);
    return seen;
  }

  private Outcome end(Running txn, int session) {
    Outcome outcome = Outcome.COMMITTED;
    boolean applied = true;
    if (outcomes && random.nextInt(8) == 0) {
      outcome = random.nextBoolean() ? Outcome.ABORTED : Outcome.INDETERMINATE;
      applied = outcome == Outcome.INDETERMINATE && random.nextBoolean();
    }
    Map<String, List<Long>> target = applied ? versions : refused;
    txn.own.forEach(
        (key, values) -> {
          List<Long> all = target.computeIfAbsent(key, k -> new ArrayList<>());
          all.addAll(
              key.startsWith("reg") ? values.subList(values.size() - 1, values.size()) : values);
        });
    int number = builder.begin(session, outcome);
    if (tick > 0) {
      builder.start(number, txn.start / tick);
      if (outcome != Outcome.INDETERMINATE || random.nextBoolean()) {
        builder.end(number, clock / tick);
      }
    }
    txn.ops.forEach(Runnable::run);
    return outcome;
  }
}
