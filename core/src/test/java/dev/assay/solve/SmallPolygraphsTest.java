package dev.assay.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.TopologicalOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random problems of a few transactions in every shape, against all orders of their events: with
 * what saturation finds out, and with nothing but the search.
 */
class SmallPolygraphsTest {
  private static final int KEYS = 3;

  /**
   * A problem.
   *
   * @param writes for each key its writers
   * @param reads the key, the reader and the two writers it may have read from
   * @param orders the key, and two of its writers in a known order
   */
  private record Case(
      int transactions,
      boolean[][] writes,
      List<int[]> reads,
      int[] chain,
      int[] place,
      List<int[]> orders) {
    Case(int transactions) {
      this(
          transactions,
          new boolean[KEYS][transactions],
          new ArrayList<>(),
          new int[transactions],
          new int[transactions],
          new ArrayList<>());
      for (int txn = 0; txn < transactions; txn++) {
        chain[txn] = txn;
      }
    }

    Case write(int txn, int... keys) {
      for (int key : keys) {
        writes[key][txn] = true;
      }
      return this;
    }

    Case read(int txn, int key, int source) {
      reads.add(new int[] {key, txn, source, source});
      return this;
    }

    Case withReads(List<int[]> others) {
      return new Case(transactions, writes, others, chain, place, orders);
    }
  }

  @ParameterizedTest
  @EnumSource(Polygraph.Shape.class)
  void everyShapeIsDecidedAsByTryingAllOrders(Polygraph.Shape shape) {
    Random random = new Random(shape.ordinal());
    int cases = shape.split ? 1500 : 4000;
    int found = 0;
    for (int i = 0; i < cases; i++) {
      Case some = random(random, shape.split ? 4 : 6);
      boolean expected = existsOrder(some, shape);
      assertThat(bySearch(problem(some, shape))).as("search, case %d", i).isEqualTo(expected);
      assertThat(byDecision(some, shape) instanceof Decision.Result.Found)
          .as("decision, case %d", i)
          .isEqualTo(expected);
      found += expected ? 1 : 0;
    }
    assertThat(found).isBetween(cases / 8, cases * 7 / 8);
  }

  /** Two transactions read the initial version of a key and write it. */
  @Test
  void aLostUpdateNeedsOverlappingWriters() {
    Case some = new Case(2).write(0, 0).write(1, 0).read(0, 0, -1).read(1, 0, -1);
    assertThat(shapesWithAnOrder(some)).containsExactly(Polygraph.Shape.PREFIX);
  }

  /** Each of two transactions reads the initial version of what the other writes. */
  @Test
  void writeSkewNeedsReadsAtTheBeginning() {
    Case some = new Case(2).write(0, 0).write(1, 1).read(0, 1, -1).read(1, 0, -1);
    assertThat(shapesWithAnOrder(some))
        .containsExactly(
            Polygraph.Shape.SNAPSHOT,
            Polygraph.Shape.PREFIX,
            Polygraph.Shape.PARALLEL,
            Polygraph.Shape.ATOMIC);
  }

  /** Two writers of different keys, and two readers that see one each. */
  @Test
  void aLongForkHasNoSingleOrderOfCommits() {
    Case some =
        new Case(4)
            .write(0, 0)
            .write(1, 1)
            .read(2, 0, 0)
            .read(2, 1, -1)
            .read(3, 0, -1)
            .read(3, 1, 1);
    assertThat(shapesWithAnOrder(some))
        .containsExactly(Polygraph.Shape.PARALLEL, Polygraph.Shape.ATOMIC);
  }

  /** Many transactions read one version and overwrite it: edges in proportion to them. */
  @ParameterizedTest
  @EnumSource(
      value = Polygraph.Shape.class,
      names = {"SERIAL", "SNAPSHOT", "PREFIX"})
  void overwritersOfOneVersionTakeAFewEdgesEach(Polygraph.Shape shape) {
    int overwriters = 1000;
    PolygraphBuilder builder = new PolygraphBuilder(shape, overwriters + 1);
    builder.startKey();
    for (int txn = 0; txn <= overwriters; txn++) {
      builder.writer(txn);
    }
    for (int txn = 1; txn <= overwriters; txn++) {
      builder.read(txn, 0);
    }
    builder.endKey();
    Polygraph problem = builder.build();
    assertThat(problem.known.size()).isLessThan(5 * overwriters);
    Decision.Result result =
        new Decision(problem, () -> false, new Effort())
            .run(TopologicalOrder.natural(overwriters + 1));
    assertThat(result instanceof Decision.Result.Found).isEqualTo(shape == Polygraph.Shape.PREFIX);
  }

