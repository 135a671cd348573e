package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import java.util.function.IntBinaryOperator;

/**
 * No isolation: writes are visible at once, and an abort restores what it replaced where no
 * transaction has written since. Later writes thus stay on top of aborted ones, and what is put
 * back may itself be gone by then.
 */
final class UnisolatedStore implements Store {
  private final IntTable current;
  private final IntBinaryOperator effect;
  private final WriteBuffer[] undo;

  UnisolatedStore(int clients, IntTable current, IntBinaryOperator effect) {
    this.current = current;
    this.effect = effect;
    this.undo = WriteBuffer.forClients(clients);
  }

  @Override
  public boolean isAtomic() {
    return false;
  }

  @Override
  public void begin(int client, long session) {
    undo[client].clear();
  }

  @Override
  public int read(int client, int key) {
    return current.get(key);
  }

  @Override
  public boolean write(int client, int key, int value) {
    int before = current.get(key);
    int after = effect.applyAsInt(before, value);
    undo[client].put(key, after, before);
    current.put(key, after);
    return true;
  }

  @Override
  public boolean commit(int client) {
    return true;
  }

  @Override
  public void abort(int client) {
    WriteBuffer writes = undo[client];
    for (int i = 0; i < writes.size(); i++) {
      if (current.get(writes.key(i)) == writes.version(i)) {
        current.put(writes.key(i), writes.replaced(i));
      }
    }
  }
}
