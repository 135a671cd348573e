package dev.assay.format.parquet;

import dev.assay.format.RandomBytes;
import dev.assay.format.parquet.Thrift.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A Parquet file of flat columns: what its end says about it, and its columns by row group. */
public final class ParquetFile {
  /** What files begin and end with. */
  public static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** So that a small file cannot make a reader allocate much memory. */
  private static final int MOST_ROWS = 1 << 24;

  private static final int OPTIONAL = 1;
  private static final int REPEATED = 2;

  private final RandomBytes bytes;
  private final Map<String, String> metadata = new HashMap<>();

  /** Of each column, by name: how values repeat. */
  private final Map<String, Integer> repetition = new HashMap<>();

  private final List<Fields> groups;

  /** Reads the end of a file. */
  public ParquetFile(RandomBytes bytes) throws IOException {
    this.bytes = bytes;
    long size = bytes.size();
    byte[] tail = size < 12 ? new byte[8] : bytes.read(size - 8, 8);
    int length = Pages.int32(tail, 0);
    if (!Arrays.equals(tail, 4, 8, MAGIC, 0, 4) || length < 0 || length > size - 12) {
      throw new WrongParquet("a Parquet file that was cut short");
    }
    Fields footer = Thrift.read(bytes.read(size - 8 - length, length), 0, length).fields();
    groups = footer.structs(4);
    if (footer.has(5)) {
      for (Fields pair : footer.structs(5)) {
        metadata.put(pair.text(1), pair.has(2) ? pair.text(2) : "");
      }
    }
    List<Fields> schema = footer.structs(2);
    for (Fields column : schema.subList(Math.min(1, schema.size()), schema.size())) {
      boolean isGroup = column.number(5, 0) > 0;
      repetition.put(column.text(4), isGroup ? REPEATED : (int) column.number(3, 0));
    }
  }

  /** What a writer noted under a name; null for nothing. */
  public String metadata(String name) {
    return metadata.get(name);
  }

  public int groups() {
    return groups.size();
  }

  /** The number of bytes that a row group takes in the file. */
  public long bytes(int group) throws IOException {
    long sum = 0;
    for (Fields column : groups.get(group).structs(1)) {
      sum += column.struct(3).number(7);
    }
    return sum;
  }

  public boolean hasColumn(String name) {
    return repetition.containsKey(name);
  }

  /** The number of rows of a row group. */
  public int rows(int group) throws IOException {
    long rows = groups.get(group).number(3);
    if (rows < 0 || rows > MOST_ROWS) {
      throw new WrongParquet(
          "a row group of " + rows + " rows",
          "at most " + MOST_ROWS + " rows in a group",
          "write the file with smaller row groups");
    }
    return (int) rows;
  }

  /** A column of a row group; one that the file does not have has no values. */
  public ParquetColumn column(int group, String name) throws IOException {
    if (!hasColumn(name)) {
      return ParquetColumn.MISSING;
    }
    int repeats = repetition.get(name);
    if (repeats == REPEATED) {
      throw new WrongParquet(
          "the column " + name + " is nested",
          "a column with one number or text in each row",
          "write it as text, such as [1,2]");
    }
    for (Fields column : groups.get(group).structs(1)) {
      Fields about = column.struct(3);
      List<String> path = about.texts(3);
      if (path.size() == 1 && path.get(0).equals(name)) {
        int type = (int) about.number(1);
        Pages pages =
            new Pages(name, type, (int) about.number(4), repeats == OPTIONAL, rows(group));
        return pages.read(chunk(about));
      }
    }
    throw new WrongParquet("a row group without the column " + name);
  }

  private byte[] chunk(Fields about) throws IOException {
    long from = about.number(9);
    // Some writers say 0 where there is no dictionary.
    long dictionary = about.number(11, 0);
    from = dictionary > 0 ? Math.min(from, dictionary) : from;
    int length = about.size(7);
    if (from < 0 || from > bytes.size() - length) {
      throw new WrongParquet("a column outside of the file");
    }
    return bytes.read(from, length);
  }
}
