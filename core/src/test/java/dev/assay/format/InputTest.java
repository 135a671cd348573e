package dev.assay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.jsonl.AssayJsonl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class InputTest {
  private static final String LINE = "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n";

  @Test
  void whoWaitsForAPipeMayGiveUp() throws Exception {
    try (PipedOutputStream silent = new PipedOutputStream();
        InputStream in = new PipedInputStream(silent)) {
      AtomicInteger asked = new AtomicInteger();
      Input input = Input.ofStandardInput(in);
      input.giveUpWhen(() -> asked.incrementAndGet() > 3);
      assertThatThrownBy(() -> Formats.read(input)).isInstanceOf(Input.GivenUp.class);
    }
  }

  @Test
  void whoWaitsForTheRestOfAPipeMayGiveUp() throws Exception {
    try (PipedOutputStream slow = new PipedOutputStream();
        InputStream in = new PipedInputStream(slow)) {
      slow.write(LINE.getBytes(StandardCharsets.UTF_8));
      slow.flush();
      AtomicInteger asked = new AtomicInteger();
      Input input = Input.ofStandardInput(in);
      input.giveUpWhen(() -> asked.incrementAndGet() > 5);
      assertThatThrownBy(() -> Formats.read(input, new AssayJsonl()))
          .isInstanceOf(Input.GivenUp.class);
    }
  }

  @Test
  void whatAStreamThrowsIsTheError() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the cable is out");
          }
        };
    assertThatThrownBy(() -> Formats.read(Input.ofStandardInput(broken)))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("the cable is out");
  }

  private static byte[] packed(int blankLines) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(LINE.getBytes(StandardCharsets.UTF_8));
      out.write("\n".repeat(blankLines).getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void filesThatUnpackToFarMoreThanTheyAreMayBeRefused() throws Exception {
    byte[] bomb = packed(4 << 20);
    assertThat(Formats.read(Input.of("x", bomb)).transactionCount()).isEqualTo(1);
    Input limited = Input.of("x", bomb);
    limited.limitUnpacking(1 << 20);
    assertThatThrownBy(() -> Formats.read(limited))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("unpacks to more than 100 times its size");
    Input small = Input.of("x", packed(1 << 19));
    small.limitUnpacking(1 << 20);
    assertThat(Formats.read(small).transactionCount()).isEqualTo(1);
  }

  @Test
  void timeBindsWhileAFileIsUnpacked() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Input input = Input.of("x", packed(4 << 20));
    input.giveUpWhen(() -> asked.incrementAndGet() > 12);
    assertThatThrownBy(() -> Formats.read(input)).isInstanceOf(Input.GivenUp.class);
  }

  @Test
  void manyCoresDoNotTakeTheMemoryThatTheHistoryNeeds() {
    assertThat(TextBlocks.atOnce(96, 64L << 20, 1 << 20)).isEqualTo(2);
    assertThat(TextBlocks.atOnce(96, 1L << 20, 1 << 20)).isEqualTo(1);
    assertThat(TextBlocks.atOnce(16, 8L << 30, 1 << 20)).isEqualTo(16);
  }
}
