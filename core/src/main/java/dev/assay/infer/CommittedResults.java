package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.predicate.Condition;
import dev.assay.predicate.EvaluationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Whether all that the transactions of a history saw can be of versions that transactions before
 * them had left, each operation and each key by itself, as read committed allows.
 *
 * <p>A key that a result does not show was then seen before its first version, whatever was written
 * to it later, so that only what is shown counts: rows, rows that an update found, and what makes
 * up an aggregate. Own writes are seen by all that comes after them.
 */
public final class CommittedResults {
  private final History history;
  private final ReadsFrom reads;
  private final PredicateTable table;
  private final RowVersions rows;

  /** Where each transaction is in the order that is asked about; −1 if nowhere. */
  private final int[] place;

  /** The versions of each key, without the initial one, in that order. */
  private final int[] versions;

  /** Who must come before whom for what the order does not explain. */
  private EdgeList lacking;

  /** The last own write of each key so far in the transaction that is looked at. */
  private final Map<Integer, Object> own = new HashMap<>();

  private int txn;

  /** Whether rows that are read or updated must be the latest versions. */
  private boolean serialItems;

  /** Of a history of registers and predicates. */
  public CommittedResults(PredicateTable table, ReadsFrom reads) {
    this.history = table.history();
    this.reads = reads;
    this.table = table;
    this.rows = table.rows();
    this.place = new int[history.transactionCount()];
    this.versions = new int[rows.versions()];
  }

  /**
   * What an order lacks to explain everything: who must also come before whom, at least for one way
   * to explain it. Empty where it explains everything; null where no order does, or nobody knows.
   *
   * @param order the transactions that count
   * @param expired whether there is no time left
   */
  public EdgeList lackingIn(int[] order, BooleanSupplier expired) {
    lacking = new EdgeList();
    Arrays.fill(place, -1);
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    sortVersions();
    try {
      return table.problems().isEmpty() && explain(order, expired) ? lacking : null;
    } catch (EvaluationException e) {
      return null;
    }
  }

  /**
   * Whether an order explains everything, and moreover each transaction read and updated the latest
   * versions of rows. Predicates may still have looked at earlier ones, and deletions go by them.
   *
   * @param order the transactions that count
   * @param expired whether there is no time left
   */
  public boolean explainsWithSerialItems(int[] order, BooleanSupplier expired) {
    serialItems = true;
    EdgeList found = lackingIn(order, expired);
    serialItems = false;
    return found != null && found.size() == 0;
  }

  private void sortVersions() {
    for (int key = 0; key < rows.keys(); key++) {
      int first = rows.first(key) + 1;
      int[] ofKey = IntStream.range(first, rows.end(key)).toArray();
      System.arraycopy(Sorted.by(ofKey, this::placeOf), 0, versions, first, ofKey.length);
    }
  }

  private int placeOf(int version) {
    return place[history.transactionOf(rows.write(version))];
  }

