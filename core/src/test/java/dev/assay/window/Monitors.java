package dev.assay.window;

import dev.assay.Report;
import dev.assay.history.History;

/** Opens monitors that forget as early as they can, so that short histories have many windows. */
final class Monitors {
  /** What tests use of a monitor. */
  interface Judging extends AutoCloseable {
    void accept(History finished);

    Standing soFar();

    Report finish();

    @Override
    void close();
  }

  private Monitors() {}

  static Judging open(MonitorOptions options, Feed.Way way) {
    return way.threads() == 1 ? inThisThread(options, way) : inAnother(options);
  }

  /** Judges after each given number of transactions: the same windows in each run. */
  private static Judging inThisThread(MonitorOptions options, Feed.Way way) {
    Engine engine = new Engine(options, way.lag());
    return new Judging() {
      private int arrived;

      @Override
      public void accept(History finished) {
        engine.accept(finished);
        arrived += finished.transactionCount();
        if (arrived >= way.cutEvery()) {
          engine.round();
          arrived = 0;
        }
      }

      @Override
      public Standing soFar() {
        return engine.standing();
      }

      @Override
      public Report finish() {
        return engine.finish();
      }

      @Override
      public void close() {}
    };
  }

  private static Judging inAnother(MonitorOptions options) {
    Monitor monitor = Monitor.open(options);
    return new Judging() {
      @Override
      public void accept(History finished) {
        monitor.accept(finished);
      }

      @Override
      public Standing soFar() {
        return monitor.soFar();
      }

      @Override
      public Report finish() {
        return monitor.finish();
      }

      @Override
      public void close() {
        monitor.close();
      }
    };
  }
}
