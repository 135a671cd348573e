package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.predicate.Condition;
import dev.assay.predicate.EvaluationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the results of predicate operations tell of versions without a certificate, for levels at
 * which a transaction sees one version of each key beside its own: a key that is not in the result
 * had a version that does not match, and a row that was updated one that does. Where few versions
 * are left, that is as good as a read of one of them.
 *
 * <p>Keys that a transaction of unknown outcome may have written are left out, because what it did
 * might not show anywhere else.
 */
public final class PredicateSight {
  /** With more versions to choose from, a result tells too little to be worth a choice. */
  private static final int MAX_VERSIONS = 6;

  private static final int MAX_IN_REAL_TIME = 64;

  /** Beyond this many, what results tell is not collected. */
  private static final int MAX_SIGHTS = 400_000;

  private static final int UNTOLD = -5;

  private final History history;
  private final ReadsFrom reads;
  private final PredicateTable table;
  private final RowVersions rows;
  private final VersionWindow window;
  private final int maxVersions;
  private final BitSet uncertain = new BitSet();
  private final List<Sight> sights = new ArrayList<>();
  private final List<Conflict> conflicts = new ArrayList<>();
  private final List<Conflict> mismatches = new ArrayList<>();
  private final List<String> problems;
  private boolean complete = true;

  // Of the transaction at hand, by key.
  private final Map<Integer, Integer> ownWrite = new HashMap<>();
  private final Map<Integer, Integer> itemRead = new HashMap<>();
  private final Map<Integer, Sight> open = new HashMap<>();

  /**
   * A transaction saw one of these versions of a key.
   *
   * @param txn the transaction
   * @param key the key
   * @param writes what wrote the versions; {@link ReadsFrom#INITIAL} for the initial one
   * @param operation the predicate operation that tells
   */
  public record Sight(int txn, int key, int[] writes, int operation) {}

  /**
   * Two operations of a transaction cannot have seen one version of a key, or an operation none at
   * all.
   *
   * @param operation the predicate operation
   * @param other an operation that saw the key, or what was written; −1 where there is none
   * @param sawInitial whether the predicate operation can only have seen the initial version
   */
  public record Conflict(int operation, int other, boolean sawInitial) {
    Conflict(int operation, int other) {
      this(operation, other, false);
    }
  }

  public PredicateSight(PredicateTable table, ReadsFrom reads) {
    this(table, reads, false);
  }

