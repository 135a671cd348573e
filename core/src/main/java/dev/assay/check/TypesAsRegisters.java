package dev.assay.check;

import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.History;
import dev.assay.history.Rewriting;
import dev.assay.infer.VersionOrders;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.AsRegisters;
import java.util.function.Function;

/**
 * Checks a history of other types by rewriting their operations as those of registers ({@link
 * AsRegisters}), running a checker of registers on the result and mapping its findings back.
 */
public final class TypesAsRegisters {
  private TypesAsRegisters() {}

  /** What a checker of registers and lists finds in the rewritten history. */
  public static Findings check(Subject subject, Function<Subject, Findings> checker) {
    Rewriting items = subject.versions().asRegisters().rewriting();
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
