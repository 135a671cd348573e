package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every step of every witness is true of the history and proves the level it is shown for. */
class WitnessTest {
  private static final Set<Level> DECIDED =
      EnumSet.of(
          Level.CAUSAL,
          Level.READ_ATOMIC,
          Level.READ_COMMITTED,
          Level.MONOTONIC_ATOMIC_VIEW,
          Level.PRAM,
          Level.READ_YOUR_WRITES,
          Level.MONOTONIC_READS,
          Level.MONOTONIC_WRITES,
          Level.WRITES_FOLLOW_READS);

  private final Map<Level, Integer> verified = new EnumMap<>(Level.class);

  @Test
  void eachWitnessIsACircleOfTrueStepsInTheFormOfItsLevel() {
    Random random = new Random(17);
    for (int i = 0; i < 6000; i++) {
      History history = randomHistory(random);
      for (Level level : DECIDED) {
        for (Anomaly anomaly :
            Verifier.sample(Assay.check(history, Set.of(level), Budget.unlimited()), Given.NOTHING)
                .anomalies()) {
          anomaly.witnesses().forEach(evidence -> verify(history, evidence));
          assertThat(anomaly.count()).isGreaterThanOrEqualTo(anomaly.witnesses().size());
        }
      }
    }
    assertThat(verified.keySet()).containsAll(DECIDED);
  }

  private static History randomHistory(Random random) {
    int transactions = 4 + random.nextInt(4);
    StringBuilder text = new StringBuilder();
    int[] written = new int[3];
    for (int t = 0; t < transactions; t++) {
      int session = random.nextInt(3);
      for (int op = 0; op < 1 + random.nextInt(3); op++) {
        int key = random.nextInt(3);
        if (random.nextBoolean()) {
          text.append("w(%d,%d,%d,%d)%n".formatted(key, ++written[key], session, t));
        } else {
          int value = random.nextInt(written[key] + 1);
          text.append("r(%d,%d,%d,%d)%n".formatted(key, value, session, t));
        }
      }
    }
    return SmallHistory.plume(text.toString()).toHistory();
  }

  private void verify(History history, Evidence evidence) {
    List<Edge> edges = evidence.edges();
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      assertThat(edge.to()).isEqualTo(edges.get((i + 1) % edges.size()).from());
      verify(history, edge, evidence.refutes());
    }
    if (!edges.isEmpty() && evidence.refutes() != null) {
      verified.merge(evidence.refutes(), 1, Integer::sum);
    }
  }

  private static void verify(History history, Edge edge, Level level) {
    switch (edge.kind()) {
      case SO -> {
        assertThat(history.session(edge.from())).isEqualTo(history.session(edge.to()));
        assertThat(history.placeInSession(edge.from()))
            .isLessThan(history.placeInSession(edge.to()));
      }
      case WR -> verifyRead(history, edge);
      case WW -> assertThat(edge.from()).as("registers have no other order").isEqualTo(-1);
      case CM -> verifyCommit(history, edge, level);
      default -> throw new AssertionError("an edge of kind " + edge.kind());
    }
  }

  private static void verifyRead(History history, Edge edge) {
    int read = edge.toOp();
    assertThat(history.kind(read)).isEqualTo(OpKind.READ);
    assertThat(history.transactionOf(read)).isEqualTo(edge.to());
    assertThat(history.key(read)).isEqualTo(edge.key());
    if (edge.from() == Edge.INITIAL) {
      assertThat(history.value(read)).isZero();
    } else {
      int write = edge.fromOp();
      assertThat(history.kind(write)).isEqualTo(OpKind.WRITE);
      assertThat(history.transactionOf(write)).isEqualTo(edge.from());
      assertThat(history.key(write)).isEqualTo(edge.key());
      assertThat(history.value(write)).isEqualTo(history.value(read));
    }
  }

  private static void verifyCommit(History history, Edge edge, Level level) {
    List<Edge> because = edge.because();
    Edge read = because.get(because.size() - 1);
    List<Edge> bound = because.subList(0, because.size() - 1);
    because.forEach(step -> verify(history, step, level));
    assertThat(read.kind()).isEqualTo(EdgeKind.WR);
    assertThat(read.key()).isEqualTo(edge.key());
    assertThat(read.from()).isEqualTo(edge.to());
    assertThat(writes(history, edge.from(), edge.key())).isTrue();
    assertThat(bound.get(0).from()).isEqualTo(edge.from());
    assertThat(bound.get(bound.size() - 1).to()).isEqualTo(read.to());
    for (int i = 1; i < bound.size(); i++) {
      assertThat(bound.get(i).from()).isEqualTo(bound.get(i - 1).to());
    }
    String form = String.join(" ", bound.stream().map(step -> step.kind().id()).toList());
    switch (level) {
      case READ_COMMITTED, MONOTONIC_ATOMIC_VIEW -> {
        assertThat(form).isEqualTo("wr");
        assertThat(bound.get(0).toOp()).isLessThan(read.toOp());
      }
      case READ_ATOMIC -> assertThat(form).isIn("wr", "so");
      case READ_YOUR_WRITES -> assertThat(form).isEqualTo("so");
      case MONOTONIC_READS -> assertThat(form).isEqualTo("wr so");
      case MONOTONIC_WRITES -> assertThat(form).isEqualTo("so wr");
      case WRITES_FOLLOW_READS -> {
        assertThat(form).isIn("wr so wr", "wr wr");
        if (form.equals("wr wr")) {
          assertThat(bound.get(0).toOp()).isLessThan(bound.get(1).fromOp());
        }
      }
      case PRAM -> assertThat(form).isIn("so", "wr so", "so wr");
      case CAUSAL -> assertThat(form).matches("(wr|so)( (wr|so))*");
      default -> throw new AssertionError("no form is known for " + level);
    }
  }

  private static boolean writes(History history, int txn, int key) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == key) {
        return true;
      }
    }
    return false;
  }
}
