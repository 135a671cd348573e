package dev.assay.render;

import dev.assay.check.Edge;
import dev.assay.check.Verdict;
import dev.assay.explain.Cause;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation.Step;
import dev.assay.explain.Story;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A result on one screen: the verdict, then what happened, once for each cause and in plain words,
 * then which levels hold and what to do next.
 */
final class BriefText {
  /** Maximum number of causes told in full. */
  private static final int MAX_TOLD = 3;

  /** Maximum number of other causes that are named. */
  private static final int MAX_NAMED = 4;

  /** Commands with a longer path than this have an ellipsis instead; the path is above. */
  private static final int MAX_PATH = 36;

  private static final int MAX_STEPS = 6;
  private static final int MAX_NAMES = 3;
  private static final int INDENT = 4;
  private static final int ROW = 6;
  private static final int FACT = 12;

  /** The name of a transaction that {@code assay run} recorded. */
  private final TextLines lines;

  private final boolean notes;
  private final TextRenderer full;

  BriefText(TextLines lines, boolean notes, TextRenderer full) {
    this.lines = lines;
    this.notes = notes;
    this.full = full;
  }

  void render(CheckResult result, Situation situation) throws IOException {
    verdict(result, situation);
    RunNews news = RunNews.of(result);
    if (!news.lostWrites().isEmpty()) {
      for (String part : Plain.wrap(news.lostWrites(), TextLines.WIDTH)) {
        lines.line(lines.paint(Style.ERROR, part));
      }
    }
    List<Cause> causes;
    try {
      Explainer explainer = new Explainer(result.history());
      causes = result.causes();
      List<Cause> others = new ArrayList<>();
      for (Cause cause : told(causes, others)) {
        lines.line("");
        finding(result, cause, explainer);
      }
      if (others.size() < causes.size()) {
        lines.line("");
      }
      facts(result, situation, causes, others);
    } catch (OutOfMemoryError e) {
      // Memory is a budget like time: the verdict stands without its witnesses.
      lines.line("");
      lines.line("what was found is not shown: " + Verdict.Unknown.OUT_OF_MEMORY.why());
      facts(result, situation, List.of(), List.of());
    }
    full.renderRemarks(result);
  }

  /** One cause, as part of other output. */
  void finding(CheckResult result, Cause cause) throws IOException {
    finding(result, cause, new Explainer(result.history()));
  }

  private void verdict(CheckResult result, Situation situation) throws IOException {
    if (situation.sentence() == null) {
      full.renderVerdict(result);
      return;
    }
    Style style = result.violated() ? Style.ERROR : result.unknown() ? Style.UNKNOWN : Style.OK;
    for (String part : Plain.wrap(situation.sentence(), TextLines.WIDTH)) {
      lines.line(lines.paint(style, part));
    }
  }

  /**
   * The causes to tell in full: those that decide, as long as each violates something that the ones
   * before it do not; or the first one where nothing decides.
   *
   * @param others gets the rest
   */
  private static List<Cause> told(List<Cause> causes, List<Cause> others) {
    List<Cause> told = new ArrayList<>();
    Set<Level> violated = EnumSet.noneOf(Level.class);
    for (Cause cause : causes) {
      boolean wanted = cause.decides() || told.isEmpty();
      if (wanted && told.size() < MAX_TOLD && violated.addAll(cause.violates())) {
        told.add(cause);
      } else {
        others.add(cause);
      }
    }
    return told;
  }

  // ---- a finding

  private void finding(CheckResult result, Cause cause, Explainer explainer) throws IOException {
    Style style = cause.decides() ? Style.ERROR : Style.WARNING;
    Story story = cause.story();
    String title = story.name() + names(cause) + times(cause) + allowed(result, cause);
    lines.hanging("  " + lines.paint(style, cause.decides() ? "✗" : "!") + " ", INDENT, title);
    boolean listed = !story.transactions().isEmpty() || !story.steps().isEmpty();
    lines.indented(INDENT, story.what() + (listed ? ":" : "."));
    new Rows(result, explainer.wording()).print(story);
    steps(story, explainer.wording());
    if (!story.conclusion().isEmpty()) {
      lines.indented(INDENT, story.conclusion());
    }
    if (!story.likeness().isEmpty() && notes) {
      lines.indented(INDENT, story.likeness());
    }
  }

