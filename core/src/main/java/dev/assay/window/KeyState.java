package dev.assay.window;

import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What is carried over the last cut of one key: the version that reads after the cut see, and its
 * writer. Values are raw scalars of the engine.
 *
 * <p>The larger part is on disk while the key is not used; see {@link KeyStore}.
 */
final class KeyState {
  /** Its name as a raw scalar of the engine. */
  final long name;

  final Object key;

  /** The type of its operations; null before the first. */
  OpKind.Type type;

  /** The type of its writes; null before the first. */
  OpKind.Type writtenAs;

  /** The first past window in which it was written, or −1. */
  int firstWindow = -1;

  /** The first past window after which some value may have more than one writer, or −1. */
  int ambiguousSince = -1;

  /**
   * The past window after which what is carried over may not be seen, or −1: it is not the last
   * version in the proofs of all levels.
   */
  int unsettledSince = -1;

  /** The initial value that the source declares for this key; null if it declares none. */
  final Object declared;

  private final KeyStore store;

  /** Null while it is on disk, or nothing was written to the key. */
  private Content content;

  /** Where its record is on disk, if it is there, and the length of that. */
  private long place = -1;

  private int length;

  /** The number of the last block that has it. */
  long lastBlock;

  /** The time of the store when the content was used last. */
  private int used;

  KeyState(long name, Object key, Object declared, KeyStore store) {
    this.name = name;
    this.key = key;
    this.declared = declared;
    this.store = store;
  }

