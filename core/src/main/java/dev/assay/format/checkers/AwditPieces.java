package dev.assay.format.checkers;

import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads AWDIT's test histories in pieces that end with a line that ends a transaction. */
final class AwditPieces implements PieceReader {
  private final String name;
  private final Origin origin;
  private final Map<Object, Integer> places = new HashMap<>();
  private long lines;
  private long session;

  AwditPieces(String name) {
    this.name = name;
    this.origin = new Origin(name, AwditTest.ID, Origin.Unit.LINE, List.of());
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    int end = PieceReader.wholeLines(bytes, from, to);
    while (end > 0) {
      int start = PieceReader.wholeLines(bytes, from, from + end - 1);
      if (isSeparator(bytes, from + start, from + end)) {
        return end;
      }
      end = start;
    }
    return 0;
  }

  private static boolean isSeparator(byte[] bytes, int from, int to) {
    int start = from;
    int end = to;
    while (start < end && bytes[start] <= ' ') {
      start++;
    }
    while (start < end && bytes[end - 1] <= ' ') {
      end--;
    }
    boolean dashes = start < end && (bytes[start] == '-' || bytes[start] == '=');
    for (int i = start; i < end && dashes; i++) {
      dashes = bytes[i] == bytes[start];
    }
    return dashes;
  }

  @Override
  public History read(byte[] bytes, int from, int to) throws ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(origin);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes, from, to - from);
    try {
      session = AwditTest.readLines(new AwditTest.Lines(name, in, lines), session, builder);
    } catch (IOException e) {
      // Nothing is read but bytes in memory.
      throw new UncheckedIOException(e);
    }
    for (int i = from; i < to; i++) {
      lines += bytes[i] == '\n' ? 1 : 0;
    }
    builder.nameAfter(places);
    return builder.build();
  }

  @Override
  public History finish(byte[] bytes, int from, int to) throws ParseException {
    return read(bytes, from, to);
  }

  @Override
  public void nextFile() {
    lines = 0;
    session++;
  }
}
