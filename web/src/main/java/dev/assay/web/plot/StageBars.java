package dev.assay.web.plot;

import dev.assay.render.plot.Axis;
import dev.assay.render.plot.Csv;
import dev.assay.render.plot.Plot;
import dev.assay.render.plot.Svg;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the time went: one bar for each checker, made of its stages. */
public final class StageBars implements Plot {
  private static final int WIDTH = Curves.WIDTH;
  private static final int LEFT = 104;
  private static final int RIGHT = 60;
  private static final int TOP = 38;
  private static final int BAR = 24;
  private static final int GAP = 12;
  private static final int LEGEND_LINE = 18;
  private static final int LEGEND_COLUMNS = 3;

  private final String name;
  private final String title;
  private final Map<String, Map<String, Long>> bars;

  /**
   * @param bars milliseconds by stage, for each bar
   */
  public StageBars(String name, String title, Map<String, Map<String, Long>> bars) {
    this.name = name;
    this.title = title;
    this.bars = bars;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  private List<String> stages() {
    Set<String> stages = new LinkedHashSet<>();
    for (Map<String, Long> bar : bars.values()) {
      bar.forEach((stage, millis) -> addIfLong(stages, stage, millis));
    }
    return new ArrayList<>(stages);
  }

  /** What took no time is not in the legend. */
  private static void addIfLong(Set<String> stages, String stage, long millis) {
    if (millis > 0) {
      stages.add(stage);
    }
  }

  private static long total(Map<String, Long> bar) {
    long total = 0;
    for (long millis : bar.values()) {
      total += Math.max(0, millis);
    }
    return total;
  }

  @Override
  public String svg() {
    List<String> stages = stages();
    int bottom = TOP + bars.size() * (BAR + GAP);
    int rows = (stages.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    Svg svg = new Svg(title, WIDTH, bottom + 44 + rows * LEGEND_LINE);
    svg.text(16, 20, "start", "title", title);
    long most = 1;
    for (Map<String, Long> bar : bars.values()) {
      most = Math.max(most, total(bar));
    }
    Axis x = new Axis(most, LEFT, WIDTH - LEFT - RIGHT);
    for (double tick : x.ticks()) {
      svg.line(x.at(tick), TOP, x.at(tick), bottom, "grid", "#d8dee4");
      svg.text(x.at(tick), bottom + 16, "middle", "tick", Axis.number(tick));
    }
    svg.text(WIDTH - 8, bottom + 16, "end", "label", "ms");
    int y = TOP + GAP / 2;
    for (Map.Entry<String, Map<String, Long>> bar : bars.entrySet()) {
      svg.text(LEFT - 8, y + BAR / 2.0 + 4, "end", "label", bar.getKey());
      double from = 0;
      for (Map.Entry<String, Long> stage : bar.getValue().entrySet()) {
        long millis = Math.max(0, stage.getValue());
        if (millis == 0) {
          continue;
        }
        String tip = bar.getKey() + "\n" + stage.getKey() + ": " + millis + " ms";
        String colour = Curves.colour(stages.indexOf(stage.getKey()));
        svg.rect(x.at(from), y, x.at(from + millis) - x.at(from), BAR, "part", colour, tip);
        from += millis;
      }
      String sum = total(bar.getValue()) + " ms";
      svg.text(x.at(from) + 6, y + BAR / 2.0 + 4, "start", "label", sum);
      y += BAR + GAP;
    }
    for (int i = 0; i < stages.size(); i++) {
      int left = 16 + i % LEGEND_COLUMNS * (WIDTH - 16) / LEGEND_COLUMNS;
      int top = bottom + 30 + i / LEGEND_COLUMNS * LEGEND_LINE;
      svg.rect(left, top, 11, 11, "part", Curves.colour(i), null);
      svg.text(left + 17, top + 10, "start", "label", stages.get(i));
    }
    return svg.end();
  }

  @Override
  public String csv() {
    Csv csv = new Csv(List.of("checker", "stage", "milliseconds"));
    bars.forEach(
        (bar, stages) ->
            stages.forEach((stage, millis) -> csv.row(List.of(bar, stage, millis.toString()))));
    return csv.text();
  }
}
