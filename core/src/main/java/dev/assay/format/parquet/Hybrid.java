package dev.assay.format.parquet;

/** Numbers of a few bits each: runs of the same one, and groups of eight packed together. */
final class Hybrid {
  private final byte[] bytes;
  private final int end;
  private final int width;
  private int at;

  /** What is left of the current run; packed numbers begin at a bit. */
  private int left;

  private boolean isPacked;
  private int repeated;
  private long bit;

  Hybrid(byte[] bytes, int from, int end, int width) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.width = width;
  }

  int next() throws WrongParquet {
    while (left == 0) {
      run();
    }
    left--;
    return isPacked ? packed() : repeated;
  }

  private void run() throws WrongParquet {
    long head = 0;
    int shift = 0;
    int b;
    do {
      require(1);
      b = bytes[at++] & 0xff;
      head |= (long) (b & 0x7f) << shift;
      shift += 7;
    } while (b >= 0x80 && shift < 35);
    long count = head >>> 1;
    isPacked = (head & 1) != 0;
    if (isPacked) {
      // The last group may be cut off where no number needs the rest.
      long size = Math.min(count * width, end - at);
      bit = (long) at * Byte.SIZE;
      left = (int) Math.min(count * Byte.SIZE, Integer.MAX_VALUE);
      at += (int) size;
      return;
    }
    int size = (width + 7) / Byte.SIZE;
    require(size);
    repeated = 0;
    for (int i = 0; i < size; i++) {
      repeated |= (bytes[at++] & 0xff) << i * Byte.SIZE;
    }
    left = (int) Math.min(count, Integer.MAX_VALUE);
  }

  private int packed() throws WrongParquet {
    long value = 0;
    int from = (int) (bit / Byte.SIZE);
    int offset = (int) (bit % Byte.SIZE);
    int count = (offset + width + 7) / Byte.SIZE;
    if (from + count > end) {
      throw new WrongParquet("packed numbers that end too early");
    }
    for (int i = 0; i < count; i++) {
      value |= (bytes[from + i] & 0xffL) << i * Byte.SIZE;
    }
    bit += width;
    return (int) (value >>> offset & (1L << width) - 1);
  }

  private void require(int size) throws WrongParquet {
    if (size > end - at) {
      throw new WrongParquet("runs that end too early");
    }
  }
}
