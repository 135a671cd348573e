package dev.assay.cli;

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

/**
 * The packages of the modules collect, web and cli, and which of them each one knows; "" is a
 * module's root package.
 */
class CliArchitectureTest {
  private static final String COLLECT = "dev.assay.collect";
  private static final String WEB = "dev.assay.web";
  private static final String CLI = "dev.assay.cli";

  private static final Map<String, Set<String>> COLLECT_MAY_USE =
      Map.ofEntries(
          Map.entry("json", Set.of()),
          Map.entry("client", Set.of()),
          Map.entry("workload", Set.of("client")),
          Map.entry("server", Set.of()),
          Map.entry("db", Set.of("client", "server")),
          Map.entry("cluster", Set.of("client", "server")),
          Map.entry("db.vendor", Set.of("client", "cluster", "db", "server")),
          Map.entry("kv", Set.of("client", "cluster", "json", "server")),
          Map.entry("process", Set.of("client", "json")),
          Map.entry("store", Set.of("workload")),
          Map.entry("", Set.of("store", "workload")),
          Map.entry("certificate", Set.of("client", "db")),
          Map.entry("schedule", Set.of("client", "db")),
          Map.entry("plugin", Set.of("client", "json", "process")),
          Map.entry("record", Set.of("json", "client", "db", "workload", "certificate")),
          Map.entry(
              "config",
              Set.of(
                  "json",
                  "client",
                  "db",
                  "db.vendor",
                  "kv",
                  "workload",
                  "store",
                  "",
                  "certificate",
                  "record")),
          Map.entry(
              "runs",
              Set.of("json", "config", "record", "client", "db", "workload", "certificate")),
          Map.entry("judge", Set.of("config", "plugin")));

  private static final Map<String, Set<String>> WEB_MAY_USE =
      Map.of(
          "plot", Set.of(),
          "run", Set.of("plot"),
          "page", Set.of("plot", "run"),
          "sweep", Set.of("plot", "page"),
          "http", Set.of("plot", "run", "page"));

  private static final Map<String, Set<String>> CLI_MAY_USE =
      Map.of(
          "process", Set.of(),
          "option", Set.of("process"),
          "check", Set.of("process", "option"),
          "run", Set.of("process", "option", "check"),
          "watch", Set.of("process", "option"),
          "", Set.of("process", "option", "check", "run", "watch"));

  private static final JavaClasses COLLECT_CLASSES = classes(COLLECT);
  private static final JavaClasses WEB_CLASSES = classes(WEB);
  private static final JavaClasses CLI_CLASSES = classes(CLI);

  private static JavaClasses classes(String root) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(root);
  }

  @Test
  void eachPackageOfCollectUsesOnlyThoseBeforeIt() {
    assertThat(wrong(COLLECT, COLLECT_CLASSES, COLLECT_MAY_USE)).isEmpty();
  }

  @Test
  void eachPackageOfWebUsesOnlyThoseBeforeIt() {
    assertThat(wrong(WEB, WEB_CLASSES, WEB_MAY_USE)).isEmpty();
  }

  @Test
  void eachPackageOfTheCommandLineUsesOnlyThoseBeforeIt() {
    assertThat(wrong(CLI, CLI_CLASSES, CLI_MAY_USE)).isEmpty();
  }

  private static Set<String> wrong(
      String root, JavaClasses classes, Map<String, Set<String>> mayUse) {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass from : classes) {
      String room = room(root, from);
      assertThat(mayUse).containsKey(room);
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        boolean inside = to.getName().startsWith(root + ".") && !room(root, to).equals(room);
        if (inside && !mayUse.get(room).contains(room(root, to))) {
          wrong.add(from.getName() + " uses " + to.getName());
        }
      }
    }
    return wrong;
  }

  private static String room(String root, JavaClass javaClass) {
    String below = javaClass.getPackageName().substring(root.length());
    return below.isEmpty() ? "" : below.substring(1);
  }

  @Test
  void neitherKnowsTheCommandLineOrPrints() {
    knowsNoCommandLineAndPrintsNothing(COLLECT_CLASSES);
    knowsNoCommandLineAndPrintsNothing(WEB_CLASSES);
  }

  private static void knowsNoCommandLineAndPrintsNothing(JavaClasses classes) {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.assay.cli..", "picocli..")
        .check(classes);
    noClasses().should().accessField(System.class, "out").check(classes);
    noClasses().should().accessField(System.class, "err").check(classes);
    noClasses().should().callMethod(System.class, "exit", int.class).check(classes);
  }

  @Test
  void collectKnowsNoWeb() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.assay.web..")
        .check(COLLECT_CLASSES);
  }

  @Test
  void onlyTheServerSpeaksHttp() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.assay.web.http..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .check(WEB_CLASSES);
  }
}
