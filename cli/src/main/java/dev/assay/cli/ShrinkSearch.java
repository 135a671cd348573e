package dev.assay.cli;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.cli.process.Progress;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.CheckService;
import dev.assay.collect.judge.Reading;
import dev.assay.explain.Smallest;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Plain;
import dev.assay.render.Totals;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds what {@code assay shrink} writes: a level that a history violates, and the smallest part
 * that violates it. Of a history that does not fit into memory only the part that shows the
 * violations in windows is looked at.
 */
final class ShrinkSearch {
  private final CheckRequest request;
  private final Level asked;
  private final Set<AnomalyType> types;
  private final Budget budget;
  private final Progress progress;

  /**
   * What was found.
   *
   * @param report the history, or the part of it that was looked at, and the verdicts
   * @param level the level that the smallest part violates, or that was to be violated
   * @param smallest the smallest part; null if the level is not violated
   * @param totals the size of the history, or of what was looked at in the time given
   * @param ended whether the time ended before all of the history was looked at
   */
  record Found(Report report, Level level, Smallest smallest, Totals totals, boolean ended) {}

  /**
   * A search.
   *
   * @param request how to read the history and what to assume; all levels, if none is asked for
   * @param asked the level to violate, or null
   * @param types the anomalies to choose from; any, if empty
   * @param progress shows what is being done, or null
   */
  ShrinkSearch(
      CheckRequest request, Level asked, Set<AnomalyType> types, Budget budget, Progress progress) {
    this.request = request;
    this.asked = asked;
    this.types = types;
    this.budget = budget;
    this.progress = progress;
  }

  /**
   * Finds the smallest part.
   *
   * @param memory bytes for what is kept of the history at any time; 0 to look at all of it if that
   *     fits
   */
  Found find(Input input, long memory) throws ParseException {
    CheckService service = new CheckService(request, follower());
    if (memory > 0) {
      return inWindows(service, input, memory);
    }
    if (service.mustBeDivided(input)) {
      return inWindows(service, input, CheckService.forPast());
    }
    try {
      return inWhole(service.read(input, budget));
    } catch (OutOfMemoryError e) {
      if (!service.canBeDivided(input)) {
        throw Reading.tooLarge(input);
      }
    }
    return inWindows(service, input, CheckService.forPast());
  }

  private Found inWhole(History history) throws ParseException {
    VersionCertificate certificate =
        request.certificate() == null
            ? VersionCertificate.NONE
            : VersionCertificates.read(Input.of(request.certificate()), history);
    Given given = new Given(request.set(Parameters.INFER), certificate);
    stage("checking");
    Report survey = asked == null ? survey(history, given) : null;
    Level level = asked == null ? weakest(survey) : asked;
    Report report = Assay.check(history, Set.of(level), given, budget);
    if (survey != null && !report.violated(level) && survey.violated(level)) {
      // There was no time to look at that level alone.
      report = survey.about(level);
    }
    if (report.verdict(level) == Verdict.Unknown.OUT_OF_MEMORY) {
      throw new OutOfMemoryError("a checker ran out of memory");
    }
    return new Found(report, level, shrunk(report, level, given), Totals.of(history), false);
  }

  /** The same in the part of the history that violates. */
  private Found inWindows(CheckService service, Input input, long memory) throws ParseException {
    CheckResult result = service.checkLarge(input, memory, half(), false);
    Report all = result.report();
    Level level = asked == null ? weakest(all) : asked;
    boolean ended = all.verdicts().containsValue(Verdict.Unknown.TIMEOUT);
    if (!all.violated(level)) {
      return new Found(all, level, null, result.totals(), ended);
    }
    stage("checking");
    Report part = Assay.check(all.history(), Set.of(level), Given.NOTHING, budget);
    // The part may be too large to be checked in the time that is left.
    Report report = part.violated(level) ? part : all.about(level);
    Smallest smallest = shrunk(report, level, Given.NOTHING);
    return new Found(report, level, smallest, result.totals(), ended);
  }

  private Smallest shrunk(Report report, Level level, Given given) {
    if (!report.violated(level)) {
      return null;
    }
    requireShown(report, level);
    stage("shrinking");
    return Assay.shrink(report, given, level, types, budget);
  }

  private void stage(String now) {
    if (progress != null) {
      progress.stage(now);
    }
  }

  private CheckService.Listener follower() {
    return new CheckService.Listener() {
      @Override
      public void progress(String doing, double share) {
        if (progress != null) {
          progress.share(doing, share);
        }
      }
    };
  }

  /** Half of the time at most goes into finding out what to look at. */
  private Budget half() {
    return budget.atMost(request.config().get(Parameters.TIMEOUT).dividedBy(2));
  }

  /** What may be looked at where no level was named. */
  private Report survey(History history, Given given) {
    Level expected = CheckRequest.recorded(history);
    List<Level> levels = new ArrayList<>();
    for (Level one : Level.values()) {
      boolean surveyed = Level.surveyed().contains(one) || one == expected;
      if (surveyed && (types.isEmpty() ? expected.implies(one) : forbidsAny(one))) {
        levels.add(one);
      }
    }
    return Assay.check(history, levels, given, half());
  }

  /** The level to look at where none was named. */
  private Level weakest(Report report) {
    Level expected = CheckRequest.recorded(report.history());
    for (Anomaly anomaly : report.anomalies()) {
      if (types.contains(anomaly.type())) {
        List<Level> below = anomaly.violates().stream().filter(expected::implies).toList();
        return best(Level.minimal(below.isEmpty() ? anomaly.violates() : below));
      }
    }
    List<Level> weakest =
        Level.minimal(
            report.verdicts().keySet().stream()
                .filter(level -> report.violated(level) && expected.implies(level))
                .toList());
    return weakest.isEmpty() ? expected : best(weakest);
  }

  /** Of several levels one that databases offer, rather than a session guarantee. */
  private static Level best(List<Level> levels) {
    return levels.stream().filter(Level.SERIALIZABLE::implies).findFirst().orElse(levels.get(0));
  }

  private boolean forbidsAny(Level level) {
    return types.stream().anyMatch(type -> type.forbiddenBy().contains(level));
  }

  private void requireShown(Report report, Level level) {
    List<String> found = new ArrayList<>();
    for (Anomaly anomaly : report.anomalies()) {
      if (types.contains(anomaly.type())) {
        return;
      }
      found.add(anomaly.type().id());
    }
    if (!types.isEmpty()) {
      String instead = found.isEmpty() ? "" : "; it shows " + Plain.listed(found);
      throw new UsageException(
          report.history().origin().name()
              + " does not violate "
              + level
              + " by "
              + String.join(" or ", types.stream().map(AnomalyType::id).sorted().toList())
              + instead);
    }
  }
}
