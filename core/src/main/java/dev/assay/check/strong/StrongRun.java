package dev.assay.check.strong;

import dev.assay.check.Anomaly;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LikelyOrder;
import dev.assay.check.Verdict;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.infer.ListVersions;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import dev.assay.solve.Polygraph;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides the strong levels of one history. */
final class StrongRun {
  /** In this order, so that what holds or fails settles most of what comes after. */
  private static final List<Level> ORDER =
      List.of(
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.STRICT_SERIALIZABLE,
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.STRONG_SNAPSHOT_ISOLATION,
          Level.SNAPSHOT_ISOLATION,
          Level.PREFIX);

  private final Subject subject;
  private final History history;
  private final Set<Level> violated = EnumSet.noneOf(Level.class);
  private final Set<Level> holding = EnumSet.noneOf(Level.class);
  private final Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
  private final List<Anomaly> anomalies = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Effort effort = new Effort();
  private Instance instance;
  private int[] likely;

  StrongRun(Subject subject) {
    this.subject = subject;
    this.history = subject.history();
    violated.addAll(subject.violated());
    holding.addAll(subject.holding());
  }

  Map<Level, Verdict> verdicts() {
    return verdicts;
  }

  List<Anomaly> anomalies() {
    return anomalies;
  }

  List<String> notes() {
    return notes;
  }

  Effort effort() {
    return effort;
  }

  void decide() {
    for (Level level : ORDER) {
      boolean wanted = subject.levels().contains(level);
      boolean possible = history.hasTimes() || !level.needsRealTime();
      if (wanted && possible && isOpen(level)) {
        decide(Model.of(level));
      }
    }
  }

  private boolean isOpen(Level level) {
    return violated.stream().noneMatch(level::implies)
        && holding.stream().noneMatch(held -> held.implies(level));
  }

  private void decide(Model model) {
    if (instance == null) {
      List<EdgeList> orders = List.of(new ListVersions(history, subject.reads()).order());
      instance = Instance.whole(history, subject.reads(), orders);
      likely = LikelyOrder.of(history);
    }
    Choices choices = new Choices(instance);
    Decision.Result result = run(instance, model, choices);
    if (result instanceof Decision.Result.Found) {
      hold(model.level());
    } else if (result instanceof Decision.Result.Expired) {
      verdicts.put(
          model.level(),
          new Verdict.Unknown(Verdict.Reason.TIMEOUT, "the time given ran out; see --timeout"));
    } else if (choices.incomplete()) {
      verdicts.put(
          model.level(),
          new Verdict.Unknown(
              Verdict.Reason.AMBIGUOUS,
              "some reads saw a value that a transaction of unknown outcome may have written"));
    } else {
      violated.add(model.level());
      verdicts.put(
          model.level(),
          new Verdict.Violated(
              List.of(AnomalyType.G2_ITEM), "no order of the transactions explains every read"));
    }
  }

  private void hold(Level level) {
    holding.add(level);
    verdicts.put(level, new Verdict.Holds("a commit order explains every read"));
  }

  private Decision.Result run(Instance of, Model model, Choices choices) {
    int[] preferred = of.inOrder(likely);
    while (true) {
      long start = System.nanoTime();
      choices.reset();
      Polygraph problem = Encoding.of(of, model, choices);
      effort.constructed(start);
      Decision.Result result =
          new Decision(problem, subject.budget()::expired, effort).run(preferred);
      if (!(result instanceof Decision.Result.Narrowed narrowed)) {
        return result;
      }
      choices.narrow(narrowed.left());
    }
  }
}
