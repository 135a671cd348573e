package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.level.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The transactions that show violations, kept when their windows are forgotten. Each exhibit is
 * some of the whole history's transactions with some of their operations. All exhibits together are
 * one history, of which each is a part.
 */
final class Exhibits {
  private final Context context;

  /** By the number of the transaction in the whole history. */
  private final TreeMap<Long, Shown> all = new TreeMap<>();

  /** The declared initial values of keys, which may be forgotten by the time they are needed. */
  private final Map<Object, Object> declared = new HashMap<>();

  /**
   * A part of the whole history.
   *
   * @param levels the levels that it was checked for: which anomalies are listed depends on them
   * @param transactions by their numbers
   * @param elements the elements of lists and sets that are in it, with their keys
   * @param repeats the number of values that had been written again when it was kept
   */
  record Exhibit(
      Set<Level> levels,
      TreeMap<Long, Shown> transactions,
      Set<List<Object>> elements,
      int repeats) {
    private boolean uses(Object key) {
      return transactions.values().stream()
          .flatMap(shown -> shown.operations.values().stream())
          .anyMatch(op -> op.key().equals(key));
    }
  }

  /** A transaction with some of its operations, by their places in it. */
  record Shown(
      Object session,
      String id,
      Outcome outcome,
      long start,
      long end,
      long position,
      int file,
      TreeMap<Integer, Operation> operations) {
    Shown and(Shown other) {
      TreeMap<Integer, Operation> both = new TreeMap<>(operations);
      other.operations.forEach(
          (place, op) -> both.merge(place, op, (ours, theirs) -> theirs.known() ? theirs : ours));
      return new Shown(session, id, outcome, start, end, position, file, both);
    }

    private void save(StateOutput out) throws IOException {
      out.scalar(session);
      out.text(id);
      out.text(outcome.name());
      for (long number : new long[] {start, end, position}) {
        out.writeLong(number);
      }
      out.writeInt(file);
      out.writeInt(operations.size());
      for (Map.Entry<Integer, Operation> entry : operations.entrySet()) {
        Operation op = entry.getValue();
        out.writeInt(entry.getKey());
        out.text(op.kind().name());
        out.scalar(op.key());
        out.writeBoolean(op.known());
        List<?> values = showsElements(op) ? (List<?>) op.value() : Arrays.asList(op.value());
        out.writeInt(values.size());
        for (Object value : values) {
          out.scalar(value);
        }
      }
    }

    private static Shown restore(StateInput in) throws IOException {
      Object session = in.scalar();
      String id = in.text();
      Outcome outcome = in.name(Outcome.class);
      long start = in.readLong();
      long end = in.readLong();
      long position = in.readLong();
      int file = in.readInt();
      TreeMap<Integer, Operation> operations = new TreeMap<>();
      for (int i = in.readInt(); i > 0; i--) {
        int place = in.readInt();
        OpKind kind = in.name(OpKind.class);
        Object key = in.scalar();
        boolean known = in.readBoolean();
        List<Object> values = new ArrayList<>();
        for (int j = in.readInt(); j > 0; j--) {
          values.add(in.scalar());
        }
        Object value = known && kind.readsSequence() ? values : values.get(0);
        operations.put(place, new Operation(kind, key, known, value));
      }
      return new Shown(session, id, outcome, start, end, position, file, operations);
    }
  }

  Exhibits(Context context) {
    this.context = context;
  }

