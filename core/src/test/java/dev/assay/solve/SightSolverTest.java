package dev.assay.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.graph.EdgeList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The shapes in which only what a transaction sees must not overwrite what it read, against all
 * orders of a few transactions; with what saturation finds out and with nothing but the search.
 */
class SightSolverTest {
  private static final int TRANSACTIONS = 6;
  private static final int KEYS = 3;

  /** Who wrote each key, and reads: the key, the reader and the writers it may have read from. */
  private record Case(boolean[][] writes, List<int[]> reads, int[] chain, int[] place) {}

  private record Outcomes(int found, int refuted) {}

  @Test
  void pathsOfSightAreDecidedAsByTryingAllOrders() {
    Outcomes outcomes = compare(Polygraph.Shape.PARALLEL, 1);
    assertThat(outcomes.found).isGreaterThan(500);
    assertThat(outcomes.refuted).isGreaterThan(500);
  }

  @Test
  void stepsOfSightAreDecidedAsByTryingAllOrders() {
    Outcomes outcomes = compare(Polygraph.Shape.ATOMIC, 2);
    assertThat(outcomes.found).isGreaterThan(500);
    assertThat(outcomes.refuted).isGreaterThan(500);
  }

  private static Outcomes compare(Polygraph.Shape shape, long seed) {
    Random random = new Random(seed);
    int found = 0;
    int refuted = 0;
    for (int i = 0; i < 4000; i++) {
      Case some = random(random);
      Polygraph problem = problem(some, shape);
      boolean expected = existsOrder(some, shape);
      assertThat(bySearch(problem)).as("search, case %d", i).isEqualTo(expected);
      assertThat(byDecision(some, shape)).as("decision, case %d", i).isEqualTo(expected);
      found += expected ? 1 : 0;
      refuted += expected ? 0 : 1;
    }
    return new Outcomes(found, refuted);
  }

