package dev.assay.format.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RandomHistories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * However a file is cut into blocks, and whichever parser reads its lines, it is the same history.
 */
class AssayJsonlBlocksTest {
  private static final int ONE_BLOCK = 1 << 22;
  private static final int[] BLOCK_BYTES = {1, 64, 300, 4096};

  @Test
  void randomHistoriesAreTheSameInBlocksOfAnySize() throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      assertSameInAllBlocks(bytes(new RandomHistories(seed).next()));
    }
  }

  @Test
  void filesAreTheSameInBlocksOfAnySize() throws Exception {
    List<Path> files = new ArrayList<>();
    for (String root : List.of("../histories", "src/test/resources")) {
      try (Stream<Path> all = Files.walk(Path.of(root))) {
        all.filter(path -> path.toString().endsWith(".jsonl")).forEach(files::add);
      }
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      assertSameInAllBlocks(Files.readAllBytes(file));
    }
  }

  @Test
  void aLargeHistoryIsTheSameInBlocksOfAnySize() throws Exception {
    assertSameInAllBlocks(large().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void plainLinesAreReadAsAnyOthers() throws Exception {
    String text = large();
    // A space at the end of a line makes it one that is not plain.
    String spaced = text.replace("\n", " \n");
    assertThat(described(spaced.getBytes(StandardCharsets.UTF_8), ONE_BLOCK))
        .isEqualTo(described(text.getBytes(StandardCharsets.UTF_8), ONE_BLOCK));
    for (int seed = 0; seed < 60; seed++) {
      String random = new String(bytes(new RandomHistories(seed).next()), StandardCharsets.UTF_8);
      assertThat(described(random.replace("\n", " \n").getBytes(StandardCharsets.UTF_8), ONE_BLOCK))
          .isEqualTo(described(random.getBytes(StandardCharsets.UTF_8), ONE_BLOCK));
    }
  }

  @Test
  void damagedFilesAreTheSameInBlocksOfAnySizeAndWithoutPlainLines() throws Exception {
    Random random = new Random(5);
    for (int seed = 0; seed < 40; seed++) {
      byte[] good = bytes(new RandomHistories(seed).next());
      for (int i = 0; i < 10; i++) {
        byte[] damaged = Mutations.mutate(good, random);
        assertSameInAllBlocks(damaged);
        String text = new String(damaged, StandardCharsets.ISO_8859_1);
        byte[] spaced = text.replace("}\n", "} \n").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(withoutColumn(described(spaced, ONE_BLOCK)))
            .isEqualTo(withoutColumn(described(damaged, ONE_BLOCK)));
      }
    }
  }

  @Test
  void aHeaderMayFollowBlankLinesOfOtherBlocksOnly() throws Exception {
    String transaction = "{\"session\":1,\"ops\":[]}\n";
    String header = "{\"assay\":1,\"initial\":0}\n";
    String blank = " \n\n\n\n\n\n\n\n";
    assertSameInAllBlocks((blank + header + transaction).getBytes(StandardCharsets.UTF_8));
    byte[] misplaced = (transaction + header + transaction).getBytes(StandardCharsets.UTF_8);
    assertSameInAllBlocks(misplaced);
    assertThat(described(misplaced, 1))
        .isEqualTo("h.jsonl:2:10: 1, not a transaction (the header must be the first line)");
    byte[] newer = (blank + "{\"assay\":2}\n").getBytes(StandardCharsets.UTF_8);
    assertSameInAllBlocks(newer);
    assertThat(described(newer, 4)).contains("version 1 of assay-jsonl");
  }

  @Test
  void aByteOrderMarkCountsAtTheBeginningOnly() throws Exception {
    String line = "\ufeff{\"session\":1,\"ops\":[]}\n";
    assertSameInAllBlocks((line + line).getBytes(StandardCharsets.UTF_8));
    assertThat(described((line + line).getBytes(StandardCharsets.UTF_8), 8))
        .startsWith("h.jsonl:2:");
  }

  /** Of what is wrong only the line: the space may have moved the rest. */
  private static String withoutColumn(String described) {
    return described.startsWith("h.jsonl")
        ? described.replaceFirst("^(h.jsonl:\\d+):.*", "$1")
        : described;
  }

  private static void assertSameInAllBlocks(byte[] bytes) throws IOException {
    String whole = described(bytes, ONE_BLOCK);
    for (int blockBytes : BLOCK_BYTES) {
      assertThat(described(bytes, blockBytes)).as("in blocks of %d", blockBytes).isEqualTo(whole);
    }
  }

  /** Everything about a history, numbers of keys and values included, or what is wrong. */
  private static String described(byte[] bytes, int blockBytes) throws IOException {
    try {
      Input input = Input.of("h.jsonl", bytes);
      return described(new AssayJsonlReader(input, AssayJsonl.ID, blockBytes).read());
    } catch (ParseException e) {
      return e.place() + ": " + e.getMessage() + ", not " + e.expected() + " (" + e.hint() + ")";
    }
  }

  private static String described(History history) throws IOException {
    StringBuilder text = new StringBuilder(new String(bytes(history), StandardCharsets.UTF_8));
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      text.append(history.place(txn)).append('\n');
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        text.append(history.key(op)).append('=').append(history.value(op)).append(' ');
      }
    }
    return text.toString();
  }

  private static byte[] bytes(History history) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AssayJsonl().write(history, out);
    return out.toByteArray();
  }

  /** All kinds of operations and of values, often enough that each block meets old ones. */
  private static String large() {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder("{\"assay\":1,\"metadata\":{\"columns\":\"a,b\"}}\n");
    for (int txn = 0; txn < 600; txn++) {
      StringBuilder ops = new StringBuilder();
      for (int i = 0; i < 8; i++) {
        OpKind kind = OpKind.values()[random.nextInt(OpKind.values().length)];
        ops.append(i == 0 ? "" : ",").append(operation(kind, random));
      }
      text.append("{\"session\":\"s").append(txn % 7).append("\",\"id\":\"t").append(txn);
      text.append(txn % 5 == 0 ? "\",\"outcome\":\"aborted\",\"error\":\"no" : "");
      text.append("\",\"start\":").append(txn).append(",\"ops\":[").append(ops).append("]}\n");
      text.append(txn % 50 == 0 ? "\n  \n" : "");
    }
    return text.toString();
  }

  private static String operation(OpKind kind, Random random) {
    String value = value(random);
    int n = random.nextInt(90) - 20;
    return switch (kind) {
      case READ -> "[\"r\",%d,%s]".formatted(n, value);
      case WRITE -> "[\"w\",%d,%s]".formatted(n, value);
      case LIST_READ -> "[\"r\",\"l%d\",[1,2,%s]]".formatted(n, value);
      case APPEND -> "[\"append\",\"l%d\",%s]".formatted(n, value);
      case SET_READ -> "[\"rs\",\"s%d\",[%s,%s]]".formatted(n, value, value(random));
      case ADD -> "[\"add\",\"s%d\",%s]".formatted(n, value);
      case COUNTER_READ -> "[\"rc\",\"c%d\",%d]".formatted(n, n);
      case INCREMENT -> "[\"inc\",\"c%d\",%d]".formatted(n, n);
      case SELECT ->
          random.nextBoolean()
              ? "[\"select\",{\"select\":[\"min\",\"a\"]},%s]".formatted(value)
              : "[\"select\",{\"where\":[\"<\",\"a\",%d]},[[%d,%s]]]".formatted(n, n, value);
      case UPDATE -> "[\"update\",{\"where\":true},[[%d,%s]]]".formatted(n, value);
    };
  }

  private static String value(Random random) {
    int n = random.nextInt(1000);
    return switch (random.nextInt(9)) {
      case 0 -> "null";
      case 1 -> "\"v" + n + "\"";
      case 2 -> "{\"vector\":[%d,%d]}".formatted(n, -n);
      case 3 -> "{\"vector\":[%d,\"x\",null]}".formatted(n);
      case 4 -> "true";
      case 5 -> "{\"decimal\":\"1.50\"}";
      case 6 -> n + "00000000000";
      case 7 -> "\"é" + n + "\"";
      default -> Integer.toString(n);
    };
  }
}
