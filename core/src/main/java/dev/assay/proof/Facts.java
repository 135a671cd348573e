package dev.assay.proof;

import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a history says about the order of its transactions, given the write behind each read. With
 * {@code split}, every operation is a transaction.
 */
final class Facts {
  static final int NO_KEY = -1;

  /**
   * A read from another transaction, or from the initial version. What a read of a set shows has no
   * key; an element that it lacks is a key of its own, read from the initial version.
   */
  record Read(int reader, int op, int key, int writer, int write) {}

  /** A register, a list, or (with an element) an item of a set. */
  private record Key(OpKind.Type type, int key, int element) {}

  final History history;
  final boolean split;
  final int size;

  /** How many transactions there are, with makers of versions of counters beside them. */
  final int nodes;

  private final int[][] sources;
  private final boolean[] counts;
  private final List<List<Read>> readsBy = new ArrayList<>();

  /** The reads that show versions of counters, by the makers of these. */
  private final Map<Integer, List<Integer>> sumsOf = new HashMap<>();

  /** For each maker of a version of a counter the key of the counter. */
  private final Map<Integer, Integer> keyOfMaker = new HashMap<>();

  private final Map<Key, Integer> keys = new HashMap<>();
  private final List<Key> keyOf = new ArrayList<>();
  private final List<IntList> writers = new ArrayList<>();
  private final List<Set<Integer>> written = new ArrayList<>();

  /** For each list the appends that its longest read shows. */
  private final Map<Integer, int[]> traces = new HashMap<>();

  /** The numbers of the versions that transactions left, by writer and key. */
  private final Map<Argument.Pair, Long> numbers = new HashMap<>();

  /** For each append in a trace its place there. */
  private final Map<Integer, Integer> placeInTrace = new HashMap<>();

  /** Places in a serial order that is given, from 1. */
  private final int[] places;

  /** Pairs of writers, the earlier one first. */
  private final Set<Argument.Pair> givenPairs = new HashSet<>();

  Facts(History history, GivenOrders given, int[][] sources, boolean split) {
    this.history = history;
    this.split = split;
    this.sources = sources;
    this.size = split ? history.operationCount() : history.transactionCount();
    this.places = new int[size];
    for (int i = 0; !split && i < given.order().length; i++) {
      places[given.order()[i]] = i + 1;
    }
    boolean[] counted = counted();
    this.counts = new boolean[size];
    for (int t = 0; t < size; t++) {
      counts[t] = counted[split ? history.transactionOf(t) : t];
      readsBy.add(new ArrayList<>());
      written.add(new HashSet<>());
    }
    boolean sums = history.uses(OpKind.Type::isNumber) && CounterSums.areExamined(history);
    this.nodes = size + (sums ? history.operationCount() : 0);
    for (int op = 0; op < sources.length; op++) {
      if (counts[owner(op)]) {
        addWrite(op);
        addTrace(op);
      }
    }
    traces.values().forEach(this::place);
    // Given orders are of transactions, not of single operations.
    for (int[] writes : split ? List.<int[]>of() : given.versions()) {
      givenPairs.add(new Argument.Pair(owner(writes[0]), owner(writes[1])));
    }
    for (int op = 0; op < sources.length; op++) {
      if (counts[owner(op)] && Sources.isSeen(history, op)) {
        addReads(op);
      }
    }
  }

  private boolean[] counted() {
    boolean[] counted = new boolean[history.transactionCount()];
    Deque<Integer> queue = new ArrayDeque<>();
    for (int t = 0; t < counted.length; t++) {
      if (history.isCommitted(t)) {
        queue.add(t);
      }
    }
    while (!queue.isEmpty()) {
      int t = queue.remove();
      for (int op = history.firstOp(t); !counted[t] && op < history.endOp(t); op++) {
        for (int source : sources[op]) {
          if (source >= 0 && !isAborted(source)) {
            queue.add(history.transactionOf(source));
          }
        }
      }
      counted[t] = true;
    }
    return counted;
  }

  private boolean isAborted(int op) {
    return op >= 0 && history.outcome(history.transactionOf(op)) == Outcome.ABORTED;
  }

  int owner(int op) {
    return op < 0 || split ? op : history.transactionOf(op);
  }

