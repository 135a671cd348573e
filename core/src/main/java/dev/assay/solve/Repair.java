package dev.assay.solve;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Sorted;
import dev.assay.graph.TopologicalOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Searches for a serial order by local search, without a hint from the order of the file. First it
 * guesses when each transaction happened: a read is expected a while after the write it saw, the
 * shorter the more often the key is written ({@link Timeline}). Then it moves single transactions,
 * so that fewer writers are between a version and a read of it. At a local minimum it raises the
 * weights of the violated spans until some move helps (Morris, "The breakout method", AAAI 1993).
 * From time to time it guesses the times again, now with the likely order of versions.
 *
 * <p>The order found is a guess like any other: it is checked before it is used.
 */
final class Repair {
  private static final long SEED = 1;

  /** Moves per unit before the times are guessed again. */
  private static final int MOVES_A_ROUND = 3;

  /** Maximum number of rounds without improvement; more if rounds are short. */
  private static final int PATIENCE = 6;

  private static final int FEWEST_MOVES = 200_000;
  private static final int MAX_ROUNDS = 100;

  /** Rounds continue as long as each leaves at most this share of the violations. */
  private static final double PROGRESS = 0.9;

  /** Share of violated spans after several rounds above which the search gives up. */
  private static final double HOPELESS = 0.1;

  private static final int CHECK_EVERY = 256;

  /** Maximum number of writers within a span that are candidates for a move. */
  private static final int MAX_BETWEEN = 24;

  /** The expected distance of two events about which nothing is known. */
  private static final double SOMETIME = 0.5;

  private final Polygraph problem;
  private final Spans spans;
  private final Arrangement arrangement;
  private final BooleanSupplier expired;
  private final Random random = new Random(SEED);

  private int[] best;
  private int fewest = Integer.MAX_VALUE;

  // Moves to choose from.
  private int[] unit = new int[8];
  private long[] target = new long[8];
  private int moves;

  Repair(Polygraph problem, EdgeList added, BooleanSupplier expired) {
    this.problem = problem;
    this.spans = new Spans(problem, added);
    this.arrangement = new Arrangement(problem, spans);
    this.expired = expired;
  }

  /**
   * Searches for an order.
   *
   * @param preferred all transactions in the order to try first, which is dropped if guessed times
   *     give a better one
   */
  void run(int[] preferred) {
    int[] units = Arrays.copyOf(preferred, spans.units);
    for (int u = preferred.length; u < units.length; u++) {
      units[u] = u;
    }
    arrangement.start(units);
    keepIfBetter();
    if (expired.getAsBoolean()) {
      return;
    }
    long total = arrangement.total();
    int[] order = byTime(false);
    arrangement.start(order);
    order = total <= arrangement.total() ? units : order;
    int enough = Math.max(PATIENCE, FEWEST_MOVES / (MOVES_A_ROUND * Math.max(1, spans.units)));
    enough = Math.min(enough, MAX_ROUNDS);
    int patience = enough;
    while (patience > 0 && fewest > 0 && !expired.getAsBoolean()) {
      arrangement.start(order);
      int before = fewest;
      improveWhileItHelps();
      patience = fewest < before ? enough : patience - 1;
      if (patience < enough && fewest > spans.count() * HOPELESS) {
        return;
      }
      order = best;
      if (patience % 2 == 0) {
        arrangement.start(best);
        order = byTime(true);
      }
    }
  }

  private void improveWhileItHelps() {
    int wrong = Integer.MAX_VALUE;
    while (arrangement.findWrong() < wrong && !expired.getAsBoolean()) {
      wrong = (int) (arrangement.wrongCount() * PROGRESS);
      improve();
      keepIfBetter();
    }
  }

  /** The transactions in the best order found. */
  int[] order() {
    return Arrays.stream(best).filter(u -> u < problem.transactions).toArray();
  }

  /** The number of spans that the best order violates. */
  int mistakes() {
    return fewest;
  }

  private void keepIfBetter() {
    int wrong = arrangement.findWrong();
    if (wrong < fewest) {
      fewest = wrong;
      best = arrangement.order();
    }
  }

  private void improve() {
    long steps = (long) MOVES_A_ROUND * spans.units;
    for (long step = 0; step < steps; step++) {
      if (step % CHECK_EVERY == 0 && expired.getAsBoolean()) {
        return;
      }
      if (arrangement.wrongCount() == 0 && arrangement.findWrong() == 0) {
        return;
      }
      int span = arrangement.wrong(random.nextInt(arrangement.wrongCount()));
      if (arrangement.note(span)) {
        improve(span);
      }
    }
  }

  private void improve(int span) {
    if (spans.isChoice(span) && random.nextInt(3) == 0) {
      int choice = span - spans.firstChoice;
      int any = random.nextInt(problem.choices.size(choice));
      spans.choose(span, problem.choices.item(problem.choices.first(choice) + any));
    }
    findMoves(span);
    int chosen = Polygraph.NONE;
    long least = Long.MAX_VALUE;
    for (int move = 0; move < moves; move++) {
      long change = arrangement.change(unit[move], target[move]);
      if (change < least) {
        least = change;
        chosen = move;
      }
    }
    if (least < 0 || (least == 0 && random.nextInt(4) > 0)) {
      arrangement.move(unit[chosen], target[chosen]);
    } else {
      arrangement.weight[span]++;
    }
  }

