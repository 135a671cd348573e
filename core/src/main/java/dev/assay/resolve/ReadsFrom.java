package dev.assay.resolve;

import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * The write each read saw, and which transactions count.
 *
 * <p>A register read of a value names the write of that value to its key. Where several
 * transactions wrote the value and read consistency leaves one candidate (the only committed final
 * write, or the reader's own latest one), that one is taken; otherwise the read stays {@link
 * #AMBIGUOUS} with its {@link #candidates}. A list or set read names the writer of each element
 * ({@link Elements}).
 *
 * <p>A transaction counts if it committed, or if its outcome is unknown and a transaction that
 * counts read one of its writes.
 */
public final class ReadsFrom {
  /** The read saw the initial version. */
  public static final int INITIAL = -1;

  /** The value was never written. */
  public static final int THIN_AIR = -2;

  /** The value was written more than once and nothing distinguishes the writes. */
  public static final int AMBIGUOUS = -3;

  /** Not a register read, or one whose writer is unclear (unknown result, predicate writes). */
  public static final int NONE = -4;

  private final History history;

  /** By operation; {@link #NONE} for all that are not register reads. */
  private final int[] source;

  private final boolean lists;
  private final Elements elements;
  private final RepeatedAccess repeated;
  private final Map<Integer, int[]> candidates = new ConcurrentHashMap<>();
  private final Set<Integer> chosen = ConcurrentHashMap.newKeySet();
  private final BitSet certified = new BitSet();
  private final BitSet observed = new BitSet();
  private final IntPredicate isLoader;
  private List<KeyAccess> access = List.of();

  private ReadsFrom(
      History history, Elements elements, RepeatedAccess repeated, IntPredicate isLoader) {
    this.history = history;
    this.isLoader = isLoader;
    this.source = new int[history.operationCount()];
    this.lists = history.uses(OpKind.Type.LIST);
    this.elements = elements;
    this.repeated = repeated;
  }

  /** Finds the write behind every read. */
  public static ReadsFrom of(History history) {
    return of(history, new Loaders(history)::isLoader);
  }

  /**
   * Finds the write behind every read.
   *
   * @param isLoader whether a transaction loads initial values, so that reads of them name it
   */
  public static ReadsFrom of(History history, IntPredicate isLoader) {
    ReadsFrom reads =
        new ReadsFrom(history, new Elements(history), new RepeatedAccess(history), isLoader);
    reads.access =
        new RegisterSources(history, reads.source, reads.candidates, reads.chosen, reads.repeated)
            .resolve(isLoader);
    reads.countObserved();
    return reads;
  }

  /** The same for another history of the same transactions, with the same loaders. */
  public ReadsFrom like(History other) {
    return of(other, isLoader);
  }

  /** What was read. */
  public History history() {
    return history;
  }

  /** The ambiguous register reads, in order. */
  public int[] ambiguous() {
    return candidates.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** The same with a writer chosen for each ambiguous read, in the order of {@link #ambiguous}. */
  public ReadsFrom choosing(int[] writes) {
    ReadsFrom chosen = new ReadsFrom(history, elements, repeated, isLoader);
    System.arraycopy(source, 0, chosen.source, 0, source.length);
    int[] open = ambiguous();
    for (int i = 0; i < open.length; i++) {
      chosen.source[open[i]] = writes[i];
    }
    chosen.certified.or(certified);
    chosen.access =
        new RegisterSources(history, chosen.source, chosen.candidates, Set.of(), repeated).list();
    chosen.countObserved();
    return chosen;
  }

  /** The same with the reads that are {@link #chosen} left ambiguous; to ask what counts. */
  public ReadsFrom withoutChosen() {
    if (chosen.isEmpty() || observed.isEmpty()) {
      return this;
    }
    ReadsFrom open = new ReadsFrom(history, elements, repeated, isLoader);
    System.arraycopy(source, 0, open.source, 0, source.length);
    chosen.forEach(op -> open.source[op] = AMBIGUOUS);
    open.countObserved();
    return open;
  }

  /** Whether a transaction of unknown outcome counts only because of a read that is chosen. */
  public boolean countsByChoice() {
    ReadsFrom sure = withoutChosen();
    return sure != this && !sure.observed.equals(observed);
  }

  /** The same, with the candidates of some register reads known from elsewhere. */
  public ReadsFrom knowing(Map<Integer, int[]> seen) {
    ReadsFrom result = new ReadsFrom(history, elements, repeated, isLoader);
    System.arraycopy(source, 0, result.source, 0, source.length);
    result.candidates.putAll(candidates);
    result.chosen.addAll(chosen);
    seen.forEach(
        (op, writes) -> {
          result.source[op] = writes.length == 1 ? writes[0] : AMBIGUOUS;
          if (writes.length == 1) {
            result.candidates.remove(op);
          } else {
            result.candidates.put(op, writes.clone());
          }
          result.chosen.remove(op);
        });
    result.access =
        new RegisterSources(history, result.source, result.candidates, Set.of(), repeated).list();
    result.countObserved();
    return result;
  }

  /** The same, with the versions that some register reads saw given by a certificate. */
  public ReadsFrom certifying(Map<Integer, int[]> seen) {
    ReadsFrom result = knowing(seen);
    result.certified.or(certified);
    seen.keySet().forEach(result.certified::set);
    return result;
  }

  /** Whether a certificate gives the version that a register read saw. */
  public boolean isCertified(int op) {
    return certified.get(op);
  }

  /**
   * The write that a register read saw, as an operation, or {@link #INITIAL}, {@link #THIN_AIR},
   * {@link #AMBIGUOUS} or {@link #NONE}.
   */
  public int source(int op) {
    return source[op];
  }

  /**
   * The write whose version an operation read: of a register its {@link #source}, of a list the
   * append of the last element; negative when there is none.
   */
  public int versionSource(int op) {
    if (source[op] != NONE || !lists) {
      return source[op];
    }
    boolean listRead = history.kind(op) == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN;
    return listRead ? elements.lastWriter(history.value(op)) : NONE;
  }

  /** The writes an {@link #AMBIGUOUS} read may have seen, {@link #INITIAL} among them. */
  public int[] candidates(int op) {
    return candidates.getOrDefault(op, new int[0]).clone();
  }

  /**
   * Register reads of values written more than once for which read consistency left one candidate.
   * Levels that allow some inconsistent reads may need another choice.
   */
  public Set<Integer> chosen() {
    return Collections.unmodifiableSet(chosen);
  }

  /** The accesses to each register, in parts; see {@link KeyAccess} for what is left out. */
  public List<KeyAccess> access() {
    return access;
  }

  /** Number of ambiguous register reads. */
  public int ambiguousReads() {
    return candidates.size();
  }

  /** The writers of the elements that list and set reads saw. */
  public Elements elements() {
    return elements;
  }

  /** Whether a transaction accesses some register more than once. */
  public boolean repeatsAccess(int txn) {
    return repeated.isRepeating(txn);
  }

  /** Whether a register write or append is not its transaction's last on the key. */
  public boolean isOverwritten(int write) {
    return repeated.isOverwritten(write);
  }

  /** Whether a transaction counts as committed. */
  public boolean counts(int txn) {
    return history.isCommitted(txn) || observed.get(txn);
  }

  /** Closes "read by a transaction that counts" over transactions of unknown outcome. */
  private void countObserved() {
    BitSet open = indeterminate();
    if (open.isEmpty()) {
      return;
    }
    IntList pending = new IntList();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.isCommitted(txn)) {
        pending.add(txn);
        while (!pending.isEmpty()) {
          observe(pending.removeLast(), open, pending);
        }
      }
    }
  }

  private BitSet indeterminate() {
    BitSet open = new BitSet();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.INDETERMINATE) {
        open.set(txn);
      }
    }
    return open;
  }

  /** Marks what a transaction that counts has read, and pushes what is new. */
  private void observe(int txn, BitSet open, IntList pending) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (source[op] >= 0) {
        mark(source[op], open, pending);
      } else if (history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN) {
        int sequence = history.value(op);
        for (int i = 0; i < history.sequences().length(sequence); i++) {
          int writer = elements.writer(sequence, i);
          if (writer >= 0) {
            mark(writer, open, pending);
          }
        }
      }
    }
  }

  private void mark(int write, BitSet open, IntList pending) {
    int writer = history.transactionOf(write);
    if (open.get(writer) && !observed.get(writer)) {
      observed.set(writer);
      pending.add(writer);
    }
  }
}
