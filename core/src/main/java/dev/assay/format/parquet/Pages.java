package dev.assay.format.parquet;

import dev.assay.format.parquet.Thrift.Fields;
import java.util.Arrays;

/** The pages of a column in a row group, decoded one after another. */
final class Pages {
  private static final int DATA = 0;
  private static final int DICTIONARY = 2;
  private static final int DATA_V2 = 3;

  private static final int PLAIN = 0;
  private static final int PLAIN_DICTIONARY = 2;
  private static final int RLE_DICTIONARY = 8;

  static final int INT32 = 1;
  static final int INT64 = 2;
  static final int BYTE_ARRAY = 6;

  private static final String REWRITE =
      "write the file anew with the defaults of DuckDB, pandas or Spark, or with assay convert";

  private final String name;
  private final int type;
  private final int codec;
  private final boolean optional;
  private final boolean[] present;
  private final long[] numbers;
  private final int[] places;
  private final ByteOut texts = new ByteOut();

  /** The dictionary: numbers, or places of texts. */
  private long[] dictionary;

  private int rows;

  Pages(String name, int type, int codec, boolean optional, int rows) throws WrongParquet {
    boolean isText = type == BYTE_ARRAY;
    if (!isText && type != INT32 && type != INT64) {
      throw new WrongParquet(
          "the column " + name + " is neither of whole numbers nor of text",
          "a column of type INT64, INT32 or BYTE_ARRAY",
          "cast it to BIGINT or VARCHAR");
    }
    this.name = name;
    this.type = type;
    this.codec = codec;
    this.optional = optional;
    this.present = new boolean[rows];
    this.numbers = isText ? null : new long[rows];
    this.places = isText ? new int[rows] : null;
  }

  static int int32(byte[] bytes, int at) {
    return bytes[at] & 0xff
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }

  private WrongParquet damaged(String what) {
    return new WrongParquet("the column " + name + " has " + what);
  }

  /** Reads all pages of the column. */
  ParquetColumn read(byte[] chunk) throws WrongParquet {
    int at = 0;
    while (rows < present.length) {
      Thrift.Parsed head = Thrift.read(chunk, at, chunk.length);
      int size = head.fields().size(3);
      if (size > chunk.length - head.end()) {
        throw damaged("a page that ends too early");
      }
      page(head.fields(), chunk, head.end(), size);
      at = head.end() + size;
    }
    return type == BYTE_ARRAY
        ? ParquetColumn.ofTexts(present, places, texts.toArray())
        : ParquetColumn.ofNumbers(present, numbers);
  }

  private void page(Fields head, byte[] chunk, int from, int size) throws WrongParquet {
    int kind = (int) head.number(1);
    int unpacked = head.size(2);
    if (kind == DICTIONARY) {
      byte[] bytes = Codecs.unpack(codec, chunk, from, size, unpacked);
      dictionary = plain(bytes, 0, head.struct(7).size(1));
    } else if (kind == DATA) {
      byte[] bytes = Codecs.unpack(codec, chunk, from, size, unpacked);
      Fields data = head.struct(5);
      int count = values(data);
      int at = 0;
      if (optional) {
        int length = bytes.length < Integer.BYTES ? -1 : int32(bytes, 0);
        if (length < 0 || length > bytes.length - Integer.BYTES) {
          throw damaged("levels that end too early");
        }
        at = Integer.BYTES + length;
        levels(new Hybrid(bytes, Integer.BYTES, at, 1), count);
      } else {
        Arrays.fill(present, rows, rows + count, true);
      }
      values(bytes, at, count, (int) data.number(2));
    } else if (kind == DATA_V2) {
      second(head.struct(8), chunk, from, size, unpacked);
    }
  }

  /** A data page of version 2: its levels are not compressed. */
  private void second(Fields data, byte[] chunk, int from, int size, int unpacked)
      throws WrongParquet {
    int levels = data.size(5);
    int before = levels + data.size(6);
    if (before < 0 || before > size || before > unpacked) {
      throw damaged("levels that end too early");
    }
    int count = values(data);
    if (optional) {
      int start = from + data.size(6);
      levels(new Hybrid(chunk, start, start + levels, 1), count);
    } else {
      Arrays.fill(present, rows, rows + count, true);
    }
    int how = data.flag(7, true) ? codec : Codecs.NONE;
    byte[] bytes = Codecs.unpack(how, chunk, from + before, size - before, unpacked - before);
    values(bytes, 0, count, (int) data.number(4));
  }

  private int values(Fields data) throws WrongParquet {
    int count = data.size(1);
    if (count > present.length - rows) {
      throw damaged("more values than there are rows");
    }
    return count;
  }

  private void levels(Hybrid levels, int count) throws WrongParquet {
    for (int i = 0; i < count; i++) {
      present[rows + i] = levels.next() != 0;
    }
  }

  private void values(byte[] bytes, int from, int count, int encoding) throws WrongParquet {
    int known = 0;
    for (int i = 0; i < count; i++) {
      known += present[rows + i] ? 1 : 0;
    }
    boolean byDictionary = encoding == RLE_DICTIONARY || encoding == PLAIN_DICTIONARY;
    if (!byDictionary && encoding != PLAIN) {
      throw new WrongParquet(
          "the column " + name + " has the encoding " + encoding,
          "plain or dictionary encoding",
          REWRITE);
    }
    long[] values = byDictionary ? looked(bytes, from, known) : plain(bytes, from, known);
    int next = 0;
    for (int i = 0; i < count; i++, rows++) {
      if (present[rows]) {
        if (numbers != null) {
          numbers[rows] = values[next++];
        } else {
          places[rows] = (int) values[next++];
        }
      }
    }
  }

  private long[] looked(byte[] bytes, int from, int count) throws WrongParquet {
    long[] values = new long[count];
    if (count == 0) {
      return values;
    }
    if (dictionary == null || from >= bytes.length || bytes[from] < 0 || bytes[from] > 32) {
      throw damaged("no dictionary");
    }
    Hybrid indices = new Hybrid(bytes, from + 1, bytes.length, bytes[from]);
    for (int i = 0; i < count; i++) {
      int index = indices.next();
      if (index < 0 || index >= dictionary.length) {
        throw damaged("a value that its dictionary lacks");
      }
      values[i] = dictionary[index];
    }
    return values;
  }

  /** Values as they are; texts are kept, and their places are the result. */
  private long[] plain(byte[] bytes, int from, int count) throws WrongParquet {
    int smallest = type == INT64 ? Long.BYTES : Integer.BYTES;
    if ((long) count * smallest > bytes.length - from) {
      throw damaged("a page that ends too early");
    }
    long[] values = new long[count];
    int at = from;
    int start = texts.size;
    for (int i = 0; i < count; i++) {
      if (type == INT64) {
        values[i] = int32(bytes, at) & 0xffffffffL | (long) int32(bytes, at + 4) << 32;
        at += Long.BYTES;
      } else if (type == INT32) {
        values[i] = int32(bytes, at);
        at += Integer.BYTES;
      } else {
        int length = at > bytes.length - Integer.BYTES ? -1 : int32(bytes, at);
        if (length < 0 || length > bytes.length - at - Integer.BYTES) {
          throw damaged("a text that ends too early");
        }
        values[i] = start + (at - from);
        at += Integer.BYTES + length;
      }
    }
    if (type == BYTE_ARRAY) {
      if (at - from > Integer.MAX_VALUE - 8 - texts.size) {
        throw new WrongParquet(
            "the column " + name + " has more than 2 GB in a row group",
            "smaller row groups",
            REWRITE);
      }
      texts.add(bytes, from, at - from);
    }
    return values;
  }
}
