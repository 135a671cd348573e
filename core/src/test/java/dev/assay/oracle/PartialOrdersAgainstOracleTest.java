package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Before;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.KnownOrders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Certificates that give some pairs of versions, rightly or wrongly: a level holds exactly when
 * some order of versions that agrees with the pairs satisfies it.
 */
class PartialOrdersAgainstOracleTest {
  private final Random random = new Random(5);
  private final Set<Level> held = EnumSet.noneOf(Level.class);
  private final Set<Level> refutedByPairs = EnumSet.noneOf(Level.class);
  private final Disagreements names = new Disagreements();
  private int contradictions;

  @Test
  void aLevelHoldsExactlyWhenAnOrderThatAgreesWithThePairsSatisfiesIt() {
    RandomHistories plain = new RandomHistories(Shape.committed(5, 2, 3), 81);
    RandomHistories longer = new RandomHistories(Shape.committed(4, 2, 5), 84);
    RandomHistories timed = new RandomHistories(Shape.committed(5, 2, 3).withTimes(), 82);
    RandomHistories failing = new RandomHistories(Shape.committed(5, 2, 3).withOutcomes(), 83);
    RandomHistories both =
        new RandomHistories(Shape.committed(5, 2, 3).withOutcomes().withTimes(), 85);
    for (int i = 0; i < 700; i++) {
      compare(plain.registers());
      compare(longer.registers());
      compare(timed.registers());
      compare(failing.registers());
      compare(both.registers());
    }
    names.assertNone();
    assertThat(held).containsAll(LevelOracle.DECIDED);
    assertThat(refutedByPairs)
        .contains(
            Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION, Level.CAUSAL, Level.READ_UNCOMMITTED);
    assertThat(contradictions).isGreaterThan(20);
  }

  private void compare(SmallHistory recorded) {
    History history = recorded.toHistory();
    List<Chain> chains = new ArrayList<>();
    Map<Integer, List<Before>> pairs = new HashMap<>();
    for (int key = 0; key < history.keys().count(); key++) {
      pairs.put(key, givenPairs(history, key, chains));
    }
    int[] commits = someCommits(history);
    if (chains.isEmpty() && commits.length == 0) {
      return;
    }
    Collections.shuffle(chains, random);
    SmallHistory small = recorded.committing(named(history, chains, commits));
    VersionCertificate certificate =
        new VersionCertificate(chains, new int[0], commits, Map.of(), Map.of());
    Given given = new Given(Assumption.DEFAULT, certificate);
    Report report =
        Verifier.sample(Assay.check(history, Level.surveyed(), given, Budget.unlimited()), given);
    Names.compare(report, names, chains + " of\n" + small);
    Set<Level> violated = EnumSet.noneOf(Level.class);
    for (Anomaly anomaly : report.anomalies()) {
      if (anomaly.type() == AnomalyType.CERTIFICATE_CONTRADICTION) {
        contradictions++;
        violated.addAll(anomaly.violates());
        // What is given of such a key is not used.
        anomaly.witnesses().forEach(witness -> pairs.remove(witness.edges().get(0).key()));
      }
    }
    KnownOrders known = violated.isEmpty() ? known(small.toHistory(), pairs) : null;
    if (known != null) {
      assertThat(report.inferred()).as("%s of\n%s", chains, small).isEqualTo(known);
    }
    List<Before> used = pairs.values().stream().flatMap(List::stream).toList();
    Set<Level> holding = LevelOracle.holding(small, used);
    Set<Level> without = LevelOracle.holding(small);
    for (Level level : Level.surveyed()) {
      if (level.needsRealTime() && !small.hasTimes()) {
        continue;
      }
      String about = "%s with %s of\n%s".formatted(level, chains, small);
      if (holding.contains(level) && !violated.contains(level)) {
        assertThat(report.holds(level)).as(about).isTrue();
        held.add(level);
      } else {
        assertThat(report.violated(level)).as(about).isTrue();
        if (without.contains(level) && violated.isEmpty()) {
          refutedByPairs.add(level);
        }
      }
    }
  }

