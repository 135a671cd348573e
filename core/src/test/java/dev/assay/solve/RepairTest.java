package dev.assay.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.graph.TopologicalOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Orders found without the order of a file: large ones by construction, small ones by trying all.
 */
class RepairTest {
  private static final EdgeList NOTHING = new EdgeList();

  /** Who wrote each key, and reads: the key, the reader and the writers it may have read from. */
  private record Case(int transactions, List<List<Integer>> writers, List<int[]> reads) {
    Polygraph problem(Polygraph.Shape shape) {
      PolygraphBuilder builder = new PolygraphBuilder(shape, transactions);
      for (int key = 0; key < writers.size(); key++) {
        builder.startKey();
        writers.get(key).forEach(builder::writer);
        for (int[] read : reads) {
          if (read[0] == key && read.length == 3) {
            builder.read(read[1], read[2]);
          } else if (read[0] == key) {
            builder.choice(read[1], Arrays.copyOfRange(read, 2, read.length));
          }
        }
        builder.endKey();
      }
      return builder.build();
    }

    boolean isExplainedBy(int[] order) {
      int[] place = TopologicalOrder.positions(order);
      for (int[] read : reads) {
        int last = Polygraph.INITIAL;
        for (int writer : writers.get(read[0])) {
          boolean before = place[writer] < place[read[1]];
          if (before && (last == Polygraph.INITIAL || place[writer] > place[last])) {
            last = writer;
          }
        }
        int seen = last;
        if (Arrays.stream(read, 2, read.length).noneMatch(writer -> writer == seen)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Transactions one after another, numbered at random; some reads saw one of two versions. */
  private static Case serial(
      int transactions, int operations, int keys, double readShare, int ambiguous, long seed) {
    Random random = new Random(seed);
    List<Integer> names = new ArrayList<>();
    List<List<Integer>> writers = new ArrayList<>();
    for (int txn = 0; txn < transactions; txn++) {
      names.add(txn);
    }
    for (int key = 0; key < keys; key++) {
      writers.add(new ArrayList<>());
    }
    Collections.shuffle(names, random);
    List<int[]> reads = new ArrayList<>();
    for (int txn : names) {
      List<Integer> touched = new ArrayList<>();
      for (int i = 0; i < operations; i++) {
        int key = random.nextInt(keys);
        List<Integer> versions = writers.get(key);
        if (touched.contains(key)) {
          continue;
        }
        touched.add(key);
        if (random.nextDouble() >= readShare) {
          versions.add(txn);
        } else if (random.nextInt(100) < ambiguous && versions.size() > 1) {
          int other = versions.get(random.nextInt(versions.size() - 1));
          reads.add(new int[] {key, txn, other, versions.get(versions.size() - 1)});
        } else {
          int last = versions.isEmpty() ? Polygraph.INITIAL : versions.get(versions.size() - 1);
          reads.add(new int[] {key, txn, last});
        }
      }
    }
    writers.forEach(Collections::sort);
    return new Case(transactions, writers, reads);
  }

  private static void assertFound(Case some) {
    for (Polygraph.Shape shape :
        List.of(Polygraph.Shape.SERIAL, Polygraph.Shape.SNAPSHOT, Polygraph.Shape.PREFIX)) {
      Polygraph problem = some.problem(shape);
      Repair repair = new Repair(problem, NOTHING, () -> false);
      repair.run(TopologicalOrder.natural(some.transactions));
      assertThat(repair.mistakes()).as("mistakes, %s", shape).isZero();
      assertThat(some.isExplainedBy(repair.order())).as("order, %s", shape).isTrue();
      if (problem.choiceReader.length == 0) {
        // The order is a solution as it is: no conflict is met.
        Decision decision = new Decision(problem, () -> false, new Effort(), 1);
        assertThat(decision.runFromAnywhere(repair.order()))
            .isInstanceOf(Decision.Result.Found.class);
      }
    }
  }

  @Test
  void nineWritesInTenAreOrderedByTheirReadsAlone() {
    assertFound(serial(1_000, 8, 200, 0.1, 0, 1));
  }

  @Test
  void twoOperationsATransactionAreOrderedByTheirReadsAlone() {
    assertFound(serial(2_000, 2, 100, 0.5, 0, 3));
  }

  @Test
  void oneKeyWithManyBlindWritersIsOrdered() {
    assertFound(serial(1_000, 1, 1, 0.5, 0, 4));
  }

  @Test
  void readsOfOneOfTwoVersionsAreOrdered() {
    assertFound(serial(500, 4, 100, 0.5, 20, 5));
  }

  @Test
  void theSearchAloneMeetsMoreConflictsThanAGuessedOrder() {
    Case some = serial(1_500, 8, 300, 0.1, 0, 1);
    Polygraph problem = some.problem(Polygraph.Shape.SERIAL);
    int[] asNumbered = TopologicalOrder.natural(some.transactions);
    long limit = 1_100;
    Decision search = new Decision(problem, () -> false, new Effort(), limit);
    assertThat(search.run(asNumbered)).isInstanceOf(Decision.Result.Expired.class);
    Decision decision = new Decision(problem, () -> false, new Effort(), limit);
    assertThat(decision.runFromAnywhere(asNumbered)).isInstanceOf(Decision.Result.Found.class);
  }

  @Test
  void aLongHistoryOfFewSessionsIsNotGuessedFromScratch() {
    Polygraph problem = inSessions(9, 450_000, 45_000);
    int[] oneSessionAfterAnother =
        IntStream.range(0, problem.transactions)
            .mapToObj(Integer::valueOf)
            .sorted(Comparator.comparingInt(txn -> problem.chain[txn]))
            .mapToInt(Integer::intValue)
            .toArray();
    Effort effort = new Effort();
    Decision decision = new Decision(problem, () -> effort.guesses() > 0, effort);
    assertThat(decision.runFromAnywhere(oneSessionAfterAnother))
        .isInstanceOf(Decision.Result.Found.class);
    assertThat(effort.forced()).as("edges forced: the first order is no solution").isPositive();
    assertThat(effort.guesses()).as("orders guessed").isZero();
  }

  /**
   * One transaction after another, of sessions drawn at random; each reads a key and writes one.
   */
  private static Polygraph inSessions(int sessions, int transactions, int keys) {
    Random random = new Random(7);
    PolygraphBuilder builder = new PolygraphBuilder(Polygraph.Shape.SERIAL, transactions);
    int[] chain = new int[transactions];
    int[] place = new int[transactions];
    int[] length = new int[sessions];
    int[] last = new int[sessions];
    IntList[] writers = new IntList[keys];
    IntList[] reads = new IntList[keys];
    Arrays.setAll(writers, key -> new IntList(8));
    Arrays.setAll(reads, key -> new IntList(8));
    for (int txn = 0; txn < transactions; txn++) {
      int session = random.nextInt(sessions);
      chain[txn] = session;
      place[txn] = length[session]++;
      if (place[txn] > 0) {
        builder.before(last[session], txn);
      }
      last[session] = txn;
      int read = random.nextInt(keys);
      reads[read].add(txn);
      reads[read].add(writers[read].isEmpty() ? Polygraph.INITIAL : writers[read].last());
      writers[(read + 1 + random.nextInt(keys - 1)) % keys].add(txn);
    }
    builder.chains(chain, place);
    for (int key = 0; key < keys; key++) {
      builder.startKey();
      Arrays.stream(writers[key].toArray()).forEach(builder::writer);
      for (int i = 0; i < reads[key].size(); i += 2) {
        builder.read(reads[key].get(i), reads[key].get(i + 1));
      }
      builder.endKey();
    }
    return builder.build();
  }

  @Test
  void whatHasNoOrderIsNeverSaidToHaveOne() {
    Random random = new Random(6);
    int ordered = 0;
    int found = 0;
    int impossible = 0;
    for (int i = 0; i < 2_000; i++) {
      Case some = random(random);
      boolean exists = existsOrder(some, new int[5], 0, 0);
      Polygraph problem = some.problem(Polygraph.Shape.SERIAL);
      Repair repair = new Repair(problem, NOTHING, () -> false);
      repair.run(TopologicalOrder.natural(5));
      boolean right = repair.mistakes() == 0;
      assertThat(right && !some.isExplainedBy(repair.order())).as("case %d", i).isFalse();
      if (problem.choiceReader.length == 0) {
        Decision decision = new Decision(problem, () -> false, new Effort());
        Decision.Result result = decision.runFromAnywhere(TopologicalOrder.natural(5));
        assertThat(result instanceof Decision.Result.Found).as("case %d", i).isEqualTo(exists);
      }
      ordered += exists ? 1 : 0;
      found += right ? 1 : 0;
      impossible += exists ? 0 : 1;
    }
    assertThat(impossible).isGreaterThan(200);
    assertThat(ordered).isGreaterThan(200);
    assertThat(found).as("found of %d", ordered).isGreaterThan(ordered * 9 / 10);
  }

  private static Case random(Random random) {
    List<List<Integer>> writers = new ArrayList<>();
    List<int[]> reads = new ArrayList<>();
    for (int key = 0; key < 3; key++) {
      List<Integer> sources = new ArrayList<>(List.of(Polygraph.INITIAL));
      for (int txn = 0; txn < 5; txn++) {
        if (random.nextInt(5) < 2) {
          sources.add(txn);
        }
      }
      writers.add(sources.subList(1, sources.size()));
      for (int txn = 0; txn < 5; txn++) {
        int first = sources.get(random.nextInt(sources.size()));
        int second = sources.get(random.nextInt(sources.size()));
        if (random.nextInt(5) < 2 && first != txn && second != txn) {
          boolean ambiguous = first != second && random.nextInt(4) == 0;
          reads.add(ambiguous ? new int[] {key, txn, first, second} : new int[] {key, txn, first});
        }
      }
    }
    return new Case(5, writers, reads);
  }

  private static boolean existsOrder(Case some, int[] order, int size, int placed) {
    if (size == order.length) {
      return some.isExplainedBy(order);
    }
    for (int txn = 0; txn < order.length; txn++) {
      order[size] = txn;
      if ((placed >> txn & 1) == 0 && existsOrder(some, order, size + 1, placed | 1 << txn)) {
        return true;
      }
    }
    return false;
  }
}
