package dev.assay.infer.writers;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rewrites sets for one choice of writers: where several transactions added the same element, each
 * addition goes to a separate set. A read that shows the element reads it from the set of the
 * chosen addition; a read that lacks it reads all of these sets as empty.
 *
 * <p>Once the additions of a transaction are in different sets, an intermediate read is no longer
 * visible. An extra register, the mark, which the transaction writes twice, shows it instead.
 */
final class DisambiguatedSets {
  private static final String ELEMENT = "element %d of %d added by %d";
  private static final String MARK = "mark of %d by %d";

  private final History history;
  private final WriterChoices choices;
  private final boolean alone;
  private final HistoryBuilder builder;

  /** For each set and element the first addition of each transaction, ascending. */
  private final Map<Integer, Map<Integer, List<Integer>>> additions = new HashMap<>();

  /** For each addition the marks that it writes. */
  private final Map<Integer, List<String>> marks = new HashMap<>();

  /** For each read the marks that it reads. */
  private final Map<Integer, List<String>> seen = new HashMap<>();

  /** The addition behind each mark. */
  private final Map<String, Integer> marked = new HashMap<>();

  DisambiguatedSets(History history, WriterChoices choices, boolean alone, HistoryBuilder builder) {
    this.alone = alone;
    this.history = history;
    this.choices = choices;
    this.builder = builder;
    if (!history.uses(OpKind.Type.SET)) {
      return;
    }
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.ADD) {
        List<Integer> firsts =
            additions
                .computeIfAbsent(history.key(op), key -> new TreeMap<>())
                .computeIfAbsent(history.value(op), element -> new ArrayList<>());
        int last = firsts.isEmpty() ? -1 : firsts.get(firsts.size() - 1);
        if (last < 0 || history.transactionOf(last) != history.transactionOf(op)) {
          firsts.add(op);
        }
      }
    }
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.SET_READ && history.value(op) != Values.UNKNOWN) {
        mark(op);
      }
    }
  }

  private List<Integer> additions(int key, int element) {
    return additions.getOrDefault(key, Map.of()).getOrDefault(element, List.of());
  }

  private boolean isRepeated(int key, int element) {
    return additions(key, element).size() > 1;
  }

  private long number(int value) {
    return builder.scalars().of(history.values().get(value));
  }

  private long setOf(int addition) {
    int txn = history.transactionOf(addition);
    return name(ELEMENT.formatted(history.value(addition), history.key(addition), txn));
  }

  private long name(String text) {
    return builder.scalars().of(text);
  }

  private long key(int op) {
    return builder.scalars().of(history.keys().get(history.key(op)));
  }

  /** Adds an addition to the rewritten history. */
  void add(int op) {
    if (isRepeated(history.key(op), history.value(op))) {
      builder.op(OpKind.ADD, setOf(op), number(history.value(op)));
    } else {
      builder.op(OpKind.ADD, key(op), number(history.value(op)));
    }
    for (String mark : marks.getOrDefault(op, List.of())) {
      builder.op(OpKind.WRITE, name(mark), name(mark + " at " + op));
    }
  }

  /**
   * Adds a read, as several. A set read is atomic, so the reads of what it lacks come first. Where
   * every operation is a transaction, they come last.
   */
  void read(int op) {
    if (alone) {
      readRepeated(op);
    } else {
      readMissing(op);
    }
    Sequences sequences = history.sequences();
    int sequence = history.value(op);
    long[] single = new long[sequences.length(sequence)];
    int singles = 0;
    for (int i = 0; i < single.length; i++) {
      int element = sequences.element(sequence, i);
      if (!isRepeated(history.key(op), element)) {
        single[singles++] = number(element);
      }
    }
    builder.readElements(OpKind.SET_READ, key(op), single, 0, singles);
    if (alone) {
      readMissing(op);
    } else {
      readRepeated(op);
    }
    for (String mark : seen.getOrDefault(op, List.of())) {
      builder.op(OpKind.READ, name(mark), name(mark + " at " + marked.get(mark)));
    }
  }

  private void readMissing(int op) {
    Map<Integer, List<Integer>> elements = additions.getOrDefault(history.key(op), Map.of());
    for (Map.Entry<Integer, List<Integer>> one : elements.entrySet()) {
      boolean lacks = !history.sequences().setContains(history.value(op), one.getKey());
      for (int addition : one.getValue()) {
        boolean aborted = history.outcome(history.transactionOf(addition)) == Outcome.ABORTED;
        if (lacks && !aborted && one.getValue().size() > 1) {
          builder.readElements(OpKind.SET_READ, setOf(addition), new long[0], 0, 0);
        }
      }
    }
  }

  private void readRepeated(int op) {
    Sequences sequences = history.sequences();
    for (int i = 0; i < sequences.length(history.value(op)); i++) {
      int element = sequences.element(history.value(op), i);
      if (isRepeated(history.key(op), element)) {
        builder.readElements(
            OpKind.SET_READ, setOf(choices.seen(op, i)), new long[] {number(element)}, 0, 1);
      }
    }
  }

  private void mark(int read) {
    Sequences sequences = history.sequences();
    int sequence = history.value(read);
    for (int i = 0; i < sequences.length(sequence); i++) {
      int write = choices.seen(read, i);
      boolean others = write >= 0 && history.transactionOf(write) != history.transactionOf(read);
      int missing = others ? missingAfter(sequence, write) : -1;
      if (missing >= 0) {
        String mark = MARK.formatted(read, write);
        marked.put(mark, write);
        seen.computeIfAbsent(read, op -> new ArrayList<>()).add(mark);
        marks.computeIfAbsent(write, op -> new ArrayList<>()).add(mark);
        marks.computeIfAbsent(missing, op -> new ArrayList<>()).add(mark);
      }
    }
  }

  /**
   * The first addition of a transaction after an element that a read shows, and that the read
   * lacks, or −1.
   */
  private int missingAfter(int sequence, int write) {
    int key = history.key(write);
    boolean repeated = isRepeated(key, history.value(write));
    int txn = history.transactionOf(write);
    for (int op = write + 1; op < history.endOp(txn); op++) {
      boolean added = history.kind(op) == OpKind.ADD && history.key(op) == key;
      if (added
          && additions(key, history.value(op)).contains(op)
          && !history.sequences().setContains(sequence, history.value(op))
          && (repeated || isRepeated(key, history.value(op)))) {
        return op;
      }
    }
    return -1;
  }
}