  /**
   * Keeps what a part of a window shows.
   *
   * @param levels the levels that it was checked for
   * @param part some of its transactions and operations, with the ids that the window gave them
   */
  Exhibit keep(Set<Level> levels, History part, Window window, List<KeyState.Writer> writers) {
    Exhibit exhibit = new Exhibit(levels, new TreeMap<>(), new HashSet<>(), context.repeats());
    for (int op = 0; op < part.operationCount(); op++) {
      Operation read = part.operation(op);
      if (showsElements(read)) {
        ((List<?>) read.value())
            .forEach(element -> exhibit.elements.add(Arrays.asList(read.key(), element)));
      }
    }
    for (int txn = 0; txn < part.transactionCount(); txn++) {
      int id = Math.toIntExact((Long) part.ownId(txn));
      if (id >= 0) {
        Arrived arrived = window.transactions.get(id);
        exhibit.transactions.put(arrived.number, shown(arrived, part, txn, exhibit.elements));
      } else {
        KeyState.Writer writer = writers.get(-1 - id);
        exhibit.transactions.put(writer.number(), shown(writer, part, txn));
      }
    }
    for (KeyState key : window.keys) {
      if (key.declared != null && exhibit.uses(key.key)) {
        declared.put(key.key, key.declared);
      }
    }
    return keep(exhibit);
  }

  private Exhibit keep(Exhibit exhibit) {
    exhibit.transactions.forEach((number, shown) -> all.merge(number, shown, Shown::and));
    return exhibit;
  }

