package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A guess at the order in which counters were incremented, and the history that it makes of them:
 * registers, whose versions are the sums of the increments up to each transaction, so that a read
 * names the transaction it saw. What that history has by this order of versions the counters have;
 * what it lacks says nothing, since another order might do.
 *
 * <p>What is guessed is what a database would do that runs transactions one after another, or else
 * on snapshots, or else statement by statement: see {@link CounterSearch}.
 */
public final class CounterOrder {
  /** Larger amounts are left alone, lest sums overflow. */
  private static final BigInteger MOST = BigInteger.ONE.shiftLeft(31);

  /** A value that no increment has. */
  private static final long THIN_AIR = -1;

  private final History whole;
  private final ReadsFrom reads;
  private final boolean explains;

  /** The sum of a counter after each increment. */
  private final long[] sumAfter;

  /** For each counter, the last increments of transactions in order, and by their sums. */
  private final Map<Integer, List<Integer>> chains = new TreeMap<>();

  private final Map<Integer, Map<Long, Integer>> versions = new HashMap<>();
  private final int[] number;

  private CounterOrder(History whole, ReadsFrom reads, boolean explains) {
    this.whole = whole;
    this.reads = reads;
    this.explains = explains;
    this.sumAfter = new long[whole.operationCount()];
    this.number = new int[whole.operationCount()];
  }

  /**
   * The guess as a history and a certificate of the order of its versions.
   *
   * @param explains whether it explains what was read; otherwise reads of counters are left out
   */
  public record Guess(History history, VersionCertificate certificate, boolean explains) {}

  /**
   * A guess, or null where there is none to make.
   *
   * @param likely transactions in the order in which they are thought to have ended
   * @param isOver whether to stop looking for one that explains what was read
   */
  public static Guess of(History history, ReadsFrom reads, int[] likely, BooleanSupplier isOver) {
    if (!isExamined(history)) {
      return null;
    }
    CounterUse use = new CounterUse(history, reads);
    for (CounterSearch.Reading reading : CounterSearch.Reading.values()) {
      int[] order = new CounterSearch(history, use, reading, likely, isOver).order();
      if (order != null) {
        return new CounterOrder(history, reads, true).build(order);
      }
    }
    int[] counting = Arrays.stream(likely).filter(reads::counts).toArray();
    return new CounterOrder(history, reads, false).build(counting);
  }

  /** Whether counters can be told as registers. */
  static boolean isExamined(History history) {
    if (!history.uses(OpKind.Type.COUNTER) || history.uses(OpKind.Type.PREDICATE)) {
      return false;
    }
    boolean[] counter = new boolean[history.keys().count()];
    for (int op = 0; op < history.operationCount(); op++) {
      counter[history.key(op)] |= history.kind(op).type() == OpKind.Type.COUNTER;
    }
    for (int op = 0; op < history.operationCount(); op++) {
      boolean mixed = counter[history.key(op)] && history.kind(op).type() != OpKind.Type.COUNTER;
      // Who loads initial values might be told otherwise where counters are registers.
      boolean loads = history.kind(op) == OpKind.WRITE && history.hasInitialValue(op);
      boolean known = history.value(op) != Values.UNKNOWN;
      boolean large =
          known
              && history.kind(op).type() == OpKind.Type.COUNTER
              && CounterDependencies.amount(history, op).abs().compareTo(MOST) > 0;
      if (mixed || loads || large) {
        return false;
      }
    }
    return true;
  }

  private long amount(int op) {
    return CounterUse.amount(whole, op);
  }

  /** Adds up the increments in the order of commits. */
  private void addUp(int[] commits) {
    long[] sum = new long[whole.keys().count()];
    for (int txn : commits) {
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        if (whole.kind(op) == OpKind.INCREMENT) {
          int key = whole.key(op);
          sum[key] += amount(op);
          sumAfter[op] = sum[key];
          if (whole.lastWrite(txn, key) == op) {
            chains.computeIfAbsent(key, k -> new ArrayList<>()).add(op);
            versions.computeIfAbsent(key, k -> new HashMap<>()).putIfAbsent(sum[key], op);
          }
        }
      }
    }
  }

  /** The increment that a read saw: its transaction's own, or else the last of another. */
  private int seen(int txn, int read) {
    int own = read - 1;
    while (own >= whole.firstOp(txn)
        && !(whole.kind(own) == OpKind.INCREMENT && whole.key(own) == whole.key(read))) {
      own--;
    }
    long value = amount(read);
    if (own >= whole.firstOp(txn) && sumAfter[own] == value) {
      return own;
    }
    int unread = value == 0 ? ReadsFrom.INITIAL : ReadsFrom.THIN_AIR;
    return versions.getOrDefault(whole.key(read), Map.of()).getOrDefault(value, unread);
  }

  private Guess build(int[] commits) {
    addUp(commits);
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(whole);
    for (int session = 0; session < whole.sessionCount(); session++) {
      builder.session((long) session);
    }
    OperationCopy copy = new OperationCopy(whole, builder);
    int size = 0;
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      int added = builder.begin(whole.session(txn), whole.outcome(txn));
      builder.start(added, whole.start(txn));
      builder.end(added, whole.end(txn));
      boolean counts = reads.counts(txn);
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        number[op] = size++;
        long key = builder.scalars().of(whole.keys().get(whole.key(op)));
        if (whole.kind(op).type() != OpKind.Type.COUNTER) {
          copy.add(op);
        } else if (!counts || whole.value(op) == Values.UNKNOWN) {
          builder.op(OpKind.READ, key, RawScalars.UNKNOWN);
        } else if (whole.kind(op) == OpKind.INCREMENT) {
          builder.op(OpKind.WRITE, key, version(op));
        } else {
          builder.op(OpKind.READ, key, explains ? version(seen(txn, op)) : RawScalars.UNKNOWN);
        }
      }
    }
    History history = builder.build();
    List<VersionCertificate.Chain> certified = new ArrayList<>();
    chains.forEach(
        (key, chain) -> {
          if (!chain.isEmpty()) {
            List<Integer> writes = chain.stream().map(op -> number[op]).toList();
            int renumbered = history.key(writes.get(0));
            certified.add(new VersionCertificate.Chain(renumbered, writes, true));
          }
        });
    return new Guess(history, new VersionCertificate(certified, new int[0]), explains);
  }

  static long version(int increment) {
    if (increment == ReadsFrom.INITIAL) {
      return RawScalars.NIL;
    }
    return increment < 0 ? THIN_AIR : increment + 1L;
  }
}
