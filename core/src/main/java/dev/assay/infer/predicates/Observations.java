package dev.assay.infer.predicates;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.infer.RowVersions;
import dev.assay.predicate.EvaluationException;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The versions that the results of predicate operations leave possible, without a certificate, at
 * levels where a transaction sees one version of each key besides its own: a key that is not in the
 * result had a version that does not match, and a row that was updated one that does. If few
 * versions are left, that amounts to a read of one of them.
 *
 * <p>Keys that a transaction of unknown outcome may have written are left out, because nothing else
 * may show whether it committed.
 */
public final class Observations {
  /** Maximum number of versions left; a result that leaves more is not worth a choice. */
  private static final int MAX_VERSIONS = 6;

  private static final int MAX_IN_REAL_TIME = 64;

  /** Maximum number of observations. */
  private static final int MAX_OBSERVATIONS = 400_000;

  private static final int UNKNOWN = -5;

  private final History history;
  private final ReadsFrom reads;
  private final PredicateTable table;
  private final RowVersions rows;
  private final VersionWindow window;
  private final int maxVersions;
  private final Deadline deadline;
  private final BitSet uncertain = new BitSet();
  private final List<Observation> observations = new ArrayList<>();
  private final List<Conflict> conflicts = new ArrayList<>();
  private final List<Conflict> mismatches = new ArrayList<>();
  private final List<String> problems;
  private boolean complete = true;
  private ResultExplainer result;

  // For the current transaction, by key.
  private final Map<Integer, Integer> ownWrite = new HashMap<>();
  private final Map<Integer, Integer> itemRead = new HashMap<>();
  private final Map<Integer, Observation> open = new HashMap<>();

  /**
   * A transaction saw one of these versions of a key.
   *
   * @param txn the transaction
   * @param key the key
   * @param writes what wrote the versions; {@link ReadsFrom#INITIAL} for the initial one
   * @param operation the predicate operation that shows it
   */
  public record Observation(int txn, int key, int[] writes, int operation) {}

  /**
   * Two operations of a transaction cannot have seen one version of a key, or an operation none at
   * all.
   *
   * @param operation the predicate operation
   * @param other an operation that saw the key, or what was written; −1 if there is none
   * @param sawInitial whether the predicate operation can only have seen the initial version
   */
  public record Conflict(int operation, int other, boolean sawInitial) {
    Conflict(int operation, int other) {
      this(operation, other, false);
    }
  }

