package dev.assay.oracle.predicate;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.predicate.Certificate.Look;
import dev.assay.oracle.predicate.Certificate.Place;
import dev.assay.oracle.predicate.Cycles.Edge;
import dev.assay.oracle.predicate.Cycles.Kind;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Matcher;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Adya's graph of a history with a certificate, with every edge that the definitions give, not only
 * those to the nearest versions; and the levels it has. Of the levels of Adya there are three each:
 * without sessions, with them, with real time too.
 *
 * <p>An update also reads the rows it updates, as items: what it leaves of them depends on what
 * they were. A deletion reads nothing but that they match.
 */
final class AdyaOracle {
  private static final int WRITES = 1;
  private static final int READS = 2;
  private static final int SINGLE = 3;
  private static final int NONADJACENT = 4;
  private static final int ITEMS = 5;
  private static final int ALL = 6;

  /** Three levels each, and how many cycles they forbid. */
  private static final Map<Level, int[]> FORBID = new EnumMap<>(Level.class);

  static {
    put(
        WRITES,
        Level.READ_UNCOMMITTED,
        Level.STRONG_SESSION_READ_UNCOMMITTED,
        Level.STRONG_READ_UNCOMMITTED);
    put(
        READS,
        Level.ADYA_READ_COMMITTED,
        Level.STRONG_SESSION_ADYA_READ_COMMITTED,
        Level.STRONG_ADYA_READ_COMMITTED);
    put(
        SINGLE,
        Level.CONSISTENT_VIEW,
        Level.PARALLEL_SNAPSHOT_ISOLATION,
        Level.STRONG_CONSISTENT_VIEW);
    put(
        NONADJACENT,
        Level.SNAPSHOT_ISOLATION,
        Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
        Level.STRONG_SNAPSHOT_ISOLATION);
    put(
        ITEMS,
        Level.REPEATABLE_READ,
        Level.STRONG_SESSION_REPEATABLE_READ,
        Level.STRONG_REPEATABLE_READ);
    put(ALL, Level.SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE, Level.STRICT_SERIALIZABLE);
  }

  private static void put(int cycles, Level plain, Level sessions, Level realTime) {
    FORBID.put(plain, new int[] {cycles, 0});
    FORBID.put(sessions, new int[] {cycles, 1});
    FORBID.put(realTime, new int[] {cycles, 2});
  }

  private final PredicateHistory history;
  private final Certificate certificate;
  private final Set<Edge> edges = new HashSet<>();

  /** Of each version, by its key and place, who read it as an item. */
  private final Map<List<Object>, Set<Integer>> itemsRead = new HashMap<>();

  private boolean mismatch;
  private boolean contradiction;
  private Set<AnomalyType> cycles;

  /**
   * The graph.
   *
   * @param sources for each item read from another transaction, in order, that transaction; −1 for
   *     the initial version
   */
  AdyaOracle(
      PredicateHistory history, Certificate certificate, Map<ItemReads.Read, Integer> sources) {
    this.history = history;
    this.certificate = certificate;
    addOrders();
    sources.forEach(
        (read, source) -> {
          int version = place(read.key(), source);
          addItem(read.reader(), read.key(), version);
          itemsRead
              .computeIfAbsent(List.of(read.key(), version), v -> new HashSet<>())
              .add(read.reader());
        });
    certificate.looks().forEach(this::addPredicate);
    certificate.snapshots().forEach(this::compareReads);
    edges.removeIf(edge -> edge.from() == edge.to());
    cycles = Cycles.names(history.size(), edges);
  }

  static Set<Level> levels() {
    return FORBID.keySet();
  }

  /** Whether a level does not mind what predicate operations gave. */
  static boolean permitsMismatches(Level level) {
    return FORBID.get(level)[0] <= READS;
  }

  Set<AnomalyType> cycles() {
    return cycles;
  }

  boolean hasMismatch() {
    return mismatch;
  }

  /** Whether the order of versions rules out what some operation looked at. */
  boolean hasContradiction() {
    return contradiction;
  }

  /** Whether two transactions read one version of a row, alone or to update it, and wrote it. */
  boolean hasLostUpdate() {
    return itemsRead.entrySet().stream()
        .anyMatch(
            version -> {
              List<Integer> writers = order((String) version.getKey().get(0));
              return version.getValue().stream().filter(writers::contains).count() > 1;
            });
  }

  /**
   * Whether a transaction read an older version of a row than one whose writer it sees: by session,
   * by another row that it read and, if asked for, because that one wrote some row before it.
   */
  boolean missesWhatItSees(boolean byWrites) {
    return edges.stream()
        .filter(edge -> edge.kind() == Kind.RW && !edge.byPredicate())
        .anyMatch(
            missed ->
                sees(missed, Kind.PROCESS)
                    || sees(missed, Kind.WR)
                    || (byWrites && sees(missed, Kind.WW)));
  }

  private boolean sees(Edge missed, Kind kind) {
    return edges.contains(new Edge(missed.to(), missed.from(), kind, false));
  }

  boolean holds(Level level) {
    int cyclesForbidden = FORBID.get(level)[0];
    if ((mismatch || contradiction) && !permitsMismatches(level)) {
      return false;
    }
    return cycles.stream()
        .noneMatch(cycle -> forbids(cyclesForbidden, FORBID.get(level)[1], cycle.id()));
  }