  private static Case random(Random random) {
    boolean[][] writes = new boolean[KEYS][TRANSACTIONS];
    List<int[]> reads = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      List<Integer> sources = new ArrayList<>(List.of(Polygraph.INITIAL));
      for (int txn = 0; txn < TRANSACTIONS; txn++) {
        writes[key][txn] = random.nextInt(5) < 2;
        if (writes[key][txn]) {
          sources.add(txn);
        }
      }
      for (int txn = 0; txn < TRANSACTIONS; txn++) {
        if (random.nextInt(5) < 2) {
          int first = sources.get(random.nextInt(sources.size()));
          int second = random.nextInt(4) > 0 ? first : sources.get(random.nextInt(sources.size()));
          if (first != txn && second != txn) {
            reads.add(new int[] {key, txn, first, second});
          }
        }
      }
    }
    int[] chain = new int[TRANSACTIONS];
    int[] place = new int[TRANSACTIONS];
    int[] size = new int[TRANSACTIONS];
    for (int txn = 0; txn < TRANSACTIONS; txn++) {
      chain[txn] = random.nextInt(TRANSACTIONS);
      place[txn] = size[chain[txn]]++;
    }
    return new Case(writes, reads, chain, place);
  }

  private static Polygraph problem(Case some, Polygraph.Shape shape) {
    PolygraphBuilder builder = new PolygraphBuilder(shape, TRANSACTIONS);
    for (int a = 0; a < TRANSACTIONS; a++) {
      for (int b = 0; b < TRANSACTIONS; b++) {
        if (some.chain[a] == some.chain[b] && some.place[a] + 1 == some.place[b]) {
          builder.before(a, b);
        }
      }
    }
    builder.chains(some.chain, some.place);
    for (int key = 0; key < KEYS; key++) {
      builder.startKey();
      for (int txn = 0; txn < TRANSACTIONS; txn++) {
        if (some.writes[key][txn]) {
          builder.writer(txn);
        }
      }
      for (int[] read : some.reads) {
        if (read[0] == key && read[2] == read[3]) {
          builder.read(read[1], read[2]);
        }
      }
      for (int[] read : some.reads) {
        if (read[0] == key && read[2] != read[3]) {
          builder.choice(read[1], new int[] {read[2], read[3]});
        }
      }
      builder.endKey();
    }
    return builder.build();
  }

  /** Without saturation. */
  private static boolean bySearch(Polygraph problem) {
    EdgeList nothing = new EdgeList();
    Rows before = Rows.predecessors(problem.nodes, problem.known);
    int[] start =
        TopologicalOrder.find(
            TopologicalOrder.natural(problem.nodes), before, new Links(problem.nodes));
    return start != null
        && new OrderSolver(problem, nothing, start, () -> false).run(Long.MAX_VALUE)
            == Search.Result.FOUND;
  }

  private static boolean byDecision(Case some, Polygraph.Shape shape) {
    Case left = some;
    while (true) {
      Polygraph problem = problem(left, shape);
      Decision decision = new Decision(problem, () -> false, new Effort());
      Decision.Result result = decision.run(TopologicalOrder.natural(TRANSACTIONS));
      if (!(result instanceof Decision.Result.Narrowed narrowed)) {
        return result instanceof Decision.Result.Found;
      }
      left = narrowed(left, narrowed.left());
    }
  }

  private static Case narrowed(Case some, int[][] left) {
    List<int[]> reads = new ArrayList<>();
    int choice = 0;
    for (int[] read : some.reads) {
      int[] possible = read[2] == read[3] ? new int[] {read[2]} : left[choice++];
      reads.add(new int[] {read[0], read[1], possible[0], possible[possible.length - 1]});
    }
    return new Case(some.writes, reads, some.chain, some.place);
  }

  private static boolean existsOrder(Case some, Polygraph.Shape shape) {
    List<int[]> ambiguous = some.reads.stream().filter(read -> read[2] != read[3]).toList();
    for (int choices = 0; choices < 1 << ambiguous.size(); choices++) {
      List<int[]> reads = new ArrayList<>();
      for (int[] read : some.reads) {
        int at = ambiguous.indexOf(read);
        int source = at >= 0 && (choices >> at & 1) == 1 ? read[3] : read[2];
        reads.add(new int[] {read[0], read[1], source});
      }
      if (existsOrder(some, reads, shape, new int[TRANSACTIONS], 0, 0)) {
        return true;
      }
    }
    return false;
  }

  private static boolean existsOrder(
      Case some, List<int[]> reads, Polygraph.Shape shape, int[] order, int size, int used) {
    if (size == TRANSACTIONS) {
      return isRight(some, reads, shape, order);
    }
    for (int txn = 0; txn < TRANSACTIONS; txn++) {
      order[size] = txn;
      if ((used >> txn & 1) == 0
          && existsOrder(some, reads, shape, order, size + 1, used | 1 << txn)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRight(Case some, List<int[]> reads, Polygraph.Shape shape, int[] order) {
    int[] at = TopologicalOrder.places(order);
    boolean[][] sees = new boolean[TRANSACTIONS][TRANSACTIONS];
    for (int a = 0; a < TRANSACTIONS; a++) {
      for (int b = 0; b < TRANSACTIONS; b++) {
        sees[a][b] = some.chain[a] == some.chain[b] && some.place[a] < some.place[b];
        for (boolean[] writers : some.writes) {
          sees[a][b] |= writers[a] && writers[b] && at[a] < at[b];
        }
      }
    }
    for (int[] read : reads) {
      if (read[2] >= 0) {
        sees[read[2]][read[1]] = true;
      }
    }
    for (int a = 0; a < TRANSACTIONS; a++) {
      for (int b = 0; b < TRANSACTIONS; b++) {
        if (sees[a][b] && at[a] > at[b]) {
          return false;
        }
      }
    }
    if (shape == Polygraph.Shape.PARALLEL) {
      close(sees);
    }
    for (int[] read : reads) {
      for (int txn = 0; txn < TRANSACTIONS; txn++) {
        boolean later = read[2] < 0 || at[txn] > at[read[2]];
        if (some.writes[read[0]][txn] && txn != read[1] && later && sees[txn][read[1]]) {
          return false;
        }
      }
    }
    return true;
  }

  private static void close(boolean[][] relation) {
    for (int via = 0; via < TRANSACTIONS; via++) {
      for (int a = 0; a < TRANSACTIONS; a++) {
        for (int b = 0; b < TRANSACTIONS; b++) {
          relation[a][b] |= relation[a][via] && relation[via][b];
        }
      }
    }
  }
}
