package dev.assay.spark.input;

import dev.assay.format.ParseException;
import dev.assay.format.jsonl.ParquetFormat;
import java.io.IOException;
import java.io.Serializable;

/**
 * How tasks read splits.
 *
 * @param hadoop settings of the file systems
 * @param format the id of the format that the user named, or null
 */
public record Reading(SerializableConf hadoop, String format) implements Serializable {
  BlockReader open(Split split) throws IOException, ParseException {
    return new BlockReader(split, pieces(split));
  }

  private Pieces pieces(Split split) throws IOException, ParseException {
    if (split.range != null) {
      return new RangePieces(split, hadoop.value());
    }
    if (split.format == null) {
      return StreamPieces.ofAll(split.source, hadoop.value(), format);
    }
    return split.format.equals(ParquetFormat.ID)
        ? StreamPieces.ofGroups(split, hadoop.value())
        : new LinePieces(split, hadoop.value());
  }
}
