package dev.assay.check.strong;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
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
    String unexamined = unexamined(subject.history());
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

  /** Why nothing can be said to hold, or null. */
  private static String unexamined(History history) {
    for (OpKind.Type type : OpKind.Type.values()) {
      boolean examined = type == OpKind.Type.REGISTER || type == OpKind.Type.LIST;
      if (!examined && history.uses(type)) {
        return "only registers and lists were examined, and nothing was found there";
      }
    }
    return null;
  }
}
