package dev.assay.oracle;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/**
 * Seeded histories of registers, lists, sets and counters together, as clients of a store record
 * them that runs transactions at once and gives a level by construction. Too large for an oracle;
 * the store is one.
 */
final class MixedHistories {
  /** How the store isolates transactions. */
  enum Store {
    /** One transaction after another. */
    SERIAL,
    /** Snapshots; the first of two writers of a key wins, additions to a set do not conflict. */
    SNAPSHOT,
    /** Each read sees what is committed, writers lock their keys. */
    READ_COMMITTED,
    /** As read committed, and some reads see something else. */
    NONE
  }

  /** What is at a key. */
  enum Type {
    REGISTER,
    LIST,
    SET,
    COUNTER
  }

  /** An operation; the value is a number, a list of numbers or nil. */
  record Op(boolean write, Type type, long key, Object value) {}

  /** A transaction with times. */
  record Txn(long session, Outcome outcome, List<Op> ops, long start, long end) {
    boolean reads() {
      return ops.stream().noneMatch(Op::write);
    }

    Txn with(List<Op> others) {
      return new Txn(session, outcome, others, start, end);
    }
  }

  /** What clients recorded, and the transactions that took effect in the order they did. */
  record Made(List<Txn> txns, List<Integer> commits) {}

  /** A transaction that runs. */
  private static final class Running {
    private final long session;
    private final long start;
    private final Map<Integer, Object> snapshot;
    private final Map<Integer, Integer> versions;
    private final List<Op> ops = new ArrayList<>();
    private final Map<Integer, List<Op>> written = new HashMap<>();
    private int left;
    private boolean refused;

    Running(long session, long start, int left, MixedHistories store) {
      this.session = session;
      this.start = start;
      this.left = left;
      this.snapshot = new HashMap<>(store.committed);
      this.versions = new HashMap<>(store.versions);
    }
  }

  private static final int SESSIONS = 4;
  private static final int KEYS = 4;

  private final Store store;
  private final Type[] types;
  private final boolean repeats;
  private final Random random;
  private final Map<Integer, Object> committed = new HashMap<>();
  private final Map<Integer, Integer> versions = new HashMap<>();
  private final Map<Integer, Running> locks = new HashMap<>();
  private final List<Txn> txns = new ArrayList<>();
  private final List<Integer> commits = new ArrayList<>();
  private long clock;
  private long next = 1;
  private long nextSession = SESSIONS;

  /**
   * Prepares.
   *
   * @param store what isolates transactions
   * @param types what is at the keys, in turns
   * @param repeats whether values are written more than once
   */
  MixedHistories(Store store, List<Type> types, boolean repeats, long seed) {
    this.store = store;
    this.types = types.toArray(Type[]::new);
    this.repeats = repeats;
    this.random = new Random(seed);
  }

  /** Runs so many transactions. */
  Made make(int transactions) {
    Running[] running = new Running[SESSIONS];
    long[] session = new long[SESSIONS];
    Arrays.setAll(session, i -> i);
    int begun = 0;
    while (txns.size() < transactions) {
      int client = random.nextInt(SESSIONS);
      clock += 1 + random.nextInt(3);
      if (running[client] == null && begun < transactions) {
        begun++;
        running[client] = new Running(session[client], clock, random.nextInt(5), this);
      } else if (running[client] != null && advance(running[client])) {
        boolean known = end(running[client]);
        session[client] = known ? session[client] : nextSession++;
        running[client] = null;
      }
    }
    return new Made(txns, commits);
  }

  /** Whether it came to its end. */
  private boolean advance(Running txn) {
    do {
      if (txn.left > 0) {
        txn.left--;
        operate(txn, random.nextInt(KEYS));
      }
    } while (store == Store.SERIAL && txn.left > 0);
    return txn.left == 0;
  }

  private void operate(Running txn, int key) {
    Type type = types[key % types.length];
    List<Op> own = txn.written.computeIfAbsent(key, k -> new ArrayList<>());
    if (random.nextBoolean()) {
      boolean alone = type == Type.SET || locks.computeIfAbsent(key, k -> txn) == txn;
      boolean first = store != Store.SNAPSHOT || type == Type.SET || isUnchanged(txn, key);
      if (store != Store.SERIAL && !(alone && first)) {
        txn.refused = true;
        txn.left = 0;
        return;
      }
      Op write = new Op(true, type, key, type == Type.COUNTER ? random.nextInt(4) : fresh());
      own.add(write);
      txn.ops.add(write);
    } else {
      Map<Integer, Object> seen = isDisturbed() ? txn.snapshot : visible(txn);
      Object value = after(seen.get(key), isDisturbed() ? List.of() : own, type);
      txn.ops.add(new Op(false, type, key, value));
    }
  }

