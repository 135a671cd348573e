package dev.assay.collect.judge;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.check.LevelChecker;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.plugin.PluginException;
import dev.assay.collect.plugin.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The checkers behind a name: all built-in methods, one of them, all but one, or one of the plug-in
 * folder.
 */
public final class Checkers {
  /** All built-in methods. */
  public static final String ALL = Parameters.CHECKER_NAMES.get(0);

  /** The methods that can be used alone. */
  public static final List<String> METHODS =
      Parameters.CHECKER_NAMES.subList(1, Parameters.CHECKER_NAMES.size());

  /** Before the name of a method: all others. */
  private static final String WITHOUT = "without-";

  private Checkers() {}

  /**
   * Narrows a check to the checkers that a name selects.
   *
   * @param plugins the plug-in folder, or null
   */
  public static UnaryOperator<CheckOptions> of(String name, Path plugins) {
    if (name.equals(ALL)) {
      return UnaryOperator.identity();
    }
    if (METHODS.contains(name)) {
      return options -> options.onlyBy(alone(name));
    }
    List<String> known = new ArrayList<>(Parameters.CHECKER_NAMES);
    for (String method : METHODS) {
      if (name.equals(WITHOUT + method)) {
        return options -> options.without(method);
      }
      known.add(WITHOUT + method);
    }
    for (LevelChecker checker : plugins(plugins)) {
      if (checker.name().equals(name)) {
        return options -> options.onlyBy(List.of(checker));
      }
      known.add(checker.name());
    }
    throw Names.unknown("checker", name, known, "known: " + String.join(", ", known));
  }

  /** The checkers of a plug-in folder; none without a folder. */
  public static List<LevelChecker> plugins(Path folder) {
    try {
      return folder == null ? List.of() : Plugins.load(folder);
    } catch (PluginException e) {
      throw new UsageException(e.getMessage());
    }
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
