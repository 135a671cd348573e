package dev.assay.infer.predicates;

import dev.assay.graph.BackEdgeSpans;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Dependencies;
import dev.assay.infer.RowVersions;
import dev.assay.infer.SeenVersions;
import dev.assay.infer.VersionOrders;
import dev.assay.level.EdgeKind;
import dev.assay.predicate.Aggregate;
import dev.assay.predicate.EvaluationException;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The dependencies of predicate operations, where a certificate gives the versions they saw (Adya
 * 1999, section 4.4.2). A version <em>changes the matches</em> of a predicate when it matches and
 * the version before it does not, or the reverse. The writer of the last such version of a key up
 * to the one seen precedes the operation (wr), and the operation precedes the writer of the first
 * such version after it (rw); all others are then ordered by ww.
 *
 * <p>A row that a select returned was also read as an item, so nothing is added for it. An update
 * computes a row from its previous version, so it reads that row as an item and every version
 * counts; a deletion only needs the row to match. A minimum depends on the rows that are not above
 * it, and like a maximum and a sum on every change of the aggregated column.
 *
 * <p>Each result is compared with the result over the versions seen. An operation on many rows has
 * many dependencies, nearly all of which agree with the commit order. So a first pass only finds
 * where there can be a cycle ({@link BackEdgeSpans}), and a second one lists the dependencies
 * there.
 */
public final class PredicateDependencies {
  /** Number of operations skipped in the time that comparing a version takes. */
  private static final int OPERATIONS_PER_STEP = 16;

  private final History history;
  private final ReadsFrom reads;
  private final RowVersions rows;
  private final VersionCertificate certificate;
  private final List<Integer> operations;

  /** The versions seen by the current operation. */
  private SeenVersions seen;

  /** Where there can be a cycle; null if all dependencies are kept. */
  private final BackEdgeSpans spans;

  /** The last place, in that order, of a writer of a version or of one before it of its key. */
  private int[] latestUpTo;

  /** The first place of a writer of a version or of one after it of its key. */
  private int[] earliestFrom;

  /** The dependencies; null while only spans are looked for. */
  private EdgeList edges;

  /** For each edge the predicate operation and the write. */
  private final EdgeList marks = new EdgeList();

  private final List<Mismatch> mismatches = new ArrayList<>();
  private final List<Updated> updated = new ArrayList<>();
  private final List<Integer> contradictions = new ArrayList<>();
  private final List<String> problems;
  private int examined;

  private final PredicateTable table;
  private final ResultExplainer result;
  private final Deadline deadline;

  // For the current operation; valid if the stamp is the operation.
  private final int[] ownStamp;
  private final int[] ownWrite;
  private final int[] fromStamp;
  private final int[] toStamp;
  private final int[] itemFromStamp;
  private final int[] itemToStamp;

  /**
   * A result that differs from the result over the versions seen.
   *
   * @param operation the predicate operation
   * @param write what wrote the version that should or should not be in the result; −1 if it is not
   *     that of a single row
   * @param isMissing whether the row is missing from the result
   */
  public record Mismatch(int operation, int write, boolean isMissing) {}

  /**
   * A row that an update changed.
   *
   * @param operation the update
   * @param key the row
   * @param write what wrote the version that it changed
   * @param missed the next write of the row if it came before the update, else −1
   */
  public record Updated(int operation, int key, int write, int missed) {}

  /**
   * Null without a certificate or without predicate operations.
   *
   * @throws Deadline.Expired if there is no time left
   */
  public static PredicateDependencies of(
      History history, ReadsFrom reads, VersionOrders versions, Deadline deadline) {
    boolean known =
        history.uses(OpKind.Type.PREDICATE) && !versions.given().certificate().isEmpty();
    return known ? new PredicateDependencies(history, reads, versions, deadline) : null;
  }

