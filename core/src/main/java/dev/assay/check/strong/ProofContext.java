package dev.assay.check.strong;

import dev.assay.check.Edge;
import dev.assay.check.strong.Question.Alternative;
import dev.assay.check.strong.Question.Order;
import dev.assay.check.strong.Question.Source;
import dev.assay.history.History;
import dev.assay.level.EdgeKind;
import dev.assay.solve.Polygraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Everything known and open about a few transactions, written out for the {@link Prover}: all
 * observed edges, and the open questions with the edges that each alternative implies: the order of
 * each pair of writers, and what each ambiguous read saw.
 */
final class ProofContext implements Instance.KeyVisitor {
  /**
   * An edge between events.
   *
   * @param edge the step to report; null for the step from the begin of a transaction to its commit
   */
  record Step(int from, int to, Edge edge) {}

  /** Which cycles the level forbids. */
  enum Cycles {
    /** All cycles of events. */
    ALL,
    /** Cycles with at most one rw edge. */
    ONE_OVERWRITING,
    /** Cycles without rw edges, and those of one rw and one other edge. */
    SHORT_OVERWRITING
  }

  /** What a read saw, and the edge that says so. */
  record Read(Source seen, Edge edge) {}

  /**
   * What is known or assumed at a point of an argument.
   *
   * @param reads what ambiguous reads saw
   */
  record Known(List<Step> steps, List<Read> reads) {}

  /** Up to this many transactions all pairs are written out, which makes arguments short. */
  private static final int FEW = 100;

  private final Instance instance;
  private final Model model;
  private final Choices choices;
  private final History history;
  private final List<Step> observed = new ArrayList<>();
  private final List<Question> questions = new ArrayList<>();
  private final Map<Integer, List<Integer>> writers = new TreeMap<>();
  private final Map<Integer, List<Read>> reads = new TreeMap<>();
  private int key;

  /**
   * Writes out an instance.
   *
   * @param expired once true, pairs of writers are left out
   */
  ProofContext(Instance instance, Model model, Choices choices, BooleanSupplier expired) {
    this.instance = instance;
    this.model = model;
    this.choices = choices;
    this.history = instance.history;
    for (int m = 0; model.shape().isSplit() && m < size(); m++) {
      observed.add(new Step(begin(m), commit(m), null));
    }
    addOrders();
    if (model.facts() == Model.Facts.FLOW) {
      addFlow();
    }
    instance.visit(this);
    addPairs(expired);
  }

  private int size() {
    return instance.size();
  }

  int nodes() {
    return 2 * size();
  }

  Cycles forbidden() {
    return switch (model.shape()) {
      case PARALLEL -> Cycles.ONE_OVERWRITING;
      case ATOMIC -> Cycles.SHORT_OVERWRITING;
      default -> Cycles.ALL;
    };
  }

  static boolean isOverwriting(Step step) {
    return step.edge() != null && step.edge().kind() == EdgeKind.RW;
  }

  List<Step> observed() {
    return Collections.unmodifiableList(observed);
  }

