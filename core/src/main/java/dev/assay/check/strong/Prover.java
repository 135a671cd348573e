package dev.assay.check.strong;

import dev.assay.check.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds an argument that a few transactions have no order at a level: a circle, in which each edge
 * that was not observed rests on the circle that its opposite would close.
 *
 * <p>First all orders whose opposite closes a circle at once are inferred, in rounds, so that
 * arguments stay short. Where that is not enough, an order is assumed and its refutation becomes
 * the reason for the opposite; inside, the assumption stands without a reason.
 */
final class Prover {
  private final Situation situation;
  private final BooleanSupplier expired;

  Prover(Situation situation, BooleanSupplier expired) {
    this.situation = situation;
    this.expired = expired;
  }

  /** The edges of a circle, or null when none was found in time. */
  List<Edge> prove() {
    for (int depth = 0; depth <= situation.pairs().size(); depth++) {
      State state = new State(situation);
      situation.observed().forEach(state::add);
      List<Edge> circle = refute(state, depth);
      if (circle != null || expired.getAsBoolean()) {
        return circle;
      }
    }
    return null;
  }

  private List<Edge> refute(State state, int depth) {
    while (!expired.getAsBoolean()) {
      List<Edge> circle = state.shortestCircle();
      if (circle != null) {
        return circle;
      }
      if (!inferDirectly(state) && (depth == 0 || !inferByCases(state, depth))) {
        return null;
      }
    }
    return null;
  }

  /** Infers every order whose opposite closes a circle; whether there was any. */
  private boolean inferDirectly(State state) {
    List<Situation.Order> inferred = new ArrayList<>();
    List<List<Edge>> reasons = new ArrayList<>();
    for (Situation.Pair pair : situation.pairs()) {
      if (!state.isOpen(pair)) {
        continue;
      }
      List<Edge> against = state.circleOf(pair.backward());
      List<Edge> other = state.circleOf(pair.forward());
      boolean forward = against != null && (other == null || against.size() <= other.size());
      if (forward || other != null) {
        inferred.add(forward ? pair.forward() : pair.backward());
        reasons.add(forward ? against : other);
      }
    }
    for (int i = 0; i < inferred.size(); i++) {
      state.decide(inferred.get(i), reasons.get(i));
    }
    return !inferred.isEmpty();
  }

  /** Infers one order whose opposite has been refuted; whether there was any. */
  private boolean inferByCases(State state, int depth) {
    for (Situation.Pair pair : situation.pairs()) {
      if (state.isOpen(pair)) {
        for (Situation.Order assumed : List.of(pair.forward(), pair.backward())) {
          State copy = new State(state);
          copy.decide(assumed, List.of());
          List<Edge> circle = refute(copy, depth - 1);
          if (circle != null) {
            state.decide(assumed.opposite(), circle);
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What is known at a point of the argument. */
  private static final class State {
    private final Situation situation;
    private final List<Situation.Step> steps;
    private final boolean[] decided;
    private List<List<Situation.Step>> leaving = List.of();
    private int leavingSize = -1;

    State(Situation situation) {
      this.situation = situation;
      this.steps = new ArrayList<>();
      this.decided = new boolean[situation.pairs().size()];
    }

    State(State other) {
      this.situation = other.situation;
      this.steps = new ArrayList<>(other.steps);
      this.decided = other.decided.clone();
    }

    void add(Situation.Step step) {
      steps.add(step);
    }

    boolean isOpen(Situation.Pair pair) {
      return !decided[pair.index()];
    }

    void decide(Situation.Order order, List<Edge> because) {
      decided[order.pair().index()] = true;
      steps.addAll(situation.steps(order, because));
    }

    /** The shortest circle that an order would close with what is known, or null. */
    List<Edge> circleOf(Situation.Order order) {
      List<Edge> best = null;
      for (Situation.Step step : situation.steps(order, List.of())) {
        List<Edge> path = pathBack(step);
        if (path != null && (best == null || path.size() + 1 < best.size())) {
          best = new ArrayList<>();
          best.add(step.edge());
          best.addAll(path);
        }
      }
      return best;
    }

    List<Edge> shortestCircle() {
      List<Edge> best = null;
      for (Situation.Step step : steps) {
        if (step.edge() == null) {
          continue;
        }
        List<Edge> path = pathBack(step);
        if (path != null && (best == null || weight(step, path) < weight(best))) {
          best = new ArrayList<>();
          best.add(step.edge());
          best.addAll(path);
        }
      }
      return best;
    }

    /** Short circles first, then those with few reasons. */
    private static long weight(List<Edge> circle) {
      return 1000L * circle.size() + Math.min(999, circle.stream().mapToLong(State::size).sum());
    }

    private static long weight(Situation.Step step, List<Edge> path) {
      List<Edge> circle = new ArrayList<>(path);
      circle.add(step.edge());
      return weight(circle);
    }

    private static long size(Edge edge) {
      return 1 + edge.because().stream().mapToLong(State::size).sum();
    }

    /** The edges of a shortest path that closes a circle the level forbids, or null. */
    private List<Edge> pathBack(Situation.Step step) {
      if (leavingSize != steps.size()) {
        leaving = leaving();
        leavingSize = steps.size();
      }
      Situation.Circles forbidden = situation.forbidden();
      boolean overwrites = Situation.isOverwriting(step);
      if (forbidden != Situation.Circles.SHORT_OVERWRITING) {
        boolean one = forbidden == Situation.Circles.ONE_OVERWRITING;
        return path(step.to(), step.from(), !one, one && !overwrites);
      }
      for (Situation.Step back : leaving.get(step.to())) {
        if (back.to() == step.from() && overwrites != Situation.isOverwriting(back)) {
          return List.of(back.edge());
        }
      }
      return overwrites ? null : path(step.to(), step.from(), false, false);
    }

    /**
     * The edges of a shortest path between nodes, or null.
     *
     * @param any whether any number of edges may be overwritings
     * @param one whether one may be
     */
    private List<Edge> path(int from, int to, boolean any, boolean one) {
      if (from == to) {
        return List.of();
      }
      // A node with an overwriting behind it counts as another node.
      int nodes = situation.nodes();
      Situation.Step[] by = new Situation.Step[2 * nodes];
      int[] previous = new int[2 * nodes];
      boolean[] seen = new boolean[2 * nodes];
      int[] queue = new int[2 * nodes];
      int size = 0;
      queue[size++] = from;
      seen[from] = true;
      for (int i = 0; i < size; i++) {
        int at = queue[i];
        for (Situation.Step step : leaving.get(at % nodes)) {
          boolean limited = !any && Situation.isOverwriting(step);
          if (limited && (!one || at >= nodes)) {
            continue;
          }
          int next = step.to() + (limited || at >= nodes ? nodes : 0);
          if (!seen[next]) {
            seen[next] = true;
            by[next] = step;
            previous[next] = at;
            queue[size++] = next;
            if (step.to() == to) {
              return edges(by, previous, next, from);
            }
          }
        }
      }
      return null;
    }

    private static List<Edge> edges(Situation.Step[] by, int[] previous, int last, int from) {
      List<Edge> path = new ArrayList<>();
      for (int node = last; node != from; node = previous[node]) {
        if (by[node].edge() != null) {
          path.add(0, by[node].edge());
        }
      }
      return path;
    }

    private List<List<Situation.Step>> leaving() {
      List<List<Situation.Step>> rows = new ArrayList<>();
      for (int node = 0; node < situation.nodes(); node++) {
        rows.add(new ArrayList<>());
      }
      steps.forEach(step -> rows.get(step.from()).add(step));
      return rows;
    }
  }
}
