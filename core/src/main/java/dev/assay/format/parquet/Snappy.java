package dev.assay.format.parquet;

/** Unpacks Snappy, the compression that most writers of Parquet use by default. */
final class Snappy {
  private static final int LITERAL = 0;

  private Snappy() {}

  static byte[] unpack(byte[] in, int from, int end, int size) throws WrongParquet {
    int at = from;
    long length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int b = byteAt(in, at++, end);
      length |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        break;
      }
    }
    if (length != size) {
      throw damaged();
    }
    byte[] out = new byte[size];
    int done = 0;
    while (at < end) {
      int tag = in[at++] & 0xff;
      int extra = (tag & 3) == LITERAL ? Math.max(0, (tag >>> 2) - 59) : 0;
      if ((tag & 3) == LITERAL) {
        int count = (extra == 0 ? tag >>> 2 : little(in, at, extra, end)) + 1;
        at += extra;
        if (count <= 0 || count > end - at || count > size - done) {
          throw damaged();
        }
        System.arraycopy(in, at, out, done, count);
        at += count;
        done += count;
        continue;
      }
      int kind = tag & 3;
      int bytes = kind == 3 ? 4 : kind;
      int back = little(in, at, bytes, end) + (kind == 1 ? (tag >>> 5) << 8 : 0);
      int count = kind == 1 ? (tag >>> 2 & 7) + 4 : (tag >>> 2) + 1;
      at += bytes;
      if (back <= 0 || back > done || count > size - done) {
        throw damaged();
      }
      // Byte by byte: what is copied may be part of what it makes.
      for (int i = 0; i < count; i++, done++) {
        out[done] = out[done - back];
      }
    }
    if (done != size) {
      throw damaged();
    }
    return out;
  }

  private static int little(byte[] in, int at, int bytes, int end) throws WrongParquet {
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= byteAt(in, at + i, end) << i * Byte.SIZE;
    }
    return value;
  }

  private static int byteAt(byte[] in, int at, int end) throws WrongParquet {
    if (at >= end) {
      throw damaged();
    }
    return in[at] & 0xff;
  }

  private static WrongParquet damaged() {
    return new WrongParquet("a page whose compression is damaged");
  }
}
