package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Seeded random histories, larger than the enumerated ones. A history comes from a hidden serial
 * order in which most reads see the latest version, some a stale one and a few anything at all, so
 * that levels fail one by one instead of all at once.
 */
final class RandomHistories {
  /** What to generate. */
  record Shape(
      int txns,
      int keys,
      int maxOps,
      int sessions,
      boolean outcomes,
      boolean times,
      boolean twice) {
    static Shape committed(int txns, int keys, int maxOps) {
      return new Shape(txns, keys, maxOps, 3, false, false, false);
    }

    Shape withOutcomes() {
      return new Shape(txns, keys, maxOps, sessions, true, times, twice);
    }

    Shape withTimes() {
      return new Shape(txns, keys, maxOps, sessions, outcomes, true, twice);
    }

    /** Some values are written twice, the initial one among them. */
    Shape withDuplicates() {
      return new Shape(txns, keys, maxOps, sessions, outcomes, times, true);
    }
  }

  private final Shape shape;
  private final Random random;

  RandomHistories(Shape shape, long seed) {
    this.shape = shape;
    this.random = new Random(seed);
  }

  SmallHistory registers() {
    List<Txn> txns = frames();
    boolean[][] writes = new boolean[txns.size()][];
    int[][] keys = new int[txns.size()][];
    int[][] values = new int[txns.size()][];
    Map<Integer, List<Integer>> written = new HashMap<>();
    int next = 1;
    for (int t = 0; t < txns.size(); t++) {
      int ops = 1 + random.nextInt(shape.maxOps);
      writes[t] = new boolean[ops];
      keys[t] = new int[ops];
      values[t] = new int[ops];
      for (int i = 0; i < ops; i++) {
        writes[t][i] = random.nextBoolean();
        keys[t][i] = random.nextInt(shape.keys);
        if (writes[t][i]) {
          List<Integer> earlier = written.computeIfAbsent(keys[t][i], k -> new ArrayList<>());
          boolean again = shape.twice && random.nextInt(4) == 0;
          values[t][i] = again ? (earlier.isEmpty() ? 0 : pick(earlier)) : next++;
          earlier.add(values[t][i]);
        }
      }
    }
    List<List<Op>> ops = new ArrayList<>();
    for (int t = 0; t < txns.size(); t++) {
      ops.add(new ArrayList<>(Collections.nCopies(keys[t].length, null)));
    }
    Map<Integer, List<Integer>> versions = new HashMap<>();
    for (int t : shuffled(txns.size())) {
      Map<Integer, Integer> seen = new HashMap<>();
      for (int i = 0; i < keys[t].length; i++) {
        int key = keys[t][i];
        if (writes[t][i]) {
          seen.put(key, values[t][i]);
          ops.get(t).set(i, new Op.Write(key, values[t][i]));
        } else {
          int value =
              seen.containsKey(key) && !oneIn(25)
                  ? seen.get(key)
                  : version(versions.getOrDefault(key, List.of()), written.get(key));
          seen.putIfAbsent(key, value);
          boolean unseen = txns.get(t).outcome() == Outcome.INDETERMINATE && oneIn(2);
          ops.get(t).set(i, unseen ? new Op.UnseenRead(key) : new Op.Read(key, value));
        }
      }
      boolean visible = txns.get(t).outcome() == Outcome.COMMITTED || oneIn(3);
      for (int i = 0; visible && i < keys[t].length; i++) {
        boolean last = writes[t][i];
        for (int j = i + 1; j < keys[t].length; j++) {
          last &= !(writes[t][j] && keys[t][j] == keys[t][i]);
        }
        if (last) {
          versions.computeIfAbsent(keys[t][i], k -> new ArrayList<>()).add(values[t][i]);
        }
      }
    }
    List<Txn> result = new ArrayList<>();
    for (int t = 0; t < txns.size(); t++) {
      result.add(txns.get(t).with(ops.get(t)));
    }
    return new SmallHistory(result);
  }

