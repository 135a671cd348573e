package dev.assay.check.strong;

import dev.assay.check.Edge;
import dev.assay.history.History;
import dev.assay.solve.Polygraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A few transactions with everything that was observed of them, written out for arguments: all
 * edges, and the pairs of writers whose order is open with what either order brings. Ambiguous
 * reads are left out.
 */
final class Situation implements Instance.KeyVisitor {
  /**
   * An edge between events.
   *
   * @param edge what a person is told; null where a transaction begins and then commits
   */
  record Step(int from, int to, Edge edge) {}

  /** Which circles the level forbids. */
  enum Circles {
    /** All that there are between events. */
    ALL,
    /** Those with at most one edge from a read to an overwriting. */
    ONE_OVERWRITING,
    /** Those with none, and those of one and a single other edge. */
    SHORT_OVERWRITING
  }

  /** Two members that wrote common keys, the first with the lower number. */
  record Pair(int index, int first, int second, List<Integer> keys) {
    Order forward() {
      return new Order(this, true);
    }

    Order backward() {
      return new Order(this, false);
    }
  }

  /** One order of a pair. */
  record Order(Pair pair, boolean isForward) {
    int before() {
      return isForward ? pair.first : pair.second;
    }

    int after() {
      return isForward ? pair.second : pair.first;
    }

    Order opposite() {
      return new Order(pair, !isForward);
    }
  }

  /** A read by a member from a member, or −1, as an operation. */
  private record Read(int reader, int source, int op) {}

  private final Instance instance;
  private final Model model;
  private final History history;
  private final List<Step> observed = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final Map<Integer, List<Integer>> writers = new TreeMap<>();
  private final Map<Integer, List<Read>> reads = new TreeMap<>();
  private int key;

  Situation(Instance instance, Model model) {
    this.instance = instance;
    this.model = model;
    this.history = instance.history;
    for (int m = 0; model.shape().isSplit() && m < size(); m++) {
      observed.add(new Step(begin(m), commit(m), null));
    }
    addOrders();
    if (model.facts() == Model.Facts.FLOW) {
      addFlow();
    }
    instance.visit(this);
    addPairs();
  }

  private int size() {
    return instance.size();
  }

  int nodes() {
    return 2 * size();
  }

  Circles forbidden() {
    return switch (model.shape()) {
      case PARALLEL -> Circles.ONE_OVERWRITING;
      case ATOMIC -> Circles.SHORT_OVERWRITING;
      default -> Circles.ALL;
    };
  }

  static boolean isOverwriting(Step step) {
    return step.edge() != null && step.edge().kind() == Edge.Kind.RW;
  }

  List<Step> observed() {
    return Collections.unmodifiableList(observed);
  }

  List<Pair> pairs() {
    return Collections.unmodifiableList(pairs);
  }

  private int begin(int member) {
    return 2 * member;
  }

  private int commit(int member) {
    return model.shape().isSplit() ? 2 * member + 1 : 2 * member;
  }

  private int versionTarget(int member) {
    return model.shape() == Polygraph.Shape.SNAPSHOT ? begin(member) : commit(member);
  }

  private Edge edge(int from, int to, Edge.Kind kind, int onKey, int fromOp, int toOp) {
    return Edge.of(txn(from), txn(to), kind, onKey, fromOp, toOp);
  }

  private int txn(int member) {
    return member < 0 ? Edge.INITIAL : instance.members[member];
  }

  private void addOrders() {
    RealTime time = new RealTime(instance);
    for (int a = 0; a < size(); a++) {
      for (int b = 0; b < size(); b++) {
        boolean session =
            model.sessions()
                && history.session(txn(a)) == history.session(txn(b))
                && history.placeInSession(txn(a)) < history.placeInSession(txn(b));
        if (session) {
          observed.add(new Step(commit(a), begin(b), edge(a, b, Edge.Kind.SO, -1, -1, -1)));
        }
        if (model.realTime() && a != b && time.before(a, b)) {
          observed.add(new Step(commit(a), begin(b), edge(a, b, Edge.Kind.RT, -1, -1, -1)));
        }
      }
    }
  }

