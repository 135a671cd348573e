package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.RegisterVersions;
import dev.assay.infer.VersionCycle;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Version orders of registers against what brute force finds: consequences must be in every order
 * that the level accepts, and what an assumption gives must be exactly what its definition says.
 */
class VersionInferenceTest {
  private static RegisterVersions versions(History history, Assumption... assumptions) {
    Given given = new Given(Set.of(assumptions), VersionCertificate.NONE);
    return new RegisterVersions(history, ReadsFrom.of(history), given);
  }

  // ---- consequences

  @Test
  void readModifyWriteChainsAreInEveryOrderThatReadCommittedAccepts() {
    int edges = 0;
    for (Shape shape :
        List.of(
            Shape.committed(5, 2, 3),
            Shape.committed(5, 2, 3).withOutcomes(),
            Shape.committed(4, 1, 4).withDuplicates().withOutcomes())) {
      RandomHistories histories = new RandomHistories(shape, 21);
      for (int i = 0; i < 2_000; i++) {
        SmallHistory history = histories.registers();
        EdgeList chains = versions(history.toHistory()).chains();
        edges += chains.size();
        String refuted = chains.size() == 0 ? "" : refuted(history, chains);
        assertThat(refuted).as(history.text()).isEmpty();
      }
    }
    assertThat(edges).isGreaterThan(1_000);
  }

  @Test
  void readModifyWriteChainsAreNotMissed() {
    SmallHistory history = SmallHistory.plume("w(1,1,1,1) r(1,1,2,2) w(1,2,2,2) r(1,2,3,3)");
    EdgeList chains = versions(history.toHistory()).chains();
    assertThat(chains.size()).isEqualTo(1);
    assertThat(chains.from(0)).isZero();
    assertThat(chains.to(0)).isEqualTo(1);
    assertThat(chains.mark(0)).isEqualTo(1);
  }

  @Test
  void aReadOfAValueThatItsReaderWritesLaterIsNoChain() {
    SmallHistory history = SmallHistory.plume("w(1,1,1,1) r(1,1,2,2) w(1,1,2,2)");
    assertThat(versions(history.toHistory()).chains().size()).isZero();
  }

  /** An edge that an order accepted by Adya's read committed lacks, as text; empty if none. */
  private static String refuted(SmallHistory history, EdgeList edges) {
    for (Resolution resolution : Resolution.all(history)) {
      Set<?> forbidden = LevelOracle.forbiddenReads(Level.ADYA_READ_COMMITTED);
      if (!Collections.disjoint(ReadOracle.anomalies(resolution), forbidden)) {
        continue;
      }
      Facts facts = new Facts(resolution);
      int[] number = numbers(resolution);
      for (int[] place : Orders.of(facts.size)) {
        boolean accepted =
            facts.knownOrder.isWithin(place)
                && new DependencyGraph(facts, place).satisfies(Level.ADYA_READ_COMMITTED);
        for (int e = 0; accepted && e < edges.size(); e++) {
          int from = number[edges.from(e)];
          int to = number[edges.to(e)];
          // Under another choice of writers a transaction of unknown outcome may not count.
          if (from >= 0 && to >= 0 && place[from] >= place[to]) {
            return edges.from(e) + " -> " + edges.to(e);
          }
        }
      }
    }
    return "";
  }

  /** The numbers that {@link Facts} gives to transactions; −1 for those that do not count. */
  private static int[] numbers(Resolution resolution) {
    int[] number = new int[resolution.history.txns().size()];
    int next = 0;
    for (int t = 0; t < number.length; t++) {
      number[t] = resolution.counts(t) ? next++ : -1;
    }
    return number;
  }

  // ---- assumptions, by their definitions

  /** What a transaction did with a key: the version it read first and the one it wrote. */
  private record Meeting(int txn, int read, int written) {}

  private static final int NO_VERSION = -2;
  private static final int INITIAL = -1;

