package dev.assay.bench;

import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The histories of the peers' table, listed in several orders, at each weak level. Another checker,
 * a program that takes a level and a file, may run beside Assay, in turns with it.
 */
final class WeakTable {
  private static final List<String> LEVELS = List.of("read-committed", "read-atomic", "causal");

  private final Main main;
  private final Histories histories;
  private final List<String> names;
  private final String program;

  /** Arguments: names of histories, with commas between them (all, if none), and the program. */
  WeakTable(Main main, Histories histories, List<String> args) {
    this.main = main;
    this.histories = histories;
    this.names = args.isEmpty() ? List.of() : List.of(args.get(0).split(","));
    this.program = args.size() > 1 ? args.get(1) : null;
  }

  void print() throws Exception {
    List<String> cells =
        new ArrayList<>(
            List.of("history", "listed", "level", "bare s", "check s", "ratio", "CPU s", "RSS MB"));
    if (program != null) {
      cells.addAll(List.of("other s", "other CPU s", "other MB", "CPU / other"));
    }
    Main.header(cells.toArray(String[]::new));
    rows("b", Histories.registers(50, 2000, 20, 10_000, Distribution.UNIFORM));
    rows("d", Histories.registers(50, 2000, 20, 10_000, Distribution.ZIPF));
    rows("e", Histories.registers(1000, 100, 20, 10_000, Distribution.UNIFORM));
    rows("c", Histories.registers(100, 10_000, 10, 1_000_000, Distribution.UNIFORM));
    rows("f", Histories.registers(100, 10_000, 50, 100_000_000, Distribution.UNIFORM));
  }

  private void rows(String name, WorkloadSpec spec) throws Exception {
    if (!names.isEmpty() && !names.contains(name)) {
      return;
    }
    Path generated = histories.file(name + ".txt", spec, List.of(), 0);
    for (Shuffle shuffle : Shuffle.values()) {
      Path file = shuffle.of(generated);
      Run bare = main.bare(file);
      for (String level : LEVELS) {
        row(name, shuffle, level, bare, file);
      }
    }
  }

  private void row(String name, Shuffle shuffle, String level, Run bare, Path file)
      throws Exception {
    List<List<String>> commands = new ArrayList<>(List.of(main.command(level, file)));
    if (program != null) {
      commands.add(List.of(program, level, file.toString()));
    }
    List<Run> runs = main.inTurns(commands);
    Run check = runs.get(0);
    List<String> cells =
        new ArrayList<>(
            List.of(
                name,
                shuffle.title(),
                level,
                Main.seconds(bare.wallSeconds()),
                Main.seconds(check.wallSeconds()),
                "%.1f".formatted(check.wallSeconds() / bare.wallSeconds()),
                Main.seconds(check.cpuSeconds()),
                "%.0f".formatted(check.peakMegabytes())));
    if (program != null) {
      Run other = runs.get(1);
      cells.addAll(
          List.of(
              Main.seconds(other.wallSeconds()),
              Main.seconds(other.cpuSeconds()),
              "%.0f".formatted(other.peakMegabytes()),
              "%.2f".formatted(check.cpuSeconds() / other.cpuSeconds())));
    }
    Main.row(cells.toArray(String[]::new));
  }
}
