package dev.assay.render.html;

import dev.assay.render.CheckResult;
import dev.assay.render.RunNews;
import dev.assay.render.plot.LatencyPlot;
import dev.assay.render.plot.Plot;
import dev.assay.render.plot.ThroughputPlot;
import java.util.List;

/** What clients saw of a recorded run over time, with its faults. */
final class RunPart {
  private final RunNews news;
  private final String id;

  RunPart(CheckResult result, String id) {
    this.news = RunNews.of(result);
    this.id = id;
  }

  /** Writes nothing for a history that was not recorded as a run. */
  void write(Markup html) {
    if (news.activity() == null) {
      return;
    }
    html.open("section", "class", "activity", "aria-labelledby", id + "-activity").line();
    html.leaf("h2", "The run over time", "id", id + "-activity").line();
    for (Plot plot :
        List.of(
            new ThroughputPlot(news.activity(), news.faults()),
            new LatencyPlot(news.activity(), news.faults()))) {
      html.open("figure", "class", "plotted").open("div", "class", "scroll");
      html.verbatim(plot.svg()).close("div").close("figure").line();
    }
    List<String> faults = news.availability();
    if (!faults.isEmpty()) {
      html.leaf("h3", "Faults").open("ul", "class", "notes").line();
      faults.forEach(fault -> html.leaf("li", fault).line());
      html.close("ul").line();
    }
    html.close("section").line();
  }
}