  List<Question> questions() {
    return Collections.unmodifiableList(questions);
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

  private int txn(int member) {
    return member < 0 ? Edge.INITIAL : instance.members[member];
  }

  /** Adds session order and real time; for many transactions only the transitive reduction. */
  private void addOrders() {
    boolean all = size() <= FEW || forbidden() == Cycles.SHORT_OVERWRITING;
    RealTime time = new RealTime(instance);
    for (int a = 0; a < size(); a++) {
      long soonest = Long.MAX_VALUE;
      int next = Instance.NONE;
      for (int b = 0; b < size(); b++) {
        if (model.realTime() && a != b && time.before(a, b) && time.end(b) != History.ABSENT) {
          soonest = Math.min(soonest, time.end(b));
        }
        if (isEarlier(a, b) && (next == Instance.NONE || isEarlier(b, next))) {
          next = b;
        }
      }
      for (int b = 0; b < size(); b++) {
        if (model.sessions() && isEarlier(a, b) && (all || b == next)) {
          observed.add(orderStep(a, b, EdgeKind.SO));
        }
        boolean after = model.realTime() && a != b && time.before(a, b);
        if (after && (all || time.start(b) <= soonest)) {
          observed.add(orderStep(a, b, EdgeKind.RT));
        }
      }
    }
  }

  /** Whether a member comes before another in their session. */
  private boolean isEarlier(int a, int b) {
    return history.session(txn(a)) == history.session(txn(b))
        && history.placeInSession(txn(a)) < history.placeInSession(txn(b));
  }

  private Step orderStep(int a, int b, EdgeKind kind) {
    return new Step(commit(a), begin(b), Edge.of(txn(a), txn(b), kind, -1, -1, -1));
  }

  private void addFlow() {
    new Flow(instance)
        .forEach(
            (writer, member, op) ->
                observed.add(readStep(new Source(member, writer, op), List.of())));
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
    Source seen = new Source(member, source, op);
    reads.get(key).add(new Read(seen, readEdge(seen, List.of())));
    if (source >= 0) {
      observed.add(readStep(seen, List.of()));
    }
  }

  private Step readStep(Source seen, List<Edge> because) {
    return new Step(commit(seen.source()), begin(seen.reader()), readEdge(seen, because));
  }

  /** The edge that a read saw a version, observed or inferred. */
  Edge readEdge(Source seen, List<Edge> because) {
    int write = seen.source() < 0 ? -1 : writeSeen(seen);
    return new Edge(
        txn(seen.source()),
        txn(seen.reader()),
        EdgeKind.WR,
        history.key(seen.op()),
        write,
        seen.op(),
        because);
  }

  private int writeSeen(Source seen) {
    for (int write : instance.reads.candidates(seen.op())) {
      if (write >= 0 && history.transactionOf(write) == txn(seen.source())) {
        return write;
      }
    }
    return instance.sourceOp(seen.op());
  }

  @Override
  public void choice(int member, int op) {
    if (model.facts() == Model.Facts.ALL) {
      List<Alternative> sources = new ArrayList<>();
      for (int source : choices.candidates(op)) {
        sources.add(new Source(member, source, op));
      }
      if (!sources.isEmpty()) {
        questions.add(new Question(questions.size(), sources));
      }
    }
  }

  @Override
  public void order(int first, int second) {
    observed.add(versionStep(first, second, key, List.of()));
    addReadsBefore(observed.get(observed.size() - 1).edge(), reads.get(key), observed);
  }

  @Override
  public void endKey() {
    for (Read read : reads.get(key)) {
      if (read.seen.source() < 0) {
        addInitialRead(read, observed);
      }
    }
  }

  /** A read of the initial version comes before every write of the key. */
  private void addInitialRead(Read read, List<Step> steps) {
    for (int writer : writers.get(history.key(read.seen.op()))) {
      if (writer != read.seen.reader()) {
        steps.add(antiDependency(read, writer, List.of(read.edge)));
      }
    }
  }

  /** Adds the pairs of writers; their known orders follow from what was observed. */
  private void addPairs(BooleanSupplier expired) {
    if (model.facts() != Model.Facts.ALL) {
      return;
    }
    Map<Long, List<Integer>> common = new TreeMap<>();
    writers.forEach(
        (onKey, all) -> {
          for (int a : all) {
            for (int b : expired.getAsBoolean() ? List.<Integer>of() : all) {
              if (a < b) {
                common.computeIfAbsent((long) a << 32 | b, k -> new ArrayList<>()).add(onKey);
              }
            }
          }
        });
    common.forEach(
        (pair, keys) -> {
          int a = (int) (pair >> 32);
          int b = (int) (long) pair;
          List<Alternative> orders = List.of(new Order(a, b, keys), new Order(b, a, keys));
          questions.add(new Question(questions.size(), orders));
        });
  }

  /**
   * The steps that an alternative implies: versions follow each other, and reads come before
   * overwrites.
   *
   * @param because what it rests on
   * @param known what is known or assumed already
   */
  Known steps(Alternative alternative, List<Edge> because, Known known) {
    List<Step> steps = new ArrayList<>();
    if (alternative instanceof Source seen) {
      Read read = new Read(seen, readEdge(seen, because));
      if (seen.source() < 0) {
        addInitialRead(read, steps);
        return new Known(steps, List.of(read));
      }
      steps.add(new Step(commit(seen.source()), begin(seen.reader()), read.edge));
      for (Step step : known.steps) {
        if (step.edge() != null && step.edge().kind() == EdgeKind.WW) {
          addReadsBefore(step.edge(), List.of(read), steps);
        }
      }
      return new Known(steps, List.of(read));
    }
    Order order = (Order) alternative;
    for (int onKey : order.keys()) {
      Step version = versionStep(order.before(), order.after(), onKey, because);
      steps.add(version);
      addReadsBefore(version.edge(), reads.get(onKey), steps);
      addReadsBefore(version.edge(), known.reads, steps);
    }
    return new Known(steps, List.of());
  }

  /** Adds that reads of a version come before the next version. */
  private void addReadsBefore(Edge version, List<Read> among, List<Step> steps) {
    for (Read read : among) {
      boolean same = read.edge.key() == version.key() && read.edge.from() == version.from();
      if (same && read.edge.to() != version.to()) {
        steps.add(antiDependency(read, instance.number[version.to()], List.of(read.edge, version)));
      }
    }
  }

  private Step antiDependency(Read read, int writer, List<Edge> because) {
    int onKey = read.edge.key();
    int write = writeOp(writer, onKey);
    int op = read.seen.op();
    Edge edge = new Edge(read.edge.to(), txn(writer), EdgeKind.RW, onKey, op, write, because);
    return new Step(begin(read.seen.reader()), commit(writer), edge);
  }

  private Step versionStep(int first, int second, int onKey, List<Edge> because) {
    Edge edge = versionEdge(first, second, onKey, because);
    return new Step(commit(first), versionTarget(second), edge);
  }

  private Edge versionEdge(int first, int second, int onKey, List<Edge> because) {
    return new Edge(
        txn(first),
        txn(second),
        EdgeKind.WW,
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
