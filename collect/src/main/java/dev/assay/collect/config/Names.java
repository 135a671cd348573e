package dev.assay.collect.config;

import static java.util.Map.entry;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.level.AnomalyNames;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Looks up names that users give; the closest known one is proposed for an unknown one. */
public final class Names {
  public static final String ALL = "all";

  /** Names of levels that Assay does not decide, and what to ask instead. */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          entry(
              "ssi",
              "serializable snapshot isolation is a way to implement serializable; ask for that"),
          entry(
              "pl-cs",
              "histories do not say what was read through a cursor; repeatable-read implies it, and"
                  + " cursor-stability is what is left of it without cursors"),
          entry("nmsi", "Assay does not decide it; parallel-snapshot-isolation implies it"),
          entry(
              "eventual",
              "it says nothing about what a transaction reads; ask for read-committed or causal"),
          entry(
              "s2pl",
              "strict two-phase locking is a way to implement strict-serializable; ask for that"),
          entry("2pl", "two-phase locking is a way to implement serializable; ask for that"),
          entry(
              "mtc",
              "it is a checker of mini-transactions; ask for strict-serializable,"
                  + " strong-session-serializable or strong-session-snapshot-isolation"),
          entry("mt-sser", "it is a history of mini-transactions; ask for strict-serializable"),
          entry(
              "mt-ser",
              "it is a history of mini-transactions; ask for strong-session-serializable"),
          entry(
              "mt-si",
              "it is a history of mini-transactions; ask for strong-session-snapshot-isolation"),
          entry(
              "opacity",
              "it is about what aborted transactions read, too, which no level here is; ask for"
                  + " strict-serializable of those that committed"),
          entry(
              "ccv",
              "causal convergence is causal here, and causal-non-transactional where operations"
                  + " are not in transactions; ask for one of these"));

  private Names() {}

  public static Level level(String name) {
    return Level.find(name)
        .orElseThrow(
            () -> {
              requireLevelHere(name);
              List<String> known = new ArrayList<>();
              for (Level level : Level.values()) {
                known.add(level.id());
                known.addAll(level.aliases());
              }
              return unknown("level", name, known, "assay explain lists the levels");
            });
  }

  /** Says what to ask instead where this is the name of a level that Assay does not decide. */
  public static void requireLevelHere(String name) {
    String instead = INSTEAD.get(name.toLowerCase(Locale.ROOT));
    if (instead != null) {
      throw new UsageException("'" + name + "' is not a level here: " + instead);
    }
  }

  /** The levels of a comma-separated list, in the order of the lattice. */
  public static List<Level> levels(String list) {
    Set<Level> levels = EnumSet.noneOf(Level.class);
    for (String name : items(list)) {
      if (name.equalsIgnoreCase(ALL)) {
        levels.addAll(Level.surveyed());
      } else {
        levels.add(level(name));
      }
    }
    if (levels.isEmpty()) {
      throw new UsageException("no level given");
    }
    return new ArrayList<>(levels);
  }

  public static boolean isSurvey(String list) {
    return items(list).stream().anyMatch(ALL::equalsIgnoreCase);
  }

  /** The anomalies of a comma-separated list, by any name that {@code explain} takes. */
  public static Set<AnomalyType> anomalies(String list) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    for (String name : items(list)) {
      Set<AnomalyType> named = AnomalyNames.find(name);
      if (named.isEmpty()) {
        String hint = "assay explain lists the anomalies";
        throw unknown("anomaly", name, AnomalyNames.all(), hint);
      }
      types.addAll(named);
    }
    return types;
  }

  /** The assumptions of a comma-separated list. */
  public static Set<Assumption> assumptions(String list) {
    Set<Assumption> assumptions = EnumSet.noneOf(Assumption.class);
    for (String name : items(list)) {
      assumptions.add(constant("assumption", name, Assumption.values(), Assumption::id));
    }
    return assumptions;
  }

  /** The format with this name, or null for {@code auto}. */
  public static HistoryFormat format(String name) {
    if (name == null || name.equals("auto")) {
      return null;
    }
    List<String> known = Formats.all().stream().map(HistoryFormat::id).toList();
    return Formats.byId(known("format", name, known)).orElseThrow();
  }

  /** The constant whose id, as written by the function, is this name. */
  public static <E> E constant(String what, String name, E[] constants, Function<E, String> id) {
    return ValueType.oneOf(what, () -> List.of(constants), id).parse(name);
  }

  /** The name among those known, in their spelling. */
  public static String known(String what, String name, List<String> known) {
    return known.stream()
        .filter(name::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(() -> unknown(what, name, known, "known: " + String.join(", ", known)));
  }

  public static UsageException unknown(String what, String name, String... known) {
    return unknown(what, name, List.of(known), "known: " + String.join(", ", known));
  }

  public static UsageException unknown(
      String what, String name, List<String> known, String otherwise) {
    String close = closest(name, known);
    String hint = close == null ? otherwise : "did you mean " + close + "?";
    return new UsageException("unknown " + what + " '" + name + "'; " + hint);
  }

  /** The values of an option that takes a list of them. */
  public static List<String> values(String option, String list) {
    List<String> items = items(list);
    if (items.isEmpty()) {
      throw new UsageException("--" + option + " has no value");
    }
    return items;
  }

  public static List<String> items(String list) {
    List<String> items = new ArrayList<>();
    for (String item : list.split(",")) {
      if (!item.isBlank()) {
        items.add(item.strip());
      }
    }
    return items;
  }

  /** The known name a typing error away, or null where none is close. */
  public static String closest(String name, List<String> known) {
    String wanted = name.toLowerCase(Locale.ROOT).replace('_', '-').replace(' ', '-');
    String best = null;
    int bestDistance = Math.max(2, wanted.length() / 3) + 1;
    for (String candidate : known) {
      String lower = candidate.toLowerCase(Locale.ROOT);
      int distance = distance(wanted, lower);
      if (wanted.length() >= 4 && lower.startsWith(wanted)) {
        distance = 1;
      }
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** Edits that turn one word into the other (Levenshtein). */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
