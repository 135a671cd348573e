package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Arguments in which each step is shared by two others, sixty deep: sixty steps, and 2⁶⁰ paths to
 * the last. What visits paths instead of steps does not end.
 */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedReasonsTest {
  private static final int DEPTH = 60;

  private static Edge ladder(EdgeKind lowest) {
    Edge edge = Edge.of(0, 1, lowest, 0, 0, 1);
    for (int i = 0; i < DEPTH; i++) {
      edge = new Edge(i % 2, 1 - i % 2, EdgeKind.WW, 0, 0, 1, List.of(edge, edge));
    }
    return edge;
  }

  private static Anomaly anomaly(Edge... arguments) {
    List<Evidence> witnesses =
        List.of(arguments).stream().map(edge -> Evidence.ofEdges(List.of(edge))).toList();
    return Anomaly.of(AnomalyType.G0, 1, witnesses);
  }

  private static int steps(Edge edge) {
    Set<Edge> steps = Collections.newSetFromMap(new IdentityHashMap<>());
    Edge.forEachReason(List.of(edge), steps::add);
    return steps.size();
  }

  @Test
  void equalArgumentsAreEqual() {
    assertThat(ladder(EdgeKind.WR).equals(ladder(EdgeKind.WR))).isTrue();
    assertThat(ladder(EdgeKind.WR).hashCode()).isEqualTo(ladder(EdgeKind.WR).hashCode());
    assertThat(ladder(EdgeKind.WR).equals(ladder(EdgeKind.RW))).isFalse();
  }

  @Test
  void everyReasonIsLookedAt() {
    Edge ladder = ladder(EdgeKind.WR);
    assertThat(Edge.anyReason(List.of(ladder), edge -> edge.kind() == EdgeKind.WR)).isTrue();
    assertThat(Edge.anyReason(List.of(ladder), edge -> edge.kind() == EdgeKind.RW)).isFalse();
    assertThat(steps(ladder)).isEqualTo(DEPTH + 1);
  }

  private static History twoWrites() {
    HistoryBuilder builder = new HistoryBuilder();
    int session = builder.session("a");
    builder.begin(session, Outcome.COMMITTED);
    builder.write("x", 1);
    builder.begin(session, Outcome.COMMITTED);
    builder.write("y", 2);
    return builder.build();
  }

  @Test
  void anExplanationSaysEachStepOnce() {
    Explanation explanation =
        new Explainer(twoWrites())
            .explain(AnomalyType.G0, Evidence.ofEdges(List.of(ladder(EdgeKind.WW))));
    assertThat(explanation.toString()).hasSizeLessThan(1_000_000);
  }

  /** The rewritten history has the two transactions in the reverse order. */
  @Test
  void theWayBackFromARewritingKeepsWhatIsShared() {
    History history = twoWrites();
    Rewriting.Builder rewriting = new Rewriting.Builder(history);
    for (int txn : new int[] {1, 0}) {
      rewriting.begin(txn);
      rewriting.copy(history.firstOp(txn));
    }
    Anomaly found = anomaly(ladder(EdgeKind.WR), ladder(EdgeKind.WR), ladder(EdgeKind.RW));
    Anomaly back = ArgumentMapper.back(rewriting.build()).anomaly(found);
    assertThat(back.witnesses()).hasSize(2);
    Edge last = back.witnesses().get(0).edges().get(0);
    assertThat(steps(last)).isEqualTo(DEPTH + 1);
    Edge first = last;
    while (!first.because().isEmpty()) {
      first = first.because().get(0);
    }
    assertThat(first).isEqualTo(Edge.of(1, 0, EdgeKind.WR, history.key(1), 1, 0));
  }
}