  /** {@code (G2-item, lost-update)}. */
  static String names(Cause cause) {
    List<String> ids = new ArrayList<>();
    for (AnomalyType type : cause.names()) {
      if (ids.size() == MAX_NAMES) {
        ids.add("…");
        break;
      }
      if (!words(type.id()).equals(words(cause.story().name()))) {
        ids.add(type.id());
      }
    }
    return ids.isEmpty() ? "" : " (" + String.join(", ", ids) + ")";
  }

  private static String words(String name) {
    return name.replace('-', ' ');
  }

  private static String times(Cause cause) {
    boolean atLeast = cause.anomaly().countIsLowerBound();
    if (cause.count() == 1) {
      return "";
    }
    return (atLeast ? ", at least " : ", ") + Plain.count(cause.count(), "time");
  }

  /** What is found although everything holds that was to hold needs a word of comfort. */
  private static String allowed(CheckResult result, Cause cause) {
    List<Level> judged = result.judged();
    if (cause.decides() || judged.isEmpty()) {
      return "";
    }
    return ": " + Plain.listed(judged) + (judged.size() == 1 ? " allows" : " allow") + " this";
  }

  private void steps(Story story, Wording wording) throws IOException {
    List<Step> steps = story.steps();
    int shown = steps.size() <= MAX_STEPS ? steps.size() : MAX_STEPS - 1;
    for (Step step : steps.subList(0, shown)) {
      lines.hanging(" ".repeat(ROW) + "· ", ROW + 2, step(step, wording));
    }
    if (shown < steps.size()) {
      lines.line(" ".repeat(ROW) + "… and " + Plain.count(steps.size() - shown, "more step"));
    }
  }

  /** What a dependency means comes first; other sentences say it themselves. */
  private static String step(Step step, Wording wording) {
    Edge edge = step.edge();
    boolean said =
        switch (edge.kind()) {
          case WR, RW -> false;
          case WW -> !edge.because().isEmpty() || edge.toOp() < 0;
          default -> true;
        };
    return said || edge.from() == Edge.INITIAL
        ? step.sentence()
        : wording.name(edge.from()) + " before " + wording.name(edge.to()) + ": " + step.sentence();
  }

  /** The transactions of a story, one a row, with what matters of them and where it is. */
  private final class Rows {
    private final CheckResult result;
    private final History history;
    private final Wording wording;

    Rows(CheckResult result, Wording wording) {
      this.result = result;
      this.history = result.history();
      this.wording = wording;
    }

    void print(Story story) throws IOException {
      int names = 0;
      int widest = 0;
      List<String> rows = new ArrayList<>();
      for (int txn : story.transactions()) {
        names = Math.max(names, (wording.name(txn) + wording.onNode(txn)).length());
      }
      for (int txn : story.transactions()) {
        String row = String.join("   ", items(txn, story.operations()));
        rows.add(row);
        int width = ROW + names + 2 + row.length();
        widest = width <= TextLines.WIDTH - 10 ? Math.max(widest, row.length()) : widest;
      }
      for (int i = 0; i < rows.size(); i++) {
        int txn = story.transactions().get(i);
        String place = new ShortPlaces(result).of(txn, story.operations());
        String name = wording.name(txn) + wording.onNode(txn);
        String lead = " ".repeat(ROW) + TextLines.padded(name, names) + "  ";
        row(lead, rows.get(i), widest, place);
        for (String call : wording.calls(txn, story.operations())) {
          lines.hanging(" ".repeat(ROW + 2) + lines.paint(Style.FAINT, "at "), ROW + 5, call);
        }
      }
    }

    private void row(String lead, String row, int widest, String place) throws IOException {
      List<String> parts = Plain.wrap(row, TextLines.WIDTH - lead.length());
      for (int i = 0; i < parts.size(); i++) {
        String text = (i == 0 ? lead : " ".repeat(lead.length())) + parts.get(i);
        if (i == parts.size() - 1 && !place.isEmpty()) {
          String padded = TextLines.padded(text, lead.length() + widest);
          boolean fits = padded.length() + 3 + place.length() <= TextLines.WIDTH;
          text = (fits ? padded : text) + "   " + lines.paint(Style.FAINT, place);
        }
        lines.line(text);
      }
    }