  /** Now and then some transactions of which nothing is said but that they committed. */
  private int[] someCommits(History history) {
    List<Integer> commits = new ArrayList<>();
    boolean any = random.nextInt(4) == 0;
    for (int txn = 0; any && txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) != Outcome.ABORTED && random.nextBoolean()) {
        commits.add(txn);
      }
    }
    Collections.shuffle(commits, random);
    return commits.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Who committed, whatever its client learned, because the certificate says so. */
  private static Set<Integer> named(History history, List<Chain> chains, int[] commits) {
    Set<Integer> named = new HashSet<>();
    for (Chain chain : chains) {
      chain.writes().stream()
          .filter(write -> write != VersionCertificate.INITIAL)
          .forEach(write -> named.add(history.transactionOf(write)));
    }
    IntStream.of(commits).forEach(named::add);
    return named;
  }

  /**
   * Some of the pairs of a random order of the versions of a key, the initial one among them now
   * and then, and rarely one that contradicts the others.
   */
  private List<Before> givenPairs(History history, int key, List<Chain> chains) {
    List<Integer> order = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int write = history.outcome(txn) == Outcome.ABORTED ? -1 : history.lastWrite(txn, key);
      if (write >= 0) {
        order.add(write);
      }
    }
    Collections.shuffle(order, random);
    List<Before> pairs = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      if (random.nextInt(8) == 0) {
        chains.add(new Chain(key, List.of(VersionCertificate.INITIAL, order.get(i)), false));
      }
      if (random.nextInt(80) == 0) {
        chains.add(new Chain(key, List.of(order.get(i), VersionCertificate.INITIAL), false));
      }
      for (int j = i + 1; j < order.size(); j++) {
        if (random.nextInt(j == i + 1 ? 2 : 4) == 0) {
          chains.add(new Chain(key, List.of(order.get(i), order.get(j)), false));
          int first = history.transactionOf(order.get(i));
          pairs.add(new Before(first, history.transactionOf(order.get(j))));
          if (random.nextInt(40) == 0) {
            chains.add(new Chain(key, List.of(order.get(j), order.get(i)), false));
          }
        }
      }
    }
    return pairs;
  }

  /**
   * Keys of which the pairs, and reads before writes, order all versions, some, or none; null for a
   * circle.
   */
  private static KnownOrders known(History history, Map<Integer, List<Before>> pairs) {
    ReadsFrom reads = ReadsFrom.of(history);
    int[] counts = new int[3];
    for (int key = 0; key < history.keys().count(); key++) {
      Relation before = new Relation(history.transactionCount());
      pairs.get(key).stream()
          .filter(pair -> reads.counts(pair.first()) && reads.counts(pair.second()))
          .forEach(pair -> before.add(pair.first(), pair.second()));
      List<Integer> writers = new ArrayList<>();
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        boolean wrote = false;
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int source = history.key(op) == key ? reads.source(op) : -1;
          boolean rewrites = !wrote && source >= 0 && history.lastWrite(txn, key) >= 0;
          int writer = rewrites ? history.transactionOf(source) : txn;
          boolean last = rewrites && history.lastWrite(writer, key) == source;
          if (last && writer != txn && reads.counts(txn) && reads.counts(writer)) {
            before.add(writer, txn);
          }
          wrote |= history.key(op) == key && history.kind(op) == OpKind.WRITE;
        }
        if (wrote && reads.counts(txn)) {
          writers.add(txn);
        }
      }
      if (!before.isAcyclic()) {
        return null;
      }
      Relation all = before.plus();
      int related = 0;
      for (int a : writers) {
        related += (int) writers.stream().filter(b -> all.has(a, b)).count();
      }
      boolean whole = related == writers.size() * (writers.size() - 1) / 2;
      counts[whole ? 0 : related > 0 ? 1 : 2]++;
    }
    return new KnownOrders(counts[0], counts[1], counts[2]);
  }
}
