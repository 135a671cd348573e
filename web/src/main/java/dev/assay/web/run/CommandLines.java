package dev.assay.web.run;

import dev.assay.collect.runs.RunFolder;
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
    List<String> others = new ArrayList<>(request.checkers());
    others.remove(RunRequest.OUR_CHECKERS.get(0));
    List<Map<String, String>> runs = request.runs();
    Map<String, String> first = runs.get(0);
    List<String> lines = new ArrayList<>();
    // A certificate belongs to one history, so a folder of them cannot be checked at once.
    boolean apart = first.containsKey("white-box") && !others.isEmpty();
    if (!request.isLive() || apart) {
      for (int i = 0; i < runs.size(); i++) {
        lines.addAll(steps(runs.get(i), runs.size() == 1 ? "" : "-" + (i + 1), others));
      }
    } else {
      if (LISTS.containsAll(request.varied())) {
        lines.add(run(merged(runs)));
      } else {
        runs.forEach(one -> lines.add(run(one)));
      }
      others.forEach(checker -> lines.add(check(first, "assay-runs", null, checker)));
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

  /** A history is made, or is there, and every checker is asked about it. */
  private static List<String> steps(
      Map<String, String> config, String number, List<String> others) {
    List<String> lines = new ArrayList<>();
    String source = config.get("source");
    String history = "history" + number + ".assay";
    String certificate = null;
    if (source.equals(RunRequest.UPLOAD)) {
      history = named(config, "label", history);
      if (config.containsKey("version-order")) {
        certificate = named(config, "certificate-label", "certificate.jsonl");
      }
    } else {
      boolean synthetic = source.equals(RunRequest.SYNTHETIC);
      List<String> make = new ArrayList<>(List.of(synthetic ? "generate" : "record"));
      make.addAll(RunPlan.target(config));
      make.addAll(RunPlan.options(config));
      make.add("--out=" + history);
      lines.add(line(config, make));
      if (config.containsKey("white-box")) {
        certificate = history + RunFolder.CERTIFICATE_ENDING;
      }
    }
    lines.add(check(config, history, certificate, null));
    for (String checker : others) {
      lines.add(check(config, history, certificate, checker));
    }
    return lines;
  }

  private static String check(
      Map<String, String> config, String history, String certificate, String checker) {
    List<String> words = new ArrayList<>(List.of("check", history));
    words.addAll(RunPlan.reading(config, certificate));
    if (checker != null) {
      words.add("--checker=" + checker);
      if (!RunRequest.OUR_CHECKERS.contains(checker)) {
        words.add("--plugins=plugins");
      }
    }
    words.addAll(RunPlan.judging(config));
    return line(config, words);
  }

  private static String named(Map<String, String> config, String field, String otherwise) {
    String label = config.getOrDefault(field, "");
    return label.isEmpty() ? otherwise : label;
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