  private int key(OpKind.Type type, int key, int element) {
    Key what = new Key(type, key, element);
    Integer known = keys.get(what);
    if (known == null) {
      known = keyOf.size();
      keys.put(what, known);
      keyOf.add(what);
      writers.add(new IntList());
    }
    return known;
  }

  private static boolean isOfItems(OpKind.Type type) {
    return type.hasItems();
  }

  private void addWrite(int op) {
    OpKind kind = history.kind(op);
    if (kind.isWrite()) {
      int element = isOfItems(kind.type()) ? history.value(op) : 0;
      int key = key(kind.type(), history.key(op), element);
      if (written.get(owner(op)).add(key)) {
        writers.get(key).add(owner(op));
      }
      boolean numbered = history.values().isVersioned(history.value(op));
      if (numbered && history.lastWrite(history.transactionOf(op), history.key(op)) == op) {
        numbers.put(new Argument.Pair(owner(op), key), history.values().version(history.value(op)));
      }
    }
  }

  private void addTrace(int op) {
    boolean open = Arrays.stream(sources[op]).anyMatch(source -> source == Sources.OPEN);
    if (history.kind(op) == OpKind.LIST_READ && Sources.isSeen(history, op) && !open) {
      int[] shown = Arrays.stream(sources[op]).filter(source -> !isAborted(source)).toArray();
      int key = key(OpKind.Type.LIST, history.key(op), 0);
      traces.merge(key, shown, (a, b) -> a.length >= b.length ? a : b);
    }
  }

  private void place(int[] trace) {
    for (int i = 0; i < trace.length; i++) {
      if (trace[i] >= 0) {
        placeInTrace.putIfAbsent(trace[i], i);
      }
    }
  }

  private void addReads(int op) {
    OpKind.Type type = history.kind(op).type();
    int reader = owner(op);
    if (type.isNumber()) {
      addSum(op, reader, key(type, history.key(op), 0));
      return;
    }
    boolean items = isOfItems(type);
    int last = sources[op].length - 1;
    for (int e = items ? 0 : Math.max(last, 0); e <= last; e++) {
      addRead(op, reader, items ? NO_KEY : key(type, history.key(op), 0), sources[op][e]);
    }
    if (!items && last < 0) {
      addRead(op, reader, key(type, history.key(op), 0), Sources.INITIAL);
    }
    for (int key = 0; items && key < keyOf.size(); key++) {
      Key item = keyOf.get(key);
      boolean lacks =
          item.type == type
              && item.key == history.key(op)
              && !history.sequences().contains(history.value(op), item.element);
      if (lacks) {
        readsBy.get(reader).add(new Read(reader, op, key, Sources.INITIAL, Sources.INITIAL));
      }
    }
  }

  /** A version of a counter has a maker: of its own, or the reader where it has written before. */
  private void addSum(int op, int reader, int key) {
    boolean own = false;
    for (int o = split ? op : history.firstOp(reader); o < op; o++) {
      own |= isIncrement(o) && history.key(o) == history.key(op);
    }
    if (nodes > size && own) {
      sumsOf.computeIfAbsent(reader, r -> new ArrayList<>()).add(op);
    } else if (nodes > size) {
      int maker = size + op;
      sumsOf.put(maker, List.of(op));
      keyOfMaker.put(maker, key);
      writers.get(key).add(maker);
      readsBy.get(reader).add(new Read(reader, op, key, maker, maker));
    }
  }

  private void addRead(int op, int reader, int key, int source) {
    if (source >= Sources.INITIAL && !isAborted(source) && owner(source) != reader) {
      readsBy.get(reader).add(new Read(reader, op, key, owner(source), source));
    }
  }

  // ---- what it says

  boolean counts(int txn) {
    return counts[txn];
  }

  /** Whether a node is not a transaction, but whoever made the version that a read shows. */
  boolean isMaker(int node) {
    return node >= size;
  }

  /** The counter of a maker. */
  int keyOf(int maker) {
    return keyOfMaker.get(maker);
  }

  /** The counter that an operation is on. */
  int counter(int op) {
    return key(history.kind(op).type(), history.key(op), 0);
  }

  boolean isIncrement(int op) {
    return history.kind(op).isWrite() && history.kind(op).type().isNumber();
  }

