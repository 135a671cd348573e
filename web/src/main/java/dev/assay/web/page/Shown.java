package dev.assay.web.page;

import dev.assay.collect.client.Client;
import dev.assay.collect.config.Clients;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.runs.LiveState;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.workload.Distribution;
import dev.assay.level.AnomalyType;
import dev.assay.render.Plain;
import dev.assay.web.run.RunPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A run in the words of the pages. */
final class Shown {
  private final RunFolder run;
  private final RunConfig config;
  private final RunState state;

  Shown(RunFolder run) {
    this.run = run;
    this.config = run.config();
    this.state = run.state();
  }

  RunFolder run() {
    return run;
  }

  String id() {
    return run.id();
  }

  RunStatus status() {
    return run.status();
  }

  String href() {
    return "/runs/" + run.id();
  }

  String message() {
    return state.message() == null ? "" : state.message();
  }

  RunConfig config() {
    return config;
  }

  RunState state() {
    return state;
  }

  RunResult found() {
    return state.found();
  }

  /** What made the history. */
  String subject() {
    Source source = config.source();
    if (source == Source.UPLOAD) {
      return config.has(Parameters.LABEL) ? config.given(Parameters.LABEL) : "uploaded history";
    }
    if (source == Source.SYNTHETIC) {
      return "simulated " + config.text(Parameters.STORE);
    }
    if (config.has(Parameters.PRODUCT)) {
      return config.given(Parameters.PRODUCT);
    }
    String id = config.given(Parameters.DATABASE);
    String name = Clients.byId(id).map(Client::title).orElse(id);
    return config.has(Parameters.VERSION) ? name + " " + config.given(Parameters.VERSION) : name;
  }

  String isolation() {
    return config.given(Parameters.ISOLATION);
  }

  /** The parameters on one line. */
  String parameters() {
    List<String> parts = new ArrayList<>();
    add(parts, Parameters.WORKLOAD, "");
    add(parts, Parameters.SESSIONS, " sessions");
    add(parts, Parameters.TRANSACTIONS, " txns each");
    add(parts, Parameters.OPERATIONS, " ops");
    add(parts, Parameters.KEYS, " keys");
    if (config.has(Parameters.READS)) {
      parts.add(percent(config.given(Parameters.READS)) + " reads");
    }
    if (!config.given(Parameters.DISTRIBUTION).equals(Distribution.UNIFORM.id())) {
      add(parts, Parameters.DISTRIBUTION, "");
    }
    return String.join(" · ", parts);
  }

  /** Shares as people say them; a list of them stays as it was given. */
  private static String percent(String share) {
    try {
      return Math.round(100 * Double.parseDouble(share)) + " %";
    } catch (NumberFormatException e) {
      return share;
    }
  }

  private void add(List<String> parts, Parameter<?> parameter, String unit) {
    if (config.has(parameter)) {
      parts.add(config.given(parameter) + unit);
    }
  }

  /** An anomaly by the name that people use, and its id. */
  static String named(String anomaly) {
    return AnomalyType.find(anomaly)
        .map(type -> type.title() + " (" + type.id() + ")")
        .orElse(anomaly);
  }

  /** What was found, in few words. */
  String finding() {
    switch (status()) {
      case HEALTHY, BUGGY, UNKNOWN -> {
        List<String> names =
            found().anomalies().stream().map(anomaly -> named(anomaly.type())).toList();
        if (status() == RunStatus.BUGGY && !names.isEmpty()) {
          return String.join(", ", names.subList(0, Math.min(3, names.size())))
              + (names.size() > 3 ? " and " + (names.size() - 3) + " more" : "");
        }
        List<String> strongest = found().strongest();
        return strongest.isEmpty()
            ? message()
            : String.join(", ", strongest) + (strongest.size() == 1 ? " holds" : " hold");
      }
      default -> {
        return message();
      }
    }
  }

  String transactions() {
    RunResult.HistorySize size = found().history();
    return size == null ? "" : number(size.transactions());
  }

  /** A count for people; empty where there is none. */
  static String number(Long count) {
    return count == null ? "" : Plain.number(count);
  }

  /** How long deciding took, without reading the history and without explaining the verdict. */
  String checkTime() {
    RunResult.Timing timing = found().timing();
    return timing == null ? "" : Plain.duration(timing.decideMillis());
  }

  /** What made the history, with the version that the database says it has. */
  String product() {
    LiveState live = config.source().isLive() ? run.live() : null;
    return live == null || live.database() == null ? subject() : live.database();
  }

  /** The number of the attempt, for a run that is repeated until it shows a violation; else 0. */
  long attempt() {
    LiveState live = run.live();
    return live == null || live.attempt() == null ? 0 : live.attempt();
  }

  /** Whether fewer transactions were run than were asked for. */
  boolean isCutShort() {
    RunResult.HistorySize size = found().history();
    boolean counted = config.source().isLive() && config.has(Parameters.TRANSACTIONS);
    return counted
        && size != null
        && size.transactions() != null
        && size.transactions()
            < (long) config.get(Parameters.SESSIONS) * config.get(Parameters.TRANSACTIONS);
  }

  /** How long the run took, or has taken so far. */
  Duration elapsed() {
    if (state.started() == null) {
      return Duration.ZERO;
    }
    Instant end = state.ended() == null ? Instant.now() : state.ended();
    return Duration.between(state.started(), end);
  }

  String created() {
    return state.created() == null ? "" : state.created().toString();
  }

  List<String> checkers() {
    return RunPlan.checkers(config);
  }

  /** The status as a mark. */
  void pill(Html html) {
    html.element("span", status().title(), "class", "pill " + status().id());
  }

  /** A time that the script turns into the reader's own. */
  static void time(Html html, String instant) {
    String text = instant.length() < 19 ? instant : instant.substring(0, 19).replace('T', ' ');
    html.element("time", text, "datetime", instant, "title", "UTC " + text);
  }
}
