package dev.assay.spark;

import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.Serializable;

/**
 * How tasks read splits.
 *
 * @param hadoop settings of the file systems
 * @param format the id of the format that the user named, or null
 */
record Reading(SerializableConf hadoop, String format) implements Serializable {
  BlockReader open(Split split) throws IOException, ParseException {
    return new BlockReader(split, hadoop.value(), format);
  }
}
