package dev.assay.oracle.predicate;

import dev.assay.history.Outcome;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import dev.assay.oracle.predicate.PredicateHistory.Txn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Small histories with predicates: programs run interleaved on a table under rules that are more or
 * less strict, so that results are plausible, and some results then altered.
 */
final class PredicateHistories {
  /** What an operation sees. */
  enum View {
    /** All that was done before. */
    DIRTY,
    /** What was committed before, and own writes. */
    COMMITTED,
    /** What was committed before the transaction began, and own writes. */
    SNAPSHOT
  }

  private final Random random;

  PredicateHistories(long seed) {
    this.random = new Random(seed);
  }

  // ---- all of them

  /**
   * All programs of so many transactions with so many operations each, in all interleavings, under
   * all views; the same history once. The first transaction may be one that loads rows.
   *
   * @param every how many programs to go on by; 1 for all
   */
  static void forEach(
      int txns,
      int opsEach,
      boolean loaded,
      int every,
      List<IntFunction<Op>> grammar,
      Consumer<PredicateHistory> consumer) {
    int slots = txns * opsEach;
    long programs = Math.round(Math.pow(grammar.size(), slots));
    for (long number = 0; number < programs; number += every) {
      List<List<Op>> program = new ArrayList<>();
      long rest = number;
      for (int txn = 0; txn < txns; txn++) {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < opsEach; i++) {
          int version = program.size() * opsEach + i + 1;
          ops.add(grammar.get((int) (rest % grammar.size())).apply(version));
          rest /= grammar.size();
        }
        program.add(ops);
      }
      interleave(program, loaded, consumer);
    }
  }

  private static void interleave(
      List<List<Op>> program, boolean loaded, Consumer<PredicateHistory> consumer) {
    Set<PredicateHistory> seen = new HashSet<>();
    List<List<Op>> all = new ArrayList<>();
    int[] left = new int[program.size() + (loaded ? 1 : 0)];
    List<Integer> schedule = new ArrayList<>();
    if (loaded) {
      all.add(List.of(new Op.Write("x", new Row(1L, 100)), new Op.Write("y", new Row(2L, 101))));
      schedule.addAll(List.of(0, 0));
    }
    for (List<Op> ops : program) {
      left[all.size()] = ops.size();
      all.add(ops);
    }
    schedules(
        left,
        schedule,
        done -> {
          for (View view : View.values()) {
            View[] views = new View[all.size()];
            Arrays.fill(views, view);
            PredicateHistory history = execute(all, done, views, 0);
            if (seen.add(history)) {
              consumer.accept(history);
            }
          }
        });
  }

  private static void schedules(
      int[] left, List<Integer> schedule, Consumer<List<Integer>> consumer) {
    boolean finished = true;
    for (int txn = 0; txn < left.length; txn++) {
      if (left[txn] > 0) {
        finished = false;
        left[txn]--;
        schedule.add(txn);
        schedules(left, schedule, consumer);
        schedule.remove(schedule.size() - 1);
        left[txn]++;
      }
    }
    if (finished) {
      consumer.accept(schedule);
    }
  }

  // ---- running

  /**
   * Runs programs interleaved.
   *
   * @param schedule whose turn it is, for each operation
   * @param views what the operations of each transaction see
   * @param sessions how many sessions take turns; 0 for one each
   */
  static PredicateHistory execute(
      List<List<Op>> programs, List<Integer> schedule, View[] views, int sessions) {
    Rows committed = new Rows();
    Rows dirty = new Rows();
    Map<Integer, Rows> snapshots = new HashMap<>();
    List<Map<String, Row>> own = new ArrayList<>();
    List<List<Op>> results = new ArrayList<>();
    programs.forEach(
        ops -> {
          own.add(new TreeMap<>());
          results.add(new ArrayList<>());
        });
    for (int txn : schedule) {
      snapshots.computeIfAbsent(txn, t -> new Rows(committed.content()));
      Rows seen =
          switch (views[txn]) {
            case DIRTY -> new Rows(dirty.content());
            case COMMITTED -> new Rows(committed.content());
            case SNAPSHOT -> new Rows(snapshots.get(txn).content());
          };
      if (views[txn] != View.DIRTY) {
        seen.putAll(own.get(txn));
      }
      Op result = seen.run(programs.get(txn).get(results.get(txn).size()));
      results.get(txn).add(result);
      own.get(txn).putAll(result.written());
      dirty.putAll(result.written());
      if (results.get(txn).size() == programs.get(txn).size()) {
        committed.putAll(own.get(txn));
      }
    }
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < results.size(); txn++) {
      txns.add(new Txn(sessions == 0 ? txn : txn % sessions, results.get(txn)));
    }
    return new PredicateHistory(txns);
  }

  // ---- random ones

  /** A history of up to so many transactions with up to so many operations each. */
  PredicateHistory next(int maxTxns, int maxOps, boolean timed) {
    int size = 2 + random.nextInt(maxTxns - 1);
    List<List<Op>> programs = new ArrayList<>();
    List<Integer> schedule = new ArrayList<>();
    View[] views = new View[size];
    int version = 0;
    for (int txn = 0; txn < size; txn++) {
      List<Op> ops = new ArrayList<>();
      int count = 1 + random.nextInt(maxOps);
      for (int i = 0; i < count; i++) {
        ops.add(Programs.MANY.get(random.nextInt(Programs.MANY.size())).apply(++version));
        schedule.add(random.nextInt(schedule.size() + 1), txn);
      }
      programs.add(ops);
      views[txn] = View.values()[random.nextInt(3)];
    }
    if (programs.stream().flatMap(List::stream).allMatch(op -> op.predicate() == null)) {
      return next(maxTxns, maxOps, timed);
    }
    if (random.nextInt(3) == 0) {
      Arrays.fill(views, View.SNAPSHOT);
    }
    PredicateHistory history = execute(programs, schedule, views, random.nextInt(3));
    if (timed) {
      history = timed(history, schedule);
    }
    if (random.nextInt(3) == 0) {
      history = mutated(history);
    }
    return random.nextInt(4) == 0 ? untold(history) : history;
  }

  /** The history with updates that do not say what they set. */
  private static PredicateHistory untold(PredicateHistory history) {
    return new PredicateHistory(
        history.txns().stream()
            .map(txn -> txn.with(txn.ops().stream().map(PredicateHistories::untold).toList()))
            .toList());
  }

  private static Op untold(Op op) {
    return op instanceof Op.Update update
        ? new Op.Update(update.condition().replaceAll(",\"set\":.*", "}"), update.rows())
        : op;
  }

  /** Transactions last from somewhat before their first to somewhat after their last operation. */
  private PredicateHistory timed(PredicateHistory history, List<Integer> schedule) {
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < history.size(); txn++) {
      long start = 10L * schedule.indexOf(txn) + 100 - random.nextInt(12);
      long end = 10L * schedule.lastIndexOf(txn) + 100 + random.nextInt(12);
      txns.add(history.txns().get(txn).timed(start, end));
    }
    return new PredicateHistory(txns);
  }

  /** The history with another outcome of one transaction, whoever saw what it wrote. */
  PredicateHistory ended(PredicateHistory history, Outcome outcome) {
    List<Txn> txns = new ArrayList<>(history.txns());
    int txn = random.nextInt(txns.size());
    txns.set(txn, txns.get(txn).ended(outcome));
    return new PredicateHistory(txns);
  }

  /** The history with the result of one operation replaced by that on another table. */
  PredicateHistory mutated(PredicateHistory history) {
    List<Txn> txns = new ArrayList<>(history.txns());
    int txn = random.nextInt(txns.size());
    List<Op> ops = new ArrayList<>(txns.get(txn).ops());
    int op = random.nextInt(ops.size());
    ops.set(op, anyTable(history).result(ops.get(op)));
    txns.set(txn, txns.get(txn).with(ops));
    return new PredicateHistory(txns);
  }

  /** A table of any versions of any keys. */
  private Rows anyTable(PredicateHistory history) {
    Rows table = new Rows();
    for (Txn txn : history.txns()) {
      for (Op op : txn.ops()) {
        op.written().forEach((key, row) -> putSometimes(table, key, row));
      }
    }
    return table;
  }

  private void putSometimes(Rows table, String key, Row row) {
    if (random.nextBoolean()) {
      table.put(key, row);
    }
  }
}
