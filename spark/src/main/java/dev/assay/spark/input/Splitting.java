package dev.assay.spark.input;

import dev.assay.format.HistoryFormat;
import dev.assay.format.ParseException;
import dev.assay.format.RandomBytes;
import dev.assay.format.binary.AssayBinaryRanges;
import dev.assay.format.jsonl.ParquetFormat;
import dev.assay.format.jsonl.ParquetLines;
import dev.assay.format.parquet.ParquetFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Divides the file of a history: lines anywhere, {@code .assay} by its blocks, Parquet by its row
 * groups. What is compressed as a whole can only be read from its beginning, by one task.
 */
public final class Splitting {
  private final Source source;
  private final Configuration hadoop;
  private final long bytes;

  /**
   * Divides a file.
   *
   * @param bytes the maximum number of bytes of a part
   */
  public Splitting(Source source, Configuration hadoop, long bytes) {
    this.source = source;
    this.hadoop = hadoop;
    this.bytes = Math.max(1, bytes);
  }

  /** The parts; none if only one task can read and check the history. */
  public List<Split> of(HistoryFormat format) throws IOException {
    boolean isPacked = isPacked();
    List<Split> splits = new ArrayList<>();
    if (!isPacked && format.id().equals("assay-jsonl")) {
      for (long start = 0; start < source.bytes; start += bytes) {
        long end = Math.min(start + bytes, source.bytes);
        splits.add(Split.of(source, splits.size(), start, end, format.id()));
      }
    } else if (!isPacked && format.id().equals("assay")) {
      try (RandomBytes file = source.random(hadoop)) {
        for (AssayBinaryRanges.Range range : AssayBinaryRanges.find(file, bytes)) {
          splits.add(Split.of(source, splits.size(), range));
        }
      }
    } else if (!isPacked && format.id().equals(ParquetFormat.ID)) {
      addGroups(splits);
    }
    if (splits.isEmpty() && hasPieces(format)) {
      splits.add(Split.whole(source));
    }
    return splits;
  }

  /** As many row groups together as make a split; all of them where transactions may span two. */
  private void addGroups(List<Split> splits) throws IOException {
    try (RandomBytes random = source.random(hadoop)) {
      ParquetFile file = new ParquetFile(random);
      boolean divides = ParquetLines.isDivisible(file);
      int first = 0;
      long size = 0;
      for (int group = 0; group < file.groups(); group++) {
        size += file.bytes(group);
        boolean isLast = group + 1 == file.groups();
        if (isLast || divides && size + file.bytes(group + 1) > bytes) {
          splits.add(Split.of(source, splits.size(), first, group + 1, ParquetFormat.ID));
          first = group + 1;
          size = 0;
        }
      }
    }
  }

  private boolean hasPieces(HistoryFormat format) {
    try {
      format.pieces(source.name);
      return true;
    } catch (ParseException e) {
      return false;
    }
  }

  private boolean isPacked() throws IOException {
    try (InputStream in = source.open(hadoop)) {
      int first = in.read();
      return first == 0x1f || first == 0x28;
    }
  }
}
