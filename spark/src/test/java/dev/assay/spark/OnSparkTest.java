package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How executors are started. */
class OnSparkTest {
  @TempDir Path folder;

  @AfterEach
  void forget() {
    System.clearProperty("assay.home");
  }

  private static String options() {
    return OnSpark.conf("local[1]").get("spark.executor.extraJavaOptions");
  }

  @Test
  void executorsTakeTheirClassesFromTheArchiveThatIsKept() throws IOException {
    System.setProperty("assay.home", folder.toString());
    assertThat(options()).isEqualTo("-XX:+UseParallelGC");
    Path archive = Files.createFile(folder.resolve(OnSpark.EXECUTOR_CLASSES));
    assertThat(options()).endsWith(" -XX:SharedArchiveFile=" + archive);
  }

  @Test
  void aFolderWithASpaceInItsNameHasNoArchiveForExecutors() throws IOException {
    Path spaced = Files.createDirectory(folder.resolve("a b"));
    Files.createFile(spaced.resolve(OnSpark.EXECUTOR_CLASSES));
    System.setProperty("assay.home", spaced.toString());
    assertThat(options()).isEqualTo("-XX:+UseParallelGC");
  }
}