  /** The reads that show what a maker made, or a transaction that read it itself. */
  List<Integer> sumsOf(int node) {
    return sumsOf.getOrDefault(node, List.of());
  }

  List<Read> readsBy(int txn) {
    return isMaker(txn) ? List.of() : readsBy.get(txn);
  }

  IntList writers(int key) {
    return writers.get(key);
  }

  boolean writes(int txn, int key) {
    return isMaker(txn) ? keyOf(txn) == key : written.get(txn).contains(key);
  }

  /** Whether the order of two writers of a key matters. */
  boolean isOrdered(int key) {
    return !isOfItems(keyOf.get(key).type);
  }

  Set<Integer> written(int txn) {
    return written.get(txn);
  }

  boolean conflict(int a, int b) {
    if (isMaker(a)) {
      return !isMaker(b) && writes(b, keyOf(a));
    }
    return written.get(a).stream().anyMatch(key -> isOrdered(key) && writes(b, key));
  }

  boolean session(int a, int b) {
    if (isMaker(a) || isMaker(b)) {
      return false;
    }
    int first = split ? history.transactionOf(a) : a;
    int second = split ? history.transactionOf(b) : b;
    boolean before =
        first == second ? a < b : history.placeInSession(first) < history.placeInSession(second);
    return before && history.session(first) == history.session(second);
  }

  boolean realTime(int a, int b) {
    return !split
        && !isMaker(a)
        && !isMaker(b)
        && history.knownEnd(a) != History.ABSENT
        && history.start(b) != History.ABSENT
        && history.knownEnd(a) < history.start(b);
  }

  /** Whether two transactions access a common key. */
  boolean meet(int a, int b) {
    return !Collections.disjoint(accessed(a), accessed(b));
  }

  private Set<Integer> accessed(int txn) {
    return IntStream.range(history.firstOp(txn), history.endOp(txn))
        .mapToObj(history::key)
        .collect(Collectors.toSet());
  }

  /** Whether a serial order is given in which one comes before another. */
  boolean given(int a, int b) {
    return !isMaker(a) && !isMaker(b) && places[a] > 0 && places[a] < places[b];
  }

  /**
   * Whether it is given, or the longest read of a list or the numbers of versions show, that one
   * transaction wrote before another.
   */
  boolean known(int a, int b) {
    if (a == b || a < 0 || isMaker(a) || isMaker(b)) {
      return false;
    }
    if (givenPairs.contains(new Argument.Pair(a, b))) {
      return true;
    }
    for (int key : numbers.isEmpty() ? Set.<Integer>of() : written.get(a)) {
      Long first = numbers.get(new Argument.Pair(a, key));
      Long second = numbers.get(new Argument.Pair(b, key));
      if (first != null && second != null && first < second) {
        return true;
      }
    }
    for (int key : traces.isEmpty() ? Set.<Integer>of() : written.get(a)) {
      if (traces.containsKey(key) && writes(b, key)) {
        int first = extreme(a, key, true);
        if (first != Integer.MAX_VALUE && first < extreme(b, key, false)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The first or last place in a trace of what a transaction appended; last if it is not shown. */
  private int extreme(int txn, int key, boolean first) {
    int found = first ? Integer.MAX_VALUE : -1;
    int from = split ? txn : history.firstOp(txn);
    int to = split ? txn + 1 : history.endOp(txn);
    for (int op = from; op < to; op++) {
      OpKind kind = history.kind(op);
      if (kind == OpKind.APPEND && key(kind.type(), history.key(op), 0) == key) {
        int place = placeInTrace.getOrDefault(op, Integer.MAX_VALUE);
        found = first ? Math.min(found, place) : Math.max(found, place);
      }
    }
    return found;
  }

  /** Whether a transaction reads a version of a key and then overwrites it. */
  boolean isUpdate(Read read) {
    if (read.key() == NO_KEY || !isOrdered(read.key()) || !writes(read.reader(), read.key())) {
      return false;
    }
    for (int op = split ? read.reader() : history.firstOp(read.reader()); op < read.op(); op++) {
      OpKind kind = history.kind(op);
      if (kind.isWrite() && key(kind.type(), history.key(op), 0) == read.key()) {
        return false;
      }
    }
    return true;
  }
}
