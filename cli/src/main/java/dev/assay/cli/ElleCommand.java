package dev.assay.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.cli.option.Command;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Failures;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.CheckService;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * {@code assay elle}: the command line of elle-cli, so that a script changes one word. Its options,
 * its line per file, its exit codes 0 and 1; what only draws is accepted and ignored.
 */
final class ElleCommand implements Command {
  private static final String NOTES =
      """
      Prints one line per file: its name, a tab, and true, false or unknown. Exit code
      1 if a history is not valid, 254 if one cannot be read, else 0. assay check says
      more.

      Examples:
        assay elle --model list-append history.edn
        assay elle -m rw-register -c snapshot-isolation store/*/history.edn
        assay elle -m list-append --verbose history.edn
      """;

  private static final List<String> MODELS = List.of("list-append", "rw-register");
  private static final String OURS = "adya-read-committed";
  private static final String ELLES = "read-committed";
  private static final JsonFactory FACTORY = new JsonFactory();

  private List<String> files;
  private String model;
  private String format;
  private String levels = Level.STRICT_SERIALIZABLE.id();
  private String anomalies = "G0";
  private String output = "text";
  private boolean verbose;

  @Override
  public void declare(Options options) {
    options.command(
        "elle",
        "Checks Jepsen histories with the options and the output of elle-cli.",
        "--model MODEL [OPTION]... FILE...",
        NOTES);
    options.arguments("1..*", "FILE", "Jepsen histories.", given -> files = given);
    options.required("-m --model", "MODEL", "list-append or rw-register.", given -> model = given);
    options.text(
        "-f --format", "FORMAT", "edn or json (default: by content).", given -> format = given);
    options.text(
        "-c --consistency-models",
        "MODEL,...",
        "The levels that must hold, by Elle's names (default: strict-serializable).",
        given -> levels = given);
    options.text(
        "-a --anomalies",
        "ANOMALY,...",
        "Anomalies that must be absent as well (default: G0).",
        given -> anomalies = given);
    options.text(
        "-v --output",
        "KIND",
        "text, or json for what was found (default: text).",
        given -> output = given);
    options.flag("--verbose", "The same as --output json.", given -> verbose = given);
    options.texts(
        "-s --cycle-search-timeout -d --directory"
            + " -p --plot-format -t --plot-timeout -b --max-plot-bytes",
        1,
        "X",
        "Accepted and ignored: no search is cut short, and nothing is drawn.",
        ignored -> {});
    options.help();
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    if (!MODELS.contains(model)) {
      throw new UsageException(
          "model " + model + " is not checked; assay elle has " + String.join(" and ", MODELS));
    }
    boolean json =
        switch (output) {
          case "text" -> verbose;
          case "json" -> true;
          default -> throw Names.unknown("output", output, "text", "json");
        };
    CheckRequest request = request();
    int code = ExitCode.OK;
    for (String file : files) {
      try {
        CheckResult result = check(Input.of(Inputs.path(file)), request);
        if (json) {
          terminal.out().println(analysis(result));
        } else {
          terminal.out().println(file + " \t " + validity(result));
        }
        code = ExitCode.worse(code, result.violated() ? ExitCode.VIOLATED : ExitCode.OK);
      } catch (ParseException e) {
        Failures.report(terminal, false, e);
        code = ExitCode.BAD_INPUT;
      }
    }
    return code;
  }

  private CheckRequest request() {
    RunConfig config =
        RunConfig.empty(Use.RUN)
            .with(
                Parameters.LEVEL,
                Arrays.stream(levels.split(","))
                    .map(name -> name.equals(ELLES) ? OURS : name)
                    .collect(Collectors.joining(",")));
    if (!anomalies.isEmpty()) {
      config = config.with(Parameters.FORBID, anomalies);
    }
    String reader = format == null ? "auto" : "jepsen-" + format;
    return CheckRequest.of(config).reading(ReadOptions.NONE.format(Names.format(reader)), false);
  }

  private static CheckResult check(Input input, CheckRequest request) throws ParseException {
    return new CheckService(request, CheckService.SILENT).check(input, request.budget(), false);
  }

  private static String validity(CheckResult result) {
    return result.violated() ? "false" : result.unknown() ? "unknown" : "true";
  }

  /** The fields of Elle's results that tools look at. */
  private static String analysis(CheckResult result) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeFieldName("valid?");
      json.writeRawValue(result.unknown() && !result.violated() ? "\"unknown\"" : validity(result));
      json.writeArrayFieldStart("anomaly-types");
      for (Anomaly anomaly : result.report().anomalies()) {
        json.writeString(anomaly.type().id());
      }
      json.writeEndArray();
      List<Level> weakest = result.report().weakestViolated();
      names(json, "not", weakest);
      List<Level> others =
          result.report().verdicts().keySet().stream()
              .filter(level -> result.report().verdict(level) instanceof Verdict.Violated)
              .filter(level -> !weakest.contains(level))
              .toList();
      names(json, "also-not", others);
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void names(JsonGenerator json, String field, Collection<Level> levels)
      throws IOException {
    json.writeArrayFieldStart(field);
    TreeSet<String> names = new TreeSet<>();
    levels.forEach(level -> names.add(level.id().equals(OURS) ? ELLES : level.id()));
    for (String name : names) {
      json.writeString(name);
    }
    json.writeEndArray();
  }
}
