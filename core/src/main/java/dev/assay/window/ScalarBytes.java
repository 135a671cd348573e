package dev.assay.window;

import dev.assay.history.Keyword;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Names of sessions and transactions as bytes, of all types that names may have. */
final class ScalarBytes {
  private ScalarBytes() {}

  static void write(Object scalar, DataOutput out) throws IOException {
    if (scalar == null) {
      out.writeByte('-');
    } else if (scalar instanceof String text) {
      text('s', text, out);
    } else if (scalar instanceof Long || scalar instanceof Integer || scalar instanceof Short) {
      out.writeByte('l');
      out.writeLong(((Number) scalar).longValue());
    } else if (scalar instanceof Boolean truth) {
      out.writeByte(truth ? 't' : 'f');
    } else if (scalar instanceof Keyword keyword) {
      text('k', keyword.name(), out);
    } else if (scalar instanceof Double number) {
      out.writeByte('d');
      out.writeDouble(number);
    } else if (scalar instanceof BigInteger number) {
      text('i', number.toString(), out);
    } else if (scalar instanceof BigDecimal number) {
      text('e', number.toString(), out);
    } else if (scalar instanceof List<?> list) {
      out.writeByte('v');
      out.writeInt(list.size());
      for (Object element : list) {
        write(element, out);
      }
    } else {
      throw new IllegalArgumentException("not a scalar: " + scalar.getClass().getName());
    }
  }

  private static void text(char type, String text, DataOutput out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeByte(type);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static Object read(DataInput in) throws IOException {
    char type = (char) in.readByte();
    return switch (type) {
      case '-' -> null;
      case 's' -> text(in);
      case 'l' -> in.readLong();
      case 't' -> true;
      case 'f' -> false;
      case 'k' -> new Keyword(text(in));
      case 'd' -> in.readDouble();
      case 'i' -> new BigInteger(text(in));
      case 'e' -> new BigDecimal(text(in));
      case 'v' -> {
        int size = in.readInt();
        List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
          list.add(read(in));
        }
        yield list;
      }
      default -> throw new IOException("not the type of a scalar: " + type);
    };
  }

  private static String text(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