  private void findMoves(int span) {
    moves = 0;
    long from = arrangement.startOf(span);
    long to = arrangement.endOf(span);
    int start = spans.start[span];
    int end = spans.end[span];
    if (to <= from) {
      add(end, after(from));
      add(start, before(to));
      return;
    }
    int first = arrangement.firstAfter(spans.key[span], from);
    int last = arrangement.firstAfter(spans.key[span], to - 1) - 1;
    if (first > last) {
      return;
    }
    for (int i = first; i <= last && i < first + MAX_BETWEEN; i++) {
      int writer = problem.writer[arrangement.version(i)];
      if (start != Polygraph.INITIAL) {
        add(writer, before(from));
      }
      add(writer, after(to));
    }
    long firstPlace = arrangement.place(problem.writer[arrangement.version(first)]);
    long lastPlace = arrangement.place(problem.writer[arrangement.version(last)]);
    if (start == Polygraph.INITIAL) {
      add(end, before(firstPlace));
    } else {
      add(end, between(from, firstPlace));
      add(end, after(from));
      add(start, between(lastPlace, to));
      add(start, before(to));
    }
  }

  private void add(int moved, long to) {
    if (moves == unit.length) {
      unit = Arrays.copyOf(unit, 2 * moves);
      target = Arrays.copyOf(target, 2 * moves);
    }
    unit[moves] = moved;
    target[moves++] = to;
  }

  private long after(long place) {
    return place + 1 + random.nextInt((int) (Arrangement.ROOM >> 2));
  }

  private long before(long place) {
    return place - 1 - random.nextInt((int) (Arrangement.ROOM >> 2));
  }

  private long between(long low, long high) {
    return low + 1 + (long) (random.nextDouble() * (high - low - 1));
  }

  /** All units in the order of guessed times. */
  private int[] byTime(boolean again) {
    int beginning = spans.units;
    Timeline timeline = new Timeline(spans.units + 1);
    for (int span = 0; span < spans.count(); span++) {
      boolean initial = spans.start[span] == Polygraph.INITIAL;
      if (again || !spans.isChoice(span)) {
        timeline.expect(initial ? beginning : spans.start[span], spans.end[span], length(span));
      }
    }
    for (int e = 0; e < problem.likely.size(); e++) {
      double all = problem.likely.label(e);
      timeline.expect(problem.likely.from(e), problem.likely.to(e), 1 / all);
    }
    if (again) {
      expectNext(timeline, beginning);
    }
    double[] moment = timeline.solve(expired);
    spread(moment);
    return Sorted.by(
        TopologicalOrder.natural(spans.units), u -> (long) (moment[u] * Arrangement.ROOM));
  }

  /** Expects overwrites of a version after its reads, by the current arrangement. */
  private void expectNext(Timeline timeline, int beginning) {
    for (int key = 0; key < problem.keys(); key++) {
      int writers = problem.keyFirst[key + 1] - problem.keyFirst[key] - 1;
      for (int i = problem.keyFirst[key]; i + 1 < problem.keyFirst[key + 1]; i++) {
        int version = i == problem.keyFirst[key] ? i : arrangement.version(i);
        int next = problem.writer[arrangement.version(i + 1)];
        int from = spans.firstOf[version];
        int to = spans.firstOf[version + 1];
        for (int span = from; span < to; span++) {
          if (spans.end[span] != next) {
            timeline.expect(spans.end[span], next, 1.0 / writers);
          }
        }
        if (from == to) {
          int writer = problem.writer[version];
          timeline.expect(writer == Polygraph.INITIAL ? beginning : writer, next, 1.0 / writers);
        }
      }
    }
  }

  private double length(int span) {
    int key = spans.key[span];
    return key == Polygraph.NONE
        ? SOMETIME
        : 1.0 / (problem.keyFirst[key + 1] - problem.keyFirst[key] - 1);
  }

  /** Spreads the transactions that are not connected with the largest part over it. */
  private void spread(double[] moment) {
    int[] root = TopologicalOrder.natural(moment.length);
    for (int span = 0; span < spans.count(); span++) {
      int start = spans.start[span];
      root[find(root, start == Polygraph.INITIAL ? spans.units : start)] =
          find(root, spans.end[span]);
    }
    for (int e = 0; e < problem.likely.size(); e++) {
      root[find(root, problem.likely.from(e))] = find(root, problem.likely.to(e));
    }
    int[] size = new int[moment.length];
    int largest = 0;
    for (int u = 0; u < moment.length; u++) {
      size[find(root, u)]++;
    }
    for (int u = 0; u < moment.length; u++) {
      largest = size[u] > size[largest] ? u : largest;
    }
    double low = 0;
    double high = 0;
    for (int u = 0; u < moment.length; u++) {
      if (root[u] == largest) {
        low = Math.min(low, moment[u]);
        high = Math.max(high, moment[u]);
      }
    }
    double[] offset = new double[moment.length];
    for (int u = 0; u < moment.length; u++) {
      offset[u] = root[u] == u && u != largest ? low + (high - low) * random.nextDouble() : 0;
    }
    for (int u = 0; u < moment.length; u++) {
      moment[u] += offset[root[u]];
    }
  }

  private static int find(int[] root, int unit) {
    int u = unit;
    while (root[u] != u) {
      root[u] = root[root[u]];
      u = root[u];
    }
    return u;
  }
}
