package dev.assay.render.html;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.explain.Explanation;
import dev.assay.explain.Explanation.Step;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.DotRenderer;
import dev.assay.render.JsonRenderer;
import dev.assay.render.LevelText;
import dev.assay.render.PictureRenderer;
import dev.assay.render.TikzRenderer;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One witness in the forms that people paste elsewhere. */
final class Exports {
  private Exports() {}

  /** Names of forms and texts. */
  static Map<String, String> of(
      String version, CheckResult whole, Anomaly anomaly, Evidence evidence, Explanation explained)
      throws IOException {
    CheckResult result = only(whole, anomaly, evidence);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("markdown", markdown(result, anomaly, evidence, explained));
    StringBuilder dot = new StringBuilder();
    texts.put("dot", drawn(result, new DotRenderer(dot), dot));
    StringBuilder tikz = new StringBuilder();
    texts.put("tikz", drawn(result, new TikzRenderer(tikz), tikz));
    StringBuilder json = new StringBuilder();
    new JsonRenderer(version, json).render(result);
    texts.put("json", json.toString());
    return texts;
  }

  /** A result that knows of this witness alone, so that the other renderers show just that. */
  private static CheckResult only(CheckResult result, Anomaly anomaly, Evidence evidence) {
    Report report = result.report();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    result.judged().forEach(level -> verdicts.put(level, report.verdict(level)));
    Anomaly one =
        new Anomaly(
            anomaly.type(),
            anomaly.violates(),
            anomaly.count(),
            anomaly.countIsLowerBound(),
            List.of(evidence));
    return new CheckResult(
        result.file(),
        new Report(
            report.history(),
            verdicts,
            List.of(one),
            List.of(),
            report.stageMillis(),
            report.inferred()),
        result.judged(),
        result.survey(),
        result.parseMillis(),
        result.peakHeapBytes(),
        result.places(),
        result.given(),
        result.forbidden(),
        result.live());
  }

  private static String drawn(CheckResult result, PictureRenderer renderer, StringBuilder out)
      throws IOException {
    renderer.add(result);
    renderer.finish();
    return out.toString();
  }

  private static String markdown(
      CheckResult result, Anomaly anomaly, Evidence evidence, Explanation explained) {
    History history = result.history();
    Wording wording = new Wording(history);
    StringBuilder text = new StringBuilder();
    text.append("### ").append(anomaly.type().id()).append(": ");
    text.append(escaped(explained.headline())).append("\n\n");
    text.append("In ").append(code(Wording.oneLine(result.file()))).append(". Violates ");
    text.append(LevelText.violated(anomaly.violates())).append(".\n\n");
    text.append("| transaction | session | operations |\n|---|---|---|\n");
    for (int txn : explained.transactions()) {
      text.append("| ").append(escaped(wording.name(txn))).append(" | ");
      text.append(escaped(Wording.clean(history.sessionText(history.session(txn)))));
      text.append(" | ");
      String separator = "";
      for (int op : explained.operations()) {
        if (history.transactionOf(op) == txn) {
          text.append(separator).append(code(wording.operation(op)).replace("|", "\\|"));
          separator = ", ";
        }
      }
      text.append(" |\n");
    }
    text.append('\n');
    markdown(text, explained.steps(), "", new Proof(history));
    if (!explained.shownBy().isEmpty()) {
      text.append("\nSeen in: ").append(escaped(explained.shownBy())).append(".\n");
    }
    return text.toString();
  }

  private static void markdown(StringBuilder text, List<Step> steps, String indent, Proof proof) {
    for (Step step : steps) {
      Edge edge = step.edge();
      text.append(indent).append("- **").append(step.number()).append("** ");
      text.append(edge == null ? "" : code(proof.arrow(edge)) + " ");
      text.append(escaped(step.referring())).append('\n');
      markdown(text, step.because(), indent + "  ", proof);
    }
  }

  private static String code(String text) {
    String fence = text.contains("`") ? "``" : "`";
    String space = text.contains("`") ? " " : "";
    return fence + space + text + space + fence;
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ("\\`*_{}[]<>|#".indexOf(c) >= 0) {
        safe.append('\\');
      }
      safe.append(c);
    }
    return safe.toString();
  }
}
