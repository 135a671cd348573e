package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import dev.assay.history.Keyword;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * Jepsen's {@code test.jepsen}: blocks with a checksum each, found by an index of their numbers. A
 * block is a value in Fressian, a part of a map, several values, or a vector of other blocks. The
 * history is the entry {@code :history} of the map that the index calls the root.
 */
final class StoreFile {
  private static final byte[] MAGIC = "JEPSEN".getBytes(StandardCharsets.US_ASCII);
  private static final int NEWEST_VERSION = 1;
  private static final int INDEX_POINTER = 10;

  /** Length, checksum, and a type, which has two bytes but room for sixteen. */
  private static final int HEADER = 28;

  private static final int INDEX = 1;
  private static final int VALUE = 2;
  private static final int PART_OF_MAP = 3;
  private static final int STREAM = 4;
  private static final int VECTOR = 5;

  private static final String WHOLE = "the file as Jepsen wrote it, not cut short or changed";

  private final String name;
  private final ByteBuffer file;
  private final Map<Integer, Long> offsets = new HashMap<>();

  /** Takes the values of a history in order, each as EDN; called once for each block. */
  interface Operations {
    void accept(String edn) throws IOException, ParseException;
  }

  private record Block(int type, ByteBuffer data) {}

  StoreFile(String name, byte[] bytes) {
    this.name = name;
    this.file = ByteBuffer.wrap(bytes);
  }

  static boolean isMagic(byte[] head) {
    return head.length >= MAGIC.length
        && ByteBuffer.wrap(head, 0, 6).equals(ByteBuffer.wrap(MAGIC));
  }

  void read(Operations operations) throws IOException, ParseException {
    try {
      int root = readIndex();
      Object history = history(root);
      if (history instanceof Fressian.Tagged reference && reference.tag().equals("block-ref")) {
        operations(blockNumber(reference.components().get(0)), operations, new HashSet<>());
      } else if (history instanceof List<?> all) {
        operations.accept(edn(all));
      } else {
        throw error("is of a run that has no history", "a run that went as far as its operations");
      }
    } catch (Fressian.Malformed e) {
      throw error("is damaged: " + e.getMessage(), WHOLE);
    }
  }

  private ParseException error(String found, String expected) {
    return ParseException.ofFile(name, found, expected, null);
  }

  // ---- blocks

  /** Reads where the blocks are, and returns the number of the root. */
  private int readIndex() throws ParseException {
    if (file.limit() < INDEX_POINTER + Long.BYTES) {
      throw error("is damaged: its header is cut short", WHOLE);
    }
    int version = file.getInt(MAGIC.length);
    if (version < 0 || version > NEWEST_VERSION) {
      throw error("is of version " + version, "version 0 or 1 of Jepsen's format");
    }
    long at = file.getLong(INDEX_POINTER);
    if (at == 0) {
      throw error("is of a run that ended before it was saved", "a run with a history");
    }
    Block index = block(at);
    if (index.type != INDEX || index.data.remaining() < Integer.BYTES) {
      throw error("is damaged: its index is not there", WHOLE);
    }
    int root = index.data.getInt();
    while (index.data.remaining() >= Integer.BYTES + Long.BYTES) {
      offsets.put(index.data.getInt(), index.data.getLong());
    }
    return root;
  }

  private Block block(int number) throws ParseException {
    Long at = offsets.get(number);
    if (at == null) {
      throw error("is damaged: there is no block " + number, WHOLE);
    }
    return block((long) at);
  }

  private Block block(long at) throws ParseException {
    boolean inside = at >= 0 && at <= file.limit() - HEADER;
    long length = inside ? file.getLong((int) at) : 0;
    if (length < HEADER || length > file.limit() - at) {
      throw error("is damaged: the block at byte " + at + " is cut short", WHOLE);
    }
    ByteBuffer data = file.slice((int) at + HEADER, (int) length - HEADER);
    short type = file.getShort((int) at + 12);
    CRC32 checksum = new CRC32();
    checksum.update(data.duplicate());
    checksum.update(ByteBuffer.allocate(HEADER).putLong(0, length).putShort(12, type));
    if ((int) checksum.getValue() != file.getInt((int) at + 8)) {
      throw error("is damaged: the checksum of the block at byte " + at + " is wrong", WHOLE);
    }
    return new Block(type, data);
  }

