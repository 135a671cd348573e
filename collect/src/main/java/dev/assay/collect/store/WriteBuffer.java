package dev.assay.collect.store;

import java.util.Arrays;

/** The last version of each key a transaction wrote, and the version it first replaced. */
final class WriteBuffer {
  private int[] keys = new int[8];
  private int[] versions = new int[8];
  private int[] replaced = new int[8];
  private int size;

  int size() {
    return size;
  }

  int key(int index) {
    return keys[index];
  }

  int version(int index) {
    return versions[index];
  }

  int replaced(int index) {
    return replaced[index];
  }

  /** The place of a key, or −1. Transactions are short, so a scan beats a table. */
  int find(int key) {
    for (int i = 0; i < size; i++) {
      if (keys[i] == key) {
        return i;
      }
    }
    return -1;
  }

  void put(int key, int version, int replacedVersion) {
    int index = find(key);
    if (index >= 0) {
      versions[index] = version;
      return;
    }
    if (size == keys.length) {
      int capacity = Growth.of(size);
      keys = Arrays.copyOf(keys, capacity);
      versions = Arrays.copyOf(versions, capacity);
      replaced = Arrays.copyOf(replaced, capacity);
    }
    keys[size] = key;
    versions[size] = version;
    replaced[size++] = replacedVersion;
  }

  void clear() {
    size = 0;
  }

  static WriteBuffer[] forClients(int clients) {
    WriteBuffer[] buffers = new WriteBuffer[clients];
    Arrays.setAll(buffers, i -> new WriteBuffer());
    return buffers;
  }
}