  private boolean isDisturbed() {
    return store == Store.NONE && random.nextInt(4) == 0;
  }

  private Map<Integer, Object> visible(Running txn) {
    return store == Store.SNAPSHOT ? txn.snapshot : committed;
  }

  private boolean isUnchanged(Running txn, int key) {
    return versions.getOrDefault(key, 0).equals(txn.versions.getOrDefault(key, 0));
  }

  private long fresh() {
    return repeats && next > 1 && random.nextInt(4) == 0
        ? 1 + random.nextInt((int) Math.min(next - 1, 6))
        : next++;
  }

  /** Whether the client learned the outcome. */
  private boolean end(Running txn) {
    Outcome outcome = txn.refused ? Outcome.ABORTED : Outcome.COMMITTED;
    boolean applied = !txn.refused;
    if (random.nextInt(6) == 0) {
      outcome = random.nextBoolean() ? Outcome.ABORTED : Outcome.INDETERMINATE;
      applied &= outcome == Outcome.INDETERMINATE && random.nextBoolean();
    }
    if (applied) {
      txn.written.forEach(this::install);
      commits.add(txns.size());
    }
    locks.values().removeIf(holder -> holder == txn);
    // A coarse clock: many times are equal.
    txns.add(new Txn(txn.session, outcome, List.copyOf(txn.ops), txn.start / 4, clock / 4));
    return outcome != Outcome.INDETERMINATE;
  }

  private void install(int key, List<Op> writes) {
    if (!writes.isEmpty()) {
      committed.put(key, after(committed.get(key), writes, writes.get(0).type));
      versions.merge(key, 1, Integer::sum);
    }
  }

  private static Object after(Object before, List<Op> writes, Type type) {
    List<Long> values = writes.stream().map(op -> ((Number) op.value).longValue()).toList();
    return switch (type) {
      case REGISTER -> values.isEmpty() ? before : values.get(values.size() - 1);
      case COUNTER ->
          (before == null ? 0 : (long) before) + values.stream().mapToLong(Long::longValue).sum();
      case LIST -> joined(before, values);
      case SET -> new ArrayList<>(new TreeSet<>(joined(before, values)));
    };
  }

  private static List<Long> joined(Object before, List<Long> values) {
    List<Long> all = new ArrayList<>();
    if (before instanceof List<?> elements) {
      elements.forEach(element -> all.add((Long) element));
    }
    all.addAll(values);
    return all;
  }

  /** As a history that checkers take. */
  static History history(List<Txn> txns) {
    return filled(txns).build();
  }

  /** The same with places and timestamps by the order of commits, for transactions run serially. */
  static History historyWithOrder(Made made) {
    HistoryBuilder builder = filled(made.txns);
    for (int place = 0; place < made.commits.size(); place++) {
      int txn = made.commits.get(place);
      builder.serialPosition(txn, place);
      builder.snapshotTs(txn, 2L * place);
      builder.commitTs(txn, 2L * place + 1);
    }
    return builder.build();
  }

  private static HistoryBuilder filled(List<Txn> txns) {
    HistoryBuilder builder = new HistoryBuilder();
    for (Txn txn : txns) {
      int number = builder.begin(builder.session(txn.session), txn.outcome);
      if (txn.start != History.ABSENT) {
        builder.start(number, txn.start);
        builder.end(number, txn.end);
      }
      txn.ops.forEach(op -> add(builder, op));
    }
    return builder;
  }

  private static void add(HistoryBuilder builder, Op op) {
    List<?> elements = op.value instanceof List<?> list ? list : Collections.emptyList();
    switch (op.type) {
      case REGISTER -> {
        if (op.write) {
          builder.write(op.key, op.value);
        } else {
          builder.read(op.key, op.value);
        }
      }
      case LIST -> {
        if (op.write) {
          builder.append(op.key, op.value);
        } else {
          builder.readList(op.key, elements);
        }
      }
      case SET -> {
        if (op.write) {
          builder.add(op.key, op.value);
        } else {
          builder.readSet(op.key, elements);
        }
      }
      case COUNTER -> {
        long number = ((Number) op.value).longValue();
        if (op.write) {
          builder.increment(op.key, number);
        } else {
          builder.readCounter(op.key, number);
        }
      }
    }
  }
}