  private static int blockNumber(Object number) {
    if (!(number instanceof Long block)) {
      throw new Fressian.Malformed("a block has no number");
    }
    return block.intValue();
  }

  // ---- the history

  /** The entry of the root map, whose parts are chained. */
  private Object history(int root) throws ParseException {
    Set<Integer> seen = new HashSet<>();
    for (int number = root; number != 0 && seen.add(number); ) {
      Block block = block(number);
      boolean part = block.type == PART_OF_MAP && block.data.remaining() >= Integer.BYTES;
      if (!part && block.type != VALUE) {
        throw error("is damaged: its root is not a map", WHOLE);
      }
      number = part ? block.data.getInt() : 0;
      Object value = new Fressian(block.data).read();
      Object history = value instanceof Map<?, ?> map ? map.get(new Keyword("history")) : null;
      if (history != null) {
        return history;
      }
    }
    return null;
  }

  private void operations(int number, Operations operations, Set<Integer> seen)
      throws IOException, ParseException {
    if (!seen.add(number)) {
      throw error("is damaged: block " + number + " is in itself", WHOLE);
    }
    Block block = block(number);
    switch (block.type) {
      case VALUE -> {
        Object value = new Fressian(block.data).read();
        operations.accept(edn(value instanceof List<?> all ? all : List.of()));
      }
      case STREAM -> {
        StringBuilder edn = new StringBuilder();
        Fressian values = new Fressian(block.data);
        while (values.hasNext()) {
          write(values.read(), edn);
        }
        operations.accept(edn.toString());
      }
      case VECTOR -> {
        ByteBuffer chunks = block.data;
        if (chunks.remaining() >= Long.BYTES) {
          chunks.getLong();
        }
        while (chunks.remaining() >= Long.BYTES + Integer.BYTES) {
          chunks.getLong();
          operations(chunks.getInt(), operations, seen);
        }
      }
      default -> throw error("is damaged: its history is of another type", WHOLE);
    }
  }

  private String edn(List<?> all) throws ParseException {
    StringBuilder edn = new StringBuilder();
    for (Object op : all) {
      write(op, edn);
    }
    return edn.toString();
  }

  /** Writes an operation as a line of EDN: a map, or a record of its fields. */
  private void write(Object op, StringBuilder edn) throws ParseException {
    if (op instanceof Map<?, ?> map) {
      requirePlain(map.get(new Keyword("value")));
      new EdnText(edn).write(map);
      edn.append('\n');
      return;
    }
    boolean record =
        op instanceof Fressian.Tagged tagged
            && tagged.tag().equals("jepsen.history.Op")
            && tagged.components().size() == 7;
    if (!record) {
      throw error("has something in its history that is not an operation", "operations of Jepsen");
    }
    List<Object> fields = ((Fressian.Tagged) op).components();
    requirePlain(fields.get(5));
    EdnText text = new EdnText(edn);
    String[] names = {"{:index ", " :time ", " :type ", " :process ", " :f ", " :value "};
    for (int i = 0; i < names.length; i++) {
      edn.append(names[i]);
      text.write(fields.get(i));
    }
    if (fields.get(6) instanceof Map<?, ?> others && others.containsKey(new Keyword("error"))) {
      edn.append(" :error ");
      text.write(others.get(new Keyword("error")));
    }
    edn.append("}\n");
  }

  private void requirePlain(Object value) throws ParseException {
    if (!EdnText.isPlain(value)) {
      throw error(
          "has an operation with a value of a type that Assay does not read",
          "numbers, texts, keywords, and lists, sets and maps of these");
    }
  }
}
