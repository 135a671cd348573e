package dev.assay.spark.judge;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.resolve.ReadsFrom;
import dev.assay.spark.cut.Carried;
import dev.assay.spark.cut.Writer;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The transactions between two cuts, as a history whose initial state is what they see of what came
 * before. Elements that lists and sets had at the first cut are left out of what was read.
 */
final class Window {
  private final Described described;
  private final List<WindowBlock> blocks;
  private final List<History> histories = new ArrayList<>();

  /** For each transaction its block, and its place there. */
  private int[] blockOf;

  private int[] placeIn;

  private final Map<Object, Carried> values = new HashMap<>();
  private final Map<Object, Object> last = new HashMap<>();
  private final Map<Object, List<Object>> elements = new HashMap<>();
  private final Map<Object, Set<Object>> members = new HashMap<>();
  private final Map<Object, List<Object>> orders = new HashMap<>();
  private final History history;
  private final ReadsFrom reads;

  /** Those who wrote what was carried over and is read here, by their numbers. */
  private final TreeMap<Long, Writer> writers = new TreeMap<>();

  private final TreeMap<Long, List<Object[]>> written = new TreeMap<>();

  Window(Described described, List<WindowBlock> blocks, List<Carried> carried) {
    this.described = described;
    this.blocks = WindowBlock.sorted(blocks);
    for (Carried one : carried) {
      List<Object> names = Scalar.of(one.key);
      Object key = names.get(0);
      switch (one.kind) {
        case VALUE -> values.put(key, one);
        case LAST -> last.put(key, names.get(1));
        case ELEMENTS -> elements.put(key, scalars(one.elements));
        case MEMBERS -> members.put(key, new HashSet<>(scalars(one.elements)));
        case ORDER -> orders.put(key, scalars(one.elements));
      }
    }
    this.history = build();
    this.reads = ReadsFrom.of(history);
    findWriters();
  }

  private static List<Object> scalars(byte[][] bytes) {
    List<Object> scalars = new ArrayList<>();
    for (byte[] one : bytes) {
      scalars.addAll(Scalar.of(one));
    }
    return scalars;
  }

  /** The transactions, with ids from 0. */
  History history() {
    return history;
  }

  /** What they saw. */
  ReadsFrom reads() {
    return reads;
  }

  /** Those from before that are in {@link #part}, with ids from −1 down. */
  List<Writer> writers() {
    return List.copyOf(writers.values());
  }

  // ---- the history

  private History build() {
    HistoryBuilder builder = new HistoryBuilder();
    described.addTo(builder);
    int size = 0;
    for (WindowBlock block : blocks) {
      histories.add(block.history());
      size += block.numbers.length;
    }
    blockOf = new int[size];
    placeIn = new int[size];
    int next = 0;
    for (int b = 0; b < histories.size(); b++) {
      History from = histories.get(b);
      declare(from, builder);
      OperationCopy copy = new OperationCopy(from, builder);
      for (int i = 0; i < from.transactionCount(); i++) {
        int txn = copy.begin(i);
        builder.id(txn, next);
        builder.position(txn, blocks.get(b).places[i]);
        for (int op = from.firstOp(i); op < from.endOp(i); op++) {
          add(builder, from, op, from.outcome(i), copy);
        }
        blockOf[next] = b;
        placeIn[next++] = i;
      }
    }
    values.forEach((key, one) -> builder.initially(key, Scalar.of(one.key).get(1)));
    return builder.build();
  }

  private void declare(History from, HistoryBuilder builder) {
    for (int key = 0; key < from.keys().count(); key++) {
      int declared = from.declaredInitial(key);
      Object name = from.keys().get(key);
      if (declared != Values.UNKNOWN && declared != Values.NIL && !values.containsKey(name)) {
        builder.initially(name, from.values().get(declared));
      }
    }
  }

  /** Adds an operation; what a list or set had at the first cut is left out of a read. */
  private void add(
      HistoryBuilder builder, History from, int op, Outcome outcome, OperationCopy copy) {
    OpKind kind = from.kind(op);
    if (!kind.readsSequence() || from.value(op) == Values.UNKNOWN) {
      copy.add(op);
      return;
    }
    Object key = from.keys().get(from.key(op));
    int carried = kind == OpKind.LIST_READ ? size(elements.get(key)) : size(members.get(key));
    if (carried == 0) {
      copy.add(op);
      return;
    }
    long rawKey = builder.scalars().of(key);
    long[] rest = kind == OpKind.LIST_READ ? restOfList(from, op, key) : restOfSet(from, op, key);
    for (int i = 0; rest != null && i < rest.length; i++) {
      rest[i] = builder.scalars().of(from.values(), (int) rest[i]);
    }
    if (rest != null) {
      builder.readElements(kind, rawKey, rest, 0, rest.length);
    } else if (outcome == Outcome.ABORTED) {
      // Only reads that were rolled back are not looked at when cuts are made.
      builder.op(kind, rawKey, RawScalars.UNKNOWN);
    } else {
      throw new IllegalStateException("a read does not see what was written before a cut");
    }
  }

  private static int size(Collection<?> carried) {
    return carried == null ? 0 : carried.size();
  }

