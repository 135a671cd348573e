package dev.assay.cli;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.cli.ShrinkSearch.Found;
import dev.assay.cli.check.Pictures;
import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.DeclaredOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.Interruption;
import dev.assay.cli.process.OutputFile;
import dev.assay.cli.process.Progress;
import dev.assay.cli.process.ShellWord;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.runs.RunFolder;
import dev.assay.explain.Cause;
import dev.assay.explain.Smallest;
import dev.assay.explain.Story;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.format.jsonl.CertificateText;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Plain;
import dev.assay.render.SqlDialect;
import dev.assay.render.SqlRenderer;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code assay shrink}: reduces a history to a minimal part that still violates a level. */
final class ShrinkCommand implements Command {
  private static final String NOTES =
      """
      The part is minimal: no transaction and no operation can be left out. Sessions,
      ids, outcomes and times are kept; list elements go when their appends go.
      With --version-order the certificate is cut down to what is left of the history
      and written beside it: small.jsonl.certificate.jsonl for small.jsonl. If there
      are predicates, all writes of a key then stay or go together.

      Examples:
        assay shrink run.edn                       the part as assay-jsonl
        assay shrink --level si -o small.edn run.edn
        assay shrink --sql run.edn                 statements to follow by hand
        assay shrink --report x.html run.edn       an HTML report on the part
        assay shrink --anomaly G2-item --sql -o small.jsonl run.edn > small.sql

      Exit codes: 1 the level is violated and the part was written; 0 it holds or 2 it
      is unknown, and nothing was written; 254 bad arguments or an unreadable history,
      255 a defect in Assay.
      """;

  private final CommonOptions common = new CommonOptions();
  private final DeclaredOptions declared = new DeclaredOptions();

  private String file;
  private String level;
  private String anomaly;
  private String infer = "";
  private String versionOrder;
  private String out;
  private String to;
  private boolean lossy;
  private boolean sql;
  private String dialect;
  private String report;
  private String format = "auto";
  private boolean incomplete;
  private String memory;
  private String timeout = "10m";

  @Override
  public void declare(Options options) {
    options.command(
        "shrink",
        "Reduces a history to a minimal part that still violates a level.",
        "[OPTION]... FILE",
        NOTES);
    common.declare(options);
    declared.declare(options);
    options.argument(0, "1", "FILE", "A history; - is standard input.", given -> file = given);
    options.text(
        "-l --level",
        "L",
        "Level that the part must violate (default: the weakest violated level among those "
            + "implied by the level recorded in the history, else by serializable).",
        given -> level = given);
    options.text(
        "--anomaly",
        "ID[,ID...]",
        "Keep one of these anomalies (default: whichever gives the smallest part).",
        given -> anomaly = given);
    options.text(
        "--infer",
        "A[,A...]",
        "Assumptions about single registers, as in assay check; violations may rest on them.",
        given -> infer = given);
    options.text(
        "--version-order",
        "CERT",
        "A version certificate of FILE, as in assay check; requires --out. The part of it that is "
            + "left is written to OUT.certificate.jsonl.",
        given -> versionOrder = given);
    declareOutput(options);
    options.text(
        "--format", "F", "Format of FILE (default: auto, by content).", given -> format = given);
    options.flag(
        "--incomplete",
        "The recording lacks some clients: values that no recorded transaction wrote count as "
            + "written by unrecorded ones.",
        given -> incomplete = given);
    options.text(
        "--memory",
        "SIZE",
        "Look for violations block by block and keep at most about this much of the history in "
            + "memory, such as 512m or 4g (default: if it does not fit).",
        given -> memory = given);
    options.text(
        "--timeout",
        "T",
        "Stop after this long with the smallest part so far, as Ctrl-C does (default: 10m).",
        given -> timeout = given);
  }

