package dev.assay.format.jsonl;

import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.parquet.ParquetFile;
import dev.assay.format.parquet.WrongParquet;
import dev.assay.history.History;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * A history as a Parquet file with a row for each operation, specified in {@code docs/parquet.md}.
 * Its rows mean what the lines of {@code assay-jsonl} mean, so these are what it is read as.
 */
public final class ParquetFormat implements HistoryFormat {
  public static final String ID = "parquet";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "a Parquet file with a row for each operation, for DuckDB, pandas and Spark SQL";
  }

  @Override
  public List<String> extensions() {
    return List.of(".parquet");
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    byte[] head = input.head();
    int size = ParquetFile.MAGIC.length;
    return head.length > size && Arrays.equals(head, 0, size, ParquetFile.MAGIC, 0, size);
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    try (ParquetLines lines = new ParquetLines(input.random())) {
      try {
        return new AssayJsonlReader(Input.of(input.name(), lines), ID).read();
      } catch (ParseException e) {
        // Readers of lines know only that the lines could not be read.
        throw lines.wrong() == null ? e : lines.wrong().of(input.name());
      }
    } catch (WrongParquet e) {
      throw e.of(input.name());
    }
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    return AssayJsonl.lostMetadata(history);
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new ParquetRows(history).write(out);
  }
}