  private PredicateDependencies(
      History history, ReadsFrom reads, VersionOrders versions, Deadline deadline) {
    this.deadline = deadline;
    this.history = history;
    this.reads = reads;
    this.rows = versions.rows();
    this.certificate = versions.given().certificate();
    this.operations = countingOperations();
    int keys = history.keys().count();
    this.ownStamp = filled(keys);
    this.ownWrite = new int[keys];
    this.fromStamp = filled(history.transactionCount());
    this.toStamp = filled(history.transactionCount());
    this.itemFromStamp = filled(history.transactionCount());
    this.itemToStamp = filled(history.transactionCount());
    this.seen = new SeenVersions(history, rows, certificate);
    // If an order is still to be chosen, dependencies matter that are not on a cycle yet.
    boolean settled = !history.uses(OpKind.Type::hasElements);
    this.spans = settled ? new BackEdgeSpans(seen.likelyOrder(operations)) : null;
    if (settled) {
      boundPlaces();
    }
    this.table = new PredicateTable(history, rows, deadline);
    this.result = table.isThere() ? table.explainer() : null;
    this.problems = new ArrayList<>(table.problems());
    if (table.isThere()) {
      seen.visit(operations, this::examine);
    }
  }

  private void boundPlaces() {
    latestUpTo = new int[rows.versions()];
    earliestFrom = new int[rows.versions()];
    for (int key = 0; key < rows.keys(); key++) {
      int latest = -1;
      for (int version = rows.first(key) + 1; version < rows.end(key); version++) {
        latest = Math.max(latest, spans.place(rows.writer(version)));
        latestUpTo[version] = latest;
      }
      latestUpTo[rows.first(key)] = -1;
      int earliest = Integer.MAX_VALUE;
      for (int version = rows.end(key) - 1; version > rows.first(key); version--) {
        earliest = Math.min(earliest, spans.place(rows.writer(version)));
        earliestFrom[version] = earliest;
      }
    }
  }

  private static int[] filled(int size) {
    int[] stamps = new int[size];
    Arrays.fill(stamps, -1);
    return stamps;
  }

