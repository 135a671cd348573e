package dev.assay.render;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.explain.Cause;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.explain.Explanation.Step;
import dev.assay.explain.Wording;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** What a person sees on a terminal or in the log of a CI job. */
public final class TextRenderer {
  private static final int WIDTH = TextLines.WIDTH;
  private static final int MAX_HEADLINE = 96;

  /** Transactions with more operations show only those the argument names. */
  private static final int MAX_OPERATIONS = 8;

  private static final int MAX_LEVELS_LISTED = LevelText.MAX_LISTED;

  /**
   * What to show.
   *
   * @param color whether to use terminal colours
   * @param witnesses how many instances of each anomaly to show
   * @param notes whether to show remarks
   * @param expand whether to show all that an inferred step rests on, not only what it rests on
   *     directly
   * @param all whether to show every anomaly with its argument, and not one finding per cause
   */
  public record Options(boolean color, int witnesses, boolean notes, boolean expand, boolean all) {
    /** What is usually shown. */
    public static Options brief(boolean color, boolean notes) {
      return new Options(color, 1, notes, false, false);
    }

    /** Every anomaly with its argument. */
    public static Options full(boolean color, int witnesses, boolean notes, boolean expand) {
      return new Options(color, witnesses, notes, expand, true);
    }
  }

  private final Options options;
  private final TextLines lines;

  public TextRenderer(Options options, Appendable out) {
    this.options = options;
    this.lines = new TextLines(options.color(), out);
  }

  // ---- an input that is not a history

  public void render(ParseException e) throws IOException {
    boolean standardInput = e.file().equals("-");
    String file = standardInput ? "standard input" : Wording.oneLine(e.file());
    lines.line(head(Style.ERROR, "error", file + " " + found(e)));
    String place = standardInput ? "<stdin>" + e.place().substring(1) : Wording.oneLine(e.place());
    lines.line(lines.paint(Style.FAINT, "  --> ") + place);
    if (e.expected() != null) {
      fact("expected", e.expected());
    }
    if (e.hint() != null) {
      fact("help", e.hint());
    }
  }

  /** Most messages start with a verb whose subject is the file; others follow a colon. */
  private static String found(ParseException e) {
    String text = e.getMessage();
    boolean predicate = text.startsWith("is ") || text.startsWith("cannot ");
    return Wording.oneLine(predicate ? text : "cannot be read: " + text);
  }

  // ---- a result

  public void render(CheckResult result) throws IOException {
    render(result, Situation.NONE);
  }

  /** Renders a result with what is known around it. */
  public void render(CheckResult result, Situation situation) throws IOException {
    if (!options.all()) {
      new BriefText(lines, options.notes(), this).render(result, situation);
      return;
    }
    try {
      renderWitnesses(result);
    } catch (OutOfMemoryError e) {
      // Memory is a budget like time: the verdict stands without its witnesses.
      lines.line("");
      lines.line("other witnesses are not shown: " + Verdict.Unknown.OUT_OF_MEMORY.why());
      lines.line("");
    }
    renderSummary(result);
  }

  /** The verdict and remarks, without witnesses. */
  public void renderSummary(CheckResult result) throws IOException {
    renderVerdict(result);
    lines.line("    " + size(result) + " · " + Plain.duration(millis(result)));
    renderNotes(result);
  }

  /** One cause, without a verdict. */
  public void renderFinding(CheckResult result, Cause cause) throws IOException {
    new BriefText(lines, options.notes(), this).finding(result, cause);
  }

  private void renderWitnesses(CheckResult result) throws IOException {
    Explainer explainer = new Explainer(result.history());
    boolean first = true;
    for (Anomaly anomaly : result.report().anomalies()) {
      int shown = Math.min(options.witnesses(), anomaly.witnesses().size());
      for (int i = 0; i < shown; i++) {
        if (!first) {
          lines.line("");
        }
        first = false;
        renderWitness(result, anomaly, i, explainer, i == shown - 1);
      }
    }
    if (!first) {
      lines.line("");
    }
  }

  /** The argument of one witness, without colours: what other reports embed. */
  static String plainWitness(CheckResult result, Anomaly anomaly, int witness) throws IOException {
    StringBuilder text = new StringBuilder();
    new TextRenderer(Options.full(false, 1, false, true), text)
        .renderWitness(result, anomaly, witness, new Explainer(result.history()), true);
    return text.toString();
  }