  private static Shown shown(Arrived arrived, History part, int txn, Set<List<Object>> elements) {
    History from = arrived.history();
    int of = arrived.txn;
    TreeMap<Integer, Operation> operations = new TreeMap<>();
    int next = from.firstOp(of);
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      Operation kept = part.operation(op);
      while (!isSame(from.operation(next), kept, elements)) {
        next++;
      }
      operations.put(next - from.firstOp(of), from.operation(next));
      next++;
    }
    return new Shown(
        from.sessionName(from.session(of)),
        arrived.id(),
        from.outcome(of),
        from.start(of),
        from.end(of),
        from.position(of),
        from.file(of),
        operations);
  }

  private static Shown shown(KeyState.Writer writer, History part, int txn) {
    TreeMap<Integer, Operation> operations = new TreeMap<>();
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      Operation write = part.operation(op);
      operations.put(writer.places().get(write.key()), write);
    }
    return new Shown(
        writer.session(),
        writer.id(),
        writer.committed() ? Outcome.COMMITTED : Outcome.INDETERMINATE,
        writer.start(),
        writer.end(),
        writer.position(),
        writer.file(),
        operations);
  }

  private static boolean showsElements(Operation op) {
    return op.kind().readsSequence() && op.known();
  }

  /**
   * Whether an operation was kept as another one, which lacks elements that do not stay. The result
   * of a read that does not show what was carried over is left out.
   */
  private static boolean isSame(Operation one, Operation other, Set<List<Object>> staying) {
    return one.kind() == other.kind()
        && Objects.equals(one.key(), other.key())
        && (one.known() && other.known()
            ? Objects.equals(value(one, staying), value(other, staying))
            : !other.known() && (!one.known() || one.kind().readsSequence()));
  }

  /** The value; of a list or set the elements that stay, in any order if that does not matter. */
  private static Object value(Operation op, Set<List<Object>> staying) {
    if (!showsElements(op)) {
      return op.value();
    }
    List<Object> kept = elements(op, staying);
    return op.kind().type().commutes() ? new HashSet<>(kept) : kept;
  }

  private static List<Object> elements(Operation op, Set<List<Object>> staying) {
    List<Object> kept = new ArrayList<>((List<?>) op.value());
    kept.removeIf(element -> !staying.contains(Arrays.asList(op.key(), element)));
    return kept;
  }

  // ---- as histories

  /** Whether a value in an exhibit was written again since it was kept. */
  boolean isDoubtful(Exhibit exhibit) {
    for (Shown shown : exhibit.transactions.values()) {
      for (Operation op : shown.operations.values()) {
        if (op.known() && context.isRepeatedSince(exhibit.repeats, op.key(), op.value())) {
          return true;
        }
      }
    }
    return exhibit.elements.stream()
        .anyMatch(pair -> context.isRepeatedSince(exhibit.repeats, pair.get(0), pair.get(1)));
  }

  /** One exhibit as a history. */
  History history(Exhibit exhibit) {
    return history(exhibit.transactions, exhibit.elements);
  }

  /** All exhibits as one history. */
  History history(List<Exhibit> exhibits) {
    Set<List<Object>> elements = new HashSet<>();
    exhibits.forEach(exhibit -> elements.addAll(exhibit.elements));
    return history(all, elements);
  }

  private History history(TreeMap<Long, Shown> transactions, Set<List<Object>> elements) {
    HistoryBuilder builder = new HistoryBuilder();
    context.describe(builder);
    for (Shown shown : transactions.values()) {
      int txn = builder.begin(builder.session(shown.session), shown.outcome);
      builder.id(txn, builder.scalars().of(shown.id));
      builder.start(txn, shown.start);
      builder.end(txn, shown.end);
      builder.position(txn, shown.position);
      builder.file(txn, shown.file);
      for (Operation op : shown.operations.values()) {
        add(builder, op, elements);
        if (declared.containsKey(op.key())) {
          builder.initially(op.key(), declared.get(op.key()));
        }
      }
    }
    return builder.build();
  }

  private static void add(HistoryBuilder builder, Operation op, Set<List<Object>> staying) {
    long key = builder.scalars().of(op.key());
    if (showsElements(op)) {
      long[] raw = elements(op, staying).stream().mapToLong(builder.scalars()::of).toArray();
      builder.readElements(op.kind(), key, raw, 0, raw.length);
    } else {
      long value = op.known() ? builder.scalars().of(op.value()) : RawScalars.UNKNOWN;
      builder.op(op.kind(), key, value);
    }
  }

  /** An exhibit as a part of the history of all exhibits. */
  Rewriting part(Exhibit exhibit, History whole) {
    Rewriting.Builder part = new Rewriting.Builder(whole);
    part.history().initialStateOf(whole);
    Map<Long, Integer> numbers = new HashMap<>();
    all.keySet().forEach(number -> numbers.put(number, numbers.size()));
    exhibit.transactions.forEach(
        (number, shown) -> {
          int txn = numbers.get(number);
          part.begin(txn);
          int op = whole.firstOp(txn);
          for (int place : all.get(number).operations.keySet()) {
            if (shown.operations.containsKey(place)) {
              part.from(op);
              add(part.history(), shown.operations.get(place), exhibit.elements);
            }
            op++;
          }
        });
    return part.build();
  }

  // ---- states

  void save(Exhibit exhibit, StateOutput out) throws IOException {
    out.names(exhibit.levels);
    out.writeInt(exhibit.transactions.size());
    for (Map.Entry<Long, Shown> entry : exhibit.transactions.entrySet()) {
      out.writeLong(entry.getKey());
      entry.getValue().save(out);
    }
    out.writeInt(exhibit.elements.size());
    for (List<Object> pair : exhibit.elements) {
      out.scalar(pair.get(0));
      out.scalar(pair.get(1));
    }
    out.writeInt(exhibit.repeats);
    List<Object> initial = declared.keySet().stream().filter(exhibit::uses).toList();
    out.writeInt(initial.size());
    for (Object key : initial) {
      out.scalar(key);
      out.scalar(declared.get(key));
    }
  }

  /** Reads an exhibit, and keeps it; in the order in which they were kept. */
  Exhibit restore(StateInput in) throws IOException {
    Set<Level> levels = in.names(Level.class);
    TreeMap<Long, Shown> transactions = new TreeMap<>();
    for (int i = in.readInt(); i > 0; i--) {
      transactions.put(in.readLong(), Shown.restore(in));
    }
    Set<List<Object>> elements = new HashSet<>();
    for (int i = in.readInt(); i > 0; i--) {
      elements.add(Arrays.asList(in.scalar(), in.scalar()));
    }
    int repeats = in.readInt();
    for (int i = in.readInt(); i > 0; i--) {
      declared.put(in.scalar(), in.scalar());
    }
    return keep(new Exhibit(levels, transactions, elements, repeats));
  }
}
