package dev.assay.cli.run;

import dev.assay.cli.process.Interruption;
import dev.assay.cli.process.Samples;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.LiveCheck;
import dev.assay.collect.judge.StreamedCheck;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Stop;
import dev.assay.explain.Cause;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LiveFacts;
import dev.assay.render.Plain;
import dev.assay.window.Standing;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Judges a run while it goes on, announces what it finds, and ends the run then if asked to. */
final class LiveJudging implements AutoCloseable {
  /** Why a run ended that was to go on until a violation. */
  static final String FOUND = "a violation was found";

  private final CheckRequest request;
  private final boolean brief;
  private final LiveCheck check;
  private final Stop stop;
  private final Consumer<String> announce;
  private final boolean untilViolated;
  private volatile boolean stopsAtNext;

  /**
   * Begins to judge.
   *
   * @param keep the number of bytes that are kept of the run; null for all
   * @param announce takes what is to be said about each violation; null to say nothing
   * @param brief whether what happened is left out there
   * @param untilViolated whether the run ends when a judged level is violated
   */
  LiveJudging(
      CheckRequest request,
      LiveRun run,
      Path recording,
      Long keep,
      Stop stop,
      Consumer<String> announce,
      boolean brief,
      boolean untilViolated) {
    this.request = request;
    this.stop = stop;
    this.announce = announce;
    this.brief = brief;
    this.untilViolated = untilViolated;
    this.check = new LiveCheck(recording, keep, request, clock(run), this::violated);
    run.keepFrom(check::part);
  }

  private static StreamedCheck.Clock clock(LiveRun run) {
    return new StreamedCheck.Clock() {
      @Override
      public long began() {
        return run.began();
      }

      @Override
      public long elapsed() {
        return run.elapsed().toNanos();
      }
    };
  }

  private void violated(StreamedCheck.Found found) {
    if (announce != null) {
      announce.accept(announcement(found));
    }
    if (stopsAtNext || untilViolated && found.judged()) {
      stop.because(FOUND);
    }
  }

  /** The run stops at the next violation of any level. */
  void stopAtNext() {
    stopsAtNext = true;
  }

  private String announcement(StreamedCheck.Found found) {
    LiveFacts.Moment moment = found.moment();
    List<Level> weakest = Level.minimal(List.copyOf(moment.levels()));
    StringBuilder text = new StringBuilder("assay: ");
    text.append(weakest.isEmpty() ? "found" : Plain.listed(weakest) + " violated");
    if (moment.nanos() >= 0) {
      text.append(" after ").append(Plain.duration(moment.nanos() / 1_000_000));
    }
    text.append(", among ").append(Plain.count(moment.transactions(), "transaction"));
    List<Cause> causes = found.result().causes();
    if (!causes.isEmpty()) {
      Cause first = causes.get(0);
      text.append(": ").append(first.story().name());
      if (!brief) {
        text.append(" (").append(first.anomaly().type()).append("), ");
        text.append(first.story().what());
      }
    }
    return text.append('\n').toString();
  }

  /** The verdict so far. */
  Standing standing() {
    return check
        .soFar()
        .orElseGet(() -> new Standing(0, 0, 0, new EnumMap<>(Level.class), Map.of(), 0));
  }

  /** The verdict so far, for a line of progress; empty while there is none. */
  String soFar() {
    Standing standing = standing();
    if (standing.judged() == 0) {
      return "";
    }
    String found =
        standing.anomalies().isEmpty()
            ? ""
            : Plain.listed(List.copyOf(standing.anomalies().keySet())) + "; ";
    List<Level> strongest = standing.strongest();
    return found
        + (strongest.isEmpty() ? "no level" : Plain.listed(strongest))
        + (strongest.size() > 1 ? " hold" : " holds")
        + " for the first "
        + Plain.count(standing.judged(), "transaction");
  }

  /**
   * The result, without checking anything again; empty if the whole recording has to be. Ctrl-C
   * gives what is known by then.
   */
  Optional<CheckResult> result(boolean measureHeap) {
    Samples.stage("finish");
    Interruption interruption = Interruption.first(check::giveUp);
    try {
      return check.result(request.config().get(Parameters.TIMEOUT), measureHeap);
    } finally {
      interruption.forget();
    }
  }

  /** What is known of the run beside the result of a check of its recording. */
  LiveFacts facts() {
    return new LiveFacts(null, null, check.moments());
  }

  /** The files with what shows the violations, if the recording may not have it. */
  List<Path> kept() {
    return check.kept();
  }

  /** Why there was no {@link #result}. */
  String whyWhole() {
    return check.whyWhole();
  }

  @Override
  public void close() {
    check.close();
  }
}
