package dev.assay.format.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** A column that is written: the values of the current row group. */
public final class ColumnOut {
  private static final int PLAIN = 0;
  private static final int RLE = 3;
  private static final int RLE_DICTIONARY = 8;
  private static final int UTF8 = 0;

  private final String name;
  private final boolean isText;

  /** Of each row, whether it has a value: runs, as Parquet has them. */
  private final ByteOut levels = new ByteOut();

  private boolean last;
  private int run;
  private int rows;
  private int known;

  /** The values; with a dictionary their numbers there, four bytes each. */
  private final ByteOut values = new ByteOut();

  private final ByteOut dictionary;

  /** By the number that the caller gives a text: one more than its place in the dictionary. */
  private int[] places = new int[16];

  private int entries;
  private long smallest = Long.MAX_VALUE;
  private long largest = Long.MIN_VALUE;

  private ColumnOut(String name, boolean isText, boolean byDictionary) {
    this.name = name;
    this.isText = isText;
    this.dictionary = byDictionary ? new ByteOut() : null;
  }

  /** Whole numbers. */
  public static ColumnOut ofNumbers(String name) {
    return new ColumnOut(name, false, false);
  }

  /** Texts that are mostly different. */
  public static ColumnOut ofTexts(String name) {
    return new ColumnOut(name, true, false);
  }

  /** Texts of which most occur again, each with a number that the caller gives it. */
  public static ColumnOut ofNumbered(String name) {
    return new ColumnOut(name, true, true);
  }

  /** The bytes that wait to be written. */
  int waiting() {
    return values.size + (dictionary == null ? 0 : dictionary.size);
  }

  private void level(boolean present) {
    if (present != last && run > 0) {
      levels.varint((long) run << 1);
      levels.add(last ? 1 : 0);
      run = 0;
    }
    last = present;
    run++;
    rows++;
    known += present ? 1 : 0;
  }

  /** A row without a value. */
  public void none() {
    level(false);
  }

  /** A row with a number. */
  public void number(long value) {
    level(true);
    values.int64(value);
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
  }

  /** A row with a text. */
  public void text(ByteOut text) {
    level(true);
    values.int32(text.size);
    values.add(text);
  }

  /** Gives the texts of a numbered column. */
  public interface Texts {
    byte[] text(int number);
  }

  /** A row with a text that the caller knows by a number. */
  public void numbered(int number, Texts texts) {
    level(true);
    if (number >= places.length) {
      places = Arrays.copyOf(places, Math.max(number + 1, places.length * 2));
    }
    if (places[number] == 0) {
      byte[] text = texts.text(number);
      dictionary.int32(text.length);
      dictionary.add(text);
      places[number] = ++entries;
    }
    values.int32(places[number] - 1);
  }

  void schema(Thrift.Writer schema) {
    schema.element().i32(1, isText ? Pages.BYTE_ARRAY : Pages.INT64).i32(3, 1).text(4, name);
    if (isText) {
      schema.i32(6, UTF8);
      // The logical type STRING, which replaces the number above.
      schema.begin(10).begin(1).end().end();
    }
    schema.end();
  }

  /** Where the pages of the row group are, and how large. */
  private record Place(long at, long dictionary, long size, long unpacked) {}

  /** Writes the row group, forgets it, and describes it. */
  long flush(OutputStream out, long offset, Thrift.Writer about) throws IOException {
    if (run > 0) {
      levels.varint((long) run << 1);
      levels.add(last ? 1 : 0);
    }
    Place place = pages(out, offset);
    int[] encodings =
        dictionary == null ? new int[] {PLAIN, RLE} : new int[] {PLAIN, RLE, RLE_DICTIONARY};
    about.element().i64(2, offset).begin(3);
    about.i32(1, isText ? Pages.BYTE_ARRAY : Pages.INT64).numbers(2, encodings).texts(3, name);
    about.i32(4, Codecs.GZIP).i64(5, rows).i64(6, place.unpacked).i64(7, place.size);
    about.i64(9, place.at);
    if (place.dictionary >= 0) {
      about.i64(11, place.dictionary);
    }
    about.begin(12).i64(3, rows - known);
    if (!isText && known > 0) {
      about.binary(5, int64(largest)).binary(6, int64(smallest));
    }
    about.end().end().end();
    clear();
    return place.size;
  }

  private static byte[] int64(long value) {
    ByteOut out = new ByteOut();
    out.int64(value);
    return out.toArray();
  }

  private Place pages(OutputStream out, long offset) throws IOException {
    long size = 0;
    long unpacked = 0;
    if (dictionary != null) {
      ByteOut head = new ByteOut();
      byte[] packed = Codecs.gzip(dictionary.bytes, dictionary.size);
      new Thrift.Writer(head)
          .element()
          .i32(1, 2)
          .i32(2, dictionary.size)
          .i32(3, packed.length)
          .begin(7)
          .i32(1, entries)
          .i32(2, PLAIN)
          .end()
          .end();
      out.write(head.bytes, 0, head.size);
      out.write(packed);
      size = head.size + packed.length;
      unpacked = head.size + dictionary.size;
    }
    ByteOut page = new ByteOut();
    page.int32(levels.size);
    page.add(levels);
    if (dictionary == null) {
      page.add(values);
    } else {
      indices(page);
    }
    ByteOut head = new ByteOut();
    byte[] packed = Codecs.gzip(page.bytes, page.size);
    new Thrift.Writer(head)
        .element()
        .i32(1, 0)
        .i32(2, page.size)
        .i32(3, packed.length)
        .begin(5)
        .i32(1, rows)
        .i32(2, dictionary == null ? PLAIN : RLE_DICTIONARY)
        .i32(3, RLE)
        .i32(4, RLE)
        .end()
        .end();
    out.write(head.bytes, 0, head.size);
    out.write(packed);
    return new Place(
        offset + size,
        dictionary == null ? -1 : offset,
        size + head.size + packed.length,
        unpacked + head.size + page.size);
  }

  /** The places of the values in the dictionary, in groups of eight. */
  private void indices(ByteOut page) {
    int largestIndex = Math.max(1, entries - 1);
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(largestIndex);
    int groups = (known + 7) / Byte.SIZE;
    page.add(width);
    page.varint((long) groups << 1 | 1);
    long bits = 0;
    int count = 0;
    for (int i = 0; i < groups * Byte.SIZE; i++) {
      long index = i < known ? Pages.int32(values.bytes, i * Integer.BYTES) : 0;
      bits |= index << count;
      for (count += width; count >= Byte.SIZE; count -= Byte.SIZE) {
        page.add((int) bits);
        bits >>>= Byte.SIZE;
      }
    }
  }

  private void clear() {
    levels.clear();
    values.clear();
    if (dictionary != null) {
      dictionary.clear();
      Arrays.fill(places, 0);
    }
    entries = 0;
    rows = 0;
    known = 0;
    run = 0;
    smallest = Long.MAX_VALUE;
    largest = Long.MIN_VALUE;
  }
}