  /** A write skew among others: without these there is no order either. */
  @Test
  void aRefutationBlamesOnlyWhatItRestsOn() {
    Case some =
        new Case(5)
            .write(0, 2)
            .write(1, 0)
            .read(1, 1, -1)
            .write(2, 2)
            .write(3, 1)
            .read(3, 0, -1)
            .read(4, 2, 2);
    assertThat(byDecision(some, Polygraph.Shape.SERIAL))
        .isInstanceOfSatisfying(
            Decision.Result.Refuted.class,
            refuted -> assertThat(refuted.blamed().stream()).containsExactly(1, 3));
  }

  private static List<Polygraph.Shape> shapesWithAnOrder(Case some) {
    return Arrays.stream(Polygraph.Shape.values())
        .filter(shape -> byDecision(some, shape) instanceof Decision.Result.Found)
        .toList();
  }

  private static Case random(Random random, int transactions) {
    Case some = new Case(transactions);
    for (int key = 0; key < KEYS; key++) {
      List<Integer> sources = new ArrayList<>(List.of(Polygraph.INITIAL));
      for (int txn = 0; txn < transactions; txn++) {
        if (random.nextInt(5) < 2) {
          some.write(txn, key);
          sources.add(txn);
        }
      }
      for (int txn = 0; txn < transactions; txn++) {
        if (random.nextInt(5) < 2) {
          int first = sources.get(random.nextInt(sources.size()));
          int second = random.nextInt(4) > 0 ? first : sources.get(random.nextInt(sources.size()));
          if (first != txn && second != txn) {
            some.reads.add(new int[] {key, txn, first, second});
          }
        }
      }
      if (sources.size() > 2 && random.nextInt(4) == 0) {
        some.orders.add(new int[] {key, sources.get(1), sources.get(2)});
      }
    }
    int[] size = new int[transactions];
    for (int txn = 0; txn < transactions; txn++) {
      some.chain[txn] = random.nextInt(transactions);
      some.place[txn] = size[some.chain[txn]]++;
    }
    return some;
  }

  private static Polygraph problem(Case some, Polygraph.Shape shape) {
    PolygraphBuilder builder = new PolygraphBuilder(shape, some.transactions);
    for (int a = 0; a < some.transactions; a++) {
      for (int b = 0; b < some.transactions; b++) {
        if (some.chain[a] == some.chain[b] && some.place[a] + 1 == some.place[b]) {
          builder.before(a, b);
        }
      }
    }
    builder.chains(some.chain, some.place);
    for (int key = 0; key < KEYS; key++) {
      builder.startKey();
      for (int txn = 0; txn < some.transactions; txn++) {
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
      for (int[] order : some.orders) {
        if (order[0] == key) {
          builder.order(order[1], order[2]);
        }
      }
      builder.endKey();
    }
    return builder.build();
  }

  /** Without saturation. */
  private static boolean bySearch(Polygraph problem) {
    EdgeList nothing = new EdgeList();
    Digraph before = Digraph.predecessors(problem.nodes, problem.known);
    int[] start =
        LinkedOrder.find(TopologicalOrder.natural(problem.nodes), before, new Links(problem.nodes));
    return start != null
        && new OrderSolver(problem, nothing, start, () -> false).run(Long.MAX_VALUE)
            == Search.Result.FOUND;
  }

  private static Decision.Result byDecision(Case some, Polygraph.Shape shape) {
    Case left = some;
    while (true) {
      Polygraph problem = problem(left, shape);
      Decision decision = new Decision(problem, () -> false, new Effort());
      Decision.Result result = decision.run(TopologicalOrder.natural(some.transactions));
      if (!(result instanceof Decision.Result.Narrowed narrowed)) {
        return result;
      }
      left = narrowed(left, narrowed.left());
    }
  }

  private static Case narrowed(Case some, int[][] left) {
    List<int[]> reads = new ArrayList<>();
    int choice = 0;
    for (int key = 0; key < KEYS; key++) {
      for (int[] read : some.reads) {
        if (read[0] == key) {
          int[] possible = read[2] == read[3] ? new int[] {read[2]} : left[choice++];
          reads.add(new int[] {key, read[1], possible[0], possible[possible.length - 1]});
        }
      }
    }
    return some.withReads(reads);
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
      int[] begin = new int[some.transactions];
      Arrays.fill(begin, -1);
      if (existsOrder(some.withReads(reads), shape, begin, begin.clone(), 0)) {
        return true;
      }
    }
    return false;
  }