  private boolean explain(int[] order, BooleanSupplier expired) {
    for (int each : order) {
      txn = each;
      own.clear();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean explained =
            switch (history.kind(op)) {
              case READ -> explainsRead(op);
              case SELECT, UPDATE -> !expired.getAsBoolean() && explainsResult(op);
              default -> true;
            };
        if (!explained) {
          return false;
        }
        if (history.kind(op) == OpKind.WRITE) {
          own.put(history.key(op), history.values().get(history.value(op)));
        }
      }
    }
    return true;
  }

  // ---- reads, rows among them

  private boolean explainsRead(int read) {
    int source = reads.source(read);
    int[] sources = source == ReadsFrom.AMBIGUOUS ? reads.candidates(read) : new int[] {source};
    int nearest = -1;
    if (serialItems) {
      return readsLatest(read, sources);
    }
    for (int each : sources) {
      boolean free = each == ReadsFrom.NONE || each == ReadsFrom.INITIAL;
      if (free || (each >= 0 && history.transactionOf(each) == txn)) {
        return true;
      }
      int version = each < 0 ? -1 : rows.versionOf(each);
      if (version >= 0 && (nearest < 0 || placeOf(version) < placeOf(nearest))) {
        nearest = version;
      }
    }
    return nearest >= 0 && comesBefore(nearest);
  }

  /** Whether one of these is what was there: an own write, or else the latest version. */
  private boolean readsLatest(int read, int[] sources) {
    int key = history.key(read);
    for (int each : sources) {
      boolean isOwn = each >= 0 && history.transactionOf(each) == txn;
      if (each == ReadsFrom.NONE || isOwn) {
        return true;
      }
      int last = own.containsKey(key) ? -1 : lastBefore(key);
      boolean initial = each == ReadsFrom.INITIAL && last == rows.first(key);
      if (initial || (each >= 0 && last > rows.first(key) && rows.write(versions[last]) == each)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a version was left before; if not, it should have been. */
  private boolean comesBefore(int version) {
    if (placeOf(version) >= place[txn]) {
      lacking.add(history.transactionOf(rows.write(version)), txn, 0, 0);
    }
    return true;
  }

  // ---- results of predicates

  private boolean explainsResult(int op) {
    PredicateView view = table.view(op);
    if (view.condition().form().isAggregate()) {
      return explainsAggregate(op, view);
    }
    Map<Integer, Integer> given = new HashMap<>();
    for (int row = op + 1; row < history.nextOp(op); row++) {
      given.put(history.key(row), row);
    }
    for (Map.Entry<Integer, Object> written : own.entrySet()) {
      boolean shown = given.containsKey(written.getKey());
      if (view.matches(written.getKey(), written.getValue()) != shown) {
        return false;
      }
    }
    for (Map.Entry<Integer, Integer> row : given.entrySet()) {
      if (!explainsRow(view, op, row.getKey(), row.getValue())) {
        return false;
      }
    }
    return true;
  }

  private boolean explainsRow(PredicateView view, int op, int key, int row) {
    Object value = history.values().get(history.value(row));
    if (history.kind(op) == OpKind.SELECT) {
      // Whether there was such a row is asked of the read that it is.
      return view.matches(key, value);
    }
    if (own.containsKey(key)) {
      return view.mayLeave(key, own.get(key), value);
    }
    Sought changed =
        each -> view.matches(key, each) && view.mayLeave(key, table.value(each), value);
    if (serialItems && view.condition().form() != Condition.Form.DELETE) {
      int last = lastBefore(key);
      return last > rows.first(key) && changed.is(versions[last]);
    }
    int version = version(key, changed);
    return version >= 0 && comesBefore(version);
  }

  private interface Sought {
    boolean is(int version);
  }

  /** The latest that fits of those left before, else the first after; −1 if none does. */
  private int version(int key, Sought sought) {
    int last = lastBefore(key);
    for (int i = last; i > rows.first(key); i--) {
      if (sought.is(versions[i])) {
        return versions[i];
      }
    }
    for (int i = last + 1; i < rows.end(key); i++) {
      boolean isOwn = placeOf(versions[i]) == place[txn];
      if (!isOwn && sought.is(versions[i])) {
        return versions[i];
      }
    }
    return -1;
  }

  /** The place of the last version of a key that was left before; that of the initial if none. */
  private int lastBefore(int key) {
    int from = rows.first(key) + 1;
    int to = rows.end(key);
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (placeOf(versions[middle]) < place[txn]) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  // ---- aggregates

  private boolean explainsAggregate(int op, PredicateView view) {
    int code = history.predicates().result(history.value(op));
    if (code == Values.UNKNOWN) {
      return true;
    }
    Object given = history.values().get(code);
    if (Objects.equals(view.aggregate(own), given)) {
      return true;
    }
    return view.condition().form() == Condition.Form.COUNT
        ? explainsCount(view, given)
        : Objects.equals(view.aggregate(latest()), given) || explainsByOne(view, given);
  }

  /** By as many rows as were counted. */
  private boolean explainsCount(PredicateView view, Object given) {
    long left = given instanceof Long count ? count - (Long) view.aggregate(own) : -1;
    List<Integer> later = new ArrayList<>();
    for (int key = 0; key < rows.keys() && left > 0; key++) {
      int version = otherVersion(key, (each, v) -> view.gives(each, table.value(v), 1L));
      boolean before = version >= 0 && placeOf(version) < place[txn];
      left -= before ? 1 : 0;
      if (version >= 0 && !before) {
        later.add(version);
      }
    }
    later.sort(Comparator.comparingInt(this::placeOf));
    for (int i = 0; i < later.size() && left > 0; i++, left--) {
      comesBefore(later.get(i));
    }
    return left == 0;
  }

  /** By own rows and one more. */
  private boolean explainsByOne(PredicateView view, Object given) {
    int nearest = -1;
    for (int key = 0; key < rows.keys(); key++) {
      int version =
          otherVersion(
              key,
              (each, v) -> {
                Map<Integer, Object> seen = new HashMap<>(own);
                seen.put(each, table.value(v));
                return Objects.equals(view.aggregate(seen), given);
              });
      if (version >= 0 && (nearest < 0 || placeOf(version) < placeOf(nearest))) {
        nearest = version;
      }
      if (nearest >= 0 && placeOf(nearest) < place[txn]) {
        return true;
      }
    }
    return nearest >= 0 && comesBefore(nearest);
  }

  private interface SoughtOfKey {
    boolean is(int key, int version);
  }

  /** As {@link #version}, of a key that the transaction did not write before. */
  private int otherVersion(int key, SoughtOfKey sought) {
    return own.containsKey(key) ? -1 : version(key, version -> sought.is(key, version));
  }

  /** The latest version of each key. */
  private Map<Integer, Object> latest() {
    Map<Integer, Object> latest = new HashMap<>();
    for (int key = 0; key < rows.keys(); key++) {
      int last = lastBefore(key);
      latest.put(key, last > rows.first(key) ? table.value(versions[last]) : null);
    }
    latest.putAll(own);
    return latest;
  }
}
