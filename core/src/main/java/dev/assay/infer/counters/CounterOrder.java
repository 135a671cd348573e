package dev.assay.infer.counters;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.Counters;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A guess at the order in which counters were incremented, and the history it gives: counters
 * become registers whose versions are the sums of the increments up to each transaction, so that a
 * read names the transaction it saw. A level that holds for that history with this version order
 * holds for the counters; if it does not, nothing follows, since another order might satisfy it.
 *
 * <p>Tries the order of a database that runs transactions serially, then on snapshots, then
 * statement by statement: see {@link CounterSearch}.
 */
public final class CounterOrder {
  /** Maximum amount, so that sums do not overflow; counters with larger ones are not rewritten. */
  private static final BigInteger MAX_AMOUNT = BigInteger.ONE.shiftLeft(31);

  /** A value that no increment has. */
  private static final long THIN_AIR = -1;

  private final History whole;
  private final ReadsFrom reads;
  private final boolean explains;

  /** For each counter, the last increments of transactions in order. */
  private final Map<Integer, List<Integer>> chains = new TreeMap<>();

  /** The increment that each read saw; empty if the guess does not explain the reads. */
  private final Map<Integer, Integer> seen = new HashMap<>();

  /** Transactions of unknown outcome that are assumed to have applied. */
  private final BitSet revived = new BitSet();

  private CounterOrder(History whole, ReadsFrom reads, boolean explains) {
    this.whole = whole;
    this.reads = reads;
    this.explains = explains;
  }

  /**
   * The guess as a history in which operations keep their numbers, and a certificate of the order
   * of its versions.
   *
   * @param explains whether it explains the reads; otherwise reads of counters are left out
   */
  public record Guess(Rewriting rewriting, VersionCertificate certificate, boolean explains) {}

  /**
   * A guess, or null if the counters cannot be rewritten.
   *
   * @param likely transactions in their likely commit order
   * @param isOver whether to stop searching for one that explains the reads
   */
  public static Guess of(History history, ReadsFrom reads, int[] likely, BooleanSupplier isOver) {
    if (!isExamined(history)) {
      return null;
    }
    for (long[] starts : CounterStarts.of(history, reads)) {
      CounterUse use = new CounterUse(history, reads, starts);
      for (CounterSearch.Reading reading : CounterSearch.Reading.values()) {
        CounterSearch search = new CounterSearch(history, use, reading, likely, isOver);
        int[] order = search.order();
        if (order != null) {
          return new CounterOrder(history, reads, true).explained(order, use, search);
        }
      }
    }
    int[] counting = Arrays.stream(likely).filter(reads::counts).toArray();
    return new CounterOrder(history, reads, false).build(counting);
  }

  /** Whether counters can be rewritten as registers. */
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
      // Other transactions might look like loaders where counters are registers.
      boolean loads = history.kind(op) == OpKind.WRITE && history.hasInitialValue(op);
      boolean known = history.value(op) != Values.UNKNOWN;
      boolean large =
          known
              && history.kind(op).type() == OpKind.Type.COUNTER
              && Counters.amount(history, op).abs().compareTo(MAX_AMOUNT) > 0;
      if (mixed || loads || large) {
        return false;
      }
    }
    return true;
  }

  /** Chains the last increments of the transactions in the order of commits. */
  private void chain(int[] commits) {
    for (int txn : commits) {
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        int key = whole.key(op);
        if (whole.kind(op) == OpKind.INCREMENT && whole.lastWrite(txn, key) == op) {
          chains.computeIfAbsent(key, k -> new ArrayList<>()).add(op);
        }
      }
    }
  }

  /** Builds the guess in which reads see what they saw in a search. */
  private Guess explained(int[] commits, CounterUse use, CounterSearch search) {
    for (int txn : commits) {
      revived.set(txn, use.isOptional(txn));
    }
    int[] byPlace = new int[use.reads()];
    for (int place = 0; place < byPlace.length; place++) {
      byPlace[place] = place;
    }
    byPlace = Sorted.by(byPlace, search::seenAfter);
    int[] last = new int[whole.keys().count()];
    Arrays.fill(last, ReadsFrom.INITIAL);
    int committed = 0;
    for (int place : byPlace) {
      for (; committed < search.seenAfter(place); committed++) {
        int txn = commits[committed];
        for (int i = use.firstIncrement(txn); i < use.endIncrement(txn); i++) {
          last[use.counter(i)] = whole.lastWrite(txn, use.counter(i));
        }
      }
      int read = use.readOp(place);
      seen.put(read, use.isAfterOwn(place) ? ownBefore(read) : last[use.readCounter(place)]);
    }
    return build(commits);
  }

  /** The last increment of the counter by the transaction of a read, before it. */
  private int ownBefore(int read) {
    int own = read - 1;
    while (whole.kind(own) != OpKind.INCREMENT || whole.key(own) != whole.key(read)) {
      own--;
    }
    return own;
  }

  private Guess build(int[] commits) {
    chain(commits);
    Rewriting.Builder builder = new Rewriting.Builder(whole);
    builder.history().initialStateOf(whole);
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean counts = reads.counts(txn) || revived.get(txn);
      if (revived.get(txn)) {
        builder.beginApplied(txn);
      } else {
        builder.beginWithTimes(txn);
      }
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        boolean increment = whole.kind(op) == OpKind.INCREMENT;
        if (whole.kind(op).type() != OpKind.Type.COUNTER) {
          builder.copy(op);
        } else if (counts && increment && whole.value(op) != Values.UNKNOWN) {
          add(builder, op, op);
        } else if (seen.containsKey(op)) {
          add(builder, op, seen.get(op));
        } else {
          addUnknown(builder, op);
        }
      }
    }
    return guess(builder.build(), chains, explains);
  }

  /** Adds an increment, or a read of a counter that saw this increment, as one of a register. */
  static void add(Rewriting.Builder builder, int op, int increment) {
    OpKind kind = op == increment ? OpKind.WRITE : OpKind.READ;
    builder.from(op).history().op(kind, builder.rawKey(op), version(increment));
  }

  /** Adds an operation on a counter as a register read of unknown result. */
  static void addUnknown(Rewriting.Builder builder, int op) {
    builder.from(op).history().op(OpKind.READ, builder.rawKey(op), RawScalars.UNKNOWN);
  }

  /** The guess by which increments applied in the order of these chains, one for each counter. */
  static Guess guess(Rewriting rewriting, Map<Integer, List<Integer>> chains, boolean explains) {
    List<VersionCertificate.Chain> certified = new ArrayList<>();
    for (List<Integer> chain : chains.values()) {
      int key = rewriting.rewritten().key(chain.get(0));
      certified.add(new VersionCertificate.Chain(key, chain, true));
    }
    return new Guess(rewriting, new VersionCertificate(certified, new int[0]), explains);
  }

  private static long version(int increment) {
    if (increment == ReadsFrom.INITIAL) {
      return RawScalars.NIL;
    }
    return increment < 0 ? THIN_AIR : increment + 1L;
  }
}
