package dev.assay.web.page;

import dev.assay.collect.db.Database;
import dev.assay.collect.db.Databases;
import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunResult.FoundAnomaly;
import dev.assay.collect.runs.RunState;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.Plain;
import dev.assay.web.run.Parameter;
import dev.assay.web.run.RunPlan;
import dev.assay.web.run.RunRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run in the words of the pages. */
final class Shown {
  private final RunFolder run;
  private final Map<String, Object> config;
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

  Map<String, Object> config() {
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
    String product = Json.text(config.get("product"));
    return switch (Json.text(config.get("source"))) {
      case RunRequest.UPLOAD -> {
        String label = Json.text(config.get("label"));
        yield label.isEmpty() ? "uploaded history" : label;
      }
      case RunRequest.SYNTHETIC -> "simulated " + Json.text(config.get("store"));
      default -> {
        String version = Json.text(config.get("version"));
        String id = Json.text(config.get("database"));
        String name = Databases.byId(id).map(Database::title).orElse(id);
        yield !product.isEmpty() ? product : version.isEmpty() ? name : name + " " + version;
      }
    };
  }

  String isolation() {
    return Json.text(config.get("isolation"));
  }

  /** The parameters on one line. */
  String parameters() {
    List<String> parts = new ArrayList<>();
    add(parts, Parameter.WORKLOAD, "");
    add(parts, Parameter.SESSIONS, " sessions");
    add(parts, Parameter.TRANSACTIONS, " txns each");
    add(parts, Parameter.OPERATIONS, " ops");
    add(parts, Parameter.KEYS, " keys");
    add(parts, Parameter.READS, " reads");
    String distribution = Json.text(config.get("distribution"));
    if (!distribution.isEmpty() && !distribution.equals("uniform")) {
      parts.add(distribution);
    }
    return String.join(" · ", parts);
  }

  private void add(List<String> parts, Parameter parameter, String unit) {
    String value = Json.text(config.get(parameter.id()));
    if (!value.isEmpty()) {
      parts.add(value + unit);
    }
  }

  /** What was found, in few words. */
  String finding() {
    switch (status()) {
      case HEALTHY, BUGGY, UNKNOWN -> {
        List<String> names = found().anomalies().stream().map(FoundAnomaly::type).toList();
        if (status() == RunStatus.BUGGY && !names.isEmpty()) {
          return String.join(", ", names.subList(0, Math.min(3, names.size())))
              + (names.size() > 3 ? " and " + (names.size() - 3) + " more" : "");
        }
        List<String> strongest = found().strongest();
        return strongest.isEmpty() ? message() : String.join(", ", strongest) + " holds";
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

  String checkTime() {
    RunResult.Timing timing = found().timing();
    return timing == null ? "" : Plain.duration(timing.totalMillis());
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