  private List<Integer> countingOperations() {
    List<Integer> all = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        if (history.kind(op).isPredicate() && reads.counts(txn)) {
          all.add(op);
        }
      }
    }
    return all;
  }

  // ---- results

  /**
   * Dependencies between transactions, labelled with their kinds and {@link
   * Dependencies#BY_PREDICATE} or {@link Dependencies#BY_UPDATE}, and marked with a number for
   * {@link #predicateOp} and {@link #writeOp}. Some that are not on a cycle are left out.
   *
   * @param nodes the number of transactions and of hubs, which are numbered after them
   * @param others all other edges that a cycle can use
   * @throws Deadline.Expired if there is no time left
   */
  public EdgeList edges(int nodes, EdgeList others) {
    edges = new EdgeList();
    if (table.isThere()) {
      if (spans != null) {
        spans.addAll(nodes, others);
      }
      if (spans == null || !spans.isEmpty()) {
        seen = new SeenVersions(history, rows, certificate);
        seen.visit(operations, this::list);
      }
    }
    return edges;
  }

  /** The predicate operation an edge is about, by its mark. */
  public int predicateOp(int mark) {
    return marks.from(mark);
  }

  /** The write that changed the matches, by the mark of an edge. */
  public int writeOp(int mark) {
    return marks.to(mark);
  }

  public List<Mismatch> mismatches() {
    return mismatches;
  }

  /** The rows that updates changed, other than their transactions' own. */
  public List<Updated> updated() {
    return updated;
  }

  /** Operations whose versions seen contradict the version order. */
  public List<Integer> contradictions() {
    return contradictions;
  }

  /** Why some predicates could not be evaluated, for the user. */
  public List<String> problems() {
    return problems;
  }

  /** Whether every predicate operation that counts was examined, with known version orders. */
  public boolean isComplete() {
    return examined == operations.size() && problems.isEmpty() && rows.allKnown();
  }

  // ---- one operation

  private void examine(int txn, int op) {
    IndexedQuery query = table.query(op);
    if (query == null) {
      return;
    }
    lookAt(txn, op);
    refuseLater(txn, op);
    try {
      compare(txn, op, query);
      noteUpdated(txn, op, query);
      if (spans != null) {
        addEdges(txn, op, query);
      }
      examined++;
    } catch (EvaluationException e) {
      if (problems.isEmpty()) {
        problems.add(e.getMessage());
      }
    }
  }

  /** Lists the dependencies of an operation that may be on a cycle. */
  private void list(int txn, int op) {
    IndexedQuery query = table.query(op);
    if (query == null) {
      return;
    }
    lookAt(txn, op);
    try {
      addEdges(txn, op, query);
    } catch (EvaluationException e) {
      if (problems.isEmpty()) {
        problems.add(e.getMessage());
      }
    }
  }

  private void lookAt(int txn, int op) {
    result.lookAt(op);
    deadline.spend(1 + (history.endOp(txn) - history.firstOp(txn)) / OPERATIONS_PER_STEP);
    for (int before = history.firstOp(txn); before < op; before++) {
      if (history.kind(before) == OpKind.WRITE) {
        ownStamp[history.key(before)] = op;
        ownWrite[history.key(before)] = before;
      }
    }
  }

  /** An operation cannot have seen later writes of its own transaction, or versions after those. */
  private void refuseLater(int txn, int op) {
    for (int later = op + 1; later < history.endOp(txn); later++) {
      int own = history.kind(later) == OpKind.WRITE ? rows.versionOf(later) : -1;
      int key = history.key(later);
      if (own >= 0 && rows.isKnown(key) && !isOwn(key, op) && seen.version(key) >= own) {
        contradictions.add(op);
        return;
      }
    }
  }

  private void noteUpdated(int txn, int op, IndexedQuery query) {
    boolean leaves = history.kind(op) == OpKind.UPDATE && !query.deletes();
    for (int row = op + 1; leaves && row < history.nextOp(op); row++) {
      int key = history.key(row);
      if (rows.isKnown(key) && updates(key, op, query)) {
        int version = seen.version(key);
        int own = rows.versionOf(history.lastWrite(txn, key));
        int missed = version + 1 < own ? rows.write(version + 1) : -1;
        updated.add(new Updated(op, key, rows.write(version), missed));
      }
    }
  }

  /** Whether an operation updated the version of a row that it saw. */
  private boolean updates(int key, int op, IndexedQuery query) {
    return history.kind(op) == OpKind.UPDATE
        && result.isShown(key)
        && !query.deletes()
        && !isOwn(key, op)
        && query.matches(key, seen.version(key));
  }

  private boolean isOwn(int key, int op) {
    return ownStamp[key] == op;
  }

  /** What the operation saw of a key: an own write or a version. */
  private Object valueSeen(int key, int op) {
    return isOwn(key, op)
        ? history.values().get(history.value(ownWrite[key]))
        : table.value(seen.version(key));
  }

  private boolean matches(IndexedQuery query, int key, int op) {
    return isOwn(key, op)
        ? query.matches(key, valueSeen(key, op))
        : query.matches(key, seen.version(key));
  }

  private void compare(int txn, int op, IndexedQuery query) {
    if (result.isAggregate()) {
      compareAggregate(txn, op, query.deciding(result.given()));
      return;
    }
    int visited = 0;
    deadline.spend(query.candidateCount());
    for (int i = 0; i < query.candidateCount(); i++) {
      visited += compareRow(op, query.candidate(i), query) ? 1 : 0;
    }
    for (int key : otherOwn(txn, op, query)) {
      visited += compareRow(op, key, query) ? 1 : 0;
    }
    // Every state has each row once.
    result.repeated().forEach(row -> mismatches.add(new Mismatch(op, row, false)));
    int listed = result.size();
    for (int row = op + 1; visited < listed && row <= op + listed; row++) {
      int key = history.key(row);
      if (rows.isKnown(key) && !matches(query, key, op)) {
        mismatch(op, key, false);
        break;
      }
    }
  }

  /** Compares the version seen with the result; returns whether the result shows it. */
  private boolean compareRow(int op, int key, IndexedQuery query) {
    boolean listed = result.isShown(key);
    boolean matches = rows.isKnown(key) && matches(query, key, op);
    // The values of most rows, which neither match nor are listed, need not be looked up.
    boolean relevant = rows.isKnown(key) && (matches || listed);
    if (relevant && !result.explains(key, matches, valueSeen(key, op))) {
      mismatch(op, key, !listed);
    }
    return listed;
  }

  private void compareAggregate(int txn, int op, IndexedQuery deciding) {
    Aggregate expected = result.aggregate();
    deadline.spend(deciding.candidateCount());
    for (int i = 0; i < deciding.candidateCount(); i++) {
      add(expected, deciding.candidate(i), op);
    }
    for (int key : otherOwn(txn, op, deciding)) {
      add(expected, key, op);
    }
    if (!result.isGiven(expected) && rows.allKnown()) {
      mismatches.add(new Mismatch(op, -1, false));
    }
  }

  private void add(Aggregate aggregate, int key, int op) {
    if (rows.isKnown(key)) {
      result.add(aggregate, key, valueSeen(key, op));
    }
  }

  /** Keys that the transaction wrote before, which may match whatever their versions are. */
  private List<Integer> otherOwn(int txn, int op, IndexedQuery query) {
    List<Integer> keys = new ArrayList<>();
    for (int before = history.firstOp(txn); before < op; before++) {
      int key = history.key(before);
      boolean own = history.kind(before) == OpKind.WRITE && ownWrite[key] == before;
      if (own && !query.isCandidate(key)) {
        keys.add(key);
      }
    }
    return keys;
  }

  private void mismatch(int op, int key, boolean isMissing) {
    int version = isOwn(key, op) ? -1 : seen.version(key);
    int write = version < 0 ? ownWrite[key] : rows.write(version);
    mismatches.add(new Mismatch(op, isMissing ? write : result.row(key), isMissing));
  }

  // ---- edges

  private void addEdges(int txn, int op, IndexedQuery unrefined) {
    // Writes at places before the first come before the span, those after the last come after it.
    int first = edges == null ? spans.place(txn) : spanStart(txn);
    int last = edges == null ? first : spanEnd(txn);
    IndexedQuery query = unrefined.deciding(result.given());
    boolean returns = history.kind(op) == OpKind.SELECT;
    deadline.spend(query.candidateCount());
    for (int i = 0; i < query.candidateCount(); i++) {
      int key = query.candidate(i);
      int version = seen.version(key);
      boolean bySource = spans == null || latestUpTo[version] >= first;
      boolean byNext = version + 1 < rows.end(key) && isUpTo(version + 1, last);
      boolean needed = (bySource || byNext) && !(returns && result.isShown(key) && isSeen(key));
      if (!needed || isOwn(key, op) || !rows.isKnown(key) || rows.count(key) == 1) {
        continue;
      }
      boolean updates = updates(key, op, query);
      if (bySource) {
        addSource(txn, op, updates ? version : query.lastChange(key, version), updates);
      }
      if (byNext) {
        addNext(txn, op, updates ? version + 1 : query.nextChange(key, version), updates);
      }
    }
  }

  private int spanStart(int txn) {
    return spans == null ? 0 : spans.start(txn);
  }

  private int spanEnd(int txn) {
    return spans == null ? Integer.MAX_VALUE : spans.end(txn);
  }

  private boolean isUpTo(int version, int last) {
    return spans == null || earliestFrom[version] <= last;
  }

  private void addSource(int txn, int op, int version, boolean item) {
    if (version >= 0 && rows.write(version) != RowVersions.INITIAL) {
      int label = EdgeKind.WR.ordinal() | origin(item);
      int[] stamp = item ? itemFromStamp : fromStamp;
      add(rows.writer(version), txn, label, op, rows.write(version), stamp);
    }
  }

  private void addNext(int txn, int op, int version, boolean item) {
    if (version >= 0) {
      int label = EdgeKind.RW.ordinal() | origin(item);
      int[] stamp = item ? itemToStamp : toStamp;
      add(txn, rows.writer(version), label, op, rows.write(version), stamp);
    }
  }

  private static int origin(boolean item) {
    return item ? Dependencies.BY_UPDATE : Dependencies.BY_PREDICATE;
  }

  /** Whether the row that a select returned is the version seen. */
  private boolean isSeen(int key) {
    return reads.source(result.row(key)) == rows.write(seen.version(key));
  }

  /** An edge, unless the operation has one of its kind with the other transaction already. */
  private void add(int from, int to, int label, int op, int write, int[] stamp) {
    if (from == to) {
      return;
    }
    if (edges == null) {
      spans.add(from, to);
      return;
    }
    boolean isSource = Dependencies.kind(label) == EdgeKind.WR.ordinal();
    int other = isSource ? from : to;
    boolean keeps = spans == null || spans.together(from, to);
    if (keeps && stamp[other] != op) {
      stamp[other] = op;
      edges.add(from, to, label, marks.size());
      marks.add(op, write, 0, 0);
    }
  }
}
