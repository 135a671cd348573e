package dev.assay.web;

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

/** The rooms of the web module, and which of them each one knows. */
class WebArchitectureTest {
  private static final String ROOT = "dev.assay.web";

  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "plot", Set.of(),
          "run", Set.of("plot"),
          "page", Set.of("plot", "run"),
          "sweep", Set.of("plot", "page"),
          "http", Set.of("plot", "run", "page"));

  private static final JavaClasses WEB =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void eachPackageUsesOnlyThoseBeforeIt() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass from : WEB) {
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
  void theInterfaceKnowsNoCommandLineAndPrintsNothing() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.assay.cli..", "picocli..")
        .check(WEB);
    noClasses().should().accessField(System.class, "out").check(WEB);
    noClasses().should().accessField(System.class, "err").check(WEB);
    noClasses().should().callMethod(System.class, "exit", int.class).check(WEB);
  }

  @Test
  void onlyTheServerSpeaksHttp() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.assay.web.http..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.sun.net.httpserver..")
        .check(WEB);
  }

  private static String room(JavaClass javaClass) {
    String below = javaClass.getPackageName().substring(ROOT.length());
    return below.isEmpty() ? "" : below.substring(1);
  }
}