  private void addFlow() {
    new Flow(instance)
        .forEach(
            (writer, member, op) ->
                observed.add(
                    new Step(commit(writer), begin(member), readEdge(member, writer, op))));
  }

  @Override
  public void startKey(int started) {
    key = started;
    writers.put(key, new ArrayList<>());
    reads.put(key, new ArrayList<>());
  }

  @Override
  public void write(int member) {
    writers.get(key).add(member);
  }

  @Override
  public void read(int member, int source, int op) {
    if (model.facts() != Model.Facts.ALL) {
      return;
    }
    reads.get(key).add(new Read(member, source, op));
    if (source >= 0) {
      observed.add(new Step(commit(source), begin(member), readEdge(member, source, op)));
    }
  }

  private Edge readEdge(int member, int source, int op) {
    int write = source < 0 ? -1 : instance.sourceOp(op);
    return edge(source, member, Edge.Kind.WR, history.key(op), write, op);
  }

  @Override
  public void choice(int member, int op) {
    // An argument that does without ambiguous reads is looked for.
  }

  @Override
  public void order(int first, int second) {
    Edge version = versionEdge(first, second, key, List.of());
    observed.add(new Step(commit(first), versionTarget(second), version));
    addReadsBefore(first, second, key, version, observed);
  }

  @Override
  public void endKey() {
    for (Read read : reads.get(key)) {
      for (int writer : writers.get(key)) {
        if (writer != read.reader && read.source < 0) {
          observed.add(antiDependency(read, writer, key, null));
        }
      }
    }
  }

  /** The pairs of writers; what is known of them follows from what was observed. */
  private void addPairs() {
    if (model.facts() != Model.Facts.ALL) {
      return;
    }
    Map<Long, List<Integer>> common = new TreeMap<>();
    writers.forEach(
        (onKey, all) -> {
          for (int a : all) {
            for (int b : all) {
              if (a < b) {
                common.computeIfAbsent((long) a << 32 | b, k -> new ArrayList<>()).add(onKey);
              }
            }
          }
        });
    common.forEach(
        (pair, keys) ->
            pairs.add(new Pair(pairs.size(), (int) (pair >> 32), (int) (long) pair, keys)));
  }

  /** What an order brings: versions follow each other, and reads come before overwriting. */
  List<Step> steps(Order order, List<Edge> because) {
    List<Step> steps = new ArrayList<>();
    for (int onKey : order.pair.keys) {
      Edge version = versionEdge(order.before(), order.after(), onKey, because);
      steps.add(new Step(commit(order.before()), versionTarget(order.after()), version));
      addReadsBefore(order.before(), order.after(), onKey, version, steps);
    }
    return steps;
  }

  private void addReadsBefore(int first, int second, int onKey, Edge version, List<Step> steps) {
    for (Read read : reads.get(onKey)) {
      if (read.source == first && read.reader != second) {
        steps.add(antiDependency(read, second, onKey, version));
      }
    }
  }

  private Step antiDependency(Read read, int writer, int onKey, Edge version) {
    Edge source = readEdge(read.reader, read.source, read.op);
    List<Edge> because = version == null ? List.of(source) : List.of(source, version);
    int write = writeOp(writer, onKey);
    Edge edge =
        new Edge(txn(read.reader), txn(writer), Edge.Kind.RW, onKey, read.op, write, because);
    return new Step(begin(read.reader), commit(writer), edge);
  }

  private Edge versionEdge(int first, int second, int onKey, List<Edge> because) {
    return new Edge(
        txn(first),
        txn(second),
        Edge.Kind.WW,
        onKey,
        writeOp(first, onKey),
        writeOp(second, onKey),
        because);
  }

  /** The last write of a key by a member. */
  private int writeOp(int member, int onKey) {
    int op = history.endOp(txn(member)) - 1;
    while (!instance.isWrite(op) || history.key(op) != onKey) {
      op--;
    }
    return op;
  }
}
