package dev.assay.format.parquet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Structures in Thrift's compact protocol, which the metadata of Parquet files is in. A structure
 * is read as its fields by number, whatever they are, so that fields of later versions do no harm.
 */
final class Thrift {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;
  private static final int DEEPEST = 32;

  private final byte[] bytes;
  private final int end;
  private int at;

  private Thrift(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** A structure, and where what follows it begins. */
  record Parsed(Fields fields, int end) {}

  /** Reads the structure that begins at an offset. */
  static Parsed read(byte[] bytes, int from, int end) throws WrongParquet {
    Thrift in = new Thrift(bytes, from, end);
    Fields fields = in.struct(0);
    return new Parsed(fields, in.at);
  }

  /** The fields of a structure. */
  static final class Fields {
    private final Map<Integer, Object> byNumber = new HashMap<>();

    boolean has(int number) {
      return byNumber.containsKey(number);
    }

    private <T> T get(int number, Class<T> type) throws WrongParquet {
      Object value = byNumber.get(number);
      if (!type.isInstance(value)) {
        throw new WrongParquet("metadata without its field " + number);
      }
      return type.cast(value);
    }

    long number(int field) throws WrongParquet {
      return get(field, Long.class);
    }

    int size(int field) throws WrongParquet {
      long value = number(field);
      if (value < 0 || value > Integer.MAX_VALUE - 8) {
        throw new WrongParquet("a size of " + value + " in the metadata");
      }
      return (int) value;
    }

    long number(int field, long otherwise) throws WrongParquet {
      return has(field) ? number(field) : otherwise;
    }

    boolean flag(int field, boolean otherwise) throws WrongParquet {
      return has(field) ? get(field, Boolean.class) : otherwise;
    }

    String text(int field) throws WrongParquet {
      return new String(get(field, byte[].class), StandardCharsets.UTF_8);
    }

    Fields struct(int field) throws WrongParquet {
      return get(field, Fields.class);
    }

    List<Fields> structs(int field) throws WrongParquet {
      List<Fields> structs = new ArrayList<>();
      for (Object one : get(field, List.class)) {
        if (!(one instanceof Fields fields)) {
          throw new WrongParquet("metadata whose field " + field + " is not a list of structures");
        }
        structs.add(fields);
      }
      return structs;
    }

    List<String> texts(int field) throws WrongParquet {
      List<String> texts = new ArrayList<>();
      for (Object one : get(field, List.class)) {
        texts.add(one instanceof byte[] utf8 ? new String(utf8, StandardCharsets.UTF_8) : "");
      }
      return texts;
    }
  }

  private Fields struct(int depth) throws WrongParquet {
    if (depth > DEEPEST) {
      throw new WrongParquet("metadata that is nested too deeply");
    }
    Fields fields = new Fields();
    int number = 0;
    while (true) {
      int head = next();
      if (head == 0) {
        return fields;
      }
      int delta = head >>> 4;
      number = delta == 0 ? (int) zigzag() : number + delta;
      int type = head & 0xf;
      boolean truth = type == TRUE;
      fields.byNumber.put(number, truth || type == FALSE ? (Object) truth : value(type, depth));
    }
  }

  private Object value(int type, int depth) throws WrongParquet {
    switch (type) {
      case TRUE, FALSE:
        return next() == TRUE;
      case BYTE:
        return (long) (byte) next();
      case I16, I32, I64:
        return zigzag();
      case DOUBLE:
        skip(Long.BYTES);
        return 0.0;
      case BINARY:
        int length = count(1);
        skip(length);
        return java.util.Arrays.copyOfRange(bytes, at - length, at);
      case LIST, SET:
        int head = next();
        int size = head >>> 4 == 15 ? count(1) : head >>> 4;
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          list.add(value(head & 0xf, depth + 1));
        }
        return list;
      case MAP:
        int pairs = count(1);
        int types = pairs == 0 ? 0 : next();
        for (int i = 0; i < pairs; i++) {
          value(types >>> 4, depth + 1);
          value(types & 0xf, depth + 1);
        }
        return pairs;
      case STRUCT:
        return struct(depth + 1);
      default:
        throw new WrongParquet("metadata with a field of the unknown type " + type);
    }
  }

  private int next() throws WrongParquet {
    skip(1);
    return bytes[at - 1] & 0xff;
  }

  private void skip(int length) throws WrongParquet {
    if (length > end - at) {
      throw new WrongParquet("metadata that ends too early");
    }
    at += length;
  }

  /** A number of things that take at least some bytes each. */
  private int count(int bytesEach) throws WrongParquet {
    long count = varint();
    if (count < 0 || count * bytesEach > end - at) {
      throw new WrongParquet("metadata that ends too early");
    }
    return (int) count;
  }

  private long varint() throws WrongParquet {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int b = next();
      value |= (long) (b & 0x7f) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw new WrongParquet("a number of more than 64 bits in the metadata");
  }

  private long zigzag() throws WrongParquet {
    long value = varint();
    return value >>> 1 ^ -(value & 1);
  }

  /** Writes structures; fields must come by ascending number. */
  static final class Writer {
    private final ByteOut out;
    private final int[] last = new int[DEEPEST];
    private int depth;

    Writer(ByteOut out) {
      this.out = out;
    }

    private void field(int number, int type) {
      out.add(number - last[depth] << 4 | type);
      last[depth] = number;
    }

    Writer i32(int number, long value) {
      field(number, I32);
      out.zigzag(value);
      return this;
    }

    Writer i64(int number, long value) {
      field(number, I64);
      out.zigzag(value);
      return this;
    }

    Writer text(int number, String value) {
      return binary(number, value.getBytes(StandardCharsets.UTF_8));
    }

    Writer binary(int number, byte[] value) {
      field(number, BINARY);
      out.varint(value.length);
      out.add(value);
      return this;
    }

    Writer begin(int number) {
      field(number, STRUCT);
      return element();
    }

    /** Begins a structure of a list. */
    Writer element() {
      last[++depth] = 0;
      return this;
    }

    Writer end() {
      out.add(0);
      depth--;
      return this;
    }

    Writer structs(int number, int size) {
      return list(number, size, STRUCT);
    }

    private Writer list(int number, int size, int type) {
      field(number, LIST);
      out.add(Math.min(size, 15) << 4 | type);
      if (size >= 15) {
        out.varint(size);
      }
      return this;
    }

    Writer numbers(int number, int... values) {
      list(number, values.length, I32);
      for (int value : values) {
        out.zigzag(value);
      }
      return this;
    }

    Writer texts(int number, String value) {
      list(number, 1, BINARY);
      byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
      out.varint(utf8.length);
      out.add(utf8);
      return this;
    }
  }
}
