package dev.assay.check.strong;

import dev.assay.check.Edge;
import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds an argument that a few transactions have no order at a level: a circle, in which each edge
 * that was not observed rests on the circles that all else would close.
 *
 * <p>First all alternatives that close a circle at once are ruled out, in rounds, so that arguments
 * stay short; of two orders the other one is then known, and of a read the only writer left. Where
 * that is not enough, an alternative is assumed and its refutation rules it out; inside, the
 * assumption stands without a reason.
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
    int deepest = situation.questions().stream().mapToInt(q -> q.alternatives().size()).sum();
    for (int depth = 0; depth <= deepest; depth++) {
      State state = new State(situation);
      List<Edge> circle = refute(state, depth);
      if (circle != null || expired.getAsBoolean()) {
        return circle;
      }
    }
    return null;
  }

  private List<Edge> refute(State state, int depth) {
    while (!expired.getAsBoolean()) {
      List<Edge> circle = state.shortestCircle(expired);
      if (circle != null) {
        return circle;
      }
      if (!inferDirectly(state) && (depth == 0 || !inferByCases(state, depth))) {
        return null;
      }
    }
    return null;
  }

  /** An alternative of a question that closes a circle. */
  private record Impossible(Question question, int alternative, List<Edge> circle) {}

  /** Rules out every alternative that closes a circle; whether there was any. */
  private boolean inferDirectly(State state) {
    List<Impossible> found = new ArrayList<>();
    for (Question question : situation.questions()) {
      if (expired.getAsBoolean()) {
        return false;
      }
      found.addAll(impossible(state, question));
    }
    found.forEach(state::ruleOut);
    return !found.isEmpty();
  }

  /** The alternatives that close a circle, short circles first, but never all that are left. */
  private List<Impossible> impossible(State state, Question question) {
    List<Impossible> found = new ArrayList<>();
    int left = 0;
    for (int i = question.alternatives().size() - 1; i >= 0; i--) {
      if (expired.getAsBoolean()) {
        return List.of();
      }
      if (state.isOpen(question, i)) {
        left++;
        List<Edge> circle = state.circleOf(question.alternatives().get(i));
        if (circle != null) {
          found.add(new Impossible(question, i, circle));
        }
      }
    }
    found.sort(Comparator.comparingInt(impossible -> impossible.circle.size()));
    return found.subList(0, Math.min(found.size(), Math.max(0, left - 1)));
  }

  /** Rules out one alternative that has been refuted; whether there was any. */
  private boolean inferByCases(State state, int depth) {
    for (Question question : situation.questions()) {
      for (int i = 0; i < question.alternatives().size(); i++) {
        if (state.isOpen(question, i)) {
          State copy = new State(state);
          copy.decide(question, i, List.of());
          List<Edge> circle = refute(copy, depth - 1);
          if (circle != null) {
            state.ruleOut(new Impossible(question, i, circle));
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
    private final Situation.Known known;
    private final boolean[] decided;

    /** For each question and each of its alternatives the circle it would close, or null. */
    private final List<List<List<Edge>>> ruledOut = new ArrayList<>();

    private List<List<Situation.Step>> leaving = List.of();
    private int leavingSize = -1;

    State(Situation situation) {
      this.situation = situation;
      this.known = new Situation.Known(new ArrayList<>(situation.observed()), new ArrayList<>());
      this.decided = new boolean[situation.questions().size()];
      for (Question question : situation.questions()) {
        ruledOut.add(new ArrayList<>(Collections.nCopies(question.alternatives().size(), null)));
      }
      for (Question question : situation.questions()) {
        if (question.alternatives().size() == 1) {
          decide(question, 0, List.of());
        }
      }
    }

    State(State other) {
      this.situation = other.situation;
      this.known =
          new Situation.Known(
              new ArrayList<>(other.known.steps()), new ArrayList<>(other.known.reads()));
      this.decided = other.decided.clone();
      other.ruledOut.forEach(circles -> ruledOut.add(new ArrayList<>(circles)));
    }

    boolean isOpen(Question question, int alternative) {
      return !decided[question.index()] && ruledOut.get(question.index()).get(alternative) == null;
    }

    void ruleOut(Impossible impossible) {
      List<List<Edge>> circles = ruledOut.get(impossible.question.index());
      circles.set(impossible.alternative, impossible.circle);
      if (Collections.frequency(circles, null) == 1) {
        List<Edge> because = impossible.question.reason(situation, circles);
        decide(impossible.question, circles.indexOf(null), because);
      }
    }

    void decide(Question question, int alternative, List<Edge> because) {
      decided[question.index()] = true;
      Situation.Known more =
          situation.steps(question.alternatives().get(alternative), because, known);
      known.steps().addAll(more.steps());
      known.reads().addAll(more.reads());
    }

    /** The shortest circle that an alternative would close with what is known, or null. */
    List<Edge> circleOf(Question.Alternative alternative) {
      List<Edge> best = null;
      for (Situation.Step step : situation.steps(alternative, List.of(), known).steps()) {
        List<Edge> path = pathBack(step);
        if (path != null && (best == null || path.size() + 1 < best.size())) {
          best = new ArrayList<>();
          best.add(step.edge());
          best.addAll(path);
        }
      }
      return best;
    }

    /** The shortest circle in what is known, or any found when the time is up; null if none. */
    List<Edge> shortestCircle(BooleanSupplier expired) {
      List<Edge> best = null;
      long least = Long.MAX_VALUE;
      Components components = components();
      for (Situation.Step step : known.steps()) {
        if (step.edge() == null || components.of(step.from()) != components.of(step.to())) {
          continue;
        }
        if (expired.getAsBoolean()) {
          return best;
        }
        List<Edge> path = pathBack(step);
        if (path != null) {
          List<Edge> circle = new ArrayList<>(List.of(step.edge()));
          circle.addAll(path);
          if (weight(circle) < least) {
            best = circle;
            least = weight(circle);
          }
        }
      }
      return best;
    }

    /** Every circle lies inside a component. */
    private Components components() {
      EdgeList edges = new EdgeList();
      for (Situation.Step step : known.steps()) {
        edges.add(step.from(), step.to(), 0, 0);
      }
      return Components.of(situation.nodes(), edges);
    }

    /** Short circles first, then those with few reasons. */
    private static long weight(List<Edge> circle) {
      long[] reasons = new long[1];
      Edge.forEachReason(circle, edge -> reasons[0]++);
      return 1000L * circle.size() + Math.min(999, reasons[0]);
    }

    /** The edges of a shortest path that closes a circle the level forbids, or null. */
    private List<Edge> pathBack(Situation.Step step) {
      if (leavingSize != known.steps().size()) {
        leaving = leaving();
        leavingSize = known.steps().size();
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
      known.steps().forEach(step -> rows.get(step.from()).add(step));
      return rows;
    }
  }
}
