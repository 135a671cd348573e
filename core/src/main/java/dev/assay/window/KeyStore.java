package dev.assay.window;

import dev.assay.history.RawScalars;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * All keys. The contents of those that were not used for a while are on disk, where they take more
 * memory than they may; of those that no transaction in memory has, nothing but that stays.
 *
 * <p>A record on disk is the length of what follows, the name of the key, and what {@link
 * KeyState#write} writes.
 */
final class KeyStore {
  /** Number of windows without use after which a content may go to disk. */
  private static final int RECENT = 16;

  /** Number of unused bytes from which on it is worth writing a file again. */
  private static final int WORTH_WRITING_AGAIN = 1 << 16;

  /** An estimate of the bytes that a key takes in memory without its content. */
  private static final int KEY_BYTES = 200;

  private static final int HEAD = Integer.BYTES + Long.BYTES;

  private final Map<Object, KeyState> byName = new HashMap<>();
  private final RawScalars scalars;
  private final Scratch scratch;
  private final long memory;

  /** The maximum number of bytes on disk. */
  private final long keep;

  /** Records; newer ones of the same key are added at the end. */
  private Scratch.Data file;

  /** Where the records are of the keys that are not in memory. */
  private final KeyIndex index;

  /** The number of bytes in the file that are no longer used. */
  private long unused;

  /** The keys whose content is in memory. */
  private final List<KeyState> inMemory = new ArrayList<>();

  /** An estimate of the bytes that they take. */
  private long bytes;

  /** From how many bytes on it is worth looking for some that may go to disk. */
  private long limit;

  /** The same for the bytes that keys take without their contents. */
  private long limitOfKeys;

  private int time;

  /** The names of keys whose records were dropped. */
  private final ValueRanges dropped = new ValueRanges();

  /** Whether one of them was used again. */
  private boolean lost;

  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

  /**
   * Has no keys.
   *
   * @param memory the maximum number of bytes in memory; 0 to keep nothing there between windows
   * @param keep the maximum number of bytes on disk
   */
  KeyStore(RawScalars scalars, Scratch scratch, long memory, long keep) {
    this.scalars = scalars;
    this.scratch = scratch;
    this.file = scratch.file("keys");
    this.index = new KeyIndex(scratch);
    // What goes to disk at once, and what must stay there because its keys are in memory, is less
    // than the memory they take.
    this.memory = Math.min(memory, keep / 2);
    this.keep = keep;
    this.limit = this.memory;
    this.limitOfKeys = this.memory;
  }

  /** A key by its name, new if it was not there; {@code declared} is its declared initial value. */
  KeyState of(Object name, Object declared) {
    KeyState key = get(name);
    if (key == null) {
      key = new KeyState(scalars.of(name), name, declared, this);
      byName.put(name, key);
    }
    return key;
  }

  /** The dictionary of values and names of sessions. */
  RawScalars scalars() {
    return scalars;
  }

  KeyState get(Object name) {
    KeyState key = byName.get(name);
    return key != null ? key : comeBack(scalars.of(name));
  }

  /** The key with this raw name, which was there. */
  KeyState named(long name) {
    return get(scalars.get(name));
  }

  /** Takes a key back into memory; null if it is not on disk. */
  private KeyState comeBack(long name) {
    try {
      long place = RawScalars.isInteger(name) ? index.find(name) : KeyIndex.NONE;
      if (place < 0) {
        lost |= dropped.contains(name);
        return null;
      }
      int length = length(file, place);
      DataInputStream in = record(place, length);
      KeyState key = KeyState.read(name, this, in);
      byName.put(key.key, key);
      if (key.isLoaded()) {
        key.written(place, length);
        loaded(key);
      } else {
        unused += length;
      }
      return key;
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  private static int length(Scratch.Data file, long place) throws IOException {
    byte[] head = new byte[Integer.BYTES];
    file.read(place, head);
    return ByteBuffer.wrap(head).getInt();
  }

  /** What is in a record after its head. */
  private DataInputStream record(long place, int length) throws IOException {
    byte[] record = new byte[length];
    file.read(place, record);
    return new DataInputStream(new ByteArrayInputStream(record, HEAD, length - HEAD));
  }

  /** The number of keys whose content is in memory. */
  int inMemory() {
    return inMemory.size();
  }

  /** The number of keys in memory. */
  int size() {
    return byName.size();
  }

  /** An estimate of the bytes that contents take in memory. */
  long bytes() {
    return bytes;
  }

  /** The number of windows so far. */
  int time() {
    return time;
  }

  /** Whether a key was used of which nothing is known any more. */
  boolean isLost() {
    return lost;
  }

  void grew(long more) {
    bytes += more;
  }

  void loaded(KeyState key) {
    inMemory.add(key);
    bytes += key.bytes();
  }

  void load(KeyState key, long place, int length) {
    try {
      key.reload(record(place, length));
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  /** Finds the first block that is still used. */
  interface Blocks {
    long oldest();
  }

  /** A window was closed: what is too much for memory goes to disk. */
  void windowClosed(Blocks blocks) {
    time++;
    boolean manyKeys = (long) KEY_BYTES * byName.size() > limitOfKeys;
    if (bytes <= limit && !manyKeys) {
      return;
    }
    inMemory.sort(Comparator.comparingInt(KeyState::used));
    bytes = 0;
    for (KeyState key : inMemory) {
      bytes += key.bytes();
    }
    try {
      unload();
      if (manyKeys) {
        evict(blocks.oldest());
        limitOfKeys = limit(2L * KEY_BYTES * byName.size());
      }
      boolean wasteful =
          unused > Math.max(memory, WORTH_WRITING_AGAIN) && unused > file.length() / 2;
      // Both the file and the one that takes its place need room.
      if (wasteful || file.length() > keep / 2) {
        writeAgain(file.length() - unused > keep / 4 ? file.length() / 2 : 0);
      }
    } catch (IOException e) {
      throw scratch.failed(e);
    }
    limit = limit(2 * bytes);
  }

  /** Where all are in use, do not look again at once. */
  private long limit(long atLeast) {
    return memory == 0 ? 0 : Math.max(memory, atLeast);
  }

  /** Leaves half of the memory free, so that it is not full again at once. */
  private void unload() throws IOException {
    DataOutputStream out = file.append();
    long place = file.length();
    int unloaded = 0;
    while (unloaded < inMemory.size() && bytes > memory / 2) {
      KeyState key = inMemory.get(unloaded);
      if (isRecent(key)) {
        break;
      }
      if (key.isChanged()) {
        place += write(key, place, out);
      }
      bytes -= key.bytes();
      key.unload();
      unloaded++;
    }
    out.flush();
    inMemory.subList(0, unloaded).clear();
  }

  private boolean isRecent(KeyState key) {
    return memory > 0 && time - key.used() < RECENT;
  }

  /** Writes a record, and returns its length. */
  private int write(KeyState key, long place, DataOutputStream out) throws IOException {
    buffer.reset();
    DataOutputStream record = new DataOutputStream(buffer);
    record.writeInt(0);
    record.writeLong(key.name);
    key.write(record);
    byte[] bytesOfRecord = buffer.toByteArray();
    ByteBuffer.wrap(bytesOfRecord).putInt(bytesOfRecord.length);
    out.write(bytesOfRecord);
    unused += key.length();
    key.written(place, bytesOfRecord.length);
    return bytesOfRecord.length;
  }

  /**
   * Forgets keys of which everything is on disk.
   *
   * @param oldestBlock the first block that is still used: its keys, and those of later ones, stay
   */
  private void evict(long oldestBlock) throws IOException {
    DataOutputStream out = file.append();
    long place = file.length();
    List<KeyState> evicted = new ArrayList<>();
    Iterator<KeyState> keys = byName.values().iterator();
    while (keys.hasNext()) {
      KeyState key = keys.next();
      boolean used = key.isLoaded() || key.lastBlock >= oldestBlock || isRecent(key);
      if (used || !RawScalars.isInteger(key.name)) {
        continue;
      }
      if (key.isChanged()) {
        place += write(key, place, out);
      }
      evicted.add(key);
      keys.remove();
    }
    out.flush();
    for (KeyState key : evicted) {
      index.put(key.name, key.place());
    }
  }

  /**
   * Copies what is used of the file to a new one.
   *
   * @param from records of keys that are not in memory are dropped before this place
   */
  private void writeAgain(long from) throws IOException {
    Scratch.Data old = file;
    file = scratch.file("keys");
    DataOutputStream out = file.append();
    long[] place = {0};
    for (KeyState key : byName.values()) {
      if (key.place() >= 0) {
        byte[] record = new byte[key.length()];
        old.read(key.place(), record);
        out.write(record);
        key.moved(place[0]);
        place[0] += record.length;
      }
    }
    index.replaceAll(
        (name, at) -> {
          if (byName.containsKey(scalars.get(name))) {
            return KeyIndex.NONE;
          }
          if (at < from) {
            dropped.add(name);
            return KeyIndex.NONE;
          }
          byte[] record = new byte[length(old, at)];
          old.read(at, record);
          out.write(record);
          place[0] += record.length;
          return place[0] - record.length;
        });
    out.flush();
    scratch.delete(old);
    unused = 0;
  }

  // ---- states

  void save(StateOutput out) throws IOException {
    out.text(file.name());
    out.writeLong(unused);
    out.writeInt(time);
    out.writeLong(limit);
    out.writeLong(limitOfKeys);
    dropped.write(out);
    out.writeInt(byName.size());
    for (KeyState key : byName.values()) {
      key.save(out);
    }
  }

  void restore(StateInput in) throws IOException {
    String name = in.text();
    unused = in.readLong();
    time = in.readInt();
    limit = in.readLong();
    limitOfKeys = in.readLong();
    dropped.read(in);
    for (int i = in.readInt(); i > 0; i--) {
      KeyState key = KeyState.restore(this, in);
      byName.put(key.key, key);
      if (key.isLoaded()) {
        loaded(key);
      }
    }
    if (scratch.names().contains(name)) {
      file = scratch.restored(name);
      findRecords();
    }
  }

  /** Makes the index anew; of several records of a key the last counts. */
  private void findRecords() throws IOException {
    try (DataInputStream in = file.from(0)) {
      for (long place = 0; place < file.length(); ) {
        int length = in.readInt();
        long name = in.readLong();
        in.skipNBytes(length - HEAD);
        if (RawScalars.isInteger(name)) {
          index.put(name, place);
        }
        place += length;
      }
    }
  }
}
