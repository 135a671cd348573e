package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
      int repeats) {}

  /** A transaction with some of its operations, by their places in it. */
  record Shown(
      Object session,
      Object id,
      Outcome outcome,
      long start,
      long end,
      long position,
      int file,
      TreeMap<Integer, Op> operations) {
    Shown and(Shown other) {
      TreeMap<Integer, Op> both = new TreeMap<>(operations);
      other.operations.forEach(
          (place, op) ->
              both.merge(place, op, (ours, theirs) -> theirs.isUnseen() ? ours : theirs));
      return new Shown(session, id, outcome, start, end, position, file, both);
    }
  }

  /** An operation; elements are those of a read of a list or set, else null. */
  record Op(OpKind kind, Object key, Object value, List<Object> elements) {
    boolean isUnseen() {
      return value == Unseen.RESULT;
    }

    /** Whether another one is a part of this one, with some of the elements. */
    boolean isSame(Op other, Set<List<Object>> staying) {
      boolean unseen = isUnseen() || other.isUnseen();
      return kind == other.kind
          && Objects.equals(key, other.key)
          && (unseen
              || Objects.equals(value, other.value)
                  && Objects.equals(elements(staying), other.elements(staying)));
    }

    /** The elements that stay, in an order that does not matter for sets; null for none. */
    Collection<Object> elements(Set<List<Object>> staying) {
      if (elements == null) {
        return null;
      }
      List<Object> kept = new ArrayList<>(elements);
      kept.removeIf(element -> !staying.contains(Arrays.asList(key, element)));
      return kind.type().commutes() ? new HashSet<>(kept) : kept;
    }
  }

  /** The result of a read that the client did not see. */
  private enum Unseen {
    RESULT
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
      Op read = op(part, op);
      if (read.elements != null) {
        read.elements.forEach(element -> exhibit.elements.add(Arrays.asList(read.key, element)));
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
    exhibit.transactions.forEach((number, shown) -> all.merge(number, shown, Shown::and));
    return exhibit;
  }

  private static Shown shown(Arrived arrived, History part, int txn, Set<List<Object>> elements) {
    History from = arrived.history();
    int of = arrived.txn;
    TreeMap<Integer, Op> operations = new TreeMap<>();
    int next = from.firstOp(of);
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      Op kept = op(part, op);
      while (!op(from, next).isSame(kept, elements)) {
        next++;
      }
      operations.put(next - from.firstOp(of), op(from, next));
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
    TreeMap<Integer, Op> operations = new TreeMap<>();
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      Op write = op(part, op);
      operations.put(writer.places().get(write.key), write);
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

  private static Op op(History history, int op) {
    OpKind kind = history.kind(op);
    Object key = history.keys().get(history.key(op));
    int value = history.value(op);
    if (value == Values.UNKNOWN) {
      return new Op(kind, key, Unseen.RESULT, null);
    }
    if (!kind.readsSequence()) {
      return new Op(kind, key, history.values().get(value), null);
    }
    Sequences sequences = history.sequences();
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < sequences.length(value); i++) {
      elements.add(history.values().get(sequences.element(value, i)));
    }
    return new Op(kind, key, null, elements);
  }

  // ---- as histories

  /** Whether a value in an exhibit was written again since it was kept. */
  boolean isDoubtful(Exhibit exhibit) {
    for (Shown shown : exhibit.transactions.values()) {
      for (Op op : shown.operations.values()) {
        boolean item = op.elements == null && op.value != Unseen.RESULT;
        if (item && context.isRepeatedSince(exhibit.repeats, op.key, op.value)) {
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
      for (Op op : shown.operations.values()) {
        add(builder, op, elements);
        Object declared = context.key(op.key).declared;
        if (declared != null) {
          builder.initially(op.key, declared);
        }
      }
    }
    return builder.build();
  }

  private static void add(HistoryBuilder builder, Op op, Set<List<Object>> staying) {
    if (op.value == Unseen.RESULT) {
      builder.op(op.kind, builder.scalars().of(op.key), RawScalars.UNKNOWN);
    } else if (op.elements == null) {
      builder.op(op.kind, builder.scalars().of(op.key), builder.scalars().of(op.value));
    } else {
      Collection<Object> elements = op.elements(staying);
      long[] raw = elements.stream().mapToLong(builder.scalars()::of).toArray();
      builder.readElements(op.kind, builder.scalars().of(op.key), raw, 0, raw.length);
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
}
