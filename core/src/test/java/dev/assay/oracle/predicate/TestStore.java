package dev.assay.oracle.predicate;

import dev.assay.oracle.predicate.Certificate.Look;
import dev.assay.oracle.predicate.Certificate.Place;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import dev.assay.oracle.predicate.PredicateHistory.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * A serializable store of rows, simulated: transactions take a snapshot, and commit if nobody has
 * committed since then what they read, by key or by a predicate, or wrote. It tells its version
 * orders, snapshots and commit order, and can be given a defect.
 */
final class TestStore {
  enum Defect {
    NONE,
    /** Who inserts a row is not seen to conflict with a predicate that it matches. */
    MISSED_PHANTOM_LOCK,
    /** Now and then a snapshot is older than the store believes. */
    STALE_SNAPSHOT,
    /** A commit is put before the one before it, of which it selected a row. */
    REORDERED_COMMIT,
    /** Now and then one row of a predicate update is not stored. */
    LOST_PREDICATE_UPDATE
  }

  private static final int SESSIONS = 4;
  private static final List<String> KEYS =
      List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");

  private final Defect defect;
  private final Random random;
  private final List<Rows> states = new ArrayList<>(List.of(new Rows()));
  private final List<Running> committed = new ArrayList<>();
  private long version;

  /** A transaction while it runs. */
  private static final class Running {
    final int session;
    final int begun;
    final Rows snapshot;
    final List<Op> ops = new ArrayList<>();
    final int length;

    Running(int session, int begun, Rows snapshot, int length) {
      this.session = session;
      this.begun = begun;
      this.snapshot = new Rows(snapshot.content());
      this.length = length;
    }

    Map<String, Row> writes() {
      Map<String, Row> last = new TreeMap<>();
      ops.forEach(op -> last.putAll(op.written()));
      return last;
    }
  }

  /**
   * What a run leaves.
   *
   * @param history the transactions, in the order they committed
   * @param certificate version orders by commits, and the snapshots
   */
  record Run(PredicateHistory history, Certificate certificate) {}

  TestStore(Defect defect, long seed) {
    this.defect = defect;
    this.random = new Random(seed);
  }

  /** Runs until so many transactions have committed. */
  Run run(int transactions) {
    Running[] active = new Running[SESSIONS];
    while (committed.size() < transactions) {
      int session = random.nextInt(SESSIONS);
      if (active[session] == null) {
        active[session] = begin(session);
      } else if (active[session].ops.size() < active[session].length) {
        operate(active[session]);
      } else {
        if (isValid(active[session])) {
          commit(active[session]);
        }
        active[session] = null;
      }
    }
    return told();
  }

  private Running begin(int session) {
    int begun = committed.size();
    boolean stale = defect == Defect.STALE_SNAPSHOT && random.nextInt(6) == 0;
    Rows seen = states.get(stale ? Math.max(0, begun - 3) : begun);
    return new Running(session, begun, seen, 1 + random.nextInt(3));
  }

  private void operate(Running txn) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    int val = random.nextInt(10);
    String range = "[\"between\",\"val\",%d,%d]".formatted(val, val + 3);
    List<IntFunction<Op>> choices =
        List.of(
            Programs.write(key, val),
            Programs.write(key, val),
            Programs.read(key),
            Programs.select("{\"where\":%s}".formatted(range)),
            Programs.select("{\"where\":[\"=\",\"k\",{\"text\":\"%s\"}]}".formatted(key)),
            Programs.aggregate("{\"select\":[\"max\",\"val\"],\"where\":%s}".formatted(range)),
            Programs.aggregate("{\"select\":[\"count\"],\"where\":%s}".formatted(range)),
            Programs.aggregate("{\"select\":[\"avg\",\"val\"],\"where\":%s}".formatted(range)),
            Programs.increment(range),
            Programs.deleteWhere(range));
    Op op = choices.get(random.nextInt(choices.size())).apply((int) ++version);
    boolean absent = op instanceof Op.Read && !txn.snapshot.content().containsKey(key);
    if (!absent) {
      txn.ops.add(txn.snapshot.run(op));
    }
  }

  // ---- commits

  private boolean isValid(Running txn) {
    if (txn.ops.isEmpty()) {
      return false;
    }
    for (int i = txn.begun; i < committed.size(); i++) {
      Map<String, Row> before = states.get(i).content();
      for (Map.Entry<String, Row> write : committed.get(i).writes().entrySet()) {
        String key = write.getKey();
        boolean clash =
            txn.writes().containsKey(key)
                || txn.ops.stream()
                    .anyMatch(op -> conflicts(op, key, before.get(key), write.getValue()));
        if (clash) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean conflicts(Op op, String key, Row before, Row after) {
    if (op.predicate() == null) {
      return op instanceof Op.Read read && read.key().equals(key);
    }
    boolean inserted = before == null && defect == Defect.MISSED_PHANTOM_LOCK;
    return matches(op, key, before) || (matches(op, key, after) && !inserted);
  }

  private static boolean matches(Op op, String key, Row row) {
    return row != null && Rows.matcher(op.predicate()).matches(key, row.value());
  }

  private void commit(Running txn) {
    Rows next = new Rows(states.get(committed.size()).content());
    Map<String, Row> writes = txn.writes();
    boolean loses = defect == Defect.LOST_PREDICATE_UPDATE && random.nextInt(3) == 0;
    for (Op op : txn.ops) {
      if (loses && op instanceof Op.Update update && !update.rows().isEmpty()) {
        writes.remove(update.rows().keySet().iterator().next());
      }
    }
    next.putAll(writes);
    states.add(next);
    committed.add(txn);
  }

  // ---- what it tells

  private Run told() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < committed.size(); i++) {
      order.add(i);
    }
    for (int i = 1; i < order.size() && defect == Defect.REORDERED_COMMIT; i++) {
      if (readsFrom(i, i - 1)) {
        order.set(i - 1, i);
        order.set(i, i - 1);
        i++;
      }
    }
    List<Txn> txns = new ArrayList<>();
    Map<String, List<Integer>> orders = new TreeMap<>();
    Map<Place, Look> looks = new HashMap<>();
    for (int i = 0; i < committed.size(); i++) {
      Running txn = committed.get(i);
      txns.add(new Txn(txn.session, txn.ops));
      for (int op = 0; op < txn.ops.size(); op++) {
        if (txn.ops.get(op).predicate() != null) {
          looks.put(new Place(i, op), new Look.Snapshot(txn.begun, List.of(), List.of()));
        }
      }
      for (String key : committed.get(order.get(i)).writes().keySet()) {
        orders.computeIfAbsent(key, k -> new ArrayList<>()).add(order.get(i));
      }
    }
    return new Run(new PredicateHistory(txns), new Certificate(orders, order, looks, Map.of()));
  }

  /** Whether a transaction selected a row that another left. */
  private boolean readsFrom(int reader, int writer) {
    Map<String, Row> left = committed.get(writer).writes();
    return committed.get(reader).ops.stream()
        .filter(op -> op instanceof Op.Select)
        .flatMap(op -> ((Op.Select) op).rows().entrySet().stream())
        .anyMatch(row -> row.getValue().equals(left.get(row.getKey())));
  }
}
