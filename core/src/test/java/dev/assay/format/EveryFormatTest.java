package dev.assay.format;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.format.jsonl.HtmlReport;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds for every format in the list of formats: its sample is recognised and read, also
 * through a pipe, and whatever is done to the sample ends in a history or in one error. A format
 * that can be written makes its sample itself; any other needs one in {@link #SAMPLES}.
 */
class EveryFormatTest {
  /** By id, the files of a history: one without a name, or those of a folder. */
  private static final Map<String, Map<String, byte[]>> SAMPLES =
      Map.of(
          "cobra",
          Map.of("T1.log", cobra(), "T2.log", cobra()),
          "viper-log",
          Map.of(
              "J0.log",
              utf8("{\"value\": [[\"w\", 7, 99, true]], \"isInitial\": true}\n"),
              "J1.log",
              utf8("{\"value\": [[\"r\", 7, 99, false], [\"w\", \"k\", -1.5e3, true]]}\n")),
          "html-report",
          Map.of(
              "",
              utf8(
                  "<!DOCTYPE html>\n"
                      + HtmlReport.MARK
                      + "1.0\">\n"
                      + HtmlReport.WITH_HISTORY
                      + "1\">\n"
                      + HtmlReport.BEGIN
                      + "\n{\"assay\":1,\"initial\":[[\"x\",1]],\"loader\":2}\n"
                      + "{\"session\":2,\"ops\":[[\"w\",\"y\",1]]}\n"
                      + "{\"session\":1,\"ops\":[[\"r\",\"x\",1],[\"r\",\"l\",[1,2]]]}\n"
                      + HtmlReport.END
                      + "\n")));

  /** What breaks readers that trust what they read: depth, length, promises, odd characters. */
  private static final List<byte[]> HOSTILE =
      List.of(
          new byte[0],
          new byte[300],
          utf8("[".repeat(50_000)),
          utf8("{\"a\":".repeat(20_000)),
          utf8("9".repeat(30_000)),
          utf8("1e999999999"),
          utf8("\"\\ud800"),
          utf8("\ufeff"),
          utf8("\u0000\n\r\n\u0085\u2028"),
          utf8("-9223372036854775809 18446744073709551616"),
          new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, 127, -1, -1, -1},
          new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0},
          new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0});

  @TempDir Path folder;

  private int files;

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] cobra() {
    ByteBuffer log = ByteBuffer.allocate(200);
    log.put((byte) 'S').putLong(1).put((byte) 'W').putLong(5).putLong(7).putLong(9);
    log.put((byte) 'R').putLong(0xbebeebeeL).putLong(0xbebeebeeL).putLong(8).putLong(1);
    log.put((byte) 'R').putLong(0xabddefeeL).putLong(0xabddefeeL).putLong(8).putLong(1);
    log.put((byte) 'C').putLong(1);
    return Arrays.copyOf(log.array(), log.position());
  }

  private static Map<String, byte[]> sample(HistoryFormat format) throws IOException {
    return format.isWritable()
        ? Map.of("", Written.bytes(format, history()))
        : SAMPLES.getOrDefault(format.id(), Map.of());
  }

  private static History history() {
    HistoryBuilder builder = new HistoryBuilder();
    int session = builder.session(1);
    builder.begin(session, Outcome.COMMITTED);
    builder.write(1, 5);
    builder.write(2, -7);
    builder.begin(builder.session(2), Outcome.COMMITTED);
    builder.read(1, 5);
    builder.read(2, -7);
    builder.begin(session, Outcome.COMMITTED);
    builder.read(1, 5);
    return builder.build();
  }

  private Input input(Map<String, byte[]> content) throws IOException {
    if (content.containsKey("")) {
      return Input.of("file", content.get(""));
    }
    Path place = Files.createDirectory(folder.resolve("f" + files++));
    for (Map.Entry<String, byte[]> file : content.entrySet()) {
      Files.write(place.resolve(file.getKey()), file.getValue());
    }
    return Input.of(place);
  }

  @Test
  void everyFormatHasASampleThatIsRecognisedAndRead() throws Exception {
    for (HistoryFormat format : Formats.all()) {
      assertThat(sample(format)).as("a sample of " + format.id()).isNotEmpty();
      assertThat(Formats.detect(input(sample(format)))).contains(format);
      assertThat(Formats.read(input(sample(format))).operationCount()).as(format.id()).isPositive();
    }
  }

  @Test
  void nothingThatIsReadEndsInAnythingButAHistoryOrAnError() throws Exception {
    for (HistoryFormat format : Formats.all()) {
      int refused = 0;
      Random random = new Random(format.id().hashCode());
      List<Map<String, byte[]>> all = new ArrayList<>();
      for (Map.Entry<String, byte[]> file : sample(format).entrySet()) {
        for (byte[] bad : damaged(file.getValue(), file.getKey().isEmpty() ? 600 : 150, random)) {
          Map<String, byte[]> content = new LinkedHashMap<>(sample(format));
          content.put(file.getKey(), bad);
          all.add(content);
        }
      }
      for (Map<String, byte[]> content : all) {
        refused += isRefused(format, content, ReadOptions.NONE.format(format)) ? 1 : 0;
        isRefused(format, content, ReadOptions.NONE.loader("1").incomplete(true));
      }
      assertThat(refused).as(format.id()).isBetween(all.size() / 20, all.size() - 1);
    }
  }

  private boolean isRefused(HistoryFormat format, Map<String, byte[]> content, ReadOptions options)
      throws IOException {
    try {
      Formats.read(input(content), options);
      return false;
    } catch (ParseException e) {
      assertThat(e.getMessage()).isNotBlank();
      return true;
    } catch (RuntimeException | StackOverflowError e) {
      StringBuilder shown = new StringBuilder(format.id());
      content.forEach(
          (name, bytes) ->
              shown.append('\n').append(name).append(": ").append(Arrays.toString(bytes)));
      throw new AssertionError(shown.toString(), e);
    }
  }

  private static List<byte[]> damaged(byte[] sample, int count, Random random) {
    List<byte[]> all = new ArrayList<>(HOSTILE);
    for (byte[] hostile : HOSTILE) {
      int at = random.nextInt(sample.length + 1);
      byte[] spliced = Arrays.copyOf(sample, at + hostile.length);
      System.arraycopy(hostile, 0, spliced, at, hostile.length);
      all.add(spliced);
    }
    for (int length = 0; length < sample.length; length += 1 + sample.length / 100) {
      all.add(Arrays.copyOf(sample, length));
    }
    for (int i = 0; i < count; i++) {
      all.add(Mutations.mutate(sample, random));
    }
    return all;
  }

  @Test
  void everyFormatOfOneFileIsReadThroughAPipe() throws Exception {
    for (HistoryFormat format : Formats.all()) {
      byte[] bytes = sample(format).get("");
      if (bytes == null) {
        continue;
      }
      Path pipe = folder.resolve("pipe-" + format.id());
      boolean made;
      try {
        made = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
      } catch (IOException e) {
        made = false;
      }
      assumeTrue(made, "there is no mkfifo here");
      Thread writer =
          new Thread(
              () -> {
                try (OutputStream out = Files.newOutputStream(pipe)) {
                  out.write(bytes);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      writer.start();
      Input input = Input.of(pipe);
      assertThat(input.canBeReadAgain()).isFalse();
      assertSame(Formats.read(input), Formats.read(Input.of("file", bytes)));
      writer.join();
    }
  }
}
