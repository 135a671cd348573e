package dev.assay.infer.writers;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.history.Versioned;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * All choices of writers for the reads of registers, lists and sets, each as a history in which
 * every write has a unique value and every read the value of its writer.
 *
 * <p>Choices that are redundant at every level are left out: a read that may have seen the
 * transaction's own last write did (unless every operation is a transaction); a read right after an
 * equal one saw the same; and all reads of a list that are prefixes of each other saw the same
 * appends.
 */
public final class WriterChoices {
  /** Which writes are candidates. */
  public enum Sources {
    /** The last write of a key by a transaction that did not abort, not a later own one. */
    FINAL,
    /**
     * Any write of a transaction that did not abort, but not a later own one: the candidates where
     * every operation is a transaction.
     */
    COMMITTED,
    ANY
  }

  private static final int CHECK_EVERY = 64;

  private final History history;
  private final Sources sources;
  private final long most;
  private final Map<OpKind, Map<Long, List<Integer>>> writes = new EnumMap<>(OpKind.class);
  private final boolean[] mayCount;

  /** The writes to choose from, choice by choice, and where each of them is. */
  private final List<int[]> choices = new ArrayList<>();

  private int[] at;

  /** The number of choices, as far as they were counted. */
  private long count = 1;

  /** For each read the choices of what it saw: one for a register, one for each element. */
  private final int[][] choiceOf;

