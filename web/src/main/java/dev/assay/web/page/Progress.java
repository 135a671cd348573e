package dev.assay.web.page;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.ValueType;
import dev.assay.render.Plain;
import dev.assay.web.plot.Usage;
import dev.assay.web.run.SampleFiles;
import java.util.ArrayList;
import java.util.List;

/** How far a run is: as a share where the end is known, and as words. */
final class Progress {
  private static final String RECORDING = "record";

  private final Shown shown;
  private final List<Usage.Sample> samples;

  Progress(Shown shown) {
    this.shown = shown;
    this.samples = SampleFiles.read(shown.run());
  }

  void write(Html html) {
    double share = share();
    html.open("span", "class", "live");
    boolean known = share >= 0;
    html.element(
        "progress",
        "",
        "aria-label",
        "progress",
        "max",
        known ? "100" : null,
        "value",
        known ? Long.toString(Math.round(100 * share)) : null);
    html.text(" " + words(share)).close();
  }

  private String words(double share) {
    List<String> words = new ArrayList<>();
    words.add(stage());
    if (shown.attempt() > 0) {
      words.add(attempt());
    }
    Usage.Sample last = samples.isEmpty() ? null : samples.get(samples.size() - 1);
    if (last != null && last.committed() > 0 && last.stage().equals(RECORDING)) {
      words.add(Plain.number(last.committed()) + " committed");
    }
    long elapsed = shown.elapsed().toMillis();
    words.add(Plain.duration(elapsed));
    if (share > 0.02 && share < 1) {
      long recording = last.millis() - first().millis();
      words.add("about " + Plain.duration((long) (recording * (1 - share) / share)) + " left");
    }
    return String.join(", ", words);
  }

  private String attempt() {
    int most = shown.config().get(Parameters.REPEAT);
    return "attempt "
        + Plain.number(shown.attempt())
        + (most == Integer.MAX_VALUE ? "" : " of up to " + Plain.number(most));
  }

  /** What it is at, for people. */
  private String stage() {
    String step = shown.state().step() == null ? "starting" : shown.state().step();
    if (samples.isEmpty()) {
      return step.equals("run") ? "starting" : step;
    }
    String stage = samples.get(samples.size() - 1).stage();
    return switch (stage) {
      case "start" -> "starting";
      case RECORDING -> "recording";
      case "finish" -> "finishing the check";
      case "read" -> "reading the history";
      case "explain" -> "explaining the verdict";
      default -> step.startsWith("check") ? step + ": " + stage : "checking: " + stage;
    };
  }

  private Usage.Sample first() {
    for (Usage.Sample sample : samples) {
      if (sample.stage().equals(RECORDING)) {
        return sample;
      }
    }
    return samples.get(0);
  }

  /** The share of the recording that is done; negative where its end is not known. */
  private double share() {
    RunConfig config = shown.config();
    boolean repeated = shown.attempt() > 0;
    if (samples.isEmpty() || repeated || !config.source().isLive()) {
      return -1;
    }
    Usage.Sample last = samples.get(samples.size() - 1);
    if (!last.stage().equals(RECORDING)) {
      return -1;
    }
    if (config.has(Parameters.TRANSACTIONS)) {
      double asked = (double) config.get(Parameters.SESSIONS) * config.get(Parameters.TRANSACTIONS);
      return Math.min(1, last.committed() / asked);
    }
    if (config.get(Parameters.DURATION).equals(ValueType.WITHOUT_END)) {
      return -1;
    }
    double millis = config.get(Parameters.DURATION).toMillis();
    return Math.min(1, (last.millis() - first().millis()) / millis);
  }
}