  /**
   * Of a history.
   *
   * @param inRealTime whether only versions count that were current while the transaction ran, as
   *     at levels that respect real time
   * @throws Deadline.Expired if there is no time left
   */
  public Observations(
      PredicateTable table, ReadsFrom reads, boolean inRealTime, Deadline deadline) {
    this.history = table.history();
    this.reads = reads;
    this.table = table;
    this.rows = table.rows();
    this.deadline = deadline;
    this.problems = new ArrayList<>(table.problems());
    this.window = inRealTime ? new VersionWindow(history, rows) : null;
    this.maxVersions = inRealTime ? MAX_IN_REAL_TIME : MAX_VERSIONS;
    findUncertain();
    try {
      if (table.isThere()) {
        collect();
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

  private void collect() {
    result = table.explainer();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (reads.counts(txn)) {
        collect(txn);
      }
    }
  }

  // ---- results

  public List<Observation> observations() {
    return observations;
  }

  /** Transactions that did not see one version of each key. */
  public List<Conflict> conflicts() {
    return conflicts;
  }

  /** Results that contradict their condition or the transaction's own writes. */
  public List<Conflict> mismatches() {
    return mismatches;
  }

  /** Why some predicates could not be evaluated, for the user. */
  public List<String> problems() {
    return problems;
  }

  /** Whether the observations capture everything that the results show. */
  public boolean isComplete() {
    return complete;
  }

  // ---- one transaction

  private void collect(int txn) {
    ownWrite.clear();
    itemRead.clear();
    open.clear();
    noteItemReads(txn);
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      deadline.spend(1);
      OpKind kind = history.kind(op);
      if (kind == OpKind.WRITE) {
        ownWrite.put(history.key(op), op);
      } else if (kind.isPredicate()) {
        lookAt(txn, op);
      }
    }
    for (Observation observation : open.values()) {
      if (observations.size() >= MAX_OBSERVATIONS) {
        complete = false;
      } else {
        observations.add(observation);
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

  /** Examines a result. An aggregate does not show which rows it covers, only which it does not. */
  private void lookAt(int txn, int op) {
    IndexedQuery query = table.query(op);
    if (query == null) {
      return;
    }
    result.lookAt(op);
    complete &= result.isKnown() && (!result.isAggregate() || result.isOfNothing());
    if (!result.isKnown() || !result.isAboutEachRow()) {
      return;
    }
    // Every state has each row once.
    result.repeated().forEach(row -> mismatches.add(new Conflict(op, row)));
    IndexedQuery deciding = query.deciding(result.given());
    ownWrite.forEach((key, write) -> compareOwn(op, key, write));
    for (int i = 0; i < deciding.candidateCount(); i++) {
      int key = deciding.candidate(i);
      if (!result.isShown(key)) {
        restrict(txn, op, key, deciding);
      }
    }
    for (int row = op + 1; row < history.nextOp(op); row++) {
      int key = history.key(row);
      if (history.kind(op) == OpKind.UPDATE) {
        restrict(txn, op, key, deciding);
      } else if (result.row(key) == row && !ownWrite.containsKey(key)) {
        // The row is also a read, which gives the version seen.
        compareWithCondition(op, row);
      }
    }
    if (window != null && result.query().isExtreme() && !result.isOfNothing()) {
      findExtreme(txn, op, deciding);
    }
  }

  /** Compares an own row as it is, even if no installed version is in the range. */
  private void compareOwn(int op, int key, int write) {
    Object state = written(write);
    if (!result.allows(key, state)) {
      boolean unexpected = result.isShown(key) && !result.matches(key, state);
      mismatches.add(new Conflict(op, unexpected ? result.row(key) : write));
    }
  }

  private void compareWithCondition(int op, int row) {
    if (!result.matchesAsShown(row)) {
      mismatches.add(new Conflict(op, row));
    }
  }

  private Object written(int write) {
    return history.values().get(history.value(write));
  }

  /** If only one key can have given a minimum or maximum, that is what was seen of it. */
  private void findExtreme(int txn, int op, IndexedQuery deciding) {
    int giving = -1;
    for (int i = 0; i < deciding.candidateCount(); i++) {
      int key = deciding.candidate(i);
      Integer own = ownWrite.get(key);
      boolean gives = own != null && result.gives(key, written(own));
      for (int version : own != null ? new int[0] : window.of(txn, key)) {
        gives |= result.gives(key, table.value(version));
      }
      deadline.spend(1);
      if (gives && (own != null || giving >= 0)) {
        return;
      }
      giving = gives ? key : giving;
    }
    if (giving >= 0) {
      int key = giving;
      restrict(txn, op, key, version -> result.gives(key, table.value(version)));
    }
  }

  /** Keeps only the versions of a key that explain the result. */
  private void restrict(int txn, int op, int key, IndexedQuery deciding) {
    if (!ownWrite.containsKey(key)) {
      restrict(
          txn,
          op,
          key,
          version -> result.allows(key, deciding.matches(key, version), table.value(version)));
    }
  }

  /** Restricts the versions of a key that the transaction may have seen. */
  private void restrict(int txn, int op, int key, IntPredicate allowed) {
    if (uncertain.get(key)) {
      return;
    }
    Integer read = itemRead.get(key);
    if (read != null) {
      int version = versionRead(read);
      if (version != UNKNOWN && !allowed.test(version)) {
        conflicts.add(new Conflict(op, read, allowsOnlyInitial(txn, key, allowed)));
      }
      complete &= version != UNKNOWN;
      return;
    }
    Observation before = open.get(key);
    int[] possible = before == null ? possible(txn, key) : versions(before);
    int count = possible == null ? rows.count(key) : possible.length;
    int[] left = new int[Math.min(count, maxVersions)];
    int size = 0;
    boolean all = true;
    deadline.spend(count);
    for (int i = 0; i < count; i++) {
      int version = possible == null ? rows.first(key) + i : possible[i];
      if (isOwn(txn, key, version)) {
        continue;
      }
      if (!allowed.test(version)) {
        all = false;
      } else if (size == maxVersions) {
        complete = complete && allAllowed(txn, key, allowed);
        return;
      } else {
        left[size++] = rows.write(version);
      }
    }
    if (size == 0) {
      conflicts.add(new Conflict(op, before == null ? -1 : before.operation));
    } else if (!all) {
      open.put(key, new Observation(txn, key, Arrays.copyOf(left, size), op));
    }
  }

  private boolean isOwn(int txn, int key, int version) {
    return version > rows.first(key) && rows.writer(version) == txn;
  }

  /** The versions of a key that a transaction may have seen; null for all of them. */
  private int[] possible(int txn, int key) {
    return window == null ? null : window.of(txn, key);
  }

  private int[] versions(Observation observation) {
    int[] versions = new int[observation.writes.length];
    for (int i = 0; i < versions.length; i++) {
      int write = observation.writes[i];
      versions[i] = write < 0 ? rows.first(observation.key) : rows.versionOf(write);
    }
    return versions;
  }

  private boolean allowsOnlyInitial(int txn, int key, IntPredicate allowed) {
    for (int version = rows.first(key) + 1; version < rows.end(key); version++) {
      if (!isOwn(txn, key, version) && allowed.test(version)) {
        return false;
      }
    }
    return allowed.test(rows.first(key));
  }

  private boolean allAllowed(int txn, int key, IntPredicate allowed) {
    int[] possible = possible(txn, key);
    int count = possible == null ? rows.count(key) : possible.length;
    for (int i = 0; i < count; i++) {
      int version = possible == null ? rows.first(key) + i : possible[i];
      if (!isOwn(txn, key, version) && !allowed.test(version)) {
        return false;
      }
    }
    return true;
  }

  /** The version that a read saw, or {@link #UNKNOWN}. */
  private int versionRead(int read) {
    int source = reads.source(read);
    if (source == ReadsFrom.INITIAL) {
      return rows.first(history.key(read));
    }
    int version = source < 0 ? -1 : rows.versionOf(source);
    return version < 0 ? UNKNOWN : version;
  }
}