  private static List<Meeting> meetings(SmallHistory history, Resolution resolution, int key) {
    List<Meeting> meetings = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      if (!resolution.counts(t)) {
        continue;
      }
      int read = NO_VERSION;
      int written = NO_VERSION;
      List<Op> ops = history.txns().get(t).ops();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.get(i).key() != key) {
          continue;
        }
        if (ops.get(i) instanceof Op.Write) {
          written = t;
        } else if (ops.get(i) instanceof Op.Read && written < 0 && read == NO_VERSION) {
          read = versionSeen(history, resolution, t, i);
        }
      }
      if (read != NO_VERSION || written != NO_VERSION) {
        meetings.add(new Meeting(t, read, written));
      }
    }
    return meetings;
  }

  private static int versionSeen(SmallHistory history, Resolution resolution, int t, int i) {
    Resolution.Source source = resolution.version(t, i);
    if (source.equals(Resolution.Source.INITIAL)) {
      return INITIAL;
    }
    if (!source.isWrite() || source.txn() == t || !resolution.counts(source.txn())) {
      return NO_VERSION;
    }
    List<Op> ops = history.txns().get(source.txn()).ops();
    for (int j = source.op() + 1; j < ops.size(); j++) {
      if (ops.get(j) instanceof Op.Write && ops.get(j).key() == ops.get(source.op()).key()) {
        return NO_VERSION;
      }
    }
    return source.txn();
  }

  private interface Rule {
    boolean before(Txn a, Txn b);
  }

  /** Index 0 is the initial version, t + 1 that of transaction t. */
  private static Relation byRule(SmallHistory history, int key, Rule rule) {
    Resolution resolution = Resolution.all(history).get(0);
    List<Meeting> meetings = meetings(history, resolution, key);
    Relation relation = new Relation(history.txns().size() + 1);
    for (Meeting a : meetings) {
      if (a.written >= 0) {
        relation.add(0, a.written + 1);
      }
      for (Meeting b : meetings) {
        boolean ordered = rule.before(history.txns().get(a.txn), history.txns().get(b.txn));
        if (a.txn == b.txn || !ordered) {
          continue;
        }
        for (int v : new int[] {a.read, a.written}) {
          for (int u : new int[] {b.read, b.written}) {
            if (v != NO_VERSION && u != NO_VERSION && v != u) {
              relation.add(v + 1, u + 1);
            }
          }
        }
      }
    }
    return relation;
  }

  private static void compare(SmallHistory history, Assumption assumption, Rule rule) {
    RegisterVersions versions = versions(history.toHistory(), assumption);
    Set<Integer> keys = new TreeSet<>();
    history.txns().forEach(t -> t.ops().forEach(op -> keys.add(op.key())));
    History built = history.toHistory();
    for (int key : keys) {
      Relation expected = byRule(history, key, rule).plus();
      int id = key(built, key);
      List<VersionCycle> cycles = versions.cycles().stream().filter(c -> c.key() == id).toList();
      Relation actual = new Relation(history.txns().size() + 1);
      EdgeList order = versions.order();
      for (int e = 0; e < order.size(); e++) {
        if (order.label(e) == id) {
          actual.add(order.from(e) + 1, order.to(e) + 1);
        }
      }
      assertThat(cycles).as(history.text()).hasSize(expected.isIrreflexive() ? 0 : 1);
      cycles.forEach(cycle -> assertThat(isCircle(cycle)).as(history.text()).isTrue());
      Relation closed = actual.plus();
      for (int a = 1; a < expected.size(); a++) {
        for (int b = 1; b < expected.size(); b++) {
          boolean wanted = cycles.isEmpty() && expected.has(a, b);
          if (closed.has(a, b) != wanted) {
            throw new AssertionError(history + ": " + a + " before " + b + " is not " + wanted);
          }
        }
      }
    }
  }

  private static int key(History history, int key) {
    for (int id = 0; id < history.keys().count(); id++) {
      if (history.keys().get(id).equals((long) key)) {
        return id;
      }
    }
    throw new AssertionError("no key " + key);
  }

  private static boolean isCircle(VersionCycle cycle) {
    List<VersionCycle.Step> steps = cycle.steps();
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i).to() != steps.get((i + 1) % steps.size()).from()) {
        return false;
      }
    }
    return steps.size() > 1;
  }

  @Test
  void linearizableKeysOrderVersionsByRealTimeAndNothingElse() {
    RandomHistories histories =
        new RandomHistories(Shape.committed(6, 2, 3).withTimes().withOutcomes(), 31);
    Rule realTime = (a, b) -> a.outcome() == Outcome.COMMITTED && a.end() < b.start();
    for (int i = 0; i < 3_000; i++) {
      compare(histories.registers(), Assumption.LINEARIZABLE_KEYS, realTime);
    }
  }

  @Test
  void sequentialKeysOrderVersionsBySessionsAndNothingElse() {
    RandomHistories histories = new RandomHistories(Shape.committed(6, 2, 3).withOutcomes(), 32);
    for (int i = 0; i < 3_000; i++) {
      SmallHistory history = histories.registers();
      List<Txn> txns = history.txns();
      compare(
          history,
          Assumption.SEQUENTIAL_KEYS,
          (a, b) -> a.session() == b.session() && indexOf(txns, a) < indexOf(txns, b));
    }
  }

  /** By identity: two transactions may do the same. */
  private static int indexOf(List<Txn> txns, Txn txn) {
    for (int t = 0; t < txns.size(); t++) {
      if (txns.get(t) == txn) {
        return t;
      }
    }
    return -1;
  }

  @Test
  void noTimesAndEqualTimesGiveNoOrder() {
    SmallHistory none = SmallHistory.plume("w(1,1,1,1) w(1,2,2,2) r(1,1,3,3)");
    assertThat(versions(none.toHistory(), Assumption.LINEARIZABLE_KEYS).order().size()).isZero();
    SmallHistory equal =
        SmallHistory.of(
            Txn.committed(1, new Op.Write(1, 1)).during(1, 5),
            Txn.committed(2, new Op.Write(1, 2)).during(5, 7));
    assertThat(versions(equal.toHistory(), Assumption.LINEARIZABLE_KEYS).order().size()).isZero();
  }

  @Test
  void writesFollowReadsIsAboutOneTransaction() {
    SmallHistory history = SmallHistory.plume("w(1,1,1,1) r(1,1,2,2) w(1,2,2,2) w(1,3,3,3)");
    EdgeList order = versions(history.toHistory(), Assumption.WRITES_FOLLOW_READS).order();
    assertThat(order.size()).isEqualTo(1);
    assertThat(order.from(0)).isZero();
    assertThat(order.to(0)).isEqualTo(1);
  }

  @Test
  void withoutAnAssumptionNothingIsOrdered() {
    SmallHistory history = SmallHistory.plume("w(1,1,1,1) r(1,1,2,2) w(1,2,2,2) w(1,3,3,3)");
    assertThat(versions(history.toHistory()).order().size()).isZero();
    assertThat(versions(history.toHistory()).cycles()).isEmpty();
  }

  @Test
  void valuesThatWereWrittenTwiceOrderNothingByBeingRead() {
    // The aborted write of 1 would be ruled out, but not at read uncommitted, which allows it.
    SmallHistory history =
        SmallHistory.of(
            Txn.committed(1, new Op.Write(1, 1)).during(1, 20),
            Txn.of(2, Outcome.ABORTED, List.of(new Op.Write(1, 1))).during(1, 2),
            Txn.committed(3, new Op.Read(1, 1)).during(3, 4),
            Txn.committed(4, new Op.Write(1, 2)).during(5, 6));
    assertThat(versions(history.toHistory(), Assumption.LINEARIZABLE_KEYS).order().size()).isZero();
  }

  @Test
  void anInconsistentSourceIsDroppedForItsKeyOnly() {
    SmallHistory history =
        SmallHistory.of(
            Txn.committed(1, new Op.Write(1, 1), new Op.Write(2, 1)).during(1, 2),
            Txn.committed(2, new Op.Write(1, 2), new Op.Write(2, 2)).during(3, 4),
            Txn.committed(3, new Op.Read(1, 1)).during(5, 6));
    RegisterVersions versions =
        versions(history.toHistory(), Assumption.LINEARIZABLE_KEYS, Assumption.WRITES_FOLLOW_READS);
    assertThat(versions.cycles()).hasSize(1);
    assertThat(versions.order().size()).isEqualTo(1);
    assertThat(versions.order().label(0)).isNotEqualTo(versions.cycles().get(0).key());
  }
}