  /**
   * Of a history.
   *
   * @param inRealTime whether only versions count that were current while the transaction ran, as
   *     at levels that keep to real time
   */
  public PredicateSight(PredicateTable table, ReadsFrom reads, boolean inRealTime) {
    this.history = table.history();
    this.reads = reads;
    this.table = table;
    this.rows = table.rows();
    this.problems = new ArrayList<>(table.problems());
    this.window = inRealTime ? new VersionWindow(history, rows) : null;
    this.maxVersions = inRealTime ? MAX_IN_REAL_TIME : MAX_VERSIONS;
    findUncertain();
    try {
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        if (table.isThere() && reads.counts(txn)) {
          lookThrough(txn);
        }
      }
    } catch (EvaluationException e) {
      problems.add(e.getMessage());
    }
    complete &= problems.isEmpty() && uncertain.isEmpty();
  }

  private void findUncertain() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean open = history.outcome(txn) == Outcome.INDETERMINATE && !reads.counts(txn);
      for (int op = history.firstOp(txn); open && op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.WRITE) {
          uncertain.set(history.key(op));
        }
      }
    }
  }

  // ---- results

  public List<Sight> sights() {
    return sights;
  }

  /** Transactions that did not see one version of each key. */
  public List<Conflict> conflicts() {
    return conflicts;
  }

  /** Results that do not agree with their own condition, or with the transaction's own writes. */
  public List<Conflict> mismatches() {
    return mismatches;
  }

  /** What kept predicates from being understood, for the user. */
  public List<String> problems() {
    return problems;
  }

  /** Whether the sights say all that the results do. */
  public boolean isComplete() {
    return complete;
  }

  // ---- one transaction

  private void lookThrough(int txn) {
    ownWrite.clear();
    itemRead.clear();
    open.clear();
    noteItemReads(txn);
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      OpKind kind = history.kind(op);
      if (kind == OpKind.WRITE) {
        ownWrite.put(history.key(op), op);
      } else if (kind.isPredicate()) {
        lookAt(txn, op);
      }
    }
    for (Sight sight : open.values()) {
      if (sight.writes.length > maxVersions || sights.size() >= MAX_SIGHTS) {
        complete = false;
      } else {
        sights.add(sight);
      }
    }
  }

  /** The reads of each key from before any own write. */
  private void noteItemReads(int txn) {
    Map<Integer, Integer> written = new HashMap<>();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int key = history.key(op);
      if (history.kind(op) == OpKind.WRITE) {
        written.put(key, op);
      } else if (history.kind(op) == OpKind.READ
          && history.value(op) != Values.UNKNOWN
          && !written.containsKey(key)) {
        itemRead.putIfAbsent(key, op);
      }
    }
  }

  private void lookAt(int txn, int op) {
    PredicateView view = table.view(op);
    if (view == null) {
      return;
    }
    Condition.Form form = view.condition().form();
    if (form.isAggregate()) {
      lookAtAggregate(txn, op, view, form);
      return;
    }
    Map<Integer, Integer> given = new HashMap<>();
    for (int row = op + 1; row < history.nextOp(op); row++) {
      if (given.put(history.key(row), row) != null) {
        // Whatever it looked at has each row once.
        mismatches.add(new Conflict(op, row));
      }
    }
    int[] candidates = view.candidates();
    int count = candidates == null ? rows.keys() : candidates.length;
    for (int i = 0; i < count; i++) {
      int key = candidates == null ? i : candidates[i];
      if (!given.containsKey(key)) {
        absent(txn, op, key, view);
      }
    }
    ownRows(txn, op, view, given);
    given.forEach((key, row) -> present(txn, op, key, row, view));
  }

  /** Own rows count as they are, also where no version that lasts is in the range. */
  private void ownRows(int txn, int op, PredicateView view, Map<Integer, Integer> given) {
    ownWrite.forEach(
        (key, write) -> {
          Object value = history.values().get(history.value(write));
          boolean matches = view.matches(key, value);
          Integer row = given.get(key);
          if (matches != (row != null)) {
            mismatches.add(new Conflict(op, matches ? write : row));
          } else if (row != null && history.kind(op) == OpKind.UPDATE) {
            Object left = history.values().get(history.value(row));
            if (!view.mayLeave(key, value, left)) {
              mismatches.add(new Conflict(op, write));
            }
          }
        });
  }

  private void present(int txn, int op, int key, int row, PredicateView view) {
    if (ownWrite.containsKey(key)) {
      return;
    }
    Object left = history.values().get(history.value(row));
    if (history.kind(op) == OpKind.SELECT) {
      if (!view.matches(key, left)) {
        mismatches.add(new Conflict(op, row));
      }
      return;
    }
    restrict(
        txn,
        op,
        key,
        version -> view.matches(key, version) && view.mayLeave(key, table.value(version), left));
  }

  private void absent(int txn, int op, int key, PredicateView view) {
    if (!ownWrite.containsKey(key)) {
      restrict(txn, op, key, version -> !view.matches(key, version));
    }
  }

  /**
   * Nothing is beyond an extreme, and nothing at all is in an empty result; who makes up a sum, a
   * count or an extreme is not told.
   */
  private void lookAtAggregate(int txn, int op, PredicateView view, Condition.Form form) {
    Object given = history.values().get(history.predicates().result(history.value(op)));
    boolean extreme = form == Condition.Form.MIN || form == Condition.Form.MAX;
    boolean rowsCounted = form == Condition.Form.COUNT && view.condition().aggregated() == null;
    boolean empty = extreme ? given == null : rowsCounted && given.equals(0L);
    complete &= empty;
    if (!empty && !extreme) {
      return;
    }
    PredicateView deciding = extreme ? view.deciding(history, op) : view;
    ownWrite.forEach(
        (key, write) -> {
          Object value = history.values().get(history.value(write));
          boolean beyond =
              deciding.matches(key, value) && (empty || !view.gives(key, value, given));
          if (beyond) {
            mismatches.add(new Conflict(op, write));
          }
        });
    int[] candidates = deciding.candidates();
    int count = candidates == null ? rows.keys() : candidates.length;
    for (int i = 0; i < count; i++) {
      int key = candidates == null ? i : candidates[i];
      if (!ownWrite.containsKey(key)) {
        restrict(
            txn,
            op,
            key,
            version ->
                !deciding.matches(key, version)
                    || (!empty && view.gives(key, table.value(version), given)));
      }
    }
    if (window != null && extreme && !empty) {
      extremeOf(txn, op, view, candidates, given);
    }
  }

  /** Where only one key can have given an extreme, that is what was seen of it. */
  private void extremeOf(int txn, int op, PredicateView view, int[] candidates, Object given) {
    int giving = -1;
    for (int i = 0; i < (candidates == null ? rows.keys() : candidates.length); i++) {
      int key = candidates == null ? i : candidates[i];
      boolean own = ownWrite.containsKey(key);
      Object written = own ? history.values().get(history.value(ownWrite.get(key))) : null;
      boolean gives = own && view.gives(key, written, given);
      for (int version : own ? new int[0] : versions(txn, key)) {
        gives |= view.gives(key, table.value(version), given);
      }
      if (gives && (own || giving >= 0)) {
        return;
      }
      giving = gives ? key : giving;
    }
    if (giving >= 0) {
      int key = giving;
      restrict(txn, op, key, version -> view.gives(key, table.value(version), given));
    }
  }

  private interface Allowed {
    boolean version(int version);
  }

  /** Leaves only some versions of a key to those the transaction may have seen. */
  private void restrict(int txn, int op, int key, Allowed allowed) {
    if (uncertain.get(key)) {
      return;
    }
    Integer read = itemRead.get(key);
    if (read != null) {
      int version = versionRead(read);
      if (version != UNTOLD && !allowed.version(version)) {
        conflicts.add(new Conflict(op, read, allowsOnlyInitial(txn, key, allowed)));
      }
      complete &= version != UNTOLD;
      return;
    }
    Sight before = open.get(key);
    int[] versions = before == null ? versions(txn, key) : null;
    int[] left = new int[maxVersions + 1];
    int size = 0;
    boolean all = true;
    int count = before == null ? versions.length : before.writes.length;
    for (int i = 0; i < count && size <= maxVersions; i++) {
      int write = before == null ? rows.write(versions[i]) : before.writes[i];
      int version = write == RowVersions.INITIAL ? rows.first(key) : rows.versionOf(write);
      boolean own = write >= 0 && history.transactionOf(write) == txn;
      if (!own && allowed.version(version)) {
        left[size++] = write;
      } else {
        all &= own;
      }
    }
    if (size > maxVersions) {
      complete &= allVersionsAllowed(txn, key, allowed);
    } else if (size == 0) {
      conflicts.add(new Conflict(op, before == null ? -1 : before.operation));
    } else if (!all) {
      open.put(key, new Sight(txn, key, Arrays.copyOf(left, size), op));
    }
  }

  /** The versions of a key that a transaction may have seen. */
  private int[] versions(int txn, int key) {
    return window == null
        ? IntStream.range(rows.first(key), rows.end(key)).toArray()
        : window.of(txn, key);
  }

  private boolean allowsOnlyInitial(int txn, int key, Allowed allowed) {
    for (int version = rows.first(key) + 1; version < rows.end(key); version++) {
      boolean own = history.transactionOf(rows.write(version)) == txn;
      if (!own && allowed.version(version)) {
        return false;
      }
    }
    return allowed.version(rows.first(key));
  }

  private boolean allVersionsAllowed(int txn, int key, Allowed allowed) {
    for (int version : versions(txn, key)) {
      int write = rows.write(version);
      boolean own = write >= 0 && history.transactionOf(write) == txn;
      if (!own && !allowed.version(version)) {
        return false;
      }
    }
    return true;
  }

  /** The version that a read saw, or {@link #UNTOLD}. */
  private int versionRead(int read) {
    int source = reads.source(read);
    if (source == ReadsFrom.INITIAL) {
      return rows.first(history.key(read));
    }
    int version = source < 0 ? -1 : rows.versionOf(source);
    return version < 0 ? UNTOLD : version;
  }
}
