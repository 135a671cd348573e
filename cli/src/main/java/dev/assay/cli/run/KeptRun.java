package dev.assay.cli.run;

import dev.assay.cli.process.Version;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunStatus;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import dev.assay.render.RunNews;
import dev.assay.render.html.HtmlRenderer;
import dev.assay.render.plot.LatencyPlot;
import dev.assay.render.plot.Plot;
import dev.assay.render.plot.ThroughputPlot;
import java.io.IOException;
import java.util.List;

/** Writes what was found in a run beside its history. */
final class KeptRun {
  private KeptRun() {}

  /**
   * Writes the verdict and the report.
   *
   * @param result what was found, or null
   * @param again the command that judges the same again, in the folder of the run
   */
  static void judged(RunFolder folder, CheckResult result, int code, String again)
      throws IOException {
    if (result != null) {
      StringBuilder verdict = new StringBuilder();
      new JsonRenderer(Version.text(), verdict).render(result);
      folder.replace(RunFolder.VERDICT, verdict.toString());
      StringBuilder page = new StringBuilder();
      HtmlRenderer report = new HtmlRenderer(Version.text(), page);
      // The whole history is beside the page, so its smallest part need not be looked for.
      report.add(result, new HtmlRenderer.Extras(null, again));
      report.finish();
      folder.replace(RunFolder.REPORT, page.toString());
      RunNews news = RunNews.of(result);
      if (news.activity() != null) {
        for (Plot plot :
            List.of(
                new ThroughputPlot(news.activity(), news.faults()),
                new LatencyPlot(news.activity(), news.faults()))) {
          folder.replace(plot.name() + ".svg", plot.svg());
          folder.replace(plot.name() + ".csv", plot.csv());
        }
      }
      RunResult summary = RunResult.of(result);
      folder.update(state -> state.withSummary(summary));
    }
    folder.become(RunStatus.ofExitCode(code), null);
  }
}
