package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.assay.Assay;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every cycle shown on lists is a simple circle of true edges, and of the kind it is named. */
class CycleWitnessTest {
  /** Where these are found a list has no versions. */
  private static final Set<AnomalyType> BROKEN =
      EnumSet.of(AnomalyType.DUPLICATE_WRITE, AnomalyType.INCOMPATIBLE_ORDER);

  private final Map<AnomalyType, Integer> verified = new EnumMap<>(AnomalyType.class);

  @Test
  void eachCycleOnListsIsTrueAndNamedByItsEdges() {
    RandomHistories plain = new RandomHistories(Shape.committed(6, 3, 3), 31);
    RandomHistories timed = new RandomHistories(Shape.committed(7, 3, 3).withTimes(), 32);
    for (int i = 0; i < 3000; i++) {
      verify(plain.lists());
      verify(timed.lists());
    }
    assertThat(verified.keySet())
        .contains(
            AnomalyType.G0,
            AnomalyType.G1C,
            AnomalyType.G_SINGLE_ITEM,
            AnomalyType.G_NONADJACENT_ITEM,
            AnomalyType.G2_ITEM,
            AnomalyType.G0_PROCESS,
            AnomalyType.G1C_PROCESS,
            AnomalyType.G_SINGLE_ITEM_PROCESS,
            AnomalyType.G2_ITEM_PROCESS,
            AnomalyType.G1C_REALTIME,
            AnomalyType.G_SINGLE_ITEM_REALTIME,
            AnomalyType.LOST_UPDATE);
  }

  private void verify(SmallHistory small) {
    History history = small.toHistory();
    List<Anomaly> anomalies =
        Verifier.sample(Assay.check(history, Level.surveyed(), Budget.unlimited()), Given.NOTHING)
            .anomalies();
    if (anomalies.stream().anyMatch(anomaly -> BROKEN.contains(anomaly.type()))) {
      return;
    }
    for (Anomaly anomaly : anomalies) {
      boolean cycle = anomaly.type().id().startsWith("G");
      if (cycle || anomaly.type() == AnomalyType.LOST_UPDATE) {
        for (Evidence evidence : anomaly.witnesses()) {
          assertThatCode(() -> verify(history, evidence))
              .as("%s in %s", anomaly.type(), small)
              .doesNotThrowAnyException();
          // What rests on other cycles is named by these too.
          boolean inferred = evidence.edges().stream().anyMatch(e -> !e.because().isEmpty());
          if (cycle && !inferred) {
            assertThat(anomaly.type().id()).isEqualTo(name(evidence.edges()));
          }
          verified.merge(anomaly.type(), 1, Integer::sum);
        }
      }
    }
  }

  private static void verify(History history, Evidence evidence) {
    // There a circle leads from operation to operation.
    boolean split = evidence.refutes() == Level.CAUSAL_NON_TRANSACTIONAL;
    List<Edge> edges = evidence.edges();
    Set<Integer> met = new HashSet<>();
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      Edge next = edges.get((i + 1) % edges.size());
      assertThat(met.add(split ? edge.fromOp() : edge.from())).isTrue();
      assertThat(edge.to()).isEqualTo(next.from());
      if (split) {
        assertThat(edge.toOp()).isEqualTo(next.fromOp());
        assertThat(history.transactionOf(edge.fromOp())).isEqualTo(edge.from());
      }
      if (split && edge.kind() == EdgeKind.SO && edge.from() == edge.to()) {
        assertThat(edge.fromOp()).isLessThan(edge.toOp());
        continue;
      }
      switch (edge.kind()) {
        case SO -> {
          assertThat(history.session(edge.from())).isEqualTo(history.session(edge.to()));
          assertThat(history.placeInSession(edge.from()))
              .isLessThan(history.placeInSession(edge.to()));
        }
        case RT -> assertThat(history.end(edge.from())).isLessThan(history.start(edge.to()));
        case WR -> {
          List<Object> seen = elements(history, edge.toOp(), edge.to(), edge.key());
          assertThat(seen.get(seen.size() - 1))
              .isEqualTo(appended(history, edge.fromOp(), edge.from(), edge.key()));
        }
        case WW -> {
          Object first = appended(history, edge.fromOp(), edge.from(), edge.key());
          Object second = appended(history, edge.toOp(), edge.to(), edge.key());
          // Inferred edges argue for themselves; ProofTest verifies them.
          assertThat(!edge.because().isEmpty() || isShownBefore(history, edge.key(), first, second))
              .isTrue();
        }
        case RW -> {
          List<Object> seen = elements(history, edge.fromOp(), edge.from(), edge.key());
          Object missed = appended(history, edge.toOp(), edge.to(), edge.key());
          assertThat(seen).doesNotContain(missed);
        }
        default -> throw new AssertionError("an edge of kind " + edge.kind());
      }
    }
  }

  private static List<Object> elements(History history, int read, int txn, int key) {
    assertThat(history.kind(read)).isEqualTo(OpKind.LIST_READ);
    assertThat(history.transactionOf(read)).isEqualTo(txn);
    assertThat(history.key(read)).isEqualTo(key);
    int sequence = history.value(read);
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < history.sequences().length(sequence); i++) {
      elements.add(history.values().get(history.sequences().element(sequence, i)));
    }
    return elements;
  }

  private static Object appended(History history, int op, int txn, int key) {
    assertThat(history.kind(op)).isEqualTo(OpKind.APPEND);
    assertThat(history.transactionOf(op)).isEqualTo(txn);
    assertThat(history.key(op)).isEqualTo(key);
    return history.values().get(history.value(op));
  }

  /** Whether some read shows one element and the other behind it or not at all. */
  private static boolean isShownBefore(History history, int key, Object first, Object second) {
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.LIST_READ && history.key(op) == key) {
        List<Object> seen = elements(history, op, history.transactionOf(op), key);
        int place = seen.indexOf(second);
        if (seen.contains(first) && (place < 0 || place > seen.indexOf(first))) {
          return true;
        }
      }
    }
    return false;
  }

  private static String name(List<Edge> edges) {
    List<String> kinds = edges.stream().map(edge -> edge.kind().id()).toList();
    String circle = String.join(" ", kinds) + " " + kinds.get(0);
    long antiDependencies = kinds.stream().filter("rw"::equals).count();
    String base;
    if (antiDependencies > 1) {
      base = circle.contains("rw rw") ? "G2-item" : "G-nonadjacent-item";
    } else if (antiDependencies == 1) {
      base = "G-single-item";
    } else {
      base = kinds.contains("wr") ? "G1c" : "G0";
    }
    return base + (kinds.contains("rt") ? "-realtime" : kinds.contains("so") ? "-process" : "");
  }
}
