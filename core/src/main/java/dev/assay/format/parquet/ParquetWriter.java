package dev.assay.format.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes a Parquet file of flat columns, row group after row group. */
public final class ParquetWriter {
  /** As many as DuckDB puts together. */
  private static final int ROWS = 122_880;

  private static final int BYTES = 16 << 20;

  private final OutputStream out;
  private final List<ColumnOut> columns;
  private final ByteOut groups = new ByteOut();
  private final Thrift.Writer groupWriter = new Thrift.Writer(groups);
  private int groupCount;
  private long offset;
  private int rows;
  private long allRows;

  /** Begins a file, which is not closed in the end. */
  public ParquetWriter(OutputStream out, List<ColumnOut> columns) throws IOException {
    this.out = out;
    this.columns = columns;
    out.write(ParquetFile.MAGIC);
    offset = ParquetFile.MAGIC.length;
  }

  /** Each column got a value, or none. */
  public void endRow() {
    rows++;
  }

  /** Rows may be parted here: writes those there are if they are enough for a row group. */
  public void endTransaction() throws IOException {
    long waiting = 0;
    for (ColumnOut column : columns) {
      waiting += column.waiting();
    }
    if (rows >= ROWS || waiting >= BYTES) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (rows == 0) {
      return;
    }
    Thrift.Writer about = groupWriter.element().structs(1, columns.size());
    long before = offset;
    for (ColumnOut column : columns) {
      offset += column.flush(out, offset, about);
    }
    groupWriter.i64(2, offset - before).i64(3, rows).end();
    groupCount++;
    allRows += rows;
    rows = 0;
  }

  /** Ends the file, with something noted under a name. */
  public void finish(String name, String text) throws IOException {
    flush();
    ByteOut footer = new ByteOut();
    Thrift.Writer meta = new Thrift.Writer(footer).element();
    meta.i32(1, 1).structs(2, columns.size() + 1);
    meta.element().text(4, "history").i32(5, columns.size()).end();
    for (ColumnOut column : columns) {
      column.schema(meta);
    }
    meta.i64(3, allRows).structs(4, groupCount);
    footer.add(groups);
    meta.structs(5, 1).element().text(1, name).text(2, text).end();
    meta.text(6, "assay").end();
    footer.int32(footer.size);
    footer.add(ParquetFile.MAGIC);
    out.write(footer.bytes, 0, footer.size);
    out.flush();
  }
}
