package dev.assay.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cycle through a hundred thousand transactions. What looks at all of it for each of its edges
 * does not end.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongCyclesTest {
  private static final int LENGTH = 100_000;

  private static History history() {
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < LENGTH; i++) {
      builder.begin(builder.session("s" + i), Outcome.COMMITTED);
      builder.read("k" + (i + 1) % LENGTH, null);
      builder.write("k" + i, 1);
    }
    return builder.build();
  }

  private static Evidence cycle() {
    List<Edge> edges = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      int next = (i + 1) % LENGTH;
      edges.add(Edge.of(i, next, EdgeKind.RW, next, 2 * i, 2 * next + 1));
    }
    return Evidence.ofEdges(edges);
  }

  @Test
  void theStoryOfALongCycleIsItsArgument() {
    Story story = new Explainer(history()).story(AnomalyType.G2_ITEM, cycle());
    assertThat(story.isPlain()).isFalse();
    assertThat(story.steps()).hasSize(LENGTH);
  }
}
