package dev.assay.infer.predicates;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.RowVersions;
import dev.assay.predicate.Aggregate;
import dev.assay.predicate.Condition;
import dev.assay.predicate.EvaluationException;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Whether everything that transactions saw can be versions committed before them, independently for
 * each operation and each key, as read committed allows.
 *
 * <p>A key that a result does not show can have been seen before its first version, so only what is
 * shown matters: rows, rows that an update matched, and the rows of an aggregate. Later operations
 * see the transaction's own writes.
 */
public final class CommittedResults {
  private final History history;
  private final ReadsFrom reads;
  private final PredicateTable table;
  private final RowVersions rows;

  /** The place of each transaction in the order being tried; −1 if it is not in it. */
  private final int[] place;

  /** The versions of each key, without the initial one, in that order. */
  private final int[] versions;

  private final ResultExplainer result;
  private Deadline deadline = Deadline.NONE;

  /** Edges that the order lacks to explain everything. */
  private EdgeList lacking;

  /** The last write of each key so far by the current transaction. */
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
    this.result = table.isThere() ? table.explainer() : null;
  }

  /**
   * The edges that an order lacks to explain everything; there may be other ways to explain it.
   * Empty if it explains everything; null if no order does or it is unknown.
   *
   * @param order the transactions that count
   * @throws Deadline.Expired if there is no time left
   */
  public EdgeList lackingIn(int[] order, Deadline end) {
    deadline = end;
    lacking = new EdgeList();
    Arrays.fill(place, -1);
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    sortVersions();
    try {
      return table.problems().isEmpty() && explain(order) ? lacking : null;
    } catch (EvaluationException e) {
      return null;
    }
  }

  /**
   * Whether an order explains everything, and moreover each transaction read and updated the latest
   * versions of rows. Predicates may still have seen earlier ones, and deletions go by those.
   *
   * @param order the transactions that count
   * @throws Deadline.Expired if there is no time left
   */
  public boolean explainsWithSerialItems(int[] order, Deadline end) {
    serialItems = true;
    EdgeList found = lackingIn(order, end);
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
    return place[rows.writer(version)];
  }

  private boolean explain(int[] order) {
    for (int each : order) {
      txn = each;
      own.clear();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        deadline.spend(1);
        boolean explained =
            switch (history.kind(op)) {
              case READ -> explainsRead(op);
              case SELECT, UPDATE -> explainsResult(op);
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

  /** Whether one of these sources is current: an own write, otherwise the latest version. */
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

  /** Whether a version was committed before; if not, adds the missing edge. */
  private boolean comesBefore(int version) {
    if (placeOf(version) >= place[txn]) {
      lacking.add(history.transactionOf(rows.write(version)), txn, 0, 0);
    }
    return true;
  }

  // ---- results of predicates

  private boolean explainsResult(int op) {
    IndexedQuery query = table.query(op);
    result.lookAt(op);
    if (result.isAggregate()) {
      return explainsAggregate(query);
    }
    for (Map.Entry<Integer, Object> written : own.entrySet()) {
      if (!result.allows(written.getKey(), written.getValue())) {
        return false;
      }
    }
    for (int row = op + 1; row < history.nextOp(op); row++) {
      int key = history.key(row);
      // A row of a select is also a read, which checks that the row existed.
      boolean explained =
          history.kind(op) == OpKind.SELECT
              ? result.matchesAsShown(row)
              : own.containsKey(key) || explainsUpdated(query, key);
      if (!explained) {
        return false;
      }
    }
    return true;
  }

  private boolean explainsUpdated(IndexedQuery query, int key) {
    IntPredicate changed =
        version -> result.allows(key, query.matches(key, version), table.value(version));
    if (serialItems && !query.deletes()) {
      int last = lastBefore(key);
      return last > rows.first(key) && changed.test(versions[last]);
    }
    int version = version(key, changed);
    return version >= 0 && comesBefore(version);
  }

  /** The latest matching version committed before, else the first one after; −1 if none matches. */
  private int version(int key, IntPredicate sought) {
    int last = lastBefore(key);
    deadline.spend(rows.count(key));
    for (int i = last; i > rows.first(key); i--) {
      if (sought.test(versions[i])) {
        return versions[i];
      }
    }
    for (int i = last + 1; i < rows.end(key); i++) {
      boolean isOwn = placeOf(versions[i]) == place[txn];
      if (!isOwn && sought.test(versions[i])) {
        return versions[i];
      }
    }
    return -1;
  }

  /**
   * The place of the last version of a key committed before; that of the initial one if none was.
   */
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

  private boolean explainsAggregate(IndexedQuery query) {
    if (!result.isKnown() || result.isGiven(ofOwn())) {
      return true;
    }
    // Versions of other keys do not affect this result.
    IndexedQuery deciding = query.deciding(result.given());
    return result.query().condition().form() == Condition.Form.COUNT
        ? explainsCount(deciding)
        : result.isGiven(ofLatest(deciding)) || explainsByOne(deciding);
  }

  private Aggregate ofOwn() {
    Aggregate aggregate = result.aggregate();
    own.forEach((key, value) -> result.add(aggregate, key, value));
    return aggregate;
  }

  /** The aggregate over the latest version of each key. */
  private Aggregate ofLatest(IndexedQuery deciding) {
    Aggregate aggregate = ofOwn();
    deadline.spend(deciding.candidateCount());
    for (int i = 0; i < deciding.candidateCount(); i++) {
      int key = deciding.candidate(i);
      int last = own.containsKey(key) ? rows.first(key) : lastBefore(key);
      if (last > rows.first(key)) {
        result.add(aggregate, key, table.value(versions[last]));
      }
    }
    return aggregate;
  }

  /** Explains a count by as many matching rows. */
  private boolean explainsCount(IndexedQuery deciding) {
    long left = result.given() instanceof Long count ? count - (Long) ofOwn().result() : -1;
    List<Integer> later = new ArrayList<>();
    for (int i = 0; i < deciding.candidateCount() && left > 0; i++) {
      int key = deciding.candidate(i);
      int version = otherVersion(key, v -> result.counts(key, table.value(v)));
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

  /** Explains an aggregate by own rows and one more. */
  private boolean explainsByOne(IndexedQuery deciding) {
    int nearest = -1;
    for (int i = 0; i < deciding.candidateCount(); i++) {
      int key = deciding.candidate(i);
      int version = otherVersion(key, v -> completes(key, v));
      if (version >= 0 && (nearest < 0 || placeOf(version) < placeOf(nearest))) {
        nearest = version;
      }
      if (nearest >= 0 && placeOf(nearest) < place[txn]) {
        return true;
      }
    }
    return nearest >= 0 && comesBefore(nearest);
  }

  /** Whether own rows and this version give the aggregate. */
  private boolean completes(int key, int version) {
    Aggregate aggregate = ofOwn();
    result.add(aggregate, key, table.value(version));
    return result.isGiven(aggregate);
  }

  /** As {@link #version}, of a key that the transaction did not write before. */
  private int otherVersion(int key, IntPredicate sought) {
    return own.containsKey(key) ? -1 : version(key, sought);
  }
}
