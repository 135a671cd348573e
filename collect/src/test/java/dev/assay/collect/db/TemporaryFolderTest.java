package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.server.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TemporaryFolderTest {
  /** As a server does that is asked to stop: it removes some files and writes others. */
  @Test
  void aFolderInWhichFilesComeAndGoIsGoneInTheEnd() throws Exception {
    for (int round = 0; round < 5; round++) {
      TemporaryFolder folder = TemporaryFolder.create("assay-test");
      AtomicBoolean ending = new AtomicBoolean();
      Thread server = new Thread(() -> comeAndGo(folder.path(), ending));
      server.start();
      Thread closing = new Thread(folder::close);
      closing.start();
      Thread.sleep(100);
      ending.set(true);
      server.join();
      closing.join();
      assertThat(folder.path()).doesNotExist();
    }
  }

  /** As when two processes fetch the same driver for the first time. */
  @Test
  void whoComesSecondTakesWhatIsThere() throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("assay-test")) {
      Path target = Files.createDirectory(folder.path().resolve("target"));
      Files.writeString(target.resolve("jar"), "first");
      Path finished = Files.createDirectory(folder.path().resolve("finished"));
      Files.writeString(finished.resolve("jar"), "second");
      assertThat(TemporaryFolder.moveInto(finished, target)).isEqualTo(target);
      assertThat(target.resolve("jar")).hasContent("first");
      assertThat(finished).doesNotExist();
    }
  }

  private static void comeAndGo(Path folder, AtomicBoolean ending) {
    for (int i = 0; !ending.get(); i++) {
      try {
        Path inner = folder.resolve("base" + i % 7);
        if (!Files.exists(inner)) {
          Files.createDirectory(inner);
        }
        Files.writeString(inner.resolve("file"), "x");
        Files.deleteIfExists(folder.resolve("base" + (i + 3) % 7).resolve("file"));
      } catch (IOException e) {
        // Its folder was taken away under it.
      }
    }
  }
}
