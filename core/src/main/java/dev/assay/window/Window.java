package dev.assay.window;

import dev.assay.check.Budget;
import dev.assay.check.replay.SerialOrder;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Loaders;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.Level;
import dev.assay.resolve.Elements;
import dev.assay.resolve.ReadsFrom;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The transactions that are not judged for good yet, in candidate order, as a history whose initial
 * state is what was carried over the last cut. Elements that lists and sets had at the cut are left
 * out of what was read.
 *
 * <p>A read of something older, or a second write of an old value, cannot be understood here. Then
 * {@link #reopens} names the past window that must be joined.
 */
final class Window {
  /** Which part of a window has to run in order at least, so that it is worthwhile. */
  private static final int LEAST_SHARE = 8;

  final List<Arrived> transactions;
  final Context context;

  /** Whether nothing follows. */
  final boolean last;

  /** What was recorded, with the conditions that failed. */
  private History recorded;

  /** The same where it is not known what these read: it may be what was carried over. */
  History history;

  ReadsFrom reads;

  /** By key of the history. */
  KeyState[] keys;

  /** Transactions that read a value whose writer has not been accepted. */
  final BitSet pending = new BitSet();

  /** Transactions that write an initial value although they are not loaders. */
  final BitSet rewritesInitial = new BitSet();

  private boolean repeats;
  private int reached;

  private int reopens = Integer.MAX_VALUE;

  /** The transaction that is looked at, and the last one that cannot be understood here. */
  private int looking;

  private int reopener;
  private long[] buffer = new long[64];

  Window(List<Arrived> transactions, Context context, boolean last) {
    this.transactions = transactions;
    this.context = context;
    this.last = last;
    build();
    if (reopens() < 0) {
      resolve();
    }
  }

  /** The first past window that has to be joined, or −1. */
  int reopens() {
    return reopens == Integer.MAX_VALUE ? -1 : reopens;
  }

  /** The last transaction that needs this. */
  Arrived reopener() {
    return transactions.get(reopener);
  }

  /** Whether a value was written more than once. */
  boolean repeats() {
    return repeats;
  }

  int size() {
    return transactions.size();
  }

  /**
   * An order that proves levels, of all transactions up to some cut; null if none is found, or if
   * it is not known what each transaction saw.
   *
   * @param least the cut must be beyond this
   * @param limit the last cut that is allowed
   * @param only whether no other way proves them
   */
  SerialOrder inOrder(Set<Level> levels, int least, int limit, boolean only, Budget budget) {
    if (repeats || !rewritesInitial.isEmpty()) {
      return null;
    }
    int most = Math.min(limit, beforeFinalReads());
    int worthwhile = only ? least : Math.max(least, limit / LEAST_SHARE);
    int beyond = most < limit ? Math.min(worthwhile, most - 1) : worthwhile;
    SerialOrder order = SerialOrder.proving(recorded, history, reads, levels, beyond, most, budget);
    reached = order.cut();
    return order.isProof() ? order : null;
  }

  /** The number of transactions that ran one after another. */
  int reached() {
    return reached;
  }

  /**
   * The number of transactions before the first of the session of final reads. These may show more
   * anomalies than what they saw, so the checkers have to look at them.
   */
  private int beforeFinalReads() {
    String finalSession = history.metadata().get(History.FINAL_SESSION);
    int txn = 0;
    while (txn < size() && !history.sessionText(history.session(txn)).equals(finalSession)) {
      txn++;
    }
    return txn;
  }

  private void reopen(int pastWindow) {
    if (pastWindow >= 0) {
      reopens = Math.min(reopens, pastWindow);
      reopener = Math.max(reopener, looking);
    }
  }

  // ---- the history

  private void build() {
    HistoryBuilder builder = new HistoryBuilder();
    context.describe(builder);
    Set<KeyState> used = new LinkedHashSet<>();
    Block block = null;
    OperationCopy copy = null;
    for (int i = 0; i < transactions.size(); i++) {
      Arrived arrived = transactions.get(i);
      looking = i;
      if (arrived.block != block) {
        block = arrived.block;
        copy = new OperationCopy(block.history, builder);
      }
      int txn = copy.begin(arrived.txn);
      // Names are made when something is shown.
      builder.id(txn, i);
      for (int op = block.history.firstOp(arrived.txn);
          op < block.history.endOp(arrived.txn);
          op++) {
        KeyState key = block.keys[block.history.key(op)];
        used.add(key);
        key.type = block.history.kind(op).type();
        add(builder, block.history, op, key, arrived.outcome());
      }
    }
    for (KeyState key : used) {
      if (key.writer() != null) {
        builder.initially(key.key, context.scalars.get(key.value()));
      } else if (key.declared != null) {
        builder.initially(key.key, key.declared);
      }
    }
    recorded = builder.build();
    history = recorded.hasOtherReads() ? withoutConditions(recorded) : recorded;
    keys = new KeyState[history.keys().count()];
    for (int key = 0; key < keys.length; key++) {
      keys[key] = context.key(history.keys().get(key));
    }
  }

  /** Whether a read shows what was carried over, whatever was written since. */
  private static boolean seesCarried(History from, int op) {
    int value = from.value(op);
    return from.kind(op).readsSequence() && value != Values.UNKNOWN || from.isOtherRead(op);
  }

  private static History withoutConditions(History recorded) {
    int[] results = new int[recorded.operationCount()];
    for (int op = 0; op < results.length; op++) {
      results[op] = recorded.isOtherRead(op) ? Values.UNKNOWN : recorded.value(op);
    }
    return recorded.withResults(results);
  }

  /** Whether conditions failed before a cut, which checkers do not see. */
  boolean hasConditions(int cut) {
    for (int op = 0; recorded.hasOtherReads() && cut > 0 && op < recorded.endOp(cut - 1); op++) {
      if (recorded.isOtherRead(op)) {
        return true;
      }
    }
    return false;
  }

  private void add(HistoryBuilder builder, History from, int op, KeyState key, Outcome outcome) {
    OpKind kind = from.kind(op);
    int value = from.value(op);
    long rawKey = builder.scalars().of(key.key);
    if (key.ambiguousSince >= 0) {
      reopen(key.ambiguousSince);
    }
    if (key.unsettledSince >= 0 && seesCarried(from, op)) {
      reopen(key.unsettledSince);
    }
    if (value == Values.UNKNOWN) {
      builder.op(kind, rawKey, RawScalars.UNKNOWN);
    } else if (kind.readsSequence()) {
      int stripped = strip(from, op, key, outcome, builder.scalars());
      if (stripped < 0) {
        builder.op(kind, rawKey, RawScalars.UNKNOWN);
      } else {
        builder.readElements(kind, rawKey, buffer, 0, stripped);
      }
    } else {
      if (kind.isWrite() && key.wrote(context.raw(from, value))) {
        context.repeat(key, from.values().get(value));
        reopen(context.past.windowOf(key, context.raw(from, value)));
      }
      builder.op(kind, rawKey, builder.scalars().of(from.values(), value));
    }
  }

  /**
   * Fills the buffer with what a read shows beside the elements that were carried over.
   *
   * @return the number of elements, or −1 if the read lacks some of those carried over
   */
  private int strip(History from, int op, KeyState key, Outcome outcome, RawScalars scalars) {
    Sequences sequences = from.sequences();
    int sequence = from.value(op);
    int length = sequences.length(sequence);
    if (buffer.length < length) {
      buffer = new long[length * 2];
    }
    int kept = 0;
    int carried = 0;
    boolean list = !from.kind(op).type().commutes();
    long[] elements = key.elements();
    int size = key.size();
    for (int i = 0; i < length; i++) {
      int element = sequences.element(sequence, i);
      long raw = context.raw(from, element);
      boolean known = list ? i < size && elements[i] == raw : key.has(raw);
      if (known && kept == 0 || known && !list) {
        carried++;
      } else {
        buffer[kept++] = scalars.of(from.values(), element);
      }
    }
    if (carried == size) {
      return kept;
    }
    if (outcome != Outcome.ABORTED) {
      reopenForMissing(from, sequence, key, list ? carried : -1);
    }
    return -1;
  }

  private void reopenForMissing(History from, int sequence, KeyState key, int firstMissing) {
    if (firstMissing >= 0) {
      reopen(context.past.windowOf(key, key.elements()[firstMissing]));
      return;
    }
    BitSet seen = new BitSet();
    for (int i = 0; i < from.sequences().length(sequence); i++) {
      long raw = context.raw(from, from.sequences().element(sequence, i));
      int place = key.placeOf(raw);
      if (place >= 0) {
        seen.set(place);
      }
    }
    for (int i = seen.nextClearBit(0); i < key.size(); i = seen.nextClearBit(i + 1)) {
      reopen(context.past.windowOf(key, key.elements()[i]));
    }
  }

  // ---- what reads saw

  private void resolve() {
    // Only the first transactions of all load what the others begin with.
    Loaders loaders = new Loaders(history);
    IntPredicate isLoader = txn -> context.past.isEmpty() && loaders.isLoader(txn);
    reads = ReadsFrom.of(history, isLoader);
    LongIndex written = new LongIndex();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean counts = reads.counts(txn);
      looking = txn;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.value(op) == Values.UNKNOWN) {
          continue;
        }
        if (history.kind(op).writesNamed()) {
          noteRepeated(op, written);
        }
        KeyState key = keys[history.key(op)];
        if (history.kind(op) == OpKind.READ && reads.source(op) == ReadsFrom.INITIAL) {
          reopen(key.unsettledSince);
        }
        if (history.kind(op) == OpKind.READ && counts && reads.source(op) == ReadsFrom.THIN_AIR) {
          find(txn, key, history.value(op));
        } else if (history.kind(op).readsSequence() && counts) {
          findElements(txn, op);
        } else if (history.kind(op) == OpKind.WRITE
            && isFirstValue(key, history.value(op))
            && !isLoader.test(txn)) {
          rewritesInitial.set(txn);
          reopen(context.past.isEmpty() ? -1 : 0);
        }
      }
    }
  }

  private void noteRepeated(int op, LongIndex written) {
    int before = written.size();
    long pair = (long) history.key(op) << 32 | history.value(op) & 0xFFFFFFFFL;
    if (written.indexOf(pair) < before) {
      repeats = true;
      context.repeat(keys[history.key(op)], history.values().get(history.value(op)));
    }
  }

  /** Whether a value is the one that its key had before the first transaction of all. */
  private boolean isFirstValue(KeyState key, int value) {
    Object first = key.declared != null ? key.declared : context.initialOfAll();
    Object object = history.values().get(value);
    return object == null || object.equals(first);
  }

  private void findElements(int txn, int read) {
    Elements elements = reads.elements();
    int sequence = history.value(read);
    if (!elements.hasThinAir(sequence)) {
      return;
    }
    for (int i = 0; i < history.sequences().length(sequence); i++) {
      if (elements.writer(sequence, i) == ReadsFrom.THIN_AIR) {
        find(txn, keys[history.key(read)], history.sequences().element(sequence, i));
      }
    }
  }

  /** Finds a value that was not written here: in the past, or not accepted yet. */
  private void find(int txn, KeyState key, int value) {
    int window = context.past.windowOf(key, context.raw(history, value));
    if (isFirstValue(key, value) && key.firstWindow >= 0) {
      reopen(window < 0 ? key.firstWindow : Math.min(window, key.firstWindow));
    } else if (window >= 0) {
      reopen(window);
    } else {
      pending.set(txn);
    }
  }
}
