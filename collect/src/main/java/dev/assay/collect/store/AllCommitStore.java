package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;

/**
 * Serializable registers for the case that transactions run one after another and all commit: the
 * value the workload issued last for a key is then its current one, so the workload's own table
 * answers reads. It saves the second table of the largest histories.
 */
final class AllCommitStore implements Store {
  private final IntTable issued;

  AllCommitStore(IntTable issued) {
    this.issued = issued;
  }

  @Override
  public boolean isAtomic() {
    return true;
  }

  @Override
  public void begin(int client, long session) {}

  @Override
  public int read(int client, int key) {
    return issued.get(key);
  }

  @Override
  public boolean write(int client, int key, int value) {
    return true;
  }

  @Override
  public boolean commit(int client) {
    return true;
  }

  @Override
  public void abort(int client) {
    throw new IllegalStateException("a transaction aborted although all were to commit");
  }
}