  private void renderWitness(
      CheckResult result, Anomaly anomaly, int index, Explainer explainer, boolean isLast)
      throws IOException {
    Evidence evidence = anomaly.witnesses().get(index);
    Explanation explanation = explainer.explain(anomaly, evidence);
    boolean judged = result.isJudged(anomaly);
    String kind = judged ? "error" : "warning";
    Style style = judged ? Style.ERROR : Style.WARNING;
    headline(style, kind + "[" + anomaly.type() + "]", explanation.headline());
    renderPlaces(result, explanation);
    renderTransactions(result.history(), explanation, explainer.wording());
    List<Step> steps = options.expand() ? explanation.allSteps() : explanation.outline();
    renderSteps(steps, explainer);
    int hidden = explanation.allSteps().size() - steps.size();
    if (hidden > 0) {
      fact("reasons", Plain.count(hidden, "more step") + " with --expand");
    }
    if (!explanation.shownBy().isEmpty()) {
      fact("seen in", explanation.shownBy());
    }
    if (isLast) {
      long more = anomaly.count() - index - 1;
      if (more > 0) {
        String atLeast = anomaly.countIsLowerBound() ? "at least " : "";
        fact("also", atLeast + Plain.number(more) + " more like this");
      }
      Level refuted = evidence.refutes();
      fact(
          "violated",
          LevelText.violated(refuted == null ? anomaly.violates() : refuted.andStronger()));
      if (refuted != null && !refuted.andStronger().containsAll(anomaly.violates())) {
        fact("others", "of its kind violate " + LevelText.violated(anomaly.violates()));
      }
      List<Level> strongest = result.report().strongest();
      if (!strongest.isEmpty()) {
        fact("holds", Plain.listed(strongest) + LevelText.weaker(strongest));
      }
      List<String> names = LevelText.otherNames(anomaly.type(), evidence);
      if (!names.isEmpty()) {
        fact("names", String.join(", ", names));
      }
      fact("help", "assay explain " + anomaly.type());
    }
  }

  /** The places of the operations that the argument names, or else of their transactions. */
  private void renderPlaces(CheckResult result, Explanation explanation) throws IOException {
    History history = result.history();
    Map<Integer, List<String>> byTransaction = new HashMap<>();
    for (int op : explanation.operations()) {
      int txn = history.transactionOf(op);
      if (history.hasPlace(txn)) {
        byTransaction
            .computeIfAbsent(txn, t -> new ArrayList<>())
            .add(Wording.oneLine(result.places().place(op)));
      }
    }
    Set<String> places = new LinkedHashSet<>();
    for (int txn : explanation.transactions()) {
      if (byTransaction.containsKey(txn)) {
        places.addAll(byTransaction.get(txn));
      } else if (history.hasPlace(txn)) {
        places.add(Wording.oneLine(history.place(txn)));
      }
    }
    if (!places.isEmpty()) {
      lines.wrapped("  --> ", "      ", String.join(", ", places), Style.FAINT);
    }
  }

  private void renderTransactions(History history, Explanation explanation, Wording wording)
      throws IOException {
    int nameWidth = 0;
    int sessionWidth = 0;
    for (int txn : explanation.transactions()) {
      nameWidth = Math.max(nameWidth, wording.name(txn).length());
      sessionWidth = Math.max(sessionWidth, wording.session(txn).length());
    }
    for (int txn : explanation.transactions()) {
      String lead =
          TextLines.padded(wording.name(txn), nameWidth)
              + "  "
              + TextLines.padded(wording.session(txn), sessionWidth);
      List<String> items = shownOperations(history, txn, explanation.operations(), wording);
      if (history.outcome(txn) != Outcome.COMMITTED) {
        items.add("(" + history.outcome(txn).id() + ")");
      }
      lines.columns(lines.paint(Style.FAINT, "   | "), 5, lead + "   ", items);
      for (String call : wording.calls(txn, explanation.operations())) {
        lines.line(lines.paint(Style.FAINT, "   |   at " + call));
      }
    }
  }