  /**
   * A transaction before the cut, as far as transactions after it can see it.
   *
   * @param number its place among all that were accepted
   * @param places the places in it of its last writes, by key
   */
  record Writer(
      Object session,
      String id,
      long number,
      boolean committed,
      long start,
      long end,
      long position,
      int file,
      Map<Object, Integer> places) {
    private static final int BYTES = 240;

    static void write(Writer writer, KeyStore keys, DataOutput out) throws IOException {
      out.writeBoolean(writer != null);
      if (writer == null) {
        return;
      }
      out.writeLong(keys.scalars().of(writer.session));
      byte[] id = writer.id.getBytes(StandardCharsets.UTF_8);
      out.writeInt(id.length);
      out.write(id);
      out.writeLong(writer.number);
      out.writeBoolean(writer.committed);
      out.writeLong(writer.start);
      out.writeLong(writer.end);
      out.writeLong(writer.position);
      out.writeInt(writer.file);
      out.writeInt(writer.places.size());
      for (Map.Entry<Object, Integer> entry : writer.places.entrySet()) {
        out.writeLong(keys.scalars().of(entry.getKey()));
        out.writeInt(entry.getValue());
      }
    }

    static Writer read(KeyStore keys, DataInput in) throws IOException {
      if (!in.readBoolean()) {
        return null;
      }
      Object session = keys.scalars().get(in.readLong());
      byte[] id = new byte[in.readInt()];
      in.readFully(id);
      Writer writer =
          new Writer(
              session,
              new String(id, StandardCharsets.UTF_8),
              in.readLong(),
              in.readBoolean(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readInt(),
              new HashMap<>());
      for (int i = in.readInt(); i > 0; i--) {
        writer.places.put(keys.scalars().get(in.readLong()), in.readInt());
      }
      return writer;
    }
  }

  private static final class Content {
    private static final int BYTES = 160;
    private static final int RANGE_BYTES = 96;
    private static final long[] NONE = {};

    long value;
    Writer writer;
    Writer appender;
    long[] elements = NONE;
    int size;

    /** The elements of a set, to be looked up; null for lists. */
    LongIndex members;

    /** What was written to it before the cut, by whatever transaction. */
    final ValueRanges written = new ValueRanges();

    /** Whether it differs from what is on disk. */
    boolean changed = true;

    long bytes() {
      long perElement = members == null ? Long.BYTES : 3 * Long.BYTES;
      return BYTES
          + (writer == null ? 0 : Writer.BYTES)
          + (appender == null ? 0 : Writer.BYTES)
          + elements.length * perElement
          + (long) written.count() * RANGE_BYTES;
    }
  }

  // ---- the content, in memory or on disk

  /** The content to read; null if nothing was written to the key. */
  private Content content() {
    if (content == null && place >= 0) {
      store.load(this, place, length);
      content.changed = false;
      store.loaded(this);
    }
    used = store.time();
    return content;
  }

  private Content toChange() {
    if (content() == null) {
      content = new Content();
      store.loaded(this);
    }
    content.changed = true;
    return content;
  }

  int used() {
    return used;
  }

  /** An estimate of the bytes that the content takes in memory. */
  long bytes() {
    return content == null ? 0 : content.bytes();
  }

  /** Whether the content is in memory. */
  boolean isLoaded() {
    return content != null;
  }

  /** Whether there is something that is not on disk. */
  boolean isChanged() {
    return content == null ? place < 0 : content.changed;
  }

  /** Where the record is on disk, current or not; −1 if it is not there. */
  long place() {
    return place;
  }

  /** The number of bytes that it takes there. */
  int length() {
    return length;
  }

  /** The record is on disk. */
  void written(long newPlace, int newLength) {
    place = newPlace;
    length = newLength;
    if (content != null) {
      content.changed = false;
    }
  }

  /** The record was copied to another place. */
  void moved(long newPlace) {
    place = newPlace;
  }

  void unload() {
    content = null;
  }

  /** Writes all that is known of the key, but for its name. */
  void write(DataOutput out) throws IOException {
    out.writeLong(store.scalars().of(declared));
    out.writeByte(type == null ? -1 : type.ordinal());
    out.writeByte(writtenAs == null ? -1 : writtenAs.ordinal());
    out.writeInt(firstWindow);
    out.writeInt(ambiguousSince);
    out.writeInt(unsettledSince);
    out.writeBoolean(content != null);
    if (content != null) {
      out.writeLong(content.value);
      Writer.write(content.writer, store, out);
      Writer.write(content.appender, store, out);
      out.writeInt(content.size);
      for (int i = 0; i < content.size; i++) {
        out.writeLong(content.elements[i]);
      }
      content.written.write(out);
    }
  }

  /** Reads what was written of a key that is new here. */
  static KeyState read(long name, KeyStore store, DataInput in) throws IOException {
    Object declared = store.scalars().get(in.readLong());
    KeyState key = new KeyState(name, store.scalars().get(name), declared, store);
    key.type = type(in.readByte());
    key.writtenAs = type(in.readByte());
    key.firstWindow = in.readInt();
    key.ambiguousSince = in.readInt();
    key.unsettledSince = in.readInt();
    key.readContent(in);
    return key;
  }

  private static OpKind.Type type(int ordinal) {
    return ordinal < 0 ? null : OpKind.Type.values()[ordinal];
  }

  /** Reads the content again, from a record that may be older than the other fields. */
  void reload(DataInput in) throws IOException {
    in.skipBytes(Long.BYTES + 2 * Byte.BYTES + 3 * Integer.BYTES);
    readContent(in);
  }

  private void readContent(DataInput in) throws IOException {
    if (!in.readBoolean()) {
      return;
    }
    content = new Content();
    content.value = in.readLong();
    content.writer = Writer.read(store, in);
    content.appender = Writer.read(store, in);
    content.size = in.readInt();
    content.elements = new long[content.size];
    for (int i = 0; i < content.size; i++) {
      content.elements[i] = in.readLong();
    }
    content.written.read(in);
  }

  /** Saves the key; what is on disk stays there. */
  void save(StateOutput out) throws IOException {
    out.writeLong(name);
    out.writeInt(used);
    out.writeLong(place);
    out.writeInt(length);
    write(out);
  }

  static KeyState restore(KeyStore store, StateInput in) throws IOException {
    long name = in.readLong();
    int used = in.readInt();
    long place = in.readLong();
    int length = in.readInt();
    KeyState key = read(name, store, in);
    key.used = used;
    key.place = place;
    key.length = length;
    return key;
  }

  // ---- registers

  /** The value that a register has, if it has a writer. */
  long value() {
    return content().value;
  }

  /** The writer of the value that a register has; null while it has its initial value. */
  Writer writer() {
    Content now = content();
    return now == null ? null : now.writer;
  }

  /** The writer of the last element of a list; null if it is not known. */
  Writer appender() {
    Content now = content();
    return now == null ? null : now.appender;
  }

  void appendedBy(Writer appender) {
    Content now = toChange();
    store.grew(now.appender == null ? Writer.BYTES : 0);
    now.appender = appender;
  }

  void set(long value, Writer writer) {
    Content now = toChange();
    now.value = value;
    store.grew(now.writer == null ? Writer.BYTES : 0);
    now.writer = writer;
  }

  // ---- lists and sets

  /** The number of elements that a list or set has. */
  int size() {
    Content now = content();
    return now == null ? 0 : now.size;
  }

  /** The elements, and room for more of them. */
  long[] elements() {
    Content now = content();
    return now == null ? Content.NONE : now.elements;
  }

  void append(long element) {
    Content now = toChange();
    if (now.size == now.elements.length) {
      now.elements = Arrays.copyOf(now.elements, Math.max(4, now.size + now.size / 2));
      store.grew((long) Long.BYTES * (now.elements.length - now.size));
    }
    now.elements[now.size++] = element;
    if (now.members != null) {
      now.members.indexOf(element);
    }
  }

  /** Goes back to an earlier state. */
  void restore(long value, Writer writer, Writer appender, int size) {
    Content now = toChange();
    now.value = value;
    now.writer = writer;
    now.appender = appender;
    now.size = size;
    now.members = null;
  }

  /** Whether a set has an element. */
  boolean has(long element) {
    return placeOf(element) >= 0;
  }

  /** The place of an element, or −1. */
  int placeOf(long element) {
    Content now = content();
    if (now == null) {
      return -1;
    }
    if (now.members == null) {
      now.members = new LongIndex();
      for (int i = 0; i < now.size; i++) {
        now.members.indexOf(now.elements[i]);
      }
      store.grew(2L * Long.BYTES * now.elements.length);
    }
    return now.members.find(element);
  }

  // ---- what was written

  /** Whether a value was written before the cut, by whatever transaction. */
  boolean wrote(long value) {
    Content now = content();
    return now != null && now.written.contains(value);
  }

  void addWritten(long value) {
    Content now = toChange();
    int before = now.written.count();
    now.written.add(value);
    store.grew((long) Content.RANGE_BYTES * Math.max(0, now.written.count() - before));
  }

  void removeWritten(long value) {
    toChange().written.remove(value);
  }
}
