package dev.assay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages name everything there is, and link to pages that exist. */
class DocumentationTest {
  private static final Path PROJECT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

  @Test
  void thePageOnLevelsHasEveryLevelAndAnomaly() throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/levels.md"));
    for (Level level : Level.values()) {
      assertThat(page).contains("`" + level.id() + "`");
    }
    for (AnomalyType type : AnomalyType.values()) {
      assertThat(page).contains("`" + type.id() + "`");
    }
  }

  @Test
  void thePageOnLevelsHasTheArrowsOfTheLattice() throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/levels.md"));
    List<String> wrong = new ArrayList<>();
    for (String line : page.lines().filter(l -> l.contains(" -> ") && !l.contains("X")).toList()) {
      String[] steps = line.split(" -> ");
      for (int i = 0; i + 1 < steps.length; i++) {
        for (String from : steps[i].split(", ")) {
          for (String to : steps[i + 1].split(", ")) {
            if (!Level.find(from).orElseThrow().implies(Level.find(to).orElseThrow())) {
              wrong.add(from + " -> " + to);
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void thePageOnLevelsLacksNoArrowOfTheLattice() throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/levels.md"));
    Map<String, Set<String>> below = new HashMap<>();
    page.lines().filter(l -> l.contains(" -> ") && !l.contains("X")).forEach(l -> add(l, below));
    for (String x : List.of("repeatable-read", "adya-read-committed", "read-uncommitted")) {
      add("strong-" + x + " -> strong-session-" + x + " -> " + x, below);
    }
    List<String> missing = new ArrayList<>();
    for (Level from : Level.values()) {
      Set<String> reached = new HashSet<>();
      collect(from.id(), below, reached);
      for (Level to : Level.values()) {
        if (from.implies(to) && !reached.contains(to.id())) {
          missing.add(from.id() + " -> " + to.id());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static void add(String line, Map<String, Set<String>> below) {
    String[] steps = line.split(" -> ");
    for (int i = 0; i + 1 < steps.length; i++) {
      for (String from : steps[i].split(", ")) {
        below.computeIfAbsent(from, f -> new HashSet<>()).addAll(List.of(steps[i + 1].split(", ")));
      }
    }
  }

  private static void collect(String from, Map<String, Set<String>> below, Set<String> reached) {
    if (reached.add(from)) {
      below.getOrDefault(from, Set.of()).forEach(to -> collect(to, below, reached));
    }
  }

  @Test
  void thePagesOnFormatsHaveEveryFormat() throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/formats.md"));
    String readme = Files.readString(PROJECT.resolve("README.md"));
    for (HistoryFormat format : Formats.all()) {
      assertThat(page).contains("| `" + format.id() + "` |");
      assertThat(readme).contains("| `" + format.id() + "` |");
      for (String ending : format.extensions()) {
        assertThat(page).contains("`" + ending + "`");
      }
    }
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path folder : List.of(PROJECT, PROJECT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(f -> f.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    assertThat(pages).hasSizeGreaterThan(5);
    for (Path page : pages) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        assertThat(page.resolveSibling(link.group(1))).exists();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"core, dev/assay", "cli, dev/assay/cli"})
  void thePageOnArchitectureHasEveryPackage(String module, String root) throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/architecture.md"));
    int start = page.indexOf("## Packages of " + module);
    String table = page.substring(start, page.indexOf("\n## ", start));
    Set<String> named = new HashSet<>();
    Matcher row = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|").matcher(table);
    while (row.find()) {
      named.add(row.group(1));
    }
    Path sources = PROJECT.resolve(module).resolve("src/main/java").resolve(root);
    Set<String> packages = new HashSet<>(Set.of(root.replace('/', '.')));
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .filter(file -> file.endsWith("package-info.java") && !file.getParent().equals(sources))
          .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
          .forEach(packages::add);
    }
    assertThat(named).isEqualTo(packages);
  }

  @Test
  void thePagesForContributorsNameClassesThatExist() throws IOException {
    Set<String> classes = new HashSet<>();
    try (Stream<Path> files = Files.walk(PROJECT)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .forEach(name -> classes.add(name.substring(0, name.length() - ".java".length())));
    }
    Pattern name = Pattern.compile("`(?:[a-z]+\\.)*([A-Z][a-z]+[A-Za-z]*)[.A-Za-z]*`");
    List<String> unknown = new ArrayList<>();
    for (String page : List.of("docs/architecture.md", "CONTRIBUTING.md")) {
      Matcher matcher = name.matcher(Files.readString(PROJECT.resolve(page)));
      while (matcher.find()) {
        String found = matcher.group(1);
        // Records and interfaces inside the class that a sentence is about.
        boolean nested = List.of("Subject", "Reason").contains(found);
        if (!classes.contains(found) && !nested) {
          unknown.add(page + ": " + found);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }
}