  /** The codes of what a read shows after the elements carried over; null if it lacks some. */
  private long[] restOfList(History from, int op, Object key) {
    List<Object> carried = elements.get(key);
    Sequences sequences = from.sequences();
    int sequence = from.value(op);
    boolean sees = sequences.length(sequence) >= carried.size();
    for (int i = 0; i < carried.size() && sees; i++) {
      sees = carried.get(i).equals(from.values().get(sequences.element(sequence, i)));
    }
    long[] rest = new long[sees ? sequences.length(sequence) - carried.size() : 0];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = sequences.element(sequence, carried.size() + i);
    }
    return sees ? rest : null;
  }

  /** The codes of what a read shows beside the elements carried over; null if it lacks some. */
  private long[] restOfSet(History from, int op, Object key) {
    Set<Object> carried = members.get(key);
    Sequences sequences = from.sequences();
    int sequence = from.value(op);
    Set<Object> seen = new HashSet<>();
    long[] rest = new long[sequences.length(sequence)];
    int size = 0;
    for (int i = 0; i < rest.length; i++) {
      Object element = from.values().get(sequences.element(sequence, i));
      if (carried.contains(element)) {
        seen.add(element);
      } else {
        rest[size++] = sequences.element(sequence, i);
      }
    }
    return seen.size() == carried.size() ? Arrays.copyOf(rest, size) : null;
  }

  private void findWriters() {
    for (int op = 0; op < history.operationCount(); op++) {
      boolean carried =
          history.kind(op) == OpKind.READ
              && history.value(op) != Values.UNKNOWN
              && reads.source(op) == ReadsFrom.INITIAL;
      Object key = carried ? history.keys().get(history.key(op)) : null;
      Carried value = carried ? values.get(key) : null;
      if (value != null) {
        Writer writer = Writer.of(value.writer);
        writers.putIfAbsent(writer.number(), writer);
        List<Object[]> writes = written.computeIfAbsent(writer.number(), n -> new ArrayList<>());
        if (writes.stream().noneMatch(write -> write[0].equals(key))) {
          writes.add(new Object[] {key, Scalar.of(value.key).get(1), writer.place()});
        }
      }
    }
  }

  // ---- what is asked about it

  /** Orders that make what later windows see the last versions, and lists as they see them. */
  List<Chain> pins() {
    List<Chain> pins = new ArrayList<>();
    Map<Object, List<Integer>> finals = new HashMap<>();
    Map<Object, Map<Object, Integer>> appends = new HashMap<>();
    Map<Object, Integer> shown = new HashMap<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
        Object key = history.keys().get(history.key(op));
        OpKind kind = history.kind(op);
        if (kind == OpKind.WRITE && last.containsKey(key) && !reads.isOverwritten(op)) {
          finals.computeIfAbsent(key, k -> new ArrayList<>()).add(op);
        } else if (kind == OpKind.APPEND && orders.containsKey(key)) {
          Object element = history.values().get(history.value(op));
          appends.computeIfAbsent(key, k -> new HashMap<>()).put(element, op);
        } else if (kind == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN) {
          shown.merge(key, history.sequences().length(history.value(op)), Math::max);
        }
      }
    }
    finals.forEach((key, writes) -> pins.addAll(pins(writes, last.get(key))));
    appends.forEach(
        (key, byElement) -> {
          List<Object> order = orders.get(key);
          int from = Math.min(shown.getOrDefault(key, 0), order.size());
          if (order.size() - from > 1) {
            int[] rest = new int[order.size() - from];
            Arrays.setAll(rest, i -> byElement.get(order.get(from + i)));
            pins.add(Chain.of(history.key(rest[0]), rest));
          }
        });
    return pins;
  }

  private List<Chain> pins(List<Integer> writes, Object lastValue) {
    int seen = -1;
    for (int write : writes) {
      seen = lastValue.equals(history.values().get(history.value(write))) ? write : seen;
    }
    if (seen < 0) {
      throw new IllegalStateException("the version that is seen later was not written here");
    }
    List<Chain> pins = new ArrayList<>();
    for (int write : writes) {
      if (write != seen) {
        pins.add(Chain.of(history.key(write), write, seen));
      }
    }
    return pins;
  }

  /** A part of the whole history. */
  History part() {
    HistoryBuilder builder = new HistoryBuilder();
    described.addTo(builder);
    int next = 0;
    for (Writer writer : writers.values()) {
      int txn = writer.addTo(builder);
      builder.id(txn, -1 - next++);
      for (Object[] write : written.get(writer.number())) {
        builder.write(write[0], write[1]);
      }
    }
    for (History from : histories) {
      declare(from, builder);
    }
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      builder.id(copy.begin(txn), txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        copy.add(op);
      }
    }
    return builder.build();
  }

  // ---- what is shown of it

  /** The history as it was recorded that has a transaction, and its place there. */
  History recorded(int txn) {
    return histories.get(blockOf[txn]);
  }

  int placeIn(int txn) {
    return placeIn[txn];
  }

  /** The place of a transaction among all. */
  long number(int txn) {
    return blocks.get(blockOf[txn]).numbers[placeIn[txn]];
  }

  long position(int txn) {
    return blocks.get(blockOf[txn]).places[placeIn[txn]];
  }

  /** The place, among the operations of its writer, of the write of a key. */
  int placeOfWrite(Writer writer, Object key) {
    for (Object[] write : written.get(writer.number())) {
      if (write[0].equals(key)) {
        return (Integer) write[2];
      }
    }
    throw new IllegalStateException("no write of " + key);
  }
}
