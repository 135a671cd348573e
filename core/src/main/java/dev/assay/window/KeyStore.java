package dev.assay.window;

import dev.assay.history.RawScalars;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All keys. The contents of those that were not used for a while are on disk, where they take more
 * memory than they may.
 */
final class KeyStore {
  /** Number of windows without use after which a content may go to disk. */
  private static final int RECENT = 16;

  /** Number of unused bytes from which on it is worth writing a file again. */
  private static final int WORTH_WRITING_AGAIN = 1 << 16;

  private final Map<Object, KeyState> byName = new HashMap<>();
  private final List<KeyState> byNumber = new ArrayList<>();
  private final RawScalars scalars;
  private final Scratch scratch;
  private final long memory;

  /** Contents on disk; newer ones of the same key are added at the end. */
  private Scratch.Data file;

  /** The number of bytes in the file that are no longer used. */
  private long unused;

  /** The keys whose content is in memory. */
  private final List<KeyState> inMemory = new ArrayList<>();

  /** An estimate of the bytes that they take. */
  private long bytes;

  /** From how many bytes on it is worth looking for some that may go to disk. */
  private long limit;

  private int time;

  /** Has no keys; keeps nothing in memory between windows if {@code memory} is 0. */
  KeyStore(RawScalars scalars, Scratch scratch, long memory) {
    this.scalars = scalars;
    this.scratch = scratch;
    this.file = scratch.file("keys");
    this.memory = memory;
    this.limit = memory;
  }

  /** A key by its name, new if it was not there; {@code declared} is its declared initial value. */
  KeyState of(Object name, Object declared) {
    KeyState key = byName.get(name);
    if (key == null) {
      key = new KeyState(byNumber.size(), name, declared, this);
      byName.put(name, key);
      byNumber.add(key);
    }
    return key;
  }

  /** The dictionary of values and names of sessions. */
  RawScalars scalars() {
    return scalars;
  }

  KeyState get(Object name) {
    return byName.get(name);
  }

  KeyState get(int number) {
    return byNumber.get(number);
  }

  /** The number of keys whose content is in memory. */
  int inMemory() {
    return inMemory.size();
  }

  /** An estimate of the bytes that contents take in memory. */
  long bytes() {
    return bytes;
  }

  /** The number of windows so far. */
  int time() {
    return time;
  }

  void grew(long more) {
    bytes += more;
  }

  void loaded(KeyState key) {
    inMemory.add(key);
    bytes += key.bytes();
  }

  void load(KeyState key, long place, int length) {
    byte[] content = new byte[length];
    try {
      file.read(place, content);
      key.read(new DataInputStream(new ByteArrayInputStream(content)));
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  /** A window was closed: contents that are too much for memory go to disk. */
  void windowClosed() {
    time++;
    if (bytes <= limit) {
      return;
    }
    inMemory.sort(Comparator.comparingInt(KeyState::used));
    bytes = 0;
    for (KeyState key : inMemory) {
      bytes += key.bytes();
    }
    try {
      unload();
      if (unused > Math.max(memory, WORTH_WRITING_AGAIN) && unused > file.length() / 2) {
        writeAgain();
      }
    } catch (IOException e) {
      throw scratch.failed(e);
    }
    // Where all are in use, do not look again at once.
    limit = memory == 0 ? 0 : Math.max(memory, 2 * bytes);
  }

  /** Leaves half of the memory free, so that it is not full again at once. */
  private void unload() throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    DataOutputStream content = new DataOutputStream(buffer);
    DataOutputStream out = file.append();
    long place = file.length();
    int unloaded = 0;
    while (unloaded < inMemory.size() && bytes > memory / 2) {
      KeyState key = inMemory.get(unloaded);
      if (memory > 0 && time - key.used() < RECENT) {
        break;
      }
      if (key.isChanged()) {
        buffer.reset();
        key.write(content);
        buffer.writeTo(out);
        unused += key.length();
        key.written(place, buffer.size());
        place += buffer.size();
      }
      bytes -= key.bytes();
      key.unload();
      unloaded++;
    }
    out.flush();
    inMemory.subList(0, unloaded).clear();
  }

  /** Copies what is used of the file to a new one. */
  private void writeAgain() throws IOException {
    Scratch.Data old = file;
    file = scratch.file("keys");
    DataOutputStream out = file.append();
    long place = 0;
    for (KeyState key : byNumber) {
      if (key.place() >= 0) {
        byte[] content = new byte[key.length()];
        old.read(key.place(), content);
        out.write(content);
        key.written(place, content.length);
        place += content.length;
      }
    }
    out.flush();
    scratch.delete(old);
    unused = 0;
  }
}
