package dev.assay.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the module spark may depend on, and who may depend on Spark. */
class SparkArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.assay");

  @Test
  void onlyThisModuleKnowsSpark() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.assay.spark..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "dev.assay.spark..")
        .check(ALL);
  }

  @Test
  void itNeedsNeitherDatabasesNorTheWebInterface() {
    noClasses()
        .that()
        .resideInAPackage("dev.assay.spark..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.assay.collect.db..", "dev.assay.web..")
        .check(ALL);
  }

  @Test
  void partsOfItKnowOnlyThoseBeforeThem() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.assay.spark..")
        .layer("input")
        .definedBy("dev.assay.spark.input")
        .layer("cut")
        .definedBy("dev.assay.spark.cut")
        .layer("judge")
        .definedBy("dev.assay.spark.judge")
        .layer("command")
        .definedBy("dev.assay.spark")
        .whereLayer("command")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("judge")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("cut")
        .mayOnlyBeAccessedByLayers("judge", "command")
        .check(ALL);
  }
}