  private WriterChoices(History history, Sources sources, long most, BooleanSupplier isOver) {
    this.history = history;
    this.sources = sources;
    this.most = most;
    this.choiceOf = new int[history.operationCount()][];
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      if (kind.writesNamed()) {
        writes
            .computeIfAbsent(kind, k -> new HashMap<>())
            .computeIfAbsent(version(op, history.value(op)), v -> new ArrayList<>())
            .add(op);
      }
    }
    this.mayCount = mayCount();
    Loaders loaders = new Loaders(history);
    chooseLists();
    for (int txn = 0; txn < history.transactionCount() && count <= most; txn++) {
      if (txn % CHECK_EVERY == 0 && isOver.getAsBoolean()) {
        count = Long.MAX_VALUE;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.READ && history.value(op) != Values.UNKNOWN) {
          chooseRegister(txn, op, loaders);
        } else if (isSequence(op) && choiceOf[op] == null) {
          chooseElements(txn, op);
        }
      }
    }
    this.at = new int[choices.size()];
  }

  /** All choices, or null if there are more than the limit or time runs out. */
  public static WriterChoices of(
      History history, Sources sources, long most, BooleanSupplier isOver) {
    WriterChoices choices = new WriterChoices(history, sources, most, isOver);
    return choices.count <= most ? choices : null;
  }

  private boolean isSequence(int op) {
    return history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN;
  }

  private long version(int op, int value) {
    return ((long) history.key(op) << 32) | (value & 0xffffffffL);
  }

  private List<Integer> written(int read, int value) {
    if (history.values().isOther(value)) {
      return writtenOther(read, history.values().excluded(value));
    }
    OpKind by = history.kind(read).type().writeKind();
    return writes.getOrDefault(by, Map.of()).getOrDefault(version(read, value), List.of());
  }

  private List<Integer> writtenOther(int read, int excluded) {
    List<Integer> all = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE
          && history.key(op) == history.key(read)
          && history.value(op) != excluded) {
        all.add(op);
      }
    }
    return all;
  }

  /**
   * Which transactions may count: those that committed, or that a transaction which counts may have
   * read from.
   */
  private boolean[] mayCount() {
    boolean[] result = new boolean[history.transactionCount()];
    List<Integer> next = new ArrayList<>();
    Set<List<Integer>> done = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int txn = 0; txn < result.length; txn++) {
      if (history.isCommitted(txn)) {
        result[txn] = true;
        next.add(txn);
      }
    }
    while (!next.isEmpty()) {
      int txn = next.remove(next.size() - 1);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        for (int value : valuesRead(op)) {
          List<Integer> written = written(op, value);
          for (int write : done.add(written) ? written : List.<Integer>of()) {
            int writer = history.transactionOf(write);
            if (!result[writer] && history.outcome(writer) == Outcome.INDETERMINATE) {
              result[writer] = true;
              next.add(writer);
            }
          }
        }
      }
    }
    return result;
  }

  private int[] valuesRead(int op) {
    if (history.kind(op) == OpKind.READ && history.value(op) != Values.UNKNOWN) {
      return new int[] {history.value(op)};
    }
    if (!isSequence(op)) {
      return new int[0];
    }
    Sequences sequences = history.sequences();
    int[] values = new int[sequences.length(history.value(op))];
    for (int i = 0; i < values.length; i++) {
      values[i] = sequences.element(history.value(op), i);
    }
    return values;
  }

  private int choice(List<Integer> candidates) {
    choices.add(candidates.stream().mapToInt(Integer::intValue).toArray());
    count = count > most ? count : count * candidates.size();
    return choices.size() - 1;
  }

  private void chooseRegister(int txn, int read, Loaders loaders) {
    int before = read - 1;
    boolean repeated =
        before >= history.firstOp(txn)
            && history.kind(before) == OpKind.READ
            && history.key(before) == history.key(read)
            && history.value(before) == history.value(read);
    if (repeated) {
      choiceOf[read] = choiceOf[before];
      return;
    }
    int value = history.value(read);
    List<Integer> all = new ArrayList<>(written(read, value));
    boolean loaded =
        all.stream()
            .filter(history::hasInitialValue)
            .anyMatch(op -> loaders.isLoader(history.transactionOf(op)));
    boolean initial =
        history.values().isOther(value)
            ? !history.isInitial(history.key(read), history.values().excluded(value))
            : history.hasInitialValue(read);
    if (initial && !loaded) {
      all.add(ReadsFrom.INITIAL);
    }
    int own = read - 1;
    while (own >= history.firstOp(txn)
        && !(history.kind(own) == OpKind.WRITE && history.key(own) == history.key(read))) {
      own--;
    }
    // Where every operation is a transaction, an own write may have been overwritten since. Where
    // any write may be read, a condition may have failed on what was read before it.
    boolean sawOwn =
        sources != Sources.COMMITTED
            && !(sources == Sources.ANY && history.isOtherRead(read))
            && own >= history.firstOp(txn)
            && history.values().allows(value, history.value(own));
    choiceOf[read] = new int[] {choice(sawOwn ? List.of(own) : likely(txn, read, all, 1))};
  }

  /** The relevant candidates, at least one; the first is the one to report. */
  private List<Integer> likely(int txn, int read, List<Integer> all, int needed) {
    List<Integer> candidates = new ArrayList<>(all);
    if (candidates.isEmpty()) {
      candidates.add(ReadsFrom.THIN_AIR);
    }
    candidates.sort(Comparator.comparing(this::isAborted));
    if (!mayCount[txn]) {
      // The source of this read does not matter.
      return candidates.subList(0, 1);
    }
    if (sources != Sources.ANY) {
      List<Integer> right = new ArrayList<>(candidates);
      right.removeIf(write -> isAborted(write) || isLater(txn, read, write));
      right.removeIf(write -> sources == Sources.FINAL && isIntermediate(txn, write));
      // If too few are left, every choice is an anomaly.
      return right.size() >= needed
          ? right
          : candidates.subList(0, Math.min(candidates.size(), needed));
    }
    return candidates;
  }

  private boolean isAborted(int write) {
    return write >= 0 && history.outcome(history.transactionOf(write)) == Outcome.ABORTED;
  }

  private boolean isLater(int txn, int read, int write) {
    return write > read && history.transactionOf(write) == txn;
  }

  private boolean isIntermediate(int txn, int write) {
    return write >= 0
        && history.kind(write) == OpKind.WRITE
        && history.transactionOf(write) != txn
        && history.lastWrite(history.transactionOf(write), history.key(write)) != write;
  }

  /** One choice for each place of a list whose reads are prefixes of each other. */
  private void chooseLists() {
    Map<Integer, List<Integer>> reads = new HashMap<>();
    for (int op = 0; op < history.operationCount(); op++) {
      boolean read = history.kind(op) == OpKind.LIST_READ && isSequence(op);
      if (read && sources != Sources.ANY && mayCount[history.transactionOf(op)]) {
        reads.computeIfAbsent(history.key(op), key -> new ArrayList<>()).add(op);
      }
    }
    Sequences sequences = history.sequences();
    for (List<Integer> ofOne : reads.values()) {
      int longest = ofOne.get(0);
      for (int read : ofOne) {
        boolean longer =
            sequences.length(history.value(read)) > sequences.length(history.value(longest));
        longest = longer ? read : longest;
      }
      int whole = history.value(longest);
      if (ofOne.stream().allMatch(read -> sequences.isPrefix(history.value(read), whole))) {
        int[] shared = new int[sequences.length(whole)];
        Map<Integer, Integer> times = times(valuesRead(longest));
        for (int i = 0; i < shared.length; i++) {
          List<Integer> all = new ArrayList<>(written(longest, sequences.element(whole, i)));
          int shown = times.get(sequences.element(whole, i));
          // What a transaction appends later may be seen by others.
          shared[i] = choice(likely(history.transactionOf(longest), Integer.MAX_VALUE, all, shown));
        }
        for (int read : ofOne) {
          choiceOf[read] = Arrays.copyOf(shared, valuesRead(read).length);
        }
      }
    }
  }

  private static Map<Integer, Integer> times(int[] values) {
    Map<Integer, Integer> times = new HashMap<>();
    for (int value : values) {
      times.merge(value, 1, Integer::sum);
    }
    return times;
  }

  private void chooseElements(int txn, int read) {
    int[] values = valuesRead(read);
    choiceOf[read] = new int[values.length];
    Map<Integer, Integer> times = times(values);
    for (int i = 0; i < values.length && count <= most; i++) {
      List<Integer> all = new ArrayList<>(written(read, values[i]));
      if (history.kind(read) == OpKind.SET_READ) {
        all = additions(txn, read, all);
      }
      choiceOf[read][i] = choice(likely(txn, read, all, times.get(values[i])));
    }
  }

  /** The first of each transaction; only an own one where there is one before the read. */
  private List<Integer> additions(int txn, int read, List<Integer> all) {
    List<Integer> firsts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (int write : all) {
      if (history.transactionOf(write) == txn && write < read) {
        return List.of(write);
      }
      if (seen.add(history.transactionOf(write))) {
        firsts.add(write);
      }
    }
    return firsts;
  }

  public long count() {
    return count;
  }

  /** Advances to the next choice, initially the first; returns whether there was one. */
  public boolean advance() {
    for (int i = 0; i < at.length; i++) {
      if (++at[i] < choices.get(i).length) {
        return true;
      }
      at[i] = 0;
    }
    return false;
  }

  /**
   * Whether the current choice is possible: no list shows an append twice if there are enough to
   * show each once.
   */
  public boolean isPossible() {
    for (int op = 0; op < choiceOf.length; op++) {
      if (history.kind(op) == OpKind.LIST_READ && choiceOf[op] != null && showsTwice(op)) {
        return false;
      }
    }
    return true;
  }

  private boolean showsTwice(int read) {
    int[] values = valuesRead(read);
    boolean counts = mayCount[history.transactionOf(read)];
    Map<Integer, Integer> times = times(values);
    for (int i = 0; counts && i < values.length; i++) {
      int value = values[i];
      int shown = times.get(value);
      for (int j = 0; j < i; j++) {
        if (seen(read, i) == seen(read, j)
            && values[j] == value
            && shown <= choices.get(choiceOf[read][i]).length) {
          return true;
        }
      }
    }
    return false;
  }

  /** The write that a read, or one of its elements, saw under the current choice. */
  int seen(int read, int element) {
    int choice = choiceOf[read][element];
    return choices.get(choice)[at[choice]];
  }

  /** The history rewritten for the current choice. */
  public Rewriting rewriting() {
    Rewriting.Builder rewriting = new Rewriting.Builder(history);
    HistoryBuilder builder = rewriting.history();
    DisambiguatedSets sets =
        new DisambiguatedSets(history, this, sources == Sources.COMMITTED, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      rewriting.begin(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        rewriting.from(op);
        switch (history.kind(op)) {
          case WRITE, APPEND ->
              builder.op(history.kind(op), rewriting.rawKey(op), named(op, builder));
          case ADD -> sets.add(op);
          default -> {
            if (choiceOf[op] == null) {
              rewriting.copy(op);
            } else if (history.kind(op) == OpKind.SET_READ) {
              sets.read(op);
            } else {
              read(op, rewriting.rawKey(op), builder);
            }
          }
        }
      }
    }
    return rewriting.build();
  }

  private void read(int op, long key, HistoryBuilder builder) {
    int[] values = valuesRead(op);
    long[] names = new long[values.length];
    for (int i = 0; i < names.length; i++) {
      int write = seen(op, i);
      names[i] =
          switch (write) {
            case ReadsFrom.INITIAL -> RawScalars.NIL;
            case ReadsFrom.THIN_AIR -> builder.scalars().of("never written " + unwritten(op, i));
            default -> named(write, builder);
          };
    }
    if (history.kind(op) == OpKind.READ) {
      builder.op(OpKind.READ, key, names[0]);
    } else {
      builder.readList(key, names, 0, names.length);
    }
  }

  /** A value that was never written; of a condition that failed, the one that was also read. */
  private int unwritten(int read, int element) {
    int txn = history.transactionOf(read);
    for (int op = history.firstOp(txn);
        history.isOtherRead(read) && op < history.endOp(txn);
        op++) {
      boolean same = history.kind(op) == OpKind.READ && history.key(op) == history.key(read);
      if (same && choiceOf[op] != null && !history.isOtherRead(op)) {
        if (seen(op, 0) == ReadsFrom.THIN_AIR) {
          return history.value(op);
        }
      }
    }
    return valuesRead(read)[element];
  }

  private long named(int write, HistoryBuilder builder) {
    String name = "written by " + write;
    int value = history.value(write);
    return history.values().isVersioned(value)
        ? builder.scalars().of(new Versioned(name, history.values().version(value)))
        : builder.scalars().of(name);
  }
}
