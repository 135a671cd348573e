package dev.assay.check;

import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.History;
import dev.assay.history.Rewriting;
import dev.assay.infer.SetItems;
import dev.assay.infer.VersionOrders;
import dev.assay.resolve.ReadsFrom;
import java.util.function.Function;

/** Has a history of sets checked as if their elements were registers ({@link SetItems}). */
public final class ByElement {
  private ByElement() {}

  /** What a checker of registers and lists finds. */
  public static Findings check(Subject subject, Function<Subject, Findings> checker) {
    Rewriting items = subject.versions().setItems().rewriting();
    if (items.isNone()) {
      return checker.apply(subject);
    }
    History rewritten = items.rewritten();
    ReadsFrom reads = subject.reads().like(rewritten);
    Findings found =
        checker.apply(
            new Subject(
                rewritten,
                reads,
                new VersionOrders(rewritten, reads, subject.versions().given()),
                subject.levels(),
                subject.violated(),
                subject.holding(),
                subject.budget()));
    return new Findings(
        found.verdicts(),
        ArgumentMapper.back(items).anomalies(found.anomalies()),
        found.notes(),
        found.stages());
  }
}
