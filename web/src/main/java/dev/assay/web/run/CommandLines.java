package dev.assay.web.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The same as a request, to be copied to a terminal. */
public final class CommandLines {
  /** Parameters that {@code assay run} takes as lists. */
  private static final Set<String> LISTS =
      Set.of("isolation", "workload", "sessions", "operations", "keys", "reads", "distribution");

  private static final int MOST_LINES = 12;
  private static final int MOST_COLUMNS = 44;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private CommandLines() {}

  /** The command lines of a request without problems. */
  public static List<String> of(RunRequest request) {
    List<String> lines = new ArrayList<>();
    List<Map<String, String>> runs = request.runs();
    boolean onDatabase =
        request.source().equals(RunRequest.DATABASE) || request.source().equals(RunRequest.JDBC);
    if (onDatabase && LISTS.containsAll(request.varied())) {
      lines.add(run(merged(runs)));
    } else {
      for (Map<String, String> one : runs) {
        lines.addAll(onDatabase ? List.of(run(one)) : steps(one));
      }
    }
    for (String checker : request.checkers()) {
      if (!checker.equals("assay")) {
        boolean ours = RunRequest.OUR_CHECKERS.contains(checker);
        String history = onDatabase ? "assay-runs" : history(runs.get(0));
        List<String> words = new ArrayList<>(List.of("check", history, "--checker=" + checker));
        if (!ours) {
          words.add("--plugins=plugins");
        }
        words.addAll(RunPlan.judging(runs.get(0)));
        lines.add(line(runs.get(0), words));
      }
    }
    return lines.size() <= MOST_LINES ? lines : shortened(lines);
  }

  private static List<String> shortened(List<String> lines) {
    List<String> some = new ArrayList<>(lines.subList(0, MOST_LINES));
    some.add("# and " + (lines.size() - MOST_LINES) + " more");
    return some;
  }

  /** One configuration with the values of all of them as lists. */
  private static Map<String, String> merged(List<Map<String, String>> runs) {
    Map<String, String> merged = new LinkedHashMap<>();
    for (String name : runs.get(0).keySet()) {
      List<String> values =
          LISTS.contains(name)
              ? runs.stream().map(run -> run.get(name)).distinct().toList()
              : List.of(runs.get(0).get(name));
      merged.put(name, String.join(",", values));
    }
    return merged;
  }

  private static String run(Map<String, String> config) {
    List<String> words = new ArrayList<>(List.of("run"));
    words.addAll(RunPlan.target(config));
    words.addAll(RunPlan.options(config));
    words.addAll(RunPlan.judging(config));
    return line(config, words);
  }

  private static List<String> steps(Map<String, String> config) {
    List<String> lines = new ArrayList<>();
    if (config.get("source").equals(RunRequest.SYNTHETIC)) {
      List<String> generate = new ArrayList<>(List.of("generate"));
      generate.addAll(RunPlan.options(config));
      generate.add("--out=" + history(config));
      lines.add(line(config, generate));
    }
    List<String> check = new ArrayList<>(List.of("check", history(config)));
    check.addAll(RunPlan.judging(config));
    lines.add(line(config, check));
    return lines;
  }

  private static String history(Map<String, String> config) {
    String label = config.getOrDefault("label", "");
    return label.isEmpty() ? "history.assay" : label;
  }

  private static String line(Map<String, String> config, List<String> words) {
    StringBuilder line = new StringBuilder();
    if (config.get("memory") != null) {
      line.append("ASSAY_JAVA_OPTS=-Xmx").append(config.get("memory")).append(' ');
    }
    line.append("assay");
    int width = line.length();
    for (String word : words) {
      String quoted = quoted(word);
      boolean fits = width + quoted.length() < MOST_COLUMNS;
      line.append(fits ? " " : " \\\n  ").append(quoted);
      width = (fits ? width + 1 : 2) + quoted.length();
    }
    return line.toString();
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
