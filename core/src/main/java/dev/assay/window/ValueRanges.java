package dev.assay.window;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of numbers, kept as ranges of consecutive ones. Values written to a key are usually counted
 * up, so that few ranges hold millions of them.
 */
final class ValueRanges {
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  /** The number of ranges. */
  int count() {
    return ranges.size();
  }

  boolean contains(long value) {
    Map.Entry<Long, Long> below = ranges.floorEntry(value);
    return below != null && value <= below.getValue();
  }

  void add(long value) {
    if (contains(value)) {
      return;
    }
    Map.Entry<Long, Long> below = value == Long.MIN_VALUE ? null : ranges.floorEntry(value - 1);
    long from = below != null && below.getValue() == value - 1 ? below.getKey() : value;
    Long next = value == Long.MAX_VALUE ? null : ranges.remove(value + 1);
    ranges.put(from, next == null ? value : next);
  }

  void remove(long value) {
    Map.Entry<Long, Long> range = ranges.floorEntry(value);
    if (range == null || range.getValue() < value) {
      return;
    }
    long from = range.getKey();
    long to = range.getValue();
    ranges.remove(from);
    if (from < value) {
      ranges.put(from, value - 1);
    }
    if (value < to) {
      ranges.put(value + 1, to);
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(ranges.size());
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      out.writeLong(range.getKey());
      out.writeLong(range.getValue());
    }
  }

  /** Adds ranges that were written. */
  void read(DataInput in) throws IOException {
    for (int i = in.readInt(); i > 0; i--) {
      ranges.put(in.readLong(), in.readLong());
    }
  }
}
