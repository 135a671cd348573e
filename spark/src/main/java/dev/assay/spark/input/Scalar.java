package dev.assay.spark.input;

import dev.assay.history.Keyword;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Keys, values and names of sessions as bytes, equal where they are equal in a history. */
public final class Scalar {
  private Scalar() {}

  /** One scalar. */
  public static byte[] bytes(Object scalar) {
    if (!(scalar instanceof Long number)) {
      return bytes(new Object[] {scalar});
    }
    // The same without a stream: most scalars are integers.
    long rest = number << 1 ^ number >> 63;
    byte[] bytes = new byte[1 + (70 - Long.numberOfLeadingZeros(rest | 1)) / 7];
    bytes[0] = 'i';
    for (int i = 1; i < bytes.length; i++, rest >>>= 7) {
      bytes[i] = (byte) (i + 1 < bytes.length ? rest | 0x80 : rest);
    }
    return bytes;
  }

  /** Several scalars, one after another. */
  public static byte[] bytes(Object... scalars) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(24);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Object scalar : scalars) {
        write(scalar, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The scalars in these bytes. */
  public static List<Object> of(byte[] bytes) {
    List<Object> scalars = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        scalars.add(read(in));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scalars;
  }

  private static void write(Object scalar, DataOutputStream out) throws IOException {
    if (scalar == null) {
      out.writeByte('n');
    } else if (scalar instanceof Long number) {
      out.writeByte('i');
      writeInteger(number, out);
    } else if (scalar instanceof Boolean truth) {
      out.writeByte(truth ? 't' : 'f');
    } else if (scalar instanceof Double number) {
      out.writeByte('d');
      out.writeLong(Double.doubleToLongBits(number));
    } else if (scalar instanceof List<?> list) {
      out.writeByte('l');
      out.writeInt(list.size());
      for (Object element : list) {
        write(element, out);
      }
    } else {
      char type =
          scalar instanceof String
              ? 's'
              : scalar instanceof Keyword ? 'k' : scalar instanceof BigInteger ? 'I' : 'D';
      String text = scalar instanceof Keyword keyword ? keyword.name() : scalar.toString();
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      out.writeByte(type);
      out.writeInt(utf8.length);
      out.write(utf8);
    }
  }

  /** Seven bits a byte, lowest first, the sign before them: most integers are small. */
  private static void writeInteger(long number, DataOutputStream out) throws IOException {
    long rest = number << 1 ^ number >> 63;
    while ((rest & ~0x7F) != 0) {
      out.writeByte((int) rest | 0x80);
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  private static long readInteger(DataInputStream in) throws IOException {
    long bits = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.readByte();
      bits |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return bits >>> 1 ^ -(bits & 1);
      }
    }
  }

  private static Object read(DataInputStream in) throws IOException {
    char type = (char) in.readByte();
    switch (type) {
      case 'n':
        return null;
      case 'i':
        return readInteger(in);
      case 't', 'f':
        return type == 't';
      case 'd':
        return Double.longBitsToDouble(in.readLong());
      case 'l':
        List<Object> list = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
          list.add(read(in));
        }
        return list;
      default:
        String text = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        return type == 's'
            ? text
            : type == 'k'
                ? new Keyword(text)
                : type == 'I' ? new BigInteger(text) : new BigDecimal(text);
    }
  }
}
