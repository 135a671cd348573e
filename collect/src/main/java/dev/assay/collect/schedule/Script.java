package dev.assay.collect.schedule;

import dev.assay.level.Level;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A scripted schedule, read from a file of this package. The file has a {@code title:}, the weakest
 * levels that forbid the anomaly ({@code forbidden-by:}), the {@code rows:} that are there at
 * first, one step a line, and one or more lines {@code shown:}, each a way to see that it happened.
 *
 * @param id the anomaly's name
 * @param title what it is called
 * @param forbiddenBy the weakest levels that forbid it
 * @param rows keys and their initial values
 * @param steps in the order in which they are begun
 * @param shown conditions, each a list of clauses that must all be true
 */
public record Script(
    String id,
    String title,
    List<Level> forbiddenBy,
    Map<Long, Long> rows,
    List<Step> steps,
    List<List<Clause>> shown) {

  /** From weak to strong. */
  private static final List<String> ALL =
      List.of(
          "G0",
          "G1a",
          "G1b",
          "G1c",
          "OTV",
          "PMP",
          "P4",
          "P4-rollback",
          "P4-retry",
          "G-single",
          "G2-item",
          "G2",
          "G2-upsert");

  /**
   * A condition on what a session read, or on what became of it.
   *
   * @param name a variable, or a session
   * @param value what it must be
   */
  record Clause(String name, String value) {}

  /** All schedules that come with Assay. */
  public static List<Script> all() {
    List<Script> scripts = new ArrayList<>();
    for (String id : ALL) {
      try (InputStream in = Script.class.getResourceAsStream(id + ".txt")) {
        scripts.add(parse(id, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return scripts;
  }

  /**
   * Reads a script.
   *
   * @throws IllegalArgumentException with the line that makes no sense
   */
  public static Script parse(String id, String text) {
    String title = id;
    List<Level> forbiddenBy = new ArrayList<>();
    Map<Long, Long> rows = new LinkedHashMap<>();
    List<Step> steps = new ArrayList<>();
    List<List<Clause>> shown = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String words = line.strip();
      if (words.isEmpty() || words.startsWith("#")) {
        continue;
      }
      try {
        String rest = words.substring(words.indexOf(':') + 1).strip();
        if (words.startsWith("title:")) {
          title = rest;
        } else if (words.startsWith("forbidden-by:")) {
          for (String level : rest.split("\\s+")) {
            forbiddenBy.add(Level.find(level).orElseThrow());
          }
        } else if (words.startsWith("rows:")) {
          for (String row : rest.split(",")) {
            String[] sides = row.split("=");
            rows.put(Long.parseLong(sides[0].strip()), Long.parseLong(sides[1].strip()));
          }
        } else if (words.startsWith("shown:")) {
          shown.add(condition(rest));
        } else {
          steps.add(step(words));
        }
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            "schedule " + id + ", line " + number + ": '" + words + "' makes no sense", e);
      }
    }
    return new Script(id, title, forbiddenBy, rows, steps, shown);
  }

  private static List<Clause> condition(String text) {
    List<Clause> clauses = new ArrayList<>();
    for (String clause : text.split(" and ")) {
      String[] words = clause.strip().split("\\s*=\\s*|\\s+");
      if (words.length != 2) {
        throw new IllegalArgumentException(clause);
      }
      clauses.add(new Clause(words[0], words[1]));
    }
    return clauses;
  }

  private static Step step(String text) {
    String[] sides = text.split("->");
    String[] words = sides[0].strip().split("\\s+");
    Step.Action action = Step.Action.valueOf(words[1].toUpperCase(Locale.ROOT));
    List<Long> arguments = new ArrayList<>();
    for (int i = 2; i < words.length; i++) {
      arguments.add(Long.parseLong(words[i]));
    }
    boolean hasVariable = sides.length == 2;
    if (arguments.size() != action.arguments || hasVariable != action.hasResult) {
      throw new IllegalArgumentException(text);
    }
    return new Step(words[0], action, arguments, hasVariable ? sides[1].strip() : null);
  }

  /** The sessions, in the order of their first steps. */
  Set<String> sessions() {
    Set<String> sessions = new LinkedHashSet<>();
    steps.forEach(step -> sessions.add(step.session()));
    return sessions;
  }

  /** Whether a database that claims this level must not let it happen. */
  public boolean isForbiddenBy(Level level) {
    return forbiddenBy.stream().anyMatch(level::implies);
  }

  /** Whether what was seen shows the anomaly. */
  boolean isShownBy(Map<String, String> seen) {
    return shown.stream()
        .anyMatch(all -> all.stream().allMatch(c -> c.value().equals(seen.get(c.name()))));
  }
}