  private void declareOutput(Options options) {
    options.text(
        "-o --out",
        "OUT",
        "File to write, compressed if it ends in .gz or .zst; - is standard output (default:"
            + " -, or nothing with --sql).",
        given -> out = given);
    options.text(
        "--to",
        "F",
        "Format to write (default: by the extension of OUT; on standard output plume-text if "
            + "that was read, else assay-jsonl).",
        given -> to = given);
    options.flag(
        "--lossy", "Write even if the format cannot express everything.", given -> lossy = given);
    options.flag(
        "--sql",
        "Print the SQL statements of all sessions, in an order that shows the case.",
        given -> sql = given);
    options.text(
        "--dialect",
        "D",
        "SQL dialect: postgresql, mysql (also for MariaDB), h2, hsqldb, sqlite or duckdb"
            + " (default: that of the database recorded in the history, else postgresql).",
        given -> dialect = given);
    options.text(
        "--report",
        "X.html",
        "Also write an HTML report on the part; assay check can read it.",
        given -> report = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException, ParseException {
    Level asked = level == null ? null : Names.level(level);
    Set<AnomalyType> types = anomaly == null ? Set.of() : Names.anomalies(anomaly);
    Set<Assumption> assumptions = Names.assumptions(infer);
    long divided = memory == null ? 0 : Inputs.bytes(memory);
    requireNamed();
    SqlDialect speaks = dialect();
    ReadOptions source = declared.reading(Names.format(format)).incomplete(incomplete);
    Duration time = Parameters.TIMEOUT.parse(timeout, Use.RUN);
    HistoryFormat target = to == null && (out == null || out.equals("-")) ? null : target();
    Input input =
        file.equals("-") ? Input.ofStandardInput(terminal.in()) : Input.of(Inputs.path(file));
    Budget budget = Budget.of(time);
    Path orders = versionOrder == null ? null : Inputs.path(versionOrder);
    Found found;
    Interruption interruption = Interruption.first(budget::end);
    try (Progress progress = Progress.of(input, terminal, common.quiet)) {
      CheckRequest request =
          CheckRequest.of(
                  RunConfig.empty(Use.RUN)
                      .with(Parameters.LEVEL, level == null ? Names.ALL : level)
                      .with(Parameters.INFER, infer)
                      .with(Parameters.TIMEOUT, timeout))
              .reading(source, false)
              .with(orders);
      found = new ShrinkSearch(request, asked, types, budget, progress).find(input, divided);
    } catch (Input.GivenUp e) {
      terminal.err().println("assay: " + input.name() + ": " + whatEndedIt() + " while reading");
      return ExitCode.UNKNOWN;
    } finally {
      interruption.forget();
    }
    if (found.smallest() == null) {
      return nothing(found, terminal);
    }
    write(found.smallest(), found.level(), target, speaks, terminal);
    Given left = new Given(assumptions, found.smallest().certificate());
    explain(found.smallest(), found.level(), left, budget, terminal);
    summarize(found, left, terminal);
    return ExitCode.VIOLATED;
  }

  /** What is left of a certificate needs a file, and a history in which transactions have names. */
  private void requireNamed() {
    if (versionOrder == null) {
      return;
    }
    Inputs.requireFile("--version-order", versionOrder);
    if (out == null || out.equals("-")) {
      throw new UsageException("--version-order requires --out with the name of a file");
    }
    String format = target().id();
    if (!format.equals("assay-jsonl") && !format.equals("assay")) {
      throw new UsageException(
          "--version-order requires assay-jsonl or assay as the format of --out, since "
              + format
              + " may lose the names that a certificate uses");
    }
  }

  /** The dialect asked for, or null for that of the history. */
  private SqlDialect dialect() {
    if (dialect != null && !sql) {
      throw new UsageException("--dialect requires --sql");
    }
    if (sql && (out != null && out.equals("-") || out == null && to != null)) {
      throw new UsageException(
          "--sql prints to standard output; write the history to a file with --out");
    }
    return dialect == null
        ? null
        : Names.constant("dialect", dialect, SqlDialect.values(), SqlDialect::id);
  }

  private HistoryFormat target() {
    return ConvertCommand.target(to, out == null ? "-" : out);
  }

  /** Says why there is nothing to write. */
  private int nothing(Found found, Terminal terminal) {
    Level level = found.level();
    Verdict verdict = found.report().verdict(level);
    boolean holds = verdict instanceof Verdict.Holds;
    terminal
        .err()
        .println(
            "assay: "
                + file
                + (holds
                    ? " satisfies "
                        + level
                        + ", so there is nothing to shrink; --level names another level"
                    : ": " + level + " is unknown: " + whyUnknown(verdict)));
    return holds ? ExitCode.OK : ExitCode.UNKNOWN;
  }

  private static String whyUnknown(Verdict verdict) {
    boolean cutShort =
        verdict instanceof Verdict.Unknown unknown && unknown.reason() == Verdict.Reason.TIMEOUT;
    return cutShort && Interruption.wasAsked()
        ? "interrupted before a violation was found"
        : verdict.why();
  }

  /** Why a search ended early, as a part of a sentence. */
  private static String whatEndedIt() {
    return Interruption.wasAsked() ? "interrupted" : Budget.RAN_OUT;
  }

  private void write(
      Smallest smallest, Level judged, HistoryFormat target, SqlDialect speaks, Terminal terminal)
      throws IOException {
    History part = smallest.history();
    if (sql && part.operationCount() > SqlRenderer.MOST_OPERATIONS) {
      throw new UsageException(
          "the smallest part found has "
              + Plain.count(part.operationCount(), "operation")
              + ", too many to follow as SQL");
    }
    if (out != null || !sql) {
      HistoryFormat written = target == null ? natural(part) : target;
      byte[] left = versionOrder == null ? null : certificate(smallest);
      ConvertCommand.write(part, written, out == null ? "-" : out, lossy, terminal);
      if (left != null) {
        OutputFile.write(out + RunFolder.CERTIFICATE_ENDING, terminal, s -> s.write(left));
      }
    }
    if (sql) {
      OutputFile.write(
          "-",
          terminal,
          stream -> {
            Writer writer = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
            SqlDialect spoken = speaks == null ? SqlDialect.of(part) : speaks;
            new SqlRenderer(spoken, writer).render(part, title(smallest, judged));
            writer.flush();
          });
    }
  }

  /** What is left of the certificate, as a file. */
  private byte[] certificate(Smallest smallest) {
    String text = CertificateText.of(smallest.certificate(), smallest.history());
    byte[] lines = text.getBytes(StandardCharsets.UTF_8);
    try {
      VersionCertificates.read(Input.of(out, lines), smallest.history());
    } catch (ParseException e) {
      throw new UsageException(
          "what is left of "
              + versionOrder
              + " cannot be written, since transactions of "
              + file
              + " have the same id");
    }
    return lines;
  }

  /** The page on the part: what it violates, and why. */
  private void explain(
      Smallest smallest, Level judged, Given given, Budget budget, Terminal terminal)
      throws IOException {
    if (report == null) {
      return;
    }
    History part = smallest.history();
    Set<Level> levels = new LinkedHashSet<>(Level.surveyed());
    levels.add(judged);
    Report all = Assay.check(part, levels, given, budget);
    CheckResult result = new CheckResult(file, all, List.of(judged), true, 0, -1).with(given);
    Pictures pictures = new Pictures(report, null, null);
    String assuming = infer.isEmpty() ? "" : " --infer " + ShellWord.of(infer);
    String certified = versionOrder == null ? "" : " --version-order " + ShellWord.of(versionOrder);
    String command =
        "assay shrink --level " + judged + assuming + certified + " " + ShellWord.of(file);
    pictures.add(result, command, budget);
    pictures.finish(terminal);
  }

  /** The format for standard output: the compact one that was read, or the one that has it all. */
  private static HistoryFormat natural(History part) {
    return Formats.byId(part.origin().format())
        .filter(format -> format.id().equals("plume-text") && format.losses(part).isEmpty())
        .orElseGet(() -> Formats.byId("assay-jsonl").orElseThrow());
  }

  private static String title(Smallest smallest, Level judged) {
    AnomalyType type = smallest.type();
    String how = type == null ? "" : ": " + type.title() + " (" + type.id() + ")";
    return "violates " + judged + how;
  }

  private void summarize(Found found, Given given, Terminal terminal) {
    if (common.quiet) {
      return;
    }
    Smallest smallest = found.smallest();
    Level judged = found.level();
    terminal
        .err()
        .println(
            "assay: "
                + file
                + " "
                + title(smallest, judged)
                + "; "
                + Plain.count(smallest.history().transactionCount(), "transaction")
                + (found.ended() ? " of the first " : " of ")
                + Plain.number(found.totals().transactions())
                + ", "
                + Plain.count(smallest.history().operationCount(), "operation")
                + " of "
                + Plain.number(found.totals().operations())
                + (smallest.minimal()
                    ? ""
                    : "; " + whatEndedIt() + ", so a smaller part may exist"));
    if (sql) {
      tell(smallest.history(), judged, given, terminal);
    }
  }

  /** Says beside the statements what they show. */
  private static void tell(History part, Level judged, Given given, Terminal terminal) {
    Report report = Assay.check(part, Set.of(judged), given, Budget.of(Duration.ofSeconds(10)));
    CheckResult result =
        new CheckResult(part.origin().name(), report, List.of(judged), false, 0, -1);
    List<Cause> causes = result.causes();
    if (!causes.isEmpty()) {
      Story story = causes.get(0).story();
      terminal.err().println("assay: " + story.what() + ". " + story.conclusion());
    }
  }
}
