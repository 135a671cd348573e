package dev.assay.cli;

final class ScheduleRuns {
  static int run(RunOptions options, Terminal terminal, boolean quiet) {
    return 0;
  }
}
