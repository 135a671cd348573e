package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import java.util.function.IntBinaryOperator;

/**
 * Read committed: each read answers the version committed last at that moment, or the transaction's
 * own. With one copy the order of commits is the commit order of the axiom: a transaction that read
 * from a transaction earlier finds its writes, or newer ones, from then on. Lists are locked by the
 * first append until the transaction ends; a transaction that finds a lock taken is aborted.
 */
final class ReadCommittedStore implements Store {
  private final IntTable committed;
  private final IntBinaryOperator effect;
  private final WriteBuffer[] buffers;

  /** Null for registers, whose blind writes need no locks. */
  private final KeyLocks locks;

  ReadCommittedStore(int clients, IntTable committed, IntBinaryOperator effect, KeyLocks locks) {
    this.committed = committed;
    this.effect = effect;
    this.buffers = WriteBuffer.forClients(clients);
    this.locks = locks;
  }

  @Override
  public boolean isAtomic() {
    return false;
  }

  @Override
  public void begin(int client, long session) {}

  @Override
  public int read(int client, int key) {
    int own = buffers[client].find(key);
    return own >= 0 ? buffers[client].version(own) : committed.get(key);
  }

  @Override
  public boolean write(int client, int key, int value) {
    if (locks != null && !locks.tryLock(client, key)) {
      abort(client);
      return false;
    }
    int before = read(client, key);
    buffers[client].put(key, effect.applyAsInt(before, value), before);
    return true;
  }

  @Override
  public boolean commit(int client) {
    WriteBuffer buffer = buffers[client];
    for (int i = 0; i < buffer.size(); i++) {
      committed.put(buffer.key(i), buffer.version(i));
    }
    abort(client);
    return true;
  }

  @Override
  public void abort(int client) {
    if (locks != null) {
      locks.release(buffers[client]);
    }
    buffers[client].clear();
  }
}
