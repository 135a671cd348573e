package dev.assay.web.run;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.runs.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A request as command lines, to be copied to a terminal. */
public final class CommandLines {
  private static final int MOST_LINES = 12;
  private static final int MOST_COLUMNS = 44;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private CommandLines() {}

  /** The command lines of a request without problems. */
  public static List<String> of(RunRequest request) {
    return of(request.runs(), request.asLists());
  }

  /** The command lines of one run. */
  static List<String> of(RunConfig run) {
    return of(List.of(run), run);
  }

  private static List<String> of(List<RunConfig> runs, RunConfig asLists) {
    RunConfig first = runs.get(0);
    List<String> others = new ArrayList<>(first.items(Parameters.CHECKERS));
    others.remove(Parameters.CHECKER_NAMES.get(0));
    List<String> lines = new ArrayList<>();
    // A certificate belongs to one history, so a folder of them cannot be checked at once.
    boolean apart = first.isSet(Parameters.WHITE_BOX) && !others.isEmpty();
    if (!first.source().isLive() || apart) {
      for (int i = 0; i < runs.size(); i++) {
        lines.addAll(steps(runs.get(i), runs.size() == 1 ? "" : "-" + (i + 1), others));
      }
    } else {
      lines.add(run(asLists));
      others.forEach(checker -> lines.add(check(first, "assay-runs", null, checker)));
    }
    return lines.size() <= MOST_LINES ? lines : shortened(lines);
  }

  private static List<String> shortened(List<String> lines) {
    List<String> some = new ArrayList<>(lines.subList(0, MOST_LINES));
    some.add("# and " + (lines.size() - MOST_LINES) + " more");
    return some;
  }

  private static String run(RunConfig config) {
    List<String> words = new ArrayList<>(List.of("run"));
    words.addAll(RunPlan.target(config));
    words.addAll(RunPlan.options(config));
    words.addAll(RunPlan.live(config));
    words.addAll(RunPlan.judging(config));
    return line(config, words);
  }

  /** A history is made, or is there, and every checker is run on it. */
  private static List<String> steps(RunConfig config, String number, List<String> others) {
    List<String> lines = new ArrayList<>();
    String history = "history" + number + ".assay";
    String certificate = null;
    if (config.source() == Source.UPLOAD) {
      history = named(config, Parameters.LABEL, history);
      if (config.has(Parameters.VERSION_ORDER)) {
        certificate = named(config, Parameters.CERTIFICATE_LABEL, "certificate.jsonl");
      }
    } else {
      List<String> make = RunPlan.making(config);
      make.add("--out=" + history);
      lines.add(line(config, make));
      if (config.isSet(Parameters.WHITE_BOX)) {
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
      RunConfig config, String history, String certificate, String checker) {
    List<String> words = new ArrayList<>(List.of("check", history));
    words.addAll(RunPlan.reading(config, certificate));
    if (checker != null) {
      words.add("--checker=" + checker);
      if (!Parameters.CHECKER_NAMES.contains(checker)) {
        words.add("--plugins=plugins");
      }
    }
    words.addAll(RunPlan.judging(config));
    return line(config, words);
  }

  private static String named(RunConfig config, Parameter<String> label, String otherwise) {
    return config.has(label) ? config.given(label) : otherwise;
  }

  private static String line(RunConfig config, List<String> words) {
    StringBuilder line = new StringBuilder();
    if (config.has(Parameters.MEMORY)) {
      line.append("ASSAY_JAVA_OPTS=-Xmx").append(config.given(Parameters.MEMORY)).append(' ');
    }
    return folded(line.append("assay").toString(), words);
  }

  /** A command in several lines, as a shell reads them. */
  public static String folded(String program, List<String> words) {
    StringBuilder line = new StringBuilder(program);
    int width = line.length();
    for (String word : words) {
      String quoted = quoted(word);
      // A line that is not the last ends in a backslash.
      boolean fits = width + quoted.length() + 3 <= MOST_COLUMNS;
      line.append(fits ? " " : " \\\n  ").append(quoted);
      width = (fits ? width + 1 : 2) + quoted.length();
    }
    return line.toString();
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
