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
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories on a file system that is not this machine's, as {@code hdfs:} and {@code s3a:} are. */
class OtherFileSystemTest {
  /** Local files under a scheme that nothing but Hadoop's interface knows. */
  public static final class Elsewhere extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("elsewhere:///");
    }

    @Override
    public String getScheme() {
      return "elsewhere";
    }
  }

  /** The same, where one file cannot be opened. */
  public static final class Broken extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("broken:///");
    }

    @Override
    public String getScheme() {
      return "broken";
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path, int buffer) throws IOException {
      if (path.getName().startsWith("b")) {
        throw new IOException("the other machine does not give it");
      }
      return super.open(path, buffer);
    }
  }

  @TempDir Path folder;

  private void write(String name, String format, boolean packs, History history) throws Exception {
    try (OutputStream file = Files.newOutputStream(folder.resolve(name));
        OutputStream out = packs ? new GZIPOutputStream(file) : file) {
      Formats.byId(format).orElseThrow().write(history, out);
    }
  }

  @Test
  void filesFoldersAndPatternsAreRead() throws Exception {
    History history = LargeHistoryTest.planted(400, 200, false);
    write("a.jsonl", "assay-jsonl", false, history);
    write("b.jsonl.gz", "assay-jsonl", true, history);
    write("c.assay", "assay", false, history);
    write("d.parquet", "parquet", false, history);
    System.setProperty("spark.hadoop.fs.elsewhere.impl", Elsewhere.class.getName());
    try {
      for (String large : List.of("1g", "1k")) {
        System.setProperty("spark.assay.large", large);
        System.setProperty("spark.assay.window", "50");
        Ran ran = check("elsewhere://" + folder);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("a.jsonl", "b.jsonl.gz", "c.assay", "d.parquet");
        assertThat(ran.out().lines().filter(line -> line.startsWith("violated"))).hasSize(4);
        assertThat(ran.code()).isEqualTo(1);
      }
      Ran some = check("elsewhere://" + folder + "/{a,d}.*");
      assertThat(some.out()).contains("a.jsonl", "d.parquet").doesNotContain("b.jsonl.gz");
      assertThat(check("elsewhere://" + folder + "/nothing").code()).isEqualTo(254);
    } finally {
      List.of("spark.hadoop.fs.elsewhere.impl", "spark.assay.large", "spark.assay.window")
          .forEach(System::clearProperty);
    }
  }

  @Test
  void aFileThatCannotBeReadTakesNoOtherWithIt() throws Exception {
    LocalCluster.prepare();
    for (String name : List.of("a.jsonl", "b.jsonl", "c.jsonl")) {
      write(name, "assay-jsonl", false, LargeHistoryTest.planted(20, 10, false));
    }
    System.setProperty("spark.hadoop.fs.broken.impl", Broken.class.getName());
    try {
      for (String master : List.of("local[2]", LocalCluster.MASTER)) {
        Ran ran = check(master, "broken://" + folder);
        assertThat(ran.out().lines().filter(line -> line.startsWith("violated")))
            .as(master)
            .hasSize(2);
        assertThat(ran.err()).contains("b.jsonl", "the other machine does not give it");
        assertThat(ran.code()).as(master).isEqualTo(254);
      }
    } finally {
      System.clearProperty("spark.hadoop.fs.broken.impl");
    }
  }

  private static Ran check(String path) {
    return check("local[2]", path);
  }

  private static Ran check(String master, String path) {
    return LocalCluster.run(
        "check", "-q", "--on", master, "-l", "serializable,snapshot-isolation", path);
  }
}
