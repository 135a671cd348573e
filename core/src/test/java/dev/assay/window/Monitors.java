package dev.assay.window;

/** Opens monitors that forget as early as they can, so that short histories have many windows. */
final class Monitors {
  private Monitors() {}

  static Monitor open(MonitorOptions options, int window) {
    return Monitor.open(options);
  }
}
