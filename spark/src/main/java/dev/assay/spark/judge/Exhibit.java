package dev.assay.spark.judge;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.spark.cut.Writer;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Scalar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToLongBiFunction;

/**
 * Transactions that show violations, each with some of its operations. Those of several windows
 * together are a part of the whole history, too.
 */
final class Exhibit {
  /** By the place of the transaction among all. */
  private final TreeMap<Long, Shown> transactions = new TreeMap<>();

  /** Elements of lists that are in it, with their keys. */
  private final Set<List<Object>> elements = new HashSet<>();

  /** A transaction with some of its operations, by their places in it. */
  private record Shown(
      Object session,
      Object id,
      Outcome outcome,
      long start,
      long end,
      long position,
      int file,
      TreeMap<Integer, Operation> operations) {}

  /** What a part of a window shows, as bytes for the driver. */
  static byte[] bytes(History part, Window window) {
    List<Object> staying = new ArrayList<>();
    Set<List<Object>> all = new HashSet<>();
    for (int op = 0; op < part.operationCount(); op++) {
      Operation read = part.operation(op);
      if (showsElements(read)) {
        ((List<?>) read.value()).forEach(element -> all.add(Arrays.asList(read.key(), element)));
      }
    }
    staying.addAll(all);
    List<Object> shown = new ArrayList<>();
    for (int txn = 0; txn < part.transactionCount(); txn++) {
      int id = Math.toIntExact((Long) part.ownId(txn));
      shown.add(id >= 0 ? own(part, txn, id, window, all) : earlier(part, txn, id, window));
    }
    return Scalar.bytes(staying, shown);
  }

  private static List<Object> own(
      History part, int txn, int id, Window window, Set<List<Object>> staying) {
    History from = window.recorded(id);
    int of = window.placeIn(id);
    List<Object> operations = new ArrayList<>();
    int next = from.firstOp(of);
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      Operation kept = part.operation(op);
      while (!isSame(from.operation(next), kept, staying)) {
        next++;
      }
      operations.add(operation(next - from.firstOp(of), from.operation(next)));
      next++;
    }
    return Arrays.asList(
        window.number(id),
        from.sessionName(from.session(of)),
        from.ownId(of),
        (long) from.outcome(of).ordinal(),
        from.start(of),
        from.end(of),
        window.position(id),
        (long) from.file(of),
        operations);
  }

  private static List<Object> earlier(History part, int txn, int id, Window window) {
    Writer writer = window.writers().get(-1 - id);
    List<Object> operations = new ArrayList<>();
    for (int op = part.firstOp(txn); op < part.endOp(txn); op++) {
      Operation write = part.operation(op);
      operations.add(operation(window.placeOfWrite(writer, write.key()), write));
    }
    Outcome outcome = writer.committed() ? Outcome.COMMITTED : Outcome.INDETERMINATE;
    return Arrays.asList(
        writer.number(),
        writer.session(),
        writer.id(),
        (long) outcome.ordinal(),
        writer.start(),
        writer.end(),
        writer.position(),
        (long) writer.file(),
        operations);
  }

  private static List<Object> operation(long place, Operation op) {
    return Arrays.asList(place, (long) op.kind().ordinal(), op.key(), op.known(), op.value());
  }

  private static boolean showsElements(Operation op) {
    return op.kind().readsSequence() && op.known();
  }

  /** Whether two operations are the same but for elements that do not stay, or a result unseen. */
  private static boolean isSame(Operation one, Operation other, Set<List<Object>> staying) {
    boolean unseen = !one.known() || !other.known();
    return one.kind() == other.kind()
        && Objects.equals(one.key(), other.key())
        && (unseen || Objects.equals(value(one, staying), value(other, staying)));
  }

  private static Object value(Operation op, Set<List<Object>> staying) {
    if (!showsElements(op)) {
      return op.value();
    }
    List<Object> kept = new ArrayList<>((List<?>) op.value());
    kept.removeIf(element -> !staying.contains(Arrays.asList(op.key(), element)));
    return kept;
  }

  // ---- on the driver

  /** Adds what a window showed. */
  void add(byte[] bytes) {
    List<Object> fields = Scalar.of(bytes);
    for (Object pair : (List<?>) fields.get(0)) {
      elements.add(new ArrayList<>((List<?>) pair));
    }
    for (Object one : (List<?>) fields.get(1)) {
      List<?> txn = (List<?>) one;
      Shown shown =
          new Shown(
              txn.get(1),
              txn.get(2),
              Outcome.of(((Long) txn.get(3)).byteValue()),
              (Long) txn.get(4),
              (Long) txn.get(5),
              (Long) txn.get(6),
              ((Long) txn.get(7)).intValue(),
              new TreeMap<>());
      TreeMap<Integer, Operation> operations =
          transactions.computeIfAbsent((Long) txn.get(0), n -> shown).operations;
      for (Object operation : (List<?>) txn.get(8)) {
        List<?> op = (List<?>) operation;
        OpKind kind = OpKind.values()[((Long) op.get(1)).intValue()];
        Operation added = new Operation(kind, op.get(2), (Boolean) op.get(3), op.get(4));
        operations.merge(
            ((Long) op.get(0)).intValue(), added, (old, now) -> now.known() ? now : old);
      }
    }
  }

  /**
   * All of it as one history.
   *
   * @param name the id of a transaction, by its number and what the reader of its split named it
   * @param place its place in the file, by its number and its place in the split
   */
  History history(
      Described described,
      BiFunction<Long, List<Object>, Object> name,
      ToLongBiFunction<Long, Long> place) {
    HistoryBuilder builder = new HistoryBuilder();
    described.addTo(builder);
    transactions.forEach(
        (number, shown) -> {
          int txn = builder.begin(builder.session(shown.session), shown.outcome);
          Object id = name.apply(number, Arrays.asList(shown.session, shown.id));
          builder.id(txn, builder.scalars().of(id));
          builder.start(txn, shown.start);
          builder.end(txn, shown.end);
          builder.position(txn, place.applyAsLong(number, shown.position));
          builder.file(txn, shown.file);
          shown.operations.values().forEach(op -> add(builder, op, elements));
        });
    return builder.build();
  }

  private static void add(HistoryBuilder builder, Operation op, Set<List<Object>> elements) {
    long key = builder.scalars().of(op.key());
    if (showsElements(op)) {
      List<?> kept = (List<?>) value(op, elements);
      long[] raw = kept.stream().mapToLong(element -> builder.scalars().of(element)).toArray();
      builder.readElements(op.kind(), key, raw, 0, raw.length);
    } else {
      builder.op(
          op.kind(), key, op.known() ? builder.scalars().of(op.value()) : RawScalars.UNKNOWN);
    }
  }

  /**
   * This as a part of the history of others that it was added to.
   *
   * @param all this and the others
   */
  Rewriting in(Exhibit all, History history) {
    Rewriting.Builder part = new Rewriting.Builder(history);
    part.history().initialStateOf(history);
    Map<Long, Integer> places = new HashMap<>();
    all.transactions.keySet().forEach(number -> places.put(number, places.size()));
    transactions.forEach(
        (number, shown) -> {
          int txn = places.get(number);
          part.begin(txn);
          int op = history.firstOp(txn);
          for (int place : all.transactions.get(number).operations.keySet()) {
            if (shown.operations.containsKey(place)) {
              part.from(op);
              add(part.history(), shown.operations.get(place), elements);
            }
            op++;
          }
        });
    return part.build();
  }
}
