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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
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
      1 if a history is not valid, 255 if one cannot be read, else 0; 254 for options
      that are wrong. assay check says more.

      Examples:
        assay elle --model list-append history.edn
        assay elle -m rw-register -c snapshot-isolation store/*/history.edn
        assay elle -m bank --total-amount 100 --verbose history.edn
      """;

  private static final String OURS = "adya-read-committed";
  private static final String ELLES = "read-committed";

  /** Adya's two halves of snapshot isolation. */
  private static final Set<String> NOT_SEEN = Set.of("GSIa", "GSIb");

  private static final String NOT_LOOKED_FOR =
      " is not looked for: clients do not see when transactions start in the store;"
          + " -c snapshot-isolation has what they see of it";

  private static final JsonFactory FACTORY = new JsonFactory();

  private List<String> files;
  private String model;
  private String format;
  private String levels;
  private String anomalies;
  private Long total;
  private boolean debt;
  private boolean verbose;

  @Override
  public void declare(Options options) {
    options.command(
        "elle",
        "Checks Jepsen histories with the options and the output of elle-cli.",
        "--model MODEL [OPTION]... FILE...",
        NOTES);
    options.arguments("1..*", "FILE", "Jepsen histories.", given -> files = given);
    options.required(
        "-m --model",
        "MODEL",
        "What the histories are of: " + ElleModel.checked() + ".",
        given -> model = given);
    options.text(
        "-f --format", "FORMAT", "edn or json (default: by content).", given -> format = given);
    options.text(
        "-c --consistency-models",
        "MODEL,...",
        "The levels that must hold, by Elle's names. Default: strict-serializable; of a"
            + " cas-register linearizable, of long-fork snapshot-isolation, of a bank none.",
        given -> levels = given);
    options.text(
        "-a --anomalies",
        "ANOMALY,...",
        "Anomalies that must be absent as well (default: G0; of a bank wrong-total).",
        given -> anomalies = given);
    options.flag(
        "-v --verbose",
        "Print what was found, as JSON, instead of a line.",
        given -> verbose = given);
    options.value(
        "-o --total-amount",
        Long.class,
        "TOTAL",
        "bank: the total of every read (default: that of the others).",
        given -> total = given);
    options.flag(
        "-n --allow-negative-balances", "bank: balances may be negative.", given -> debt = given);
    options.texts(
        "-s --cycle-search-timeout -d --directory"
            + " -p --plot-format -t --plot-timeout -b --max-plot-bytes"
            + " -g --group-size --max-transfer",
        1,
        "X",
        "Accepted and ignored: no search is cut short, nothing is drawn, and no verdict"
            + " depends on the last two.",
        ignored -> {});
    options.help();
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    ElleModel kind = ElleModel.of(model);
    ElleBank bank = kind == ElleModel.BANK ? new ElleBank(debt, total) : null;
    CheckRequest request = request(kind, terminal);
    int code = ExitCode.OK;
    for (String file : files) {
      try {
        CheckResult result = check(Input.of(Inputs.path(file)), request);
        List<String> errors = bank == null ? List.of() : bank.errors(result.report().history());
        String validity =
            result.violated() || !errors.isEmpty()
                ? "false"
                : result.unknown() ? "unknown" : "true";
        terminal
            .out()
            .println(verbose ? analysis(result, validity, errors) : file + " \t " + validity);
        code = ExitCode.worse(code, validity.equals("false") ? ExitCode.VIOLATED : ExitCode.OK);
      } catch (ParseException e) {
        Failures.report(terminal, false, e);
        // As elle-cli, which dies of an exception here.
        code = ExitCode.DEFECT;
      }
    }
    return code;
  }

  private CheckRequest request(ElleModel kind, Terminal terminal) {
    String asked = levels == null ? kind.level() : levels;
    RunConfig config = RunConfig.empty(Use.RUN);
    if (!asked.isEmpty()) {
      config =
          config.with(
              Parameters.LEVEL,
              Arrays.stream(asked.split(","))
                  .map(name -> name.equals(ELLES) ? OURS : name)
                  .collect(Collectors.joining(",")));
    }
    List<String> absent = new ArrayList<>();
    for (String name : (anomalies == null ? kind.anomalies() : anomalies).split(",")) {
      if (NOT_SEEN.contains(name)) {
        terminal.err().println("assay: " + name + NOT_LOOKED_FOR);
      } else if (!name.isEmpty()) {
        absent.add(name);
      }
    }
    if (!absent.isEmpty()) {
      config = config.with(Parameters.FORBID, String.join(",", absent));
    }
    String reader = format == null ? "auto" : "jepsen-" + format;
    return CheckRequest.of(config).reading(ReadOptions.NONE.format(Names.format(reader)), false);
  }

  private static CheckResult check(Input input, CheckRequest request) throws ParseException {
    return new CheckService(request, CheckService.SILENT).check(input, request.budget(), false);
  }

  /** The fields of Elle's results that tools look at. */
  private static String analysis(CheckResult result, String validity, List<String> errors)
      throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeFieldName("valid?");
      json.writeRawValue(validity.equals("unknown") ? "\"unknown\"" : validity);
      json.writeArrayFieldStart("anomaly-types");
      TreeSet<String> types = new TreeSet<>(errors);
      for (Anomaly anomaly : result.report().anomalies()) {
        types.add(anomaly.type().id());
      }
      for (String type : types) {
        json.writeString(type);
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
