package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.judge.LargeCheck.Extent;
import dev.assay.format.Formats;
import dev.assay.spark.LocalCluster.Ran;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which histories are divided. */
class PlanTest {
  private static final long GB = 1L << 30;

  @TempDir Path folder;

  private static Extent extent(double operations) {
    return new Extent(operations, operations / 4);
  }

  private static boolean divides(long memory, int slots, double operations, double all) {
    return new Plan.Machines(memory, slots).divide(extent(operations), 0, all);
  }

  @Test
  void whatDoesNotFitIntoATaskIsDivided() {
    assertThat(divides(4 * GB, 2, 10e6, 10e6)).isFalse();
    assertThat(divides(GB, 2, 10e6, 10e6)).isTrue();
    assertThat(divides(GB, 2, 2e6, 2e6)).isFalse();
    // A file that is not on this machine is held in memory, too.
    assertThat(new Plan.Machines(4 * GB, 2).divide(extent(10e6), 3 * GB, 10e6)).isTrue();
  }

  @Test
  void whatFitsIsDividedWhereThatIsFaster() {
    assertThat(divides(64 * GB, 4, 100e6, 100e6)).isFalse();
    assertThat(divides(64 * GB, 40, 100e6, 100e6)).isTrue();
    // The stages take longer to start than a task takes.
    assertThat(divides(64 * GB, 40, 1e6, 1e6)).isFalse();
    // There are enough others to keep all tasks busy.
    assertThat(divides(64 * GB, 40, 100e6, 5000e6)).isFalse();
  }

  private static Ran check(String master, Path file) {
    return LocalCluster.run(
        "check", "--verbose", "--on", master, "-l", "serializable", file.toString());
  }

  @Test
  void thePlanFollowsFromTheMemoryOfATaskAndIsSaid() throws IOException {
    Path file = folder.resolve("h.jsonl");
    try (OutputStream out = Files.newOutputStream(file)) {
      Formats.byId("assay-jsonl")
          .orElseThrow()
          .write(LargeHistoryTest.planted(130_000, 80_000, false), out);
    }
    assertThat(Files.size(file)).isGreaterThan(4 << 20);
    Ran whole = check("local[1]", file);
    assertThat(whole.err()).contains("h.jsonl: whole, by one task: about").contains("1 task ");
    Ran divided = check("local[16]", file);
    assertThat(divided.err()).contains("h.jsonl: divided: about").contains("16 tasks ");
    for (Ran ran : new Ran[] {whole, divided}) {
      assertThat(ran.out()).contains("violates", "G2-item");
      assertThat(ran.code()).isEqualTo(1);
    }
  }

  @Test
  void aSettingDecidesWhereItIsGiven() throws IOException {
    Path file = folder.resolve("h.jsonl");
    try (OutputStream out = Files.newOutputStream(file)) {
      Formats.byId("assay-jsonl")
          .orElseThrow()
          .write(LargeHistoryTest.planted(800, 400, false), out);
    }
    assertThat(check("local[2]", file).err()).doesNotContain("plan for");
    System.setProperty("spark.assay.large", "1k");
    try {
      assertThat(check("local[2]", file).err()).contains("divided, by spark.assay.large");
    } finally {
      System.clearProperty("spark.assay.large");
    }
  }
}
