package dev.assay.cli;

import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.Names;
import dev.assay.explain.Handbook;
import dev.assay.level.AnomalyNames;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code assay explain}: what is a level or an anomaly? */
final class ExplainCommand implements Command {
  private static final String NOTES =
      """
      Examples:
        assay explain                 all levels and anomalies, one per line
        assay explain write-skew      by the name people use; G2-item is the same
        assay explain OTV             by a name from the papers
        assay explain causal
      """;

  private static final int NAME_WIDTH = 36;

  private final CommonOptions common = new CommonOptions();

  private String id;

  @Override
  public void declare(Options options) {
    options.command("explain", "Explains a level or an anomaly, with an example.", "[ID]", NOTES);
    common.declare(options);
    options.argument(
        0, "0..1", "ID", "A level or an anomaly, by its id or an alias.", given -> id = given);
  }

  @Override
  public int run(Terminal terminal) {
    if (id == null) {
      list(terminal.out());
      return ExitCode.OK;
    }
    Optional<Level> level = Level.find(id);
    Set<AnomalyType> anomalies = AnomalyNames.find(id);
    if (level.isEmpty() && anomalies.isEmpty()) {
      Names.requireLevelHere(id);
      throw Names.unknown("level or anomaly", id, everyName(), "assay explain lists them all");
    }
    String gap = "";
    if (level.isPresent()) {
      terminal.out().print(Handbook.page(level.get()));
      gap = "\n";
    }
    for (AnomalyType anomaly : anomalies) {
      terminal.out().print(gap + Handbook.page(anomaly));
      gap = "\n";
    }
    return ExitCode.OK;
  }

  private static void list(PrintStream out) {
    out.println("Levels, each before those it implies:");
    for (Level level : strongestFirst()) {
      out.println("  " + level.id());
    }
    out.println();
    out.println("Levels decided where they are asked for:");
    for (Level level : Level.values()) {
      if (level.isDecidedByName()) {
        out.println("  " + level.id());
      }
    }
    out.println();
    out.println("Levels known by name only, never decided:");
    for (Level level : Level.values()) {
      if (!Level.surveyed().contains(level) && !level.isDecidedByName()) {
        out.println("  " + level.id());
      }
    }
    out.println();
    out.println("Anomalies:");
    for (AnomalyType type : AnomalyType.values()) {
      String id = type.id();
      out.println("  " + id + " ".repeat(Math.max(1, NAME_WIDTH - id.length())) + type.title());
    }
    out.println();
    out.println("assay explain ID explains one of them.");
  }

  /** The levels that can be decided, in an order that agrees with the lattice. */
  static List<Level> strongestFirst() {
    List<Level> rest = new ArrayList<>(Level.surveyed());
    List<Level> sorted = new ArrayList<>();
    while (!rest.isEmpty()) {
      Level next =
          rest.stream()
              .filter(level -> rest.stream().noneMatch(s -> s != level && s.implies(level)))
              .findFirst()
              .orElseThrow();
      rest.remove(next);
      sorted.add(next);
    }
    return sorted;
  }

  private static List<String> everyName() {
    List<String> names = new ArrayList<>();
    for (Level level : Level.values()) {
      names.add(level.id());
      names.addAll(level.aliases());
    }
    names.addAll(AnomalyNames.all());
    return names;
  }
}
