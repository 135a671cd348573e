package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;

/**
 * Exclusive locks on the keys that open transactions append to. Without them a transaction that
 * reads its own append could see it at a place of the list where it does not end up.
 */
final class KeyLocks {
  private final IntTable holders;

  KeyLocks(IntTable holders) {
    this.holders = holders;
  }

  /** Locks a key for a client; false when another client has it. */
  boolean tryLock(int client, int key) {
    int holder = holders.get(key);
    if (holder != 0 && holder != client + 1) {
      return false;
    }
    holders.put(key, client + 1);
    return true;
  }

  /** Unlocks the keys a transaction wrote. */
  void release(WriteBuffer buffer) {
    for (int i = 0; i < buffer.size(); i++) {
      holders.put(buffer.key(i), 0);
    }
  }
}
