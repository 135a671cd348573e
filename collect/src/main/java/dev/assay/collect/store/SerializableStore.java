package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import java.util.function.IntBinaryOperator;

/**
 * One copy, one transaction at a time. Each runs at one instant between its start and its end, so
 * histories are strictly serializable.
 */
final class SerializableStore implements Store {
  private final IntTable current;
  private final IntBinaryOperator effect;

  /** What the transaction that is running now replaced; others may have begun, but not run. */
  private final WriteBuffer undo = new WriteBuffer();

  SerializableStore(IntTable current, IntBinaryOperator effect) {
    this.current = current;
    this.effect = effect;
  }

  @Override
  public boolean isAtomic() {
    return true;
  }

  @Override
  public void begin(int client, long session) {}

  @Override
  public int read(int client, int key) {
    return current.get(key);
  }

  @Override
  public boolean write(int client, int key, int value) {
    int before = current.get(key);
    int after = effect.applyAsInt(before, value);
    undo.put(key, after, before);
    current.put(key, after);
    return true;
  }

  @Override
  public boolean commit(int client) {
    undo.clear();
    return true;
  }

  @Override
  public void abort(int client) {
    for (int i = 0; i < undo.size(); i++) {
      current.put(undo.key(i), undo.replaced(i));
    }
    undo.clear();
  }
}
