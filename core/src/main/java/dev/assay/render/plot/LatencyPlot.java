package dev.assay.render.plot;

import dev.assay.history.RecordedFault;
import dev.assay.history.RunActivity;
import dev.assay.history.RunActivity.Kind;
import java.util.ArrayList;
import java.util.List;

/** Quantiles of how long transactions took, over time, for each kind of them. */
public final class LatencyPlot implements Plot {
  private static final double[] QUANTILES = {0.5, 0.95, 0.99, 1};
  private static final List<String> NAMES = List.of("median", "95 %", "99 %", "maximum");

  private final RunActivity activity;
  private final List<RecordedFault> faults;

  public LatencyPlot(RunActivity activity, List<RecordedFault> faults) {
    this.activity = activity;
    this.faults = List.copyOf(faults);
  }

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String title() {
    return "Latency of transactions";
  }

  private List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < activity.stretches(); i++) {
        if (activity.count(kind, i) > 0) {
          kinds.add(kind);
          break;
        }
      }
    }
    return kinds;
  }

  @Override
  public String svg() {
    List<Kind> kinds = kinds();
    OverTime plot = new OverTime(title(), activity, Math.max(1, kinds.size()));
    plot.faults(faults);
    for (int panel = 0; panel < kinds.size(); panel++) {
      Kind kind = kinds.get(panel);
      Decades axis = decades(kind, OverTime.top(panel) + OverTime.PANEL);
      plot.frame(panel, "ms", axis.ticks(), axis);
      plot.subtitle(panel, kind.title());
      for (int look = 0; look < QUANTILES.length; look++) {
        double quantile = QUANTILES[look];
        plot.curve(look, i -> activity.millis(kind, i, quantile), axis);
      }
    }
    plot.legend(NAMES);
    return plot.end();
  }

  private Decades decades(Kind kind, int bottom) {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (int i = 0; i < activity.stretches(); i++) {
      for (double quantile : QUANTILES) {
        double millis = activity.millis(kind, i, quantile);
        least = Double.isNaN(millis) ? least : Math.min(least, millis);
        most = Double.isNaN(millis) ? most : Math.max(most, millis);
      }
    }
    int from = (int) Math.floor(StrictMath.log10(least));
    int to = Math.max(from + 1, (int) Math.ceil(StrictMath.log10(most)));
    return new Decades(from, to, bottom);
  }

  /** An axis on which each step is ten times the one before: faults make latencies so different. */
  private record Decades(int from, int to, int bottom) implements OverTime.Place {
    @Override
    public double of(double number) {
      return bottom - (StrictMath.log10(number) - from) / (to - from) * OverTime.PANEL;
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      for (int power = from; power <= to; power++) {
        ticks.add(StrictMath.pow(10, power));
      }
      return ticks;
    }
  }

  @Override
  public String csv() {
    Csv csv =
        new Csv(
            List.of(
                "seconds",
                "kind",
                "transactions",
                "median_millis",
                "p95_millis",
                "p99_millis",
                "max_millis"));
    for (Kind kind : kinds()) {
      for (int i = 0; i < activity.stretches(); i++) {
        List<String> row = new ArrayList<>();
        row.add(OverTime.number(activity.seconds(i)));
        row.add(kind.name().toLowerCase(java.util.Locale.ROOT));
        row.add(Long.toString(activity.count(kind, i)));
        for (double quantile : QUANTILES) {
          row.add(OverTime.number(activity.millis(kind, i, quantile)));
        }
        csv.row(row);
      }
    }
    return csv.text();
  }
}
