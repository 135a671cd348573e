package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.TextBlocks;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code assay-jsonl}: blocks of lines in parallel, then their transactions in order. */
final class AssayJsonlReader {
  static final String HEADER_MARK = "assay";
  static final String OPS = "ops";

  /** A list read, where the missing value cannot say that it is one. */
  static final String LIST_READ = "rl";

  private static final int MAX_NESTING = 250;

  /** Longer numbers are hostile: the time to read one grows with the square of its length. */
  static final int MAX_DIGITS = 10_000;

  static final int MAX_NAMED_FIELDS = 20;

  static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(MAX_DIGITS)
                  .build())
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .build();

  /** Small enough that a file of a megabyte is read by several threads. */
  private static final int BLOCK_BYTES = 1 << 18;

  private final Input input;
  private final String format;
  private final int blockBytes;

  AssayJsonlReader(Input input, String format) {
    this(input, format, BLOCK_BYTES);
  }

  /**
   * A reader.
   *
   * @param blockBytes about how much one thread reads at a time
   */
  AssayJsonlReader(Input input, String format, int blockBytes) {
    this.input = input;
    this.format = format;
    this.blockBytes = blockBytes;
  }

  static boolean startsWithByteOrderMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf;
  }

  History read() throws IOException, ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), format, Origin.Unit.LINE, List.of()));
    Merge merge = new Merge(builder);
    try (InputStream in = input.open()) {
      TextBlocks.parse(
          in,
          blockBytes,
          (bytes, start, end, isFirst) ->
              AssayJsonlBlock.parse(input.name(), bytes, start, end, isFirst),
          merge::add);
      merge.finish();
      return builder.build();
    } catch (ArithmeticException | IllegalStateException e) {
      throw ParseException.ofFile(
          input.name(),
          "has more operations or distinct large values than fit in memory tables",
          "at most 2^31 operations",
          "check the history in parts");
    }
  }

  /** Adds blocks to a history, in their order. */
  private static final class Merge {
    private final HistoryBuilder builder;
    private final Set<String> unknownFields = new LinkedHashSet<>();
    private long lines;
    private boolean afterOthers;

    Merge(HistoryBuilder builder) {
      this.builder = builder;
    }

    void add(AssayJsonlBlock block) throws ParseException {
      block.addTo(builder, lines, afterOthers);
      lines += block.lineCount();
      afterOthers |= !block.isEmpty();
      unknownFields.addAll(block.unknownFields());
    }

    void finish() {
      note(unknownFields, builder);
    }
  }

  /** Notes the fields that were not read. */
  static void note(Set<String> unknownFields, HistoryBuilder builder) {
    if (!unknownFields.isEmpty()) {
      builder.metadata(
          "note.unknown-fields",
          unknownFields.stream()
              .limit(MAX_NAMED_FIELDS)
              .collect(Collectors.joining(", ", "ignored unknown fields: ", "")));
    }
  }
}
