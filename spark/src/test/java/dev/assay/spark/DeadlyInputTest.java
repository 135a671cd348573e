package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.history.History;
import dev.assay.spark.LocalCluster.Ran;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input that ends each executor that reads it, as one does that has too little memory for it. */
class DeadlyInputTest {
  private static final String ENDS = "spark.hadoop.test.deadly";

  /** Local files; tasks that read some of them, or read in some stage, end their process. */
  public static final class Deadly extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("deadly:///");
    }

    @Override
    public String getScheme() {
      return "deadly";
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path, int buffer) throws IOException {
      TaskContext task = TaskContext.get();
      String deadly = getConf().get("test.deadly");
      boolean isDeadly =
          task != null
              && (deadly.equals(path.getName())
                  || deadly.equals(task.getLocalProperty("callSite.short")));
      if (isDeadly) {
        Runtime.getRuntime().halt(52);
      }
      return super.open(path, buffer);
    }
  }

  @TempDir Path folder;

  @BeforeAll
  static void prepare() throws IOException {
    LocalCluster.prepare();
  }

  private void write(String name, History history) throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      Formats.byId("assay-jsonl").orElseThrow().write(history, out);
    }
  }

  /** Checks all files of the folder on two executors that a file or stage ends. */
  private Ran check(String deadly, Map<String, String> settings, String output) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("spark.hadoop.fs.deadly.impl", Deadly.class.getName());
    all.put(ENDS, deadly);
    all.put("spark.task.maxFailures", "2");
    all.put("spark.stage.maxConsecutiveAttempts", "2");
    all.forEach(System::setProperty);
    try {
      String levels = "serializable,snapshot-isolation";
      String path = "deadly://" + folder;
      return LocalCluster.run(
          "check", "--on", LocalCluster.MASTER, "-q", "-l", levels, "-o", output, path);
    } finally {
      all.keySet().forEach(System::clearProperty);
    }
  }

  /** As a large history, in windows of 50 transactions. */
  private Ran checkLarge(String deadly, String output) {
    return check(deadly, Map.of("spark.assay.large", "1k", "spark.assay.window", "50"), output);
  }

  @Test
  void aHistoryThatEndsEachExecutorTakesNoOtherWithIt() throws IOException {
    int size = 30;
    for (int i = 0; i < size; i++) {
      write("h%02d.jsonl".formatted(i), LargeHistoryTest.planted(20, i == 7 ? 10 : 30, false));
    }
    Ran ran = check("h03.jsonl", Map.of(), "json");
    assertThat(ran.out().lines()).hasSize(size);
    for (String line : ran.out().lines().toList()) {
      String serializable =
          line.contains("h03") ? "unknown" : line.contains("h07") ? "violated" : "holds";
      assertThat(line).contains("\"serializable\":{\"verdict\":\"" + serializable + "\"");
    }
    assertThat(ran.out()).contains("its executor was lost");
    assertThat(ran.code()).isEqualTo(1);
  }

  @Test
  void whatWasEstablishedBeforeTheClusterGaveUpIsTheAnswer() throws IOException {
    write("h.jsonl", LargeHistoryTest.planted(800, 400, false));
    Ran shown = checkLarge(LargeHistory.SHOWING, "json");
    assertThat(shown.out())
        .contains("\"serializable\":{\"verdict\":\"violated\"")
        .contains("\"snapshot-isolation\":{\"verdict\":\"holds\"")
        .contains("it is not shown: the cluster did not finish the job");
    assertThat(shown.code()).isEqualTo(1);
  }

  @Test
  @Tag("extended")
  void whereNothingWasEstablishedTheAnswerIsUnknown() throws IOException {
    write("h.jsonl", LargeHistoryTest.planted(800, 400, false));
    for (String stage : new String[] {"survey", "finding cuts", LargeHistory.JUDGING}) {
      Ran ran = checkLarge(stage, "json");
      assertThat(ran.out())
          .as(stage)
          .contains("\"serializable\":{\"verdict\":\"unknown\"")
          .contains("\"snapshot-isolation\":{\"verdict\":\"unknown\"")
          .contains("the cluster did not finish the job");
      assertThat(ran.code()).as(stage).isEqualTo(2);
    }
    Ran text = checkLarge(LargeHistory.SHOWING, "text");
    assertThat(text.out()).contains("violates", "it is not shown: the cluster");
  }

  @Test
  @Tag("extended")
  void whatHoldsInAllWindowsHoldsWhenOthersAreNotJoined() throws IOException {
    // A violation that shows only in windows that were joined.
    write("h.jsonl", LargeHistoryTest.planted(200, 150, true));
    Ran ran =
        check(
            LargeHistory.JOINING,
            Map.of("spark.assay.large", "1k", "spark.assay.window", "5"),
            "json");
    assertThat(ran.out())
        .contains("\"serializable\":{\"verdict\":\"unknown\"")
        .contains("\"snapshot-isolation\":{\"verdict\":\"holds\"");
    assertThat(ran.code()).isEqualTo(2);
  }
}
