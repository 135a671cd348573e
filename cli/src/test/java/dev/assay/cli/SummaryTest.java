package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  @TempDir Path folder;

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private void corpus() throws IOException {
    write("good.txt", "w(1,1,1,1)\nr(1,1,2,2)\n");
    write("skew.txt", "r(1,0,1,1)\nw(2,1,1,1)\nr(2,0,2,2)\nw(1,1,2,2)\n");
    write("thin.txt", "r(1,7,1,1)\n");
  }

  @Test
  void verdictsAndAnomaliesOfAFolderAreCounted() throws IOException {
    corpus();
    Ran ran = Ran.of("check", "--summary", "-l", "serializable,causal", folder.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().lines())
        .containsExactly(
            "3 histories, 5 transactions, 7 operations",
            "judged: 1 hold, 2 violated, 0 unknown, 0 unreadable",
            "",
            "level                                   holds   violated    unknown",
            "serializable                                1          2          0",
            "causal                                      2          1          0",
            "",
            "anomaly                             histories  instances",
            "thin-air-read                               1          1",
            "G2-item                                     1         1+");
  }

  @Test
  void unreadableFilesAreCountedAndReported() throws IOException {
    write("good.txt", "w(1,1,1,1)\nr(1,1,2,2)\n");
    write("broken.txt", "w(1,1,1,1)\nr(1,oops\n");
    Ran ran = Ran.of("check", "--summary", "-o", "json", "-l", "causal", folder.toString());
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.out().lines()).hasSize(1);
    assertThat(ran.out())
        .contains("\"histories\":1,\"unreadable\":1,\"transactions\":2,\"operations\":2")
        .contains("\"judged\":{\"holds\":1,\"violated\":0,\"unknown\":0}")
        .contains("\"levels\":{\"causal\":{\"holds\":1,\"violated\":0,\"unknown\":0}}")
        .contains("\"anomalies\":{}");
    assertThat(ran.err()).contains("broken.txt");
  }

  @Test
  void aSummaryIsNotJunit() {
    Ran ran = Ran.of("check", "--summary", "-o", "junit", folder.toString());
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("--summary is printed as text or json");
  }
}
