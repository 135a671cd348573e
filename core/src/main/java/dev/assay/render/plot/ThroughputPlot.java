package dev.assay.render.plot;

import dev.assay.history.Outcome;
import dev.assay.history.RecordedFault;
import dev.assay.history.RunActivity;
import java.util.List;

/** Transactions that ended in a second, over time, by outcome. */
public final class ThroughputPlot implements Plot {
  private static final List<Outcome> OUTCOMES =
      List.of(Outcome.COMMITTED, Outcome.ABORTED, Outcome.INDETERMINATE);

  private final RunActivity activity;
  private final List<RecordedFault> faults;

  public ThroughputPlot(RunActivity activity, List<RecordedFault> faults) {
    this.activity = activity;
    this.faults = List.copyOf(faults);
  }

  @Override
  public String name() {
    return "throughput";
  }

  @Override
  public String title() {
    return "Transactions a second";
  }

  @Override
  public String svg() {
    OverTime plot = new OverTime(title(), activity, 1);
    plot.faults(faults);
    double most = 1;
    for (Outcome outcome : OUTCOMES) {
      for (int i = 0; i < activity.stretches(); i++) {
        most = Math.max(most, rate(outcome, i));
      }
    }
    Axis axis = new Axis(most, OverTime.top(0) + OverTime.PANEL, -OverTime.PANEL);
    plot.frame(0, "txn/s", axis.ticks(), axis::at);
    for (int look = 0; look < OUTCOMES.size(); look++) {
      Outcome outcome = OUTCOMES.get(look);
      plot.curve(look, i -> rate(outcome, i), axis::at);
    }
    plot.legend(OUTCOMES.stream().map(Outcome::id).toList());
    return plot.end();
  }

  private double rate(Outcome outcome, int stretch) {
    return activity.count(outcome, stretch) / activity.stretchSeconds();
  }

  @Override
  public String csv() {
    Csv csv = new Csv(List.of("seconds", "committed", "aborted", "unknown"));
    for (int i = 0; i < activity.stretches(); i++) {
      csv.row(
          List.of(
              OverTime.number(activity.seconds(i)),
              Integer.toString(activity.count(Outcome.COMMITTED, i)),
              Integer.toString(activity.count(Outcome.ABORTED, i)),
              Integer.toString(activity.count(Outcome.INDETERMINATE, i))));
    }
    return csv.text();
  }
}