  private static boolean forbids(int cycles, int orders, String name) {
    int needed = name.endsWith("-realtime") ? 2 : name.endsWith("-process") ? 1 : 0;
    String kind = name.replace("-realtime", "").replace("-process", "");
    return needed <= orders
        && switch (kind) {
          case "G0" -> true;
          case "G1c" -> cycles >= READS;
          case "G-single-item" -> cycles >= SINGLE;
          case "G-single" -> cycles >= SINGLE && cycles != ITEMS;
          case "G-nonadjacent-item" -> cycles >= NONADJACENT;
          case "G-nonadjacent" -> cycles >= NONADJACENT && cycles != ITEMS;
          case "G2-item" -> cycles >= ITEMS;
          case "G2" -> cycles == ALL;
          default -> throw new IllegalStateException(name);
        };
  }

  // ---- the edges

  private List<Integer> order(String key) {
    return certificate.orders().getOrDefault(key, List.of());
  }

  private int place(String key, int writer) {
    return order(key).indexOf(writer) + 1;
  }

  /** The row that a version is. */
  private Row row(String key, int place) {
    return place == 0 ? null : history.finalWrites(order(key).get(place - 1)).get(key);
  }

  private void addOrders() {
    for (List<Integer> order : certificate.orders().values()) {
      for (int i = 0; i < order.size(); i++) {
        for (int j = i + 1; j < order.size(); j++) {
          edges.add(new Edge(order.get(i), order.get(j), Kind.WW, false));
        }
      }
    }
    for (int a = 0; a < history.size(); a++) {
      for (int b = 0; b < history.size(); b++) {
        if (history.precedes(a, b, true, false)) {
          edges.add(new Edge(a, b, Kind.PROCESS, false));
        }
        if (history.precedes(a, b, false, true)) {
          edges.add(new Edge(a, b, Kind.REALTIME, false));
        }
      }
    }
  }

  /** What a read of one version depends on. */
  private void addItem(int reader, String key, int place) {
    List<Integer> order = order(key);
    if (place > 0) {
      edges.add(new Edge(order.get(place - 1), reader, Kind.WR, false));
    }
    for (int later = place; later < order.size(); later++) {
      edges.add(new Edge(reader, order.get(later), Kind.RW, false));
    }
  }

  private void addPredicate(Place at, Look look) {
    List<Op> ops = history.txns().get(at.txn()).ops();
    Op op = ops.get(at.op());
    Set<String> ownKeys = new HashSet<>();
    ops.subList(0, at.op()).forEach(before -> ownKeys.addAll(before.written().keySet()));
    Rows seen = new Rows();
    certificate
        .orders()
        .keySet()
        .forEach(k -> seen.put(k, row(k, certificate.version(at.txn(), look, k))));
    ops.subList(0, at.op()).forEach(before -> seen.putAll(before.written()));
    mismatch |= !seen.result(op).equals(op);
    for (String key : certificate.orders().keySet()) {
      // Of a key that it wrote itself the operation sees that; the rest is ordered by ww.
      if (!ownKeys.contains(key)) {
        int version = certificate.version(at.txn(), look, key);
        // It cannot have looked at what it wrote only later, nor at what follows that.
        int own = place(key, at.txn());
        contradiction |= own > 0 && own <= version;
        addMatches(at.txn(), op, key, version);
      }
    }
  }

  /** Reads of single rows find what the snapshot of their transaction has, and own writes. */
  private void compareReads(int txn, Look snapshot) {
    Map<String, Row> own = new HashMap<>();
    for (Op op : history.txns().get(txn).ops()) {
      if (op instanceof Op.Read read) {
        Row there = row(read.key(), certificate.version(txn, snapshot, read.key()));
        contradiction |= !Objects.equals(read.row(), own.getOrDefault(read.key(), there));
      }
      own.putAll(op.written());
    }
  }

  private void addMatches(int reader, Op op, String key, int seen) {
    List<Integer> order = order(key);
    for (int place = 1; place <= order.size(); place++) {
      boolean changes =
          !Objects.equals(gives(op, key, row(key, place)), gives(op, key, row(key, place - 1)));
      if (changes && place <= seen) {
        edges.add(new Edge(order.get(place - 1), reader, Kind.WR, true));
      } else if (changes) {
        edges.add(new Edge(reader, order.get(place - 1), Kind.RW, true));
      }
    }
    boolean updates =
        op instanceof Op.Update update
            && update.rows().containsKey(key)
            && gives(op, key, row(key, seen)) != null;
    if (updates && Rows.matcher(op.predicate()).condition().form() != Condition.Form.DELETE) {
      addItem(reader, key, seen);
      itemsRead.computeIfAbsent(List.of(key, seen), version -> new HashSet<>()).add(reader);
    }
  }

  /** What a version gives to a predicate: whether it matches, or what an aggregate takes of it. */
  private static Object gives(Op op, String key, Row row) {
    if (row == null) {
      return null;
    }
    Matcher matcher = Rows.matcher(op.predicate());
    if (!(op instanceof Op.Aggregate aggregate)) {
      return matcher.matches(key, row.value()) ? true : null;
    }
    try {
      Condition condition = matcher.condition();
      Matcher deciding = condition.refined(aggregate.result()).bind(Rows.COLUMNS);
      Object taken = Optional.ofNullable(row.val());
      if (condition.form() == Condition.Form.COUNT) {
        taken = condition.aggregated() == null || row.val() != null;
      }
      return deciding.matches(key, row.value()) ? taken : null;
    } catch (ConditionException e) {
      throw new IllegalStateException(e);
    }
  }
}
