package dev.assay.explain;

import dev.assay.level.AnomalyNames;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The pages of {@code assay explain}: one for each level and anomaly. */
public final class Handbook {
  private static final int WIDTH = 78;
  private static final int INDENT = 13;

  private Handbook() {}

  /** The page of a level. */
  public static String page(Level level) {
    Example example = Example.of(level.id());
    StringBuilder page = new StringBuilder(level.id() + " (isolation level)\n");
    paragraph(page, "  ", sentence(level.definition()));
    page.append('\n');
    fact(page, "also called", String.join(", ", level.aliases()));
    fact(page, "implies", weaker(level));
    fact(page, "implied by", ids(directlyStronger(level)));
    fact(page, "forbids", newlyForbidden(level));
    page.append("\nA history it forbids (assay-jsonl):\n");
    walk(page, example);
    source(page, example);
    return page.toString();
  }

  /** The page of an anomaly. */
  public static String page(AnomalyType type) {
    Example example = Example.of(type.id());
    StringBuilder page = new StringBuilder(type.id() + " (anomaly): " + type.title() + "\n");
    page.append("\nAn example (assay-jsonl):\n");
    walk(page, example);
    fact(page, "definition", sentence(type.definition()));
    fact(page, "also called", names(type));
    List<Level> weakest = new ArrayList<>(Level.minimal(type.forbiddenBy()));
    String stronger = weakest.size() < type.forbiddenBy().size() ? ", and all stronger" : "";
    fact(page, "forbidden by", ids(weakest) + stronger);
    page.append('\n');
    source(page, example);
    return page.toString();
  }

  /** What happens, before what it is called and how it is defined. */
  private static void walk(StringBuilder page, Example example) {
    example.history().lines().forEach(line -> page.append("  ").append(line).append('\n'));
    page.append('\n');
    example.walk().lines().forEach(line -> page.append(line).append('\n'));
    page.append('\n');
  }

  private static void source(StringBuilder page, Example example) {
    paragraph(page, "", "Source: " + String.join(" ", example.source().lines().toList()));
  }

  private static String sentence(String clause) {
    return Character.toUpperCase(clause.charAt(0)) + clause.substring(1) + ".";
  }

  private static String weaker(Level level) {
    Set<Level> direct = level.directlyImplies();
    boolean more = direct.stream().anyMatch(l -> !l.directlyImplies().isEmpty());
    return ids(direct) + (more ? ", and all they imply" : "");
  }

  private static Set<Level> directlyStronger(Level level) {
    Set<Level> stronger = new LinkedHashSet<>();
    for (Level other : Level.values()) {
      if (other.directlyImplies().contains(level)) {
        stronger.add(other);
      }
    }
    return stronger;
  }

  /** What this level forbids and no level directly below it does. */
  private static String newlyForbidden(Level level) {
    List<String> ids = new ArrayList<>();
    for (AnomalyType type : AnomalyType.forbiddenBy(level)) {
      if (level.directlyImplies().stream().noneMatch(type.forbiddenBy()::contains)) {
        ids.add(type.id());
      }
    }
    if (level == Level.SERIALIZABLE_LINEARIZABLE_KEYS) {
      return "what the levels it implies forbid, and cycles of sessions and real time (-process,"
          + " -realtime) whose steps of these orders are between transactions with a common key";
    }
    if (ids.isEmpty()) {
      return AnomalyType.forbiddenBy(level).isEmpty() ? "" : "what the levels it implies forbid";
    }
    String more =
        level.directlyImplies().isEmpty() ? "" : ", and what the levels it implies forbid";
    return String.join(", ", ids) + more;
  }

  private static String names(AnomalyType type) {
    List<String> names = new ArrayList<>();
    if (type.elle() != null && !type.elle().equals(type.id())) {
      names.add(type.elle() + " (Elle)");
    }
    if (type.plume() != null) {
      names.add("TAP-" + type.plume() + " (Plume)");
    }
    if (type.c4() != null) {
      names.add(type.c4() + " (C4)");
    }
    names.addAll(AnomalyNames.others(type));
    return String.join(", ", names);
  }

  private static String ids(Iterable<Level> levels) {
    StringBuilder text = new StringBuilder();
    for (Level level : levels) {
      text.append(text.length() == 0 ? "" : ", ").append(level.id());
    }
    return text.toString();
  }

  private static void fact(StringBuilder page, String name, String text) {
    if (!text.isEmpty()) {
      String lead = name + ":" + " ".repeat(INDENT - name.length());
      wrap(page, lead, " ".repeat(INDENT + 1), text);
    }
  }

  private static void paragraph(StringBuilder page, String indent, String text) {
    wrap(page, indent, indent, text);
  }

  private static void wrap(StringBuilder page, String lead, String indent, String text) {
    StringBuilder line = new StringBuilder(lead);
    boolean empty = true;
    for (String word : text.split(" ")) {
      if (!empty && line.length() + 1 + word.length() > WIDTH) {
        page.append(line).append('\n');
        line = new StringBuilder(indent);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    page.append(line).append('\n');
  }
}
