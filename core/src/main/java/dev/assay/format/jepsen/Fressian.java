package dev.assay.format.jepsen;

import dev.assay.history.Keyword;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Decodes values in Fressian, Datomic's binary notation: a code says what follows, and values may
 * refer to earlier ones. Scalars, lists, sets and maps become Java's; anything else stays a {@link
 * Tagged} list of its components.
 */
final class Fressian {
  /** A value of a type that has no meaning here. */
  record Tagged(Object tag, List<Object> components) {}

  /** The bytes are not Fressian. */
  static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String what) {
      super(what);
    }
  }

  private record StructType(Object tag, int components) {}

  private static final Object UNFINISHED = new Object();
  private static final Object END = new Object();
  private static final int MAX_DEPTH = 500;

  private final ByteBuffer bytes;
  private final List<Object> cache = new ArrayList<>();
  private final List<StructType> types = new ArrayList<>();
  private int depth;

  Fressian(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  boolean hasNext() {
    return bytes.hasRemaining();
  }

  Object read() {
    try {
      Object value = next();
      if (value == END) {
        throw new Malformed("a collection ends that has not begun");
      }
      return value;
    } catch (BufferUnderflowException e) {
      throw new Malformed("a value is cut short");
    }
  }

  private Object next() {
    if (++depth > MAX_DEPTH) {
      throw new Malformed("values are nested more than " + MAX_DEPTH + " deep");
    }
    int code = bytes.get() & 0xff;
    Object value = code < 0x80 || code == 0xff ? (Object) packed(code) : coded(code);
    depth--;
    return value;
  }

  /** An integer of one to seven bytes, whose first ones are in the code. */
  private long packed(int code) {
    if (code == 0xff) {
      return -1;
    }
    if (code < 0x40) {
      return code;
    }
    if (code < 0x60) {
      return bigEndian(code - 0x50, 1);
    }
    if (code < 0x70) {
      return bigEndian(code - 0x68, 2);
    }
    int length = 3 + (code - 0x70) / 4;
    return bigEndian(code - (0x72 + 4 * (length - 3)), length);
  }

  private long bigEndian(long first, int more) {
    long value = first;
    for (int i = 0; i < more; i++) {
      value = value << 8 | bytes.get() & 0xff;
    }
    return value;
  }

  private Object coded(int code) {
    if (code < 0xa0) {
      return cached(code - 0x80);
    }
    if (code < 0xb0) {
      return struct(type(code - 0xa0));
    }
    if (code <= 0xb5) {
      return list(count());
    }
    if (code >= 0xd0 && code < 0xd8) {
      return raw(code - 0xd0);
    }
    if (code >= 0xda && code < 0xe2) {
      return text(raw(code - 0xda));
    }
    if (code >= 0xe4 && code < 0xec) {
      return list(code - 0xe4);
    }
    return switch (code) {
      case 0xc0 -> struct(new StructType("map", 1));
      case 0xc1 -> struct(new StructType("set", 1));
      case 0xc3 -> struct(new StructType("uuid", 2));
      case 0xc4 -> struct(new StructType("regex", 1));
      case 0xc5 -> struct(new StructType("uri", 1));
      case 0xc6 -> struct(new StructType("bigint", 1));
      case 0xc7 -> struct(new StructType("bigdec", 2));
      case 0xc8 -> struct(new StructType("inst", 1));
      case 0xc9 -> struct(new StructType("sym", 2));
      case 0xca -> struct(new StructType("key", 2));
      case 0xcc -> cached(count());
      case 0xcd -> toBeCached();
      case 0xcf -> footer();
      case 0xd8 -> chunks(0xd8, 0xd9);
      case 0xd9 -> raw(count());
      case 0xe2 -> text(chunks(0xe2, 0xe3));
      case 0xe3 -> text(raw(count()));
      case 0xec -> list(count());
      case 0xed, 0xee -> openList(code == 0xee);
      case 0xef -> newType();
      case 0xf0 -> struct(type(count()));
      case 0xf4 -> next();
      case 0xf5 -> Boolean.TRUE;
      case 0xf6 -> Boolean.FALSE;
      case 0xf7 -> null;
      case 0xf8 -> bytes.getLong();
      case 0xf9 -> (double) bytes.getFloat();
      case 0xfa -> bytes.getDouble();
      case 0xfb -> 0.0;
      case 0xfc -> 1.0;
      case 0xfd -> END;
      case 0xfe -> afterReset();
      default -> throw new Malformed("the code 0x%x is not known".formatted(code));
    };
  }

  // ---- what was there before

  private Object cached(int place) {
    Object value = place < cache.size() ? cache.get(place) : UNFINISHED;
    if (value == UNFINISHED) {
      throw new Malformed("a value refers to one that is not there");
    }
    return value;
  }

  private Object toBeCached() {
    int place = cache.size();
    cache.add(UNFINISHED);
    Object value = read();
    if (place >= cache.size()) {
      throw new Malformed("a value forgets others while it is kept");
    }
    cache.set(place, value);
    return value;
  }

  private Object afterReset() {
    cache.clear();
    types.clear();
    return next();
  }

  /** The length and the checksum of what was before; the blocks around it have their own. */
  private Object footer() {
    if (bytes.remaining() < 11) {
      throw new Malformed("a footer is cut short");
    }
    bytes.position(bytes.position() + 11);
    return hasNext() ? afterReset() : END;
  }

  private StructType type(int place) {
    if (place >= types.size()) {
      throw new Malformed("a value is of a type that is not there");
    }
    return types.get(place);
  }

  private Object newType() {
    Object tag = read();
    StructType type = new StructType(tag, count());
    types.add(type);
    return struct(type);
  }

  // ---- collections and bytes

  /** A length; each of what follows takes at least a byte. */
  private int count() {
    if (!(next() instanceof Long count) || count < 0 || count > Math.max(bytes.remaining(), 1024)) {
      throw new Malformed("a length is impossible");
    }
    return count.intValue();
  }

  private List<Object> list(int count) {
    List<Object> elements = new ArrayList<>(Math.min(count, bytes.remaining()));
    for (int i = 0; i < count; i++) {
      elements.add(read());
    }
    return elements;
  }

  private List<Object> openList(boolean mayEnd) {
    List<Object> elements = new ArrayList<>();
    while (!mayEnd || hasNext()) {
      Object element = next();
      if (element == END) {
        break;
      }
      elements.add(element);
    }
    return elements;
  }

  private byte[] raw(int length) {
    byte[] raw = new byte[Math.min(length, bytes.remaining() + 1)];
    bytes.get(raw);
    return raw;
  }

  private byte[] chunks(int chunk, int last) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int code = chunk;
    while (code == chunk) {
      all.writeBytes(raw(count()));
      code = bytes.get() & 0xff;
    }
    boolean shortText = chunk == 0xe2 && code >= 0xda && code < 0xe2;
    if (code != last && !shortText) {
      throw new Malformed("a value in chunks does not end");
    }
    all.writeBytes(raw(shortText ? code - 0xda : count()));
    return all.toByteArray();
  }

  /** Characters of one to three bytes each; those beyond 16 bits are pairs of these. */
  private static String text(byte[] encoded) {
    StringBuilder text = new StringBuilder(encoded.length);
    for (int i = 0; i < encoded.length; ) {
      int lead = encoded[i++] & 0xff;
      int more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : -1;
      if (more < 0 || i + more > encoded.length) {
        throw new Malformed("a text is not in UTF-8");
      }
      int character = more == 0 ? lead : lead & (0x3f >> more);
      for (; more > 0; more--) {
        character = character << 6 | encoded[i++] & 0x3f;
      }
      text.append((char) character);
    }
    return text.toString();
  }

  // ---- types

  private Object struct(StructType type) {
    List<Object> parts = list(type.components);
    Object only = parts.size() == 1 ? parts.get(0) : null;
    return switch (String.valueOf(type.tag)) {
      case "map" -> map(only);
      case "set", "persistent-hash-set", "persistent-sorted-set" ->
          new LinkedHashSet<>(only == null ? List.of() : elements(only));
      case "vec", "list" -> elements(only);
      case "map-entry" -> parts;
      case "key" -> new Keyword(name(parts));
      case "sym" -> name(parts);
      case "byte" -> only;
      case "bigint" ->
          only instanceof byte[] number ? integer(number) : new Tagged("bigint", parts);
      case "bigdec" ->
          parts.size() == 2
                  && parts.get(0) instanceof byte[] digits
                  && parts.get(1) instanceof Long scale
              ? new BigDecimal(integer(digits), scale.intValue())
              : new Tagged("bigdec", parts);
      default -> new Tagged(type.tag, parts);
    };
  }

  private static BigInteger integer(byte[] digits) {
    return digits.length == 0 ? BigInteger.ZERO : new BigInteger(digits);
  }

  private static List<?> elements(Object list) {
    if (!(list instanceof List<?> elements)) {
      throw new Malformed("a collection is not made of a list");
    }
    return elements;
  }

  private static Map<Object, Object> map(Object list) {
    List<?> all = elements(list);
    Map<Object, Object> map = new LinkedHashMap<>();
    for (int i = 0; i + 1 < all.size(); i += 2) {
      map.put(all.get(i), all.get(i + 1));
    }
    return map;
  }

  private static String name(List<Object> parts) {
    Object last = parts.get(parts.size() - 1);
    boolean qualified = parts.size() > 1 && parts.get(0) != null;
    return qualified ? parts.get(0) + "/" + last : String.valueOf(last);
  }
}
