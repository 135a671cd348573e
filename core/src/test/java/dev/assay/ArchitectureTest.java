package dev.assay;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.assay.history.OpKind;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The packages of core, and which uses which. Data goes one way: a package uses only those before
 * it.
 */
class ArchitectureTest {
  private static final String ROOT = "dev.assay";

  /** The root package, in the list of packages: the API, which puts the stages together. */
  private static final String API = "API";

  /**
   * The one class that is not listed with its package: it names the classes of all formats, which
   * use the rest of its package and must not use it.
   */
  private static final String REGISTRY = "format.Formats";

  /** Every package in order, with all that it uses beside itself and the libraries. */
  private static final String USES =
      """
      level:
      graph:
      history: graph
      predicate: history
      resolve: graph history
      type: graph history level resolve
      infer: graph history level resolve type
      infer.counters: graph history resolve type
      infer.predicates: graph history infer level predicate resolve
      infer.writers: history
      solve: graph history
      check: graph history infer infer.predicates level resolve type
      check.replay: check graph history infer infer.predicates level predicate resolve type
      check.adya: check check.replay graph history infer infer.predicates level resolve type
      check.strong: check check.replay graph history infer level resolve solve
      check.linear: check graph history level resolve
      check.mixed: check check.strong graph history infer level resolve
      check.predicate: check check.adya check.replay check.strong graph history infer \
      infer.predicates level predicate resolve
      check.weak: check graph history infer level resolve type
      explain: check graph history level predicate type
      format: history
      format.binary: format history
      format.checkers: format history
      format.jepsen: format history
      format.parquet: format
      format.jsonl: format format.parquet history
      format.Formats: format format.binary format.checkers format.jepsen format.jsonl history
      format.follow: format format.Formats history
      API: check check.adya check.linear check.mixed check.predicate check.replay check.strong \
      check.weak explain format format.Formats history infer infer.counters infer.writers level \
      predicate resolve type
      window: API check check.replay check.strong check.weak explain format format.Formats \
      format.follow graph history infer level resolve
      proof: API check check.linear check.replay check.strong check.weak graph history infer \
      infer.counters level resolve type
      render: API check check.strong explain format format.Formats format.jsonl history infer \
      level predicate resolve type
      render.plot: history render
      render.html: API check explain format.jsonl history level render render.plot resolve
      """;

  private static final Set<String> LIBRARIES =
      Set.of("java.", "com.fasterxml.jackson.core.", "com.github.luben.zstd.");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packagesUseWhatTheListSays() {
    Map<String, Set<String>> actual = new TreeMap<>();
    for (JavaClass from : CORE) {
      Set<String> uses = actual.computeIfAbsent(listed(from), name -> new TreeSet<>());
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if (to.getPackageName().startsWith(ROOT) && !listed(to).equals(listed(from))) {
          uses.add(listed(to));
        }
      }
    }
    assertThat(text(actual)).isEqualTo(text(new TreeMap<>(list())));
  }

  @Test
  void aPackageUsesOnlyThoseBeforeIt() {
    Set<String> before = new HashSet<>();
    list()
        .forEach(
            (name, uses) -> {
              assertThat(before).as("before " + name + " in the list").containsAll(uses);
              before.add(name);
            });
  }

  private static Map<String, Set<String>> list() {
    Map<String, Set<String>> list = new LinkedHashMap<>();
    for (String line : USES.lines().toList()) {
      String[] parts = line.split(": *", 2);
      Set<String> uses = parts[1].isEmpty() ? Set.of() : Set.of(parts[1].split(" "));
      assertThat(list.put(parts[0], new TreeSet<>(uses))).as(parts[0]).isNull();
    }
    return list;
  }

  /** One line a package, as in the list, so that a failure shows the line to write. */
  private static String text(Map<String, Set<String>> uses) {
    StringBuilder text = new StringBuilder();
    uses.forEach((name, used) -> text.append(name + ": " + String.join(" ", used) + "\n"));
    return text.toString();
  }

  /**
   * What is particular to a data type is in the package {@code type}, and the rest asks for its
   * properties. A class listed here is about one type, or offers all types to users.
   */
  @Test
  void fewClassesNameSetsOrCounters() {
    Set<String> named = Set.of("SET", "SET_READ", "ADD", "COUNTER", "COUNTER_READ", "INCREMENT");
    Set<String> classes = new TreeSet<>();
    for (JavaClass from : CORE) {
      boolean names =
          from.getFieldAccessesFromSelf().stream()
              .map(access -> access.getTarget())
              .anyMatch(
                  field ->
                      field.getOwner().getName().startsWith(OpKind.class.getName())
                          && named.contains(field.getName()));
      String own = from.getName().substring(ROOT.length() + 1).replaceAll("[$].*", "");
      if (names && !own.startsWith("type.") && !own.startsWith("format.")) {
        classes.add(own);
      }
    }
    assertThat(classes)
        .containsExactly(
            "GuessedCounters",
            "check.linear.KeyState",
            "history.HistoryBuilder",
            "history.OpKind",
            "infer.counters.CounterChoices",
            "infer.counters.CounterOrder",
            "infer.counters.CounterUse",
            "infer.writers.DisambiguatedSets",
            "infer.writers.WriterChoices");
  }

  @Test
  void coreNeedsOnlyTheJdkJacksonAndZstd() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass from : CORE) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        String name = to.getName();
        boolean allowed =
            to.isPrimitive()
                || name.startsWith(ROOT + ".")
                || LIBRARIES.stream().anyMatch(name::startsWith);
        if (!allowed) {
          wrong.add(from.getName() + " uses " + name);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void coreKnowsNoDatabase() {
    noClasses().should().dependOnClassesThat().resideInAPackage("java.sql..").check(CORE);
  }

  @Test
  void coreKnowsNeitherTheCommandLineNorTheCollectors() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.assay.cli..", "dev.assay.web..", "dev.assay.collect..", "picocli..")
        .check(CORE);
  }

  @Test
  void coreDoesNotPrint() {
    noClasses().should().accessField(System.class, "out").check(CORE);
    noClasses().should().accessField(System.class, "err").check(CORE);
    noClasses().should().callMethod(Throwable.class, "printStackTrace").check(CORE);
    noClasses().should().callMethod(System.class, "exit", int.class).check(CORE);
  }

  /** The name of a class's package in the list. */
  private static String listed(JavaClass javaClass) {
    String below = javaClass.getPackageName().substring(ROOT.length());
    if (javaClass.getName().equals(ROOT + "." + REGISTRY)) {
      return REGISTRY;
    }
    return below.isEmpty() ? API : below.substring(1);
  }
}
