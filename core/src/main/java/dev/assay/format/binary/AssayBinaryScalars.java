package dev.assay.format.binary;

import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.Keyword;
import dev.assay.history.OtherThan;
import dev.assay.history.RawScalars;
import dev.assay.history.Versioned;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Dictionary entries: every scalar that is not an integer of ordinary size. */
final class AssayBinaryScalars {
  private static final int NIL = 0;
  private static final int INTEGER = 1;
  private static final int BIG_INTEGER = 2;
  private static final int DOUBLE = 3;
  private static final int DECIMAL = 4;
  private static final int STRING = 5;
  private static final int KEYWORD = 6;
  private static final int FALSE = 7;
  private static final int TRUE = 8;
  private static final int VECTOR = 9;
  private static final int OTHER_THAN = 10;
  private static final int VERSIONED = 11;

  /** Vectors may nest this deep, so that no input can exhaust the stack. */
  private static final int MAX_DEPTH = 100;

  private static final int SHORT = 64;

  private AssayBinaryScalars() {}

  static void write(AssayBinaryOut out, Object value) {
    write(out, value, 0);
  }

  private static void write(AssayBinaryOut out, Object value, int depth) {
    if (value == null) {
      out.u8(NIL);
    } else if (value instanceof Long integer) {
      out.u8(INTEGER);
      out.signed(integer);
    } else if (value instanceof BigInteger big) {
      out.u8(BIG_INTEGER);
      bytes(out, big.toByteArray());
    } else if (value instanceof Double number) {
      out.u8(DOUBLE);
      out.u64(Double.doubleToLongBits(number));
    } else if (value instanceof BigDecimal decimal) {
      out.u8(DECIMAL);
      out.signed(decimal.scale());
      bytes(out, decimal.unscaledValue().toByteArray());
    } else if (value instanceof String text) {
      out.u8(STRING);
      out.text(text);
    } else if (value instanceof Keyword keyword) {
      out.u8(KEYWORD);
      out.text(keyword.name());
    } else if (value instanceof Boolean truth) {
      out.u8(truth ? TRUE : FALSE);
    } else if (value instanceof OtherThan other) {
      out.u8(OTHER_THAN);
      write(out, other.value(), depth + 1);
    } else if (value instanceof Versioned versioned) {
      out.u8(VERSIONED);
      out.signed(versioned.version());
      write(out, versioned.value(), depth + 1);
    } else {
      if (depth == MAX_DEPTH) {
        throw new IllegalArgumentException("vectors nested more than " + MAX_DEPTH + " deep");
      }
      List<?> elements = (List<?>) value;
      out.u8(VECTOR);
      out.varint(elements.size());
      for (Object element : elements) {
        write(out, element, depth + 1);
      }
    }
  }

  /** Reads an entry and adds it to a dictionary; returns what it is there. */
  static long read(AssayBinaryIn in, RawScalars dictionary) throws BadBlock {
    int place = in.place();
    long[] integers = in.u8() == VECTOR ? integers(in) : null;
    if (integers != null) {
      return dictionary.ofVector(integers, integers.length);
    }
    in.back(place);
    return dictionary.of(read(in, 0));
  }

  /** The elements of a short vector, as rows of tables are; null if not all are integers. */
  private static long[] integers(AssayBinaryIn in) throws BadBlock {
    int size = in.count(in.remaining(), "elements of a vector");
    if (size > SHORT) {
      return null;
    }
    long[] integers = new long[size];
    for (int i = 0; i < size; i++) {
      if (in.u8() != INTEGER) {
        return null;
      }
      integers[i] = in.signed();
    }
    return integers;
  }

  private static Object read(AssayBinaryIn in, int depth) throws BadBlock {
    int type = in.u8();
    return switch (type) {
      case NIL -> null;
      case INTEGER -> in.signed();
      case BIG_INTEGER -> new BigInteger(bytes(in));
      case DOUBLE -> Double.longBitsToDouble(in.u64());
      case DECIMAL -> {
        long scale = in.signed();
        if (scale != (int) scale) {
          throw new BadBlock("a decimal of scale " + scale);
        }
        yield new BigDecimal(new BigInteger(bytes(in)), (int) scale);
      }
      case STRING -> in.text();
      case KEYWORD -> new Keyword(in.text());
      case FALSE -> false;
      case TRUE -> true;
      case VECTOR -> {
        if (depth == MAX_DEPTH) {
          throw new BadBlock("vectors nested more than " + MAX_DEPTH + " deep");
        }
        int size = in.count(in.remaining(), "elements of a vector");
        List<Object> elements = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
          elements.add(read(in, depth + 1));
        }
        yield elements;
      }
      case OTHER_THAN -> {
        if (depth > 0) {
          throw new BadBlock("a scalar of type " + type + " inside another");
        }
        yield new OtherThan(read(in, 1));
      }
      case VERSIONED -> {
        if (depth > 0) {
          throw new BadBlock("a scalar of type " + type + " inside another");
        }
        long version = in.signed();
        yield new Versioned(read(in, 1), version);
      }
      default -> throw new BadBlock("a scalar of type " + type);
    };
  }

  private static void bytes(AssayBinaryOut out, byte[] bytes) {
    out.varint(bytes.length);
    out.raw(bytes);
  }

  private static byte[] bytes(AssayBinaryIn in) throws BadBlock {
    int length = in.count(in.remaining(), "bytes of a number");
    if (length == 0) {
      throw new BadBlock("a number without bytes");
    }
    return in.raw(length);
  }
}
