package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.db.Database;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.json.Json;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What docs/cli.md and its neighbours list is what there is: options, defaults, JSON fields. */
class CommandPageTest {
  private static final Path PROJECT = Path.of("..");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
  private static final Pattern DEFAULT = Pattern.compile("\\(?default: ([\\w.-]+)");
  private static final Set<String> COMMON = Set.of("--help", "--quiet", "--verbose", "--color");

  static List<String> commands() {
    return Main.COMMANDS;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyOptionIsInTheSectionOfItsCommand(String command) throws IOException {
    String section = section(command);
    Set<String> missing = new TreeSet<>();
    for (OptionSpec option : spec(command).options()) {
      for (String name : option.names()) {
        boolean common = COMMON.contains(option.longestName());
        String text = common ? section("") : section;
        if (!Pattern.compile("(?<![\\w-])" + name + "(?![\\w-])").matcher(text).find()) {
          missing.add(name);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** The parser breaks longer lines, and the next one then begins anew. */
  @ParameterizedTest
  @MethodSource("commands")
  void notesBelowTheOptionsFitALine(String command) {
    assertThat(spec(command).usageMessage().footer())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theTableOfACommandHasNoOptionThatItLacks(String command) throws IOException {
    Set<String> wrong = new TreeSet<>();
    for (String row : rows(command)) {
      Matcher option = OPTION.matcher(row.split("\\|")[1]);
      while (option.find()) {
        // Of run and record, which share a section, one may have it.
        boolean known = sharing(command).stream().anyMatch(c -> has(spec(c), option.group()));
        if (!known) {
          wrong.add(option.group());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void defaultsOnThePageAreThoseOfTheHelp(String command) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (OptionSpec option : spec(command).options()) {
      Optional<String> own = defaultIn(String.join(" ", option.description()));
      for (String row : rows(command)) {
        if (isAboutOnly(option, row)) {
          Optional<String> stated = defaultIn(row);
          if (own.isPresent() && stated.isPresent() && !own.equals(stated)) {
            wrong.add(
                option.longestName() + " is " + own.get() + ", the page says " + stated.get());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyFieldOfTheJsonReportIsOnThePage() throws IOException {
    Set<String> fields = new TreeSet<>();
    Ran ran = Ran.of("check", "--output", "json", PROJECT.resolve("histories").toString());
    for (String line : ran.out().lines().toList()) {
      collect("", Json.readObject(line), fields);
    }
    assertThat(fields).contains("anomalies", "because", "keysTotal").hasSizeGreaterThan(40);
    String page = section("check");
    String json = page.substring(page.indexOf("### JSON"), page.indexOf("### JUnit"));
    fields.removeIf(field -> json.contains("`" + field + "`"));
    assertThat(fields).isEmpty();
  }

  @Test
  void thePagesNameEveryDatabase() throws IOException {
    String help = Ran.of("run", "--help").out();
    String readme = Files.readString(PROJECT.resolve("README.md"));
    String page = Files.readString(PROJECT.resolve("docs/databases.md"));
    for (Database database : Databases.all()) {
      if (database != Databases.byUrl("jdbc:unheard-of:x")) {
        assertThat(help).containsIgnoringCase(database.id());
        assertThat(page).containsIgnoringCase(database.title());
        assertThat(readme).containsIgnoringCase(database.id());
      }
    }
  }

  @Test
  void explainListsALevelBeforeAllThatItImplies() {
    List<Level> listed = ExplainCommand.strongestFirst();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(Level.surveyed());
    for (int i = 0; i < listed.size(); i++) {
      for (Level later : listed.subList(i + 1, listed.size())) {
        assertThat(later.implies(listed.get(i))).as("%s after %s", later, listed.get(i)).isFalse();
      }
    }
  }

  @Test
  void contributorsAreToldOfEveryBenchmark() throws IOException {
    String script = Files.readString(PROJECT.resolve("bench/run"));
    String main =
        Files.readString(PROJECT.resolve("bench/src/main/java/dev/assay/bench/Main.java"));
    String stated = Files.readString(PROJECT.resolve("CONTRIBUTING.md"));
    Matcher table = Pattern.compile("case \"([a-z0-9]+)\" ->").matcher(main);
    int tables = 0;
    while (table.find()) {
      tables++;
      assertThat(script).contains(table.group(1));
      assertThat(stated).contains("`" + table.group(1) + "`");
    }
    assertThat(tables).isGreaterThan(10);
  }

  /** Names of fields, leaving out those that are data: ids of levels, stages, metadata. */
  private static void collect(String parent, Object value, Set<String> fields) {
    if (value instanceof Map<?, ?> object) {
      object.forEach(
          (name, inner) -> {
            if (!Set.of("levels", "stages", "metadata").contains(parent)) {
              fields.add((String) name);
            }
            collect((String) name, inner, fields);
          });
    } else if (value instanceof List<?> list && !parent.equals("ops")) {
      list.forEach(inner -> collect(parent + "[]", inner, fields));
    }
  }

  private static CommandSpec spec(String command) {
    return Main.command(command).line().getCommandSpec();
  }

  private static boolean has(CommandSpec spec, String option) {
    return spec.optionsMap().containsKey(option) || spec.negatedOptionsMap().containsKey(option);
  }

  private static boolean isAboutOnly(OptionSpec option, String row) {
    List<String> named = OPTION.matcher(row.split("\\|")[1]).results().map(r -> r.group()).toList();
    return named.equals(List.of(option.longestName()));
  }

  private static Optional<String> defaultIn(String text) {
    Matcher matcher = DEFAULT.matcher(text.replace("`", ""));
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static List<String> rows(String command) throws IOException {
    return section(command).lines().filter(line -> line.startsWith("| `-")).toList();
  }

  private static List<String> sharing(String command) {
    return Stream.of("run", "record").anyMatch(command::equals)
        ? List.of("run", "record")
        : List.of(command);
  }

  /** The part of the page about a command; the part before all of them for the empty name. */
  private static String section(String command) throws IOException {
    String page = Files.readString(PROJECT.resolve("docs/cli.md"));
    if (command.isEmpty()) {
      return page.substring(0, page.indexOf("\n## "));
    }
    String heading = "\n## " + String.join(" and ", sharing(command)) + "\n";
    assertThat(page).contains(heading);
    int start = page.indexOf(heading) + heading.length();
    int end = page.indexOf("\n## ", start);
    return page.substring(start, end < 0 ? page.length() : end);
  }
}