    private List<String> items(int txn, List<Integer> shown) {
      List<String> items = new ArrayList<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        int end = history.nextOp(op);
        int start = op;
        if (shown.stream().anyMatch(one -> one >= start && one < end)) {
          items.add(wording.brief(op));
        }
      }
      if (history.outcome(txn) != Outcome.COMMITTED) {
        items.add("(" + history.outcome(txn).id() + ")");
      }
      return items;
    }
  }

  // ---- what follows the findings

  private void facts(
      CheckResult result, Situation situation, List<Cause> causes, List<Cause> others)
      throws IOException {
    List<Level> strongest = result.report().strongest();
    boolean inVerdict = situation.sentence() == null && !result.violated() && !result.unknown();
    if (!strongest.isEmpty() && !inVerdict) {
      fact("holds", Plain.listed(strongest) + LevelText.weaker(strongest));
    }
    String violated = LevelText.violated(result);
    if (!violated.isEmpty() && (result.survey() || situation.sentence() != null)) {
      fact("violated", violated);
    }
    String families = LevelText.families(result.report());
    if (!families.isEmpty() && notes) {
      fact("because", families);
    }
    unknown(result);
    also(others);
    if (notes) {
      String names = NameHint.of(result.history(), causes);
      if (!names.isEmpty()) {
        fact("names", names);
      }
    }
    if (situation.sentence() != null && notes) {
      faults(RunNews.of(result).availability());
    }
    for (Situation.File file : situation.files()) {
      fact(file.what(), file.path());
    }
    if (notes) {
      next(result, situation, causes);
    }
    for (String remark : situation.remarks()) {
      lines.indented(2, remark);
    }
    lines.indented(2, effort(result, situation));
  }

  private static String effort(CheckResult result, Situation situation) {
    String checked = full(result);
    return situation.effort() == null
        ? TextRenderer.size(result) + " · " + checked
        : situation.effort() + " · checked in " + checked;
  }

  private static String full(CheckResult result) {
    return Plain.duration(TextRenderer.millis(result));
  }

  private void unknown(CheckResult result) throws IOException {
    if (!notes) {
      return;
    }
    for (var entry : result.unknownByReason(level -> !result.judged().contains(level)).entrySet()) {
      List<Level> levels = entry.getValue();
      String subject =
          levels.size() > 2 ? Plain.count(levels.size(), "level") : Plain.listed(levels);
      fact("unknown", subject + ": " + entry.getKey());
    }
  }

  /** How the store fared during each fault. */
  private void faults(List<String> texts) throws IOException {
    String name = "faults";
    int told = texts.size() <= MAX_NAMED ? texts.size() : MAX_NAMED - 1;
    for (String text : texts.subList(0, told)) {
      fact(name, text);
      name = "";
    }
    if (told < texts.size()) {
      fact("", Plain.count(texts.size() - told, "more fault") + ", which are in the report");
    }
  }

  /** What else was found. */
  private void also(List<Cause> others) throws IOException {
    String name = "also";
    for (Cause cause : others.subList(0, Math.min(MAX_NAMED, others.size()))) {
      fact(name, cause.story().name() + names(cause) + times(cause));
      name = "";
    }
    if (others.size() > MAX_NAMED) {
      fact("", Plain.count(others.size() - MAX_NAMED, "more finding"));
    }
  }

  private void next(CheckResult result, Situation situation, List<Cause> causes)
      throws IOException {
    if (causes.isEmpty()) {
      return;
    }
    if (situation.again() != null) {
      command("details", situation.again() + " --all", result);
    }
    fact("next", "assay explain " + causes.get(0).anomaly().type());
    if (situation.shrink() != null && causes.get(0).decides()) {
      command("", situation.shrink(), result);
    } else if (situation.shrink() != null && result.lost() != null) {
      String only = " --anomaly " + AnomalyType.LOST_WRITE.id() + " ";
      command("", situation.shrink().replaceFirst(" ", only), result);
    }
  }

  /** What to type, on one line: a long name of a file, which is above, is left out. */
  private void command(String name, String command, CheckResult result) throws IOException {
    boolean fits = FACT + command.length() <= TextLines.WIDTH && result.file().length() <= MAX_PATH;
    String lead = lines.paint(Style.STRONG, TextLines.padded("  " + name, FACT));
    lines.line(lead + (fits ? command : command.replace(result.file(), "…")));
  }

  private void fact(String name, String text) throws IOException {
    String lead = TextLines.padded("  " + name, FACT);
    lines.hanging(lines.paint(Style.STRONG, lead), FACT, text);
  }
}
