package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs that can be read once, and that may keep the reader waiting. */
class PipesTest {
  @TempDir Path folder;

  private Path pipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    boolean made;
    try {
      made = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      made = false;
    }
    assumeTrue(made, "there is no mkfifo here");
    return pipe;
  }

  @Test
  void aPipeThatNobodyWritesToIsUnknownWhenTimeIsUp() throws Exception {
    String pipe = pipe().toString();
    Ran check = Ran.of("check", "--timeout", "200ms", pipe);
    assertThat(check.code()).isEqualTo(2);
    assertThat(check.out()).contains("the time given ran out while reading the history");
    Ran shrink = Ran.of("shrink", "--timeout", "200ms", pipe);
    assertThat(shrink.code()).isEqualTo(2);
    assertThat(shrink.err()).contains("the time given ran out while reading");

    String file = folder.resolve("h.txt").toString();
    Files.writeString(Path.of(file), "w(1,1,1,1)\n");
    Ran orders = Ran.of("check", "--timeout", "2s", "--version-order", pipe, file);
    assertThat(orders.code()).isEqualTo(2);
  }

  @Test
  void aHistoryIsReadThroughAPipe() throws Exception {
    Path pipe = pipe();
    Thread writer =
        new Thread(
            () -> {
              try (OutputStream out = Files.newOutputStream(pipe)) {
                out.write("w(1,1,1,1)\nr(1,1,2,2)\n".getBytes(StandardCharsets.US_ASCII));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.start();
    Ran ran = Ran.of("check", "--level", "causal", pipe.toString());
    writer.join();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("2 transactions, 2 operations");
  }
}
