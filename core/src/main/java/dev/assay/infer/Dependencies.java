package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.TypeDependencies;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The known part of Adya's dependencies between transactions that count. Every edge exists in every
 * version order that agrees with the reads and has no cycle of ww and wr, so it may be used against
 * any level that forbids those cycles. Labels of edges are their kinds (see {@link #kind}), marks
 * their keys.
 *
 * <p>A ww edge leads to the next version of a list. An rw edge leads to the next version where it
 * is known, otherwise to every version that may be the next. Through {@link AntiDependencies hubs}
 * that stays linear: numbers from {@link #transactions} on are not transactions but nodes on the
 * way of rw edges, and an edge that leaves such a node continues the one that entered it.
 */
public final class Dependencies {
  /**
   * Flag in the label of an edge: a predicate operation causes it by what it matches. Such edges
   * are marked with the predicate instead of a key.
   */
  public static final int BY_PREDICATE = 1 << 3;

  /** The same for a row that a predicate update read as an item. Also marked with the predicate. */
  public static final int BY_UPDATE = 1 << 4;

  private static final int KINDS = BY_PREDICATE - 1;

  private static final int WW = EdgeKind.WW.ordinal();
  private static final int WR = EdgeKind.WR.ordinal();
  private static final int RW = EdgeKind.RW.ordinal();

  private final History history;
  private final ReadsFrom reads;
  private final VersionOrders versions;
  private final boolean predicatesKnown;
  private final ListVersions lists;
  private final Map<OpKind.Type, TypeDependencies> types;
  private final EdgeList edges = new EdgeList();
  private final AntiDependencies anti;

  /** Keys with ambiguous reads; they contribute no edges. */
  private final BitSet ambiguousKeys = new BitSet();

  /** The transactions known to have written the current key after the current version. */
  private final IntList later = new IntList();

  private boolean orderKnown = true;

  /**
   * Finds the dependencies.
   *
   * @param predicatesKnown whether the dependencies of predicate operations are known from
   *     elsewhere
   */
  public Dependencies(
      History history, ReadsFrom reads, VersionOrders versions, boolean predicatesKnown) {
    this.history = history;
    this.predicatesKnown = predicatesKnown;
    this.reads = reads;
    this.versions = versions;
    this.lists = versions.lists();
    this.anti = new AntiDependencies(history.transactionCount(), edges);
    reads.chosen().forEach(op -> ambiguousKeys.set(history.key(op)));
    for (int op : reads.ambiguous()) {
      ambiguousKeys.set(history.key(op));
    }
    addReadDependencies();
    addLists();
    if (history.uses(OpKind.Type.REGISTER)) {
      boolean certified = versions.given().certificate().hasCompleteChains();
      orderKnown =
          certified
              ? versions.rows().allKnown()
              : !hasOverwrittenRegister() || areOrderedByTimestamps();
    }
    addRegisters();
    this.types = TypeDependencies.of(history, reads);
    for (TypeDependencies type : types.values()) {
      edges.addAll(type.wr(), WR);
      edges.addAll(type.rw(), RW);
    }
  }

  public History history() {
    return history;
  }

  public ReadsFrom reads() {
    return reads;
  }

  public ListVersions lists() {
    return lists;
  }

  /** What reads of a type imply whose versions are not in one order; null for other types. */
  public TypeDependencies ofType(OpKind.Type type) {
    return types.get(type);
  }

  public VersionOrders versions() {
    return versions;
  }

  public int transactions() {
    return history.transactionCount();
  }

  /** The kind in a label, as an ordinal. */
  public static int kind(int label) {
    return label & KINDS;
  }

  /** The number of transactions and hubs. */
  public int nodes() {
    return anti.nodes();
  }

  /** All edges except those of predicate operations. */
  public EdgeList edges() {
    return edges;
  }

  /** Whether the source of every read is known, and all types have an order of versions. */
  public boolean readsKnown() {
    return unambiguous() && typesAre(OpKind.Type::ordersVersions);
  }

  /**
   * Whether only the order of appends that no read shows is unknown: then every order of
   * transactions that respects all edges explains every read.
   */
  public boolean orderKnown() {
    return orderKnown && unambiguous() && typesAre(OpKind.Type::namesVersions);
  }

  private boolean unambiguous() {
    return ambiguousKeys.isEmpty() && lists.chains().ambiguousKey() < 0;
  }

  private boolean typesAre(Predicate<OpKind.Type> examined) {
    return !history.uses(
        type -> !examined.test(type) && (type != OpKind.Type.PREDICATE || !predicatesKnown));
  }

  /** Whether several transactions made appends to one list that no read shows. */
  public boolean hasOpenOrders() {
    ListChains chains = lists.chains();
    for (int key = 0; key < chains.keys(); key++) {
      for (int i = chains.shownEnd(key) + 1; i < chains.end(key); i++) {
        if (chains.writer(i) != chains.writer(i - 1)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the key has ambiguous reads. */
  public boolean isAmbiguous(int key) {
    return ambiguousKeys.get(key);
  }

  /** Whether different commit timestamps of all writers order the versions of every register. */
  private boolean areOrderedByTimestamps() {
    if (!versions.given().assumes(Assumption.TIMESTAMPS)
        || !versions.registers().cycles().isEmpty()
        || !versions.contradictions().isEmpty()) {
      return false;
    }
    LongIndex seen = new LongIndex();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean writes = false;
      for (int op = history.firstOp(txn); op < history.endOp(txn) && !writes; op++) {
        writes = history.kind(op) == OpKind.WRITE && reads.counts(txn);
      }
      int before = seen.size();
      long commit = history.commitTs(txn);
      if (writes && (commit == History.ABSENT || seen.indexOf(commit) < before)) {
        return false;
      }
    }
    return true;
  }

  /** Whether two transactions wrote one register. */
  private boolean hasOverwrittenRegister() {
    int[] writer = new int[history.keys().count()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.WRITE && reads.counts(txn)) {
          int known = writer[history.key(op)] - 1;
          if (known >= 0 && known != txn) {
            return true;
          }
          writer[history.key(op)] = txn + 1;
        }
      }
    }
    return false;
  }

  private void addReadDependencies() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int last = -1;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int write = sourceOp(op);
        int writer = write < 0 ? -1 : history.transactionOf(write);
        if (writer >= 0 && writer != txn && reads.counts(txn) && reads.counts(writer)) {
          int key = history.key(op);
          boolean repeated = last >= 0 && edges.from(last) == writer && edges.mark(last) == key;
          if (!repeated) {
            last = edges.size();
            edges.add(writer, txn, WR, key);
          }
        }
      }
    }
  }

  /**
   * The write whose version an operation read, as an operation; negative if there is none or it is
   * ambiguous.
   */
  public int sourceOp(int op) {
    boolean certain = history.kind(op) != OpKind.READ || !isAmbiguous(history.key(op));
    return certain ? reads.versionSource(op) : ReadsFrom.AMBIGUOUS;
  }

  // ---- lists

  private void addLists() {
    edges.addAll(versions.order(), WW);
    ListChains chains = lists.chains();
    IntList late = new IntList();
    for (int key = 0; key < chains.keys(); key++) {
      late.clear();
      int txn = -1;
      boolean wrote = false;
      for (int i = chains.firstOperation(key); i < chains.endOperation(key); i++) {
        int op = chains.operation(i);
        if (txn < 0 || op >= history.endOp(txn)) {
          txn = history.transactionOf(op);
          wrote = false;
        }
        wrote |= history.kind(op) == OpKind.APPEND;
        if (!wrote && chains.isKnownRead(op) && reads.counts(txn)) {
          if (!addNextAppend(key, op, txn) && (late.isEmpty() || late.last() != txn)) {
            late.add(txn);
          }
        }
      }
      if (!late.isEmpty() && chains.shownEnd(key) < chains.end(key)) {
        anti.add(late, unreadAppenders(key), key);
      }
    }
  }

  /** The transactions with appends that no read shows, ascending. */
  private IntList unreadAppenders(int key) {
    ListChains chains = lists.chains();
    IntList writers = new IntList();
    for (int i = chains.shownEnd(key); i < chains.end(key); i++) {
      if (writers.isEmpty() || writers.last() != chains.writer(i)) {
        writers.add(chains.writer(i));
      }
    }
    return writers;
  }

  /**
   * An edge to the append after what an external read saw. The reader's own append needs none: ww
   * edges lead on from it. Neither does a later one of the writer that was read (an intermediate
   * read).
   *
   * @return whether some later append is shown; else those not shown are next
   */
  private boolean addNextAppend(int key, int read, int reader) {
    ListChains chains = lists.chains();
    int write = reads.elements().lastWriter(history.value(read));
    if ((write < 0 && write != ReadsFrom.INITIAL) || !chains.identifiesVersion(read)) {
      return true;
    }
    int writer = write < 0 ? -1 : history.transactionOf(write);
    int next = chains.first(key);
    if (write >= 0) {
      if (chains.place(write) < 0 || chains.place(write) >= chains.shownEnd(key)) {
        return true;
      }
      next = chains.place(write) + 1;
    }
    while (next < chains.shownEnd(key) && chains.writer(next) == writer) {
      next++;
    }
    if (next >= chains.shownEnd(key)) {
      return false;
    }
    if (chains.writer(next) != reader) {
      edges.add(reader, chains.writer(next), RW, key);
    }
    return true;
  }

  // ---- registers

  private void addRegisters() {
    Successors known = new Successors(versions.registers(), history.transactionCount());
    for (KeyAccess access : reads.access()) {
      for (int i = 0; i < access.size(); i++) {
        addRegister(access, i, known);
      }
    }
  }

  /** The known direct successors of each writer of the current key. */
  private static final class Successors {
    private final EdgeList order;
    private final Grouping byKey;

    /** For each transaction the last of its edges, of any key; and for each edge the one before. */
    private final int[] last;

    private final int[] before;
    private int key;

    Successors(RegisterVersions registers, int transactions) {
      this.order = registers.order();
      this.byKey = registers.orderByKey();
      this.last = new int[order.size() == 0 ? 0 : transactions];
      this.before = new int[order.size()];
      Arrays.fill(last, -1);
    }

    void lookAt(int newKey) {
      key = newKey;
      for (int i = byKey.first(key); i < byKey.end(key); i++) {
        int edge = byKey.item(i);
        before[edge] = last[order.from(edge)];
        last[order.from(edge)] = edge;
      }
    }

    void addTo(IntList later, int source) {
      int edge = last.length == 0 ? -1 : last[source];
      while (edge >= 0 && order.label(edge) == key) {
        later.add(order.to(edge));
        edge = before[edge];
      }
      later.sortDistinct();
    }
  }

  /**
   * A reader of the initial version comes before every writer. One that read a version and then
   * wrote the key follows that version, or ww and wr would close a cycle; so all its other readers
   * come before it.
   */
  private void addRegister(KeyAccess access, int index, Successors known) {
    int key = access.key(index);
    if (isAmbiguous(key)) {
      return;
    }
    known.lookAt(key);
    IntList writers = counting(access, index);
    long[] bySource = new long[access.endRead(index) - access.firstRead(index)];
    int size = 0;
    for (int i = access.firstRead(index); i < access.endRead(index); i++) {
      int source = access.source(i);
      boolean counts = source == ReadsFrom.INITIAL || reads.counts(source);
      if (counts && reads.counts(access.reader(i))) {
        bySource[size++] = ((long) source << 32) | access.reader(i);
      }
    }
    Arrays.sort(bySource, 0, size);
    IntList readers = new IntList(size);
    for (int from = 0, to; from < size; from = to) {
      int source = (int) (bySource[from] >> 32);
      readers.clear();
      later.clear();
      for (to = from; to < size && (int) (bySource[to] >> 32) == source; to++) {
        int reader = (int) bySource[to];
        if (!readers.isEmpty() && readers.last() == reader) {
          continue;
        }
        readers.add(reader);
        if (writers.binarySearch(reader) >= 0) {
          later.add(reader);
        }
      }
      if (source == ReadsFrom.INITIAL) {
        anti.add(readers, writers, key);
      } else {
        known.addTo(later, source);
        anti.add(readers, later, key);
      }
    }
  }

  private IntList counting(KeyAccess access, int index) {
    IntList writers = new IntList(access.endWriter(index) - access.firstWriter(index));
    for (int i = access.firstWriter(index); i < access.endWriter(index); i++) {
      if (reads.counts(access.writer(i))) {
        writers.add(access.writer(i));
      }
    }
    return writers;
  }
}