  /** Goes on with every event that may come next. */
  private static boolean existsOrder(
      Case some, Polygraph.Shape shape, int[] begin, int[] commit, int events) {
    if (events == (shape.split ? 2 : 1) * some.transactions) {
      return isRight(some, shape, begin, commit);
    }
    for (int txn = 0; txn < some.transactions; txn++) {
      boolean begins = begin[txn] < 0;
      boolean commits = commit[txn] < 0 && (!begins || !shape.split);
      if (begins || commits) {
        begin[txn] = begins ? events : begin[txn];
        commit[txn] = commits ? events : commit[txn];
        if (existsOrder(some, shape, begin, commit, events + 1)) {
          return true;
        }
        begin[txn] = begins ? -1 : begin[txn];
        commit[txn] = commits ? -1 : commit[txn];
      }
    }
    return false;
  }

  private static boolean isRight(Case some, Polygraph.Shape shape, int[] begin, int[] commit) {
    for (int a = 0; a < some.transactions; a++) {
      for (int b = 0; b < some.transactions; b++) {
        boolean known = some.chain[a] == some.chain[b] && some.place[a] < some.place[b];
        if (known && commit[a] >= begin[b]
            || shape.exclusive && overlap(some, a, b, begin, commit)) {
          return false;
        }
      }
    }
    for (int[] order : some.orders) {
      if (commit[order[1]] > commit[order[2]]) {
        return false;
      }
    }
    return shape.readsFirst
        ? readsSeeTheLatest(some, begin, commit)
        : nothingStaleIsSeen(some, shape, commit);
  }

  private static boolean overlap(Case some, int a, int b, int[] begin, int[] commit) {
    boolean common = false;
    for (boolean[] writers : some.writes) {
      common |= writers[a] && writers[b];
    }
    return common && begin[a] < begin[b] && begin[b] < commit[a];
  }

  /** Whether every read saw what was committed last before it. */
  private static boolean readsSeeTheLatest(Case some, int[] begin, int[] commit) {
    for (int[] read : some.reads) {
      int latest = -1;
      for (int txn = 0; txn < some.transactions; txn++) {
        boolean before = txn != read[1] && commit[txn] < begin[read[1]];
        boolean writes = some.writes[read[0]][txn];
        if (writes && before && (latest < 0 || commit[txn] > commit[latest])) {
          latest = txn;
        }
      }
      if (latest != read[2]) {
        return false;
      }
    }
    return true;
  }

  /** Whether no transaction sees what overwrote a version that it read. */
  private static boolean nothingStaleIsSeen(Case some, Polygraph.Shape shape, int[] at) {
    int transactions = some.transactions;
    boolean[][] sees = new boolean[transactions][transactions];
    for (int a = 0; a < transactions; a++) {
      for (int b = 0; b < transactions; b++) {
        sees[a][b] = some.chain[a] == some.chain[b] && some.place[a] < some.place[b];
        for (boolean[] writers : some.writes) {
          sees[a][b] |= writers[a] && writers[b] && at[a] < at[b];
        }
      }
    }
    for (int[] read : some.reads) {
      if (read[2] >= 0) {
        sees[read[2]][read[1]] = true;
      }
    }
    for (int a = 0; a < transactions; a++) {
      for (int b = 0; b < transactions; b++) {
        if (sees[a][b] && at[a] > at[b]) {
          return false;
        }
      }
    }
    if (shape == Polygraph.Shape.PARALLEL) {
      close(sees);
    }
    for (int[] read : some.reads) {
      for (int txn = 0; txn < transactions; txn++) {
        boolean later = read[2] < 0 || at[txn] > at[read[2]];
        if (some.writes[read[0]][txn] && txn != read[1] && later && sees[txn][read[1]]) {
          return false;
        }
      }
    }
    return true;
  }

  private static void close(boolean[][] relation) {
    for (int via = 0; via < relation.length; via++) {
      for (boolean[] row : relation) {
        for (int b = 0; b < relation.length; b++) {
          row[b] |= row[via] && relation[via][b];
        }
      }
    }
  }
}
