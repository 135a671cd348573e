package dev.assay.cli.watch;

import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.StatusLine;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Version;
import dev.assay.collect.config.Names;
import dev.assay.collect.judge.StreamedCheck;
import dev.assay.explain.Cause;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import dev.assay.render.LiveFacts;
import dev.assay.render.Plain;
import dev.assay.render.TextRenderer;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Prints what happens to a history that is watched, as text or as one JSON object a line. */
final class WatchOutput {
  private final Terminal terminal;
  private final String file;
  private final boolean quiet;
  private final TextRenderer text;

  /** What has been told, so that another level that it violates does not repeat it. */
  private final Set<String> told = new HashSet<>();

  /** Null for text. */
  private final JsonRenderer json;

  /** The line of progress, which gives way to what is printed; null for none. */
  private StatusLine status;

  WatchOutput(Terminal terminal, String file, CommonOptions common, String output) {
    this.terminal = terminal;
    this.file = file;
    this.quiet = common.quiet;
    boolean color = common.useColor(terminal);
    this.text = new TextRenderer(TextRenderer.Options.brief(color, !common.quiet), terminal.out());
    this.json =
        switch (output) {
          case "text" -> null;
          case "json" -> new JsonRenderer(Version.text(), terminal.out());
          default -> throw Names.unknown("output", output, "text", "json");
        };
  }

  void status(StatusLine line) {
    status = line;
  }

  private void giveWay() {
    if (status != null) {
      status.say("");
    }
  }

  private void event(String kind, Map<String, ?> fields, String line) throws IOException {
    giveWay();
    if (json != null) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("event", kind);
      all.putAll(fields);
      json.leading(all).render(file);
    } else if (!quiet || kind.equals("late")) {
      terminal.out().println(line);
    }
    terminal.out().flush();
  }

  /** The format is known, and judging begins. */
  synchronized void begin(String format, List<Level> judged) throws IOException {
    event(
        "begin",
        Map.of("format", format, "judged", judged),
        name()
            + " is read as "
            + format
            + (judged.isEmpty() ? "" : "; must hold: ")
            + Plain.listed(judged));
  }

  private String name() {
    return file.equals("-") ? "standard input" : file;
  }

  /** Something about the input that users should know. */
  synchronized void remark(String remark) throws IOException {
    event("note", Map.of("text", remark), "note: " + name() + ": " + remark);
  }

  /** Some transactions came later than allowed. */
  synchronized void late(long late, String lateness) throws IOException {
    event(
        "late",
        Map.of("transactions", late),
        "late: "
            + Plain.count(late, "transaction")
            + " so far came more than "
            + lateness
            + " after others that ended later; --lateness allows for more");
  }

  synchronized void violation(StreamedCheck.Found found) throws IOException {
    giveWay();
    LiveFacts.Moment moment = found.moment();
    if (json != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("event", "violation");
      fields.put("transactions", moment.transactions());
      if (found.time() != History.ABSENT) {
        fields.put("time", found.time());
      }
      fields.put("violated", new TreeSet<>(moment.levels()));
      fields.put("new", new TreeSet<>(moment.anomalies()).stream().map(AnomalyType::id).toList());
      json.leading(fields).render(found.result());
    } else {
      List<Level> weakest = Level.minimal(List.copyOf(moment.levels()));
      terminal
          .out()
          .println(
              (weakest.isEmpty() ? "found" : "violated: " + Plain.listed(weakest))
                  + ", among "
                  + Plain.count(moment.transactions(), "transaction"));
      Optional<Cause> shown = newest(found);
      if (shown.isPresent() && told.add(shown.get().story().what())) {
        text.renderFinding(found.result(), shown.get());
      } else if (shown.isPresent()) {
        terminal.out().println("  " + shown.get().story().name() + ", as above");
      }
      terminal.out().println();
    }
    terminal.out().flush();
  }

  /** The cause to show: the first one that is new, or else the first. */
  private static Optional<Cause> newest(StreamedCheck.Found found) {
    List<Cause> causes = found.result().causes();
    Set<AnomalyType> seen = found.moment().anomalies();
    return causes.stream()
        .filter(cause -> cause.names().stream().anyMatch(seen::contains))
        .findFirst()
        .or(() -> causes.stream().findFirst());
  }

  /** The final verdict. */
  synchronized void end(CheckResult result, String why) throws IOException {
    giveWay();
    if (json != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("event", "end");
      fields.put("because", why);
      json.leading(fields).render(result);
    } else {
      text.renderSummary(result);
    }
    terminal.out().flush();
  }
}
