package dev.assay;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Data goes through the house one way, and each room knows only the rooms before it. */
class ArchitectureTest {
  private static final String ROOT = "dev.assay";

  /** The root package, in the list of packages. */
  private static final String API = "";

  /**
   * What the classes of each package may use, beside their own package and the libraries. The root
   * package is the API: it puts the stages together, and reports are rendered after it.
   */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("level", Set.of()),
          Map.entry("history", Set.of("graph")),
          Map.entry("graph", Set.of()),
          Map.entry("predicate", Set.of("history")),
          Map.entry("format", Set.of("history")),
          Map.entry("infer", Set.of("history", "graph", "level", "predicate")),
          Map.entry("solve", Set.of("graph", "infer", "level", "history")),
          Map.entry("check", Set.of("solve", "graph", "infer", "level", "history", "predicate")),
          Map.entry("explain", Set.of("check", "infer", "level", "history", "predicate")),
          Map.entry(
              API, Set.of("explain", "check", "infer", "level", "format", "history", "predicate")),
          Map.entry(
              "render",
              Set.of(API, "explain", "check", "infer", "level", "format", "history", "predicate")));

  private static final Set<String> LIBRARIES =
      Set.of("java.", "com.fasterxml.jackson.core.", "com.github.luben.zstd.");

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void eachPackageUsesOnlyThoseBeforeIt() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass from : CORE) {
      String room = room(from);
      assertThat(MAY_USE).as("the package of " + from.getName()).containsKey(room);
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        boolean ours = to.getName().startsWith(ROOT + ".");
        if (ours && !room(to).equals(room) && !MAY_USE.get(room).contains(room(to))) {
          wrong.add(from.getName() + " uses " + to.getName());
        }
      }
    }
    assertThat(wrong).isEmpty();
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

  /** The first part of the package below the root. */
  private static String room(JavaClass javaClass) {
    String name = javaClass.getPackageName();
    if (name.equals(ROOT)) {
      return API;
    }
    String below = name.substring(ROOT.length() + 1);
    int dot = below.indexOf('.');
    return dot < 0 ? below : below.substring(0, dot);
  }
}