  /** Histories of registers that have two values beside the initial one. */
  SmallHistory registersOfTwoValues() {
    return new SmallHistory(
        registers().txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(RandomHistories::ofTwoValues).toList()))
            .toList());
  }

  private static Op ofTwoValues(Op op) {
    if (op instanceof Op.Read read) {
      return new Op.Read(op.key(), twoValued(read.value()));
    }
    return op instanceof Op.Write write ? new Op.Write(op.key(), twoValued(write.value())) : op;
  }

  /**
   * Histories of registers with conditions that failed: some reads are known only not to have seen
   * a value, now and then the one they saw. In some histories one value is that of a deletion.
   */
  SmallHistory conditions() {
    int deleted = random.nextBoolean() ? 1 + random.nextInt(shape.txns) : -1;
    return new SmallHistory(
        registers().txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(op -> condition(op, deleted)).toList()))
            .toList());
  }

  private Op condition(Op op, int deleted) {
    if (op instanceof Op.Write write && write.value() == deleted) {
      return new Op.Delete(op.key());
    }
    if (op instanceof Op.Write write && deleted > 0 && write.value() == 0) {
      return new Op.Delete(op.key());
    }
    if (!(op instanceof Op.Read read)) {
      return op;
    }
    int value = read.value() == deleted ? 0 : read.value();
    if (!oneIn(3)) {
      return new Op.Read(op.key(), value);
    }
    int other = random.nextInt(shape.txns + 1);
    boolean wrong = oneIn(10);
    return new Op.OtherRead(op.key(), wrong || other != value ? other : other + 1);
  }

  private static int twoValued(int value) {
    return value == 0 ? 0 : 1 + value % 2;
  }

  private int version(List<Integer> versions, List<Integer> written) {
    if (oneIn(40)) {
      return written == null || oneIn(4) ? SmallHistories.UNWRITTEN : pick(written);
    }
    int back = oneIn(3) ? random.nextInt(3) : 0;
    int index = versions.size() - 1 - back;
    return index < 0 ? 0 : versions.get(index);
  }

  /** Histories of lists. */
  SmallHistory lists() {
    return new SmallHistory(
        anyLists().txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(this::onList).toList()))
            .toList());
  }

  private Op onList(Op op) {
    return op instanceof Op.ListRead read
        ? new Op.ListRead(op.key(), read.elements().stream().map(this::element).toList())
        : new Op.Append(op.key(), element(op.written()));
  }

  /**
   * Histories of sets: those of lists without the order. Who did not commit may not have seen what
   * it read.
   */
  SmallHistory sets() {
    return new SmallHistory(
        anyLists().txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(op -> onSet(txn, op)).toList()))
            .toList());
  }

  /** Histories of sets and registers together. */
  SmallHistory setsAndRegisters() {
    return withRegisters(sets());
  }

  /** Histories of counters and registers together. */
  SmallHistory countersAndRegisters() {
    return withRegisters(counters());
  }

  private SmallHistory withRegisters(SmallHistory others) {
    List<Txn> result = new ArrayList<>();
    for (Txn txn : registers().txns()) {
      List<Op> ops = new ArrayList<>(txn.ops());
      for (Op op : others.txns().get(result.size()).ops()) {
        ops.add(random.nextInt(ops.size() + 1), onOtherKey(op));
      }
      result.add(txn.with(ops));
    }
    return new SmallHistory(result);
  }

  private Op onOtherKey(Op op) {
    int key = op.key() + shape.keys;
    if (op instanceof Op.SetRead read) {
      return new Op.SetRead(key, read.elements());
    }
    if (op instanceof Op.Read read) {
      return new Op.Read(key, read.value());
    }
    if (op instanceof Op.Increment increment) {
      return new Op.Increment(key, increment.amount());
    }
    return op instanceof Op.Add add ? new Op.Add(key, add.value()) : new Op.UnseenRead(key);
  }

  private Op onSet(Txn txn, Op op) {
    if (op instanceof Op.ListRead read) {
      return txn.outcome() != Outcome.COMMITTED && oneIn(3)
          ? new Op.UnseenRead(op.key())
          : new Op.SetRead(
              op.key(), read.elements().stream().map(this::element).sorted().distinct().toList());
    }
    return new Op.Add(op.key(), element(op.written()));
  }

  /** Histories of counters: those of lists of which only the sum is seen. */
  SmallHistory counters() {
    return new SmallHistory(
        anyLists().txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(RandomHistories::onCounter).toList()))
            .toList());
  }

  private static Op onCounter(Op op) {
    return op instanceof Op.ListRead read
        ? new Op.Read(op.key(), read.elements().stream().mapToInt(e -> amount(e)).sum())
        : new Op.Increment(op.key(), amount(op.written()));
  }

  private static int amount(int element) {
    return element % 4 == 0 ? 2 : 1;
  }

  private int element(int value) {
    return shape.twice && value % 3 == 0 ? value - 1 : value;
  }

  private SmallHistory anyLists() {
    List<Txn> txns = frames();
    List<List<Op>> ops = new ArrayList<>();
    int next = 1;
    for (int t = 0; t < txns.size(); t++) {
      ops.add(new ArrayList<>());
      for (int i = 1 + random.nextInt(shape.maxOps); i > 0; i--) {
        int key = random.nextInt(shape.keys);
        ops.get(t)
            .add(
                random.nextBoolean()
                    ? new Op.Append(key, next++)
                    : new Op.ListRead(key, List.of()));
      }
    }
    Map<Integer, List<Integer>> traces = new HashMap<>();
    List<Op.Append> late = new ArrayList<>();
    for (int t : shuffled(txns.size())) {
      boolean visible = txns.get(t).outcome() == Outcome.COMMITTED || oneIn(3);
      Map<Integer, List<Integer>> seen = new HashMap<>();
      for (int i = 0; i < ops.get(t).size(); i++) {
        Op op = ops.get(t).get(i);
        List<Integer> trace = traces.computeIfAbsent(op.key(), k -> new ArrayList<>());
        if (op instanceof Op.Append append) {
          seen.computeIfAbsent(op.key(), k -> new ArrayList<>(trace)).add(append.value());
        } else {
          List<Integer> result = seen.get(op.key());
          if (result == null || oneIn(25)) {
            int stale = oneIn(3) ? random.nextInt(3) : 0;
            result = new ArrayList<>(trace.subList(0, Math.max(0, trace.size() - stale)));
            seen.put(op.key(), result);
          }
          ops.get(t).set(i, new Op.ListRead(op.key(), corrupted(result)));
        }
      }
      List<Op.Append> applied = new ArrayList<>(late);
      late.clear();
      for (Op op : ops.get(t)) {
        if (visible && op instanceof Op.Append append) {
          (oneIn(8) ? late : applied).add(append);
        }
      }
      applied.forEach(append -> traces.get(append.key()).add(append.value()));
    }
    List<Txn> result = new ArrayList<>();
    for (int t = 0; t < txns.size(); t++) {
      result.add(txns.get(t).with(ops.get(t)));
    }
    return new SmallHistory(result);
  }

  /** Now and then a list read shows what no list would. */
  private List<Integer> corrupted(List<Integer> elements) {
    List<Integer> result = new ArrayList<>(elements);
    if (oneIn(50)) {
      result.add(SmallHistories.UNWRITTEN);
    }
    if (oneIn(50) && !result.isEmpty()) {
      result.add(pick(result));
    }
    if (oneIn(50)) {
      Collections.shuffle(result, random);
    }
    return result;
  }

  /** Transactions without operations: sessions, outcomes and times. */
  private List<Txn> frames() {
    List<Txn> txns = new ArrayList<>();
    long[] clock = new long[shape.sessions + shape.txns + 1];
    for (int t = 0; t < shape.txns; t++) {
      int session = 1 + random.nextInt(shape.sessions);
      Outcome outcome = Outcome.COMMITTED;
      if (shape.outcomes && oneIn(3)) {
        outcome = random.nextBoolean() ? Outcome.ABORTED : Outcome.INDETERMINATE;
      }
      Txn txn = Txn.of(session, outcome, List.of());
      if (shape.times) {
        long start = clock[session] + 1 + random.nextInt(10);
        long end = start + 1 + random.nextInt(10);
        clock[session] = end;
        txn = txn.during(start, end);
      }
      txns.add(txn);
    }
    return txns;
  }

  private List<Integer> shuffled(int size) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      order.add(i);
    }
    if (!oneIn(3)) {
      Collections.shuffle(order, random);
    }
    return order;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private int pick(List<Integer> among) {
    return among.get(random.nextInt(among.size()));
  }
}
