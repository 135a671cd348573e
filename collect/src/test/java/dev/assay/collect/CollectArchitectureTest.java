package dev.assay.collect;

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

/** The packages of the module, and which of them each one knows; "" is the root package. */
class CollectArchitectureTest {
  private static final String ROOT = "dev.assay.collect";

  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("json", Set.of()),
          Map.entry("workload", Set.of()),
          Map.entry("db", Set.of()),
          Map.entry("store", Set.of("workload")),
          Map.entry("", Set.of("store", "workload")),
          Map.entry("certificate", Set.of("db")),
          Map.entry("schedule", Set.of("db")),
          Map.entry("plugin", Set.of("json")),
          Map.entry("record", Set.of("json", "db", "workload", "certificate")),
          Map.entry(
              "config", Set.of("json", "db", "workload", "store", "", "certificate", "record")),
          Map.entry("runs", Set.of("json", "config", "record", "db", "workload", "certificate")),
          Map.entry("judge", Set.of("config", "plugin")));

  private static final JavaClasses COLLECT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void eachPackageUsesOnlyThoseBeforeIt() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass from : COLLECT) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if (to.getName().startsWith(ROOT + ".")) {
          String room = room(from);
          assertThat(MAY_USE).containsKey(room);
          if (!room(to).equals(room) && !MAY_USE.get(room).contains(room(to))) {
            wrong.add(from.getName() + " uses " + to.getName());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void itKnowsNoCommandLineAndNoWebAndPrintsNothing() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.assay.cli..", "dev.assay.web..", "picocli..")
        .check(COLLECT);
    noClasses().should().accessField(System.class, "out").check(COLLECT);
    noClasses().should().accessField(System.class, "err").check(COLLECT);
    noClasses().should().callMethod(System.class, "exit", int.class).check(COLLECT);
  }

  private static String room(JavaClass javaClass) {
    String below = javaClass.getPackageName().substring(ROOT.length());
    return below.isEmpty() ? "" : below.substring(1);
  }
}