  /** All operations of a short transaction; of a long one those the argument names. */
  private static List<String> shownOperations(
      History history, int txn, List<Integer> named, Wording wording) {
    List<String> items = new ArrayList<>();
    boolean all = history.endOp(txn) - history.firstOp(txn) <= MAX_OPERATIONS;
    boolean gap = false;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
      IntStream rows = IntStream.range(op, history.nextOp(op));
      if (all || rows.anyMatch(named::contains)) {
        items.add(wording.operation(op));
        gap = false;
      } else if (!gap) {
        items.add("…");
        gap = true;
      }
    }
    return items;
  }

  private void renderSteps(List<Step> steps, Explainer explainer) throws IOException {
    int arrowWidth = 0;
    for (Step step : steps) {
      arrowWidth = Math.max(arrowWidth, arrow(step.edge(), explainer.wording()).length());
    }
    for (Step step : steps) {
      String number = step.number().length() < 2 ? " " + step.number() : step.number();
      String gutter = TextLines.padded(number, 3) + "| ";
      String arrow = arrow(step.edge(), explainer.wording());
      String lead = arrow.isEmpty() ? "" : TextLines.padded(arrow, arrowWidth) + "   ";
      int indent = 5 + lead.length();
      List<String> parts = Plain.wrap(step.referring(), Math.max(WIDTH - indent, 30));
      lines.line(lines.paint(Style.FAINT, gutter) + lead + parts.get(0));
      for (String more : parts.subList(1, parts.size())) {
        lines.line(lines.paint(Style.FAINT, "   | ") + " ".repeat(lead.length()) + more);
      }
    }
  }

  /** {@code T71 -> T74 rw(x)}; empty where the step is about one operation. */
  private static String arrow(Edge edge, Wording wording) {
    if (edge == null) {
      return "";
    }
    return node(edge.from(), wording)
        + " -> "
        + node(edge.to(), wording)
        + "  "
        + wording.edge(edge.kind(), edge.key(), edge.byPredicate());
  }

  private static String node(int txn, Wording wording) {
    return txn == Edge.INITIAL ? "initial" : wording.name(txn);
  }

  // ---- the verdict

  void renderVerdict(CheckResult result) throws IOException {
    String file = result.file().equals("-") ? "standard input" : Wording.oneLine(result.file());
    List<Level> violated = result.judged(Verdict.Violated.class);
    List<Level> unknown = result.judged(Verdict.Unknown.class);
    if (violated.isEmpty() && !result.forbiddenFound().isEmpty()) {
      String text = file + LevelText.forbidden(result.forbiddenFound());
      lines.headed(Style.ERROR, "violated", text);
    } else if (unknown.isEmpty() && violated.isEmpty() && !result.forbiddenUnknown().isEmpty()) {
      String text = file + LevelText.maybeForbidden(result.forbiddenUnknown());
      lines.headed(Style.UNKNOWN, "unknown", text);
    } else if (!violated.isEmpty()) {
      String text = file + LevelText.violated(result, violated);
      // What anomalies show has been said above.
      String unshown =
          result.report().anomalies().isEmpty() ? ": " + why(result, violated.get(0)) : "";
      lines.headed(Style.ERROR, "violated", text + unshown);
    } else if (!unknown.isEmpty()) {
      for (var entry : result.unknownByReason(result.judged()::contains).entrySet()) {
        String levels = Plain.listed(entry.getValue());
        String text = file + " may or may not satisfy " + levels + ": " + entry.getKey();
        lines.headed(Style.UNKNOWN, "unknown", text);
      }
    } else {
      String text = file + LevelText.holds(result);
      if (result.incomplete() == null) {
        lines.headed(Style.OK, "ok", text);
      } else {
        lines.headed(Style.UNKNOWN, "unknown", text + LevelText.INCOMPLETE);
      }
    }
  }

  /** How long reading and deciding took. */
  static long millis(CheckResult result) {
    long millis = result.parseMillis();
    for (long stage : result.report().stageMillis().values()) {
      millis += stage;
    }
    return millis;
  }

  static String size(CheckResult result) {
    Totals totals = result.totals();
    return result.isUnread()
        ? "not read to its end"
        : Plain.count(totals.transactions(), "transaction")
            + ", "
            + Plain.count(totals.operations(), "operation")
            + ", "
            + Plain.count(totals.sessions(), "session");
  }

  private static String why(CheckResult result, Level level) {
    return result.report().verdict(level).why();
  }

  private void renderNotes(CheckResult result) throws IOException {
    if (!options.notes()) {
      return;
    }
    renderRemarks(result);
    if (result.survey() && !result.violated() && !result.judged(Verdict.Unknown.class).isEmpty()) {
      List<Level> strongest = result.report().strongest();
      if (!strongest.isEmpty()) {
        note("holds: " + Plain.listed(strongest) + LevelText.weaker(strongest));
      }
    }
    for (var entry : result.unknownByReason(level -> !result.judged().contains(level)).entrySet()) {
      List<Level> levels = entry.getValue();
      boolean one = levels.size() == 1;
      String subject =
          levels.size() > MAX_LEVELS_LISTED ? levels.size() + " levels" : Plain.listed(levels);
      note(subject + (one ? " is" : " are") + " unknown: " + entry.getKey());
    }
  }

  /** What the reader of the history and the checkers remarked. */
  void renderRemarks(CheckResult result) throws IOException {
    for (String note : result.notes()) {
      note(Wording.oneLine(note));
    }
  }

  /** A remark on a line of its own. */
  public void note(String text) throws IOException {
    if (options.notes()) {
      lines.wrapped(lines.paint(Style.NOTE, "note") + ": ", "      ", text, null);
    }
  }

  // ---- lines

  private String head(Style style, String kind, String text) {
    return lines.paint(style, kind) + ": " + text;
  }

  /** A headline stays on one line, as tools that collect errors expect, unless it is very long. */
  private void headline(Style style, String kind, String text) throws IOException {
    List<String> parts = Plain.wrap(kind + ": " + text, MAX_HEADLINE);
    lines.line(lines.paint(style, kind) + parts.get(0).substring(kind.length()));
    for (String more : parts.subList(1, parts.size())) {
      lines.line("    " + more);
    }
  }

  /** {@code = violated: …}, the names in a column. */
  private void fact(String name, String text) throws IOException {
    String lead = TextLines.padded(name + ":", 10);
    List<String> parts = Plain.wrap(text, WIDTH - 16);
    lines.line(lines.paint(Style.FAINT, "   = ") + lines.paint(Style.STRONG, lead) + parts.get(0));
    for (String more : parts.subList(1, parts.size())) {
      lines.line(" ".repeat(15) + more);
    }
  }
}
