package dev.assay.spark.input;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.follow.HistoryStream;
import dev.assay.format.follow.InputBytes;
import dev.assay.format.jsonl.ParquetLines;
import dev.assay.history.History;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Reads all of a file from its beginning, or row groups of Parquet as the lines they mean. */
final class StreamPieces implements Pieces {
  private final HistoryStream stream;

  /** One for the header; −1 where lines mean nothing. */
  private long lines;

  private StreamPieces(HistoryStream stream, long lines) {
    this.stream = stream;
    this.lines = lines;
  }

  /**
   * All of a file.
   *
   * @param named the id of its format; null to find it by content
   */
  static StreamPieces ofAll(Source source, Configuration hadoop, String named)
      throws IOException, ParseException {
    HistoryFormat format = named == null ? null : Formats.byId(named).orElseThrow();
    InputBytes input = new InputBytes(source.stream(hadoop));
    return new StreamPieces(new HistoryStream(source.name, input, format), -1);
  }

  /** The row groups of a split. */
  static StreamPieces ofGroups(Split split, Configuration hadoop)
      throws IOException, ParseException {
    ParquetLines rows =
        new ParquetLines(split.source.random(hadoop), (int) split.start, (int) split.end);
    String name = split.source.name;
    HistoryFormat format = Formats.byId("assay-jsonl").orElseThrow();
    InputBytes input = new InputBytes(Input.of(name, rows));
    return new StreamPieces(new HistoryStream(name, input, format), split.start == 0 ? 1 : 0);
  }

  @Override
  public History next() throws ParseException {
    while (!stream.ended()) {
      History history = stream.next();
      if (history != null) {
        lines += lines < 0 ? 0 : history.transactionCount();
        return history;
      }
    }
    return null;
  }

  @Override
  public long lines() {
    return Math.max(0, lines);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
