package dev.assay.cli;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.check.LevelChecker;
import dev.assay.collect.plugin.PluginException;
import dev.assay.collect.plugin.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Which checkers to ask: all of Assay's, one of them, or a plug-in. */
final class Checkers {
  static final String ALL = "assay";

  /** The methods that can be asked alone. */
  static final List<String> METHODS = List.of("weak-levels", "known-orders", "strong-levels");

  private Checkers() {}

  static UnaryOperator<CheckOptions> of(String name, String plugins) {
    if (name.equals(ALL)) {
      return UnaryOperator.identity();
    }
    if (METHODS.contains(name)) {
      return options -> options.onlyBy(alone(name));
    }
    List<String> known = new ArrayList<>(METHODS);
    known.add(0, ALL);
    if (plugins != null) {
      try {
        for (LevelChecker checker : Plugins.load(Inputs.path(plugins))) {
          if (checker.name().equals(name)) {
            return options -> options.onlyBy(List.of(checker));
          }
          known.add(checker.name());
        }
      } catch (PluginException e) {
        throw new UsageException(e.getMessage());
      }
    }
    throw Names.unknown("checker", name, known, "known: " + String.join(", ", known));
  }

  /** No method decides a level by itself: all of them rest on reads that were found consistent. */
  private static List<LevelChecker> alone(String name) {
    List<LevelChecker> chosen = new ArrayList<>();
    for (LevelChecker checker : Assay.checkers()) {
      if (!METHODS.contains(checker.name()) || checker.name().equals(name)) {
        chosen.add(checker);
      }
    }
    return chosen;
  }
}
