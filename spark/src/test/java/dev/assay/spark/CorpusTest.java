package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.spark.LocalCluster.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many histories, checked on Spark as in one process. */
class CorpusTest {
  private static final String HISTORIES = Path.of("..", "histories").toString();

  @TempDir Path folder;

  @BeforeAll
  static void prepare() throws IOException {
    LocalCluster.prepare();
  }

  /** What differs from run to run. */
  private static String withoutTimes(String text) {
    return text.replaceAll(" · [0-9.]+ m?s", "").replaceAll("\"timing\":\\{[^}]*\\}[^}]*\\}", "");
  }

  @Test
  void executorsGiveTheSameAnswersAsOneProcess() {
    Ran here = LocalCluster.run("check", "-q", "-o", "json", HISTORIES);
    Ran there =
        LocalCluster.run("check", "-q", "--on", LocalCluster.MASTER, "-o", "json", HISTORIES);
    assertThat(there.err()).isEmpty();
    assertThat(withoutTimes(there.out())).isEqualTo(withoutTimes(here.out()));
    assertThat(there.code()).isEqualTo(here.code());
  }

  @Test
  void textSummariesPatternsAndMistakesAreTheSame() throws IOException {
    Files.writeString(folder.resolve("good.txt"), "w(1,1,1,1)\nr(1,1,2,2)\n");
    Files.writeString(folder.resolve("thin.txt"), "r(1,7,1,1)\n");
    Files.writeString(folder.resolve("broken.txt"), "w(1,1,1,1)\nr(1,oops\n");
    Files.writeString(folder.resolve("notes.md"), "nothing to check\n");
    for (List<String> options : List.of(List.of("-l", "causal"), List.of("--summary"))) {
      Ran here = LocalCluster.run(arguments(options, folder.toString()));
      Ran there = LocalCluster.run(arguments(options, "--on", "local[2]", folder.toString()));
      assertThat(withoutTimes(there.out())).isEqualTo(withoutTimes(here.out()));
      assertThat(there.err()).isEqualTo(here.err());
      assertThat(there.code()).isEqualTo(254);
    }
    Ran some = LocalCluster.run("check", "-q", "--on", "local[1]", folder + "/{good,thin}.txt");
    assertThat(some.code()).isEqualTo(1);
    assertThat(some.out()).contains(folder + "/good.txt").contains(folder + "/thin.txt");
    Ran missing = LocalCluster.run("check", "-q", "--on", "local[1]", folder + "/*.edn");
    assertThat(missing.code()).isEqualTo(254);
    assertThat(missing.err()).contains("*.edn").contains("does not exist");
  }

  private static String[] arguments(List<String> options, String... more) {
    java.util.ArrayList<String> all = new java.util.ArrayList<>(List.of("check", "-q"));
    all.addAll(options);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void whatIsAboutThisMachineIsRefused() {
    Ran ran = LocalCluster.run("check", "--on", "local[1]", "--report", "x.html", HISTORIES);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("--report cannot be used with --on");
  }

  @Test
  void aSubmittedJobRunsWhereItWasSubmittedTo() {
    String[] check = {"check", "h.txt"};
    assertThat(SparkMain.withMaster(check, "spark://a:7077"))
        .containsExactly("check", "--on", "spark://a:7077", "h.txt");
    assertThat(SparkMain.withMaster(new String[] {"check", "--on", "yarn", "h"}, "local[1]"))
        .containsExactly("check", "--on", "yarn", "h");
    assertThat(SparkMain.withMaster(new String[] {"stats", "h"}, "yarn"))
        .containsExactly("stats", "h");
    assertThat(SparkMain.withMaster(check, null)).isSameAs(check);
  }
}
