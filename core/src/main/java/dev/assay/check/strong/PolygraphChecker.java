package dev.assay.check.strong;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.solve.Effort;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides the strong levels exactly where the order of versions is not known: a level holds if some
 * order of the writers of every key satisfies it.
 */
public final class PolygraphChecker implements LevelChecker {
  @Override
  public String name() {
    return "strong-levels";
  }

  @Override
  public Findings check(Subject subject) {
    StrongRun run = new StrongRun(subject);
    run.decide();
    String unexamined = subject.unexamined();
    if (unexamined != null) {
      run.verdicts()
          .replaceAll(
              (level, verdict) ->
                  verdict instanceof Verdict.Holds
                      ? new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, unexamined)
                      : verdict);
    }
    return new Findings(run.verdicts(), run.anomalies(), run.notes(), stages(run.effort()));
  }

  private static Map<String, Long> stages(Effort effort) {
    Map<String, Long> stages = new LinkedHashMap<>();
    for (int stage = 0; stage < effort.stages(); stage++) {
      stages.put(effort.name(stage), effort.millis(stage));
    }
    return stages;
  }
}
