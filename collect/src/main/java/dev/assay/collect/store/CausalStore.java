package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import dev.assay.collect.workload.SplitMix;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Transactional causal consistency with convergence: replicas that serve their own clients at once
 * and propagate writes later.
 *
 * <p>A transaction runs at one instant on its client's replica and gets a Lamport timestamp above
 * all it could have seen. The order of (timestamp, replica) is the one commit order the axiom asks
 * for: it extends causal order, and every replica shows of each key the largest write it has
 * applied. A replica applies a transaction as a whole, after everything its origin had applied when
 * it ran, so what a transaction sees is closed under causal order.
 *
 * <p>Registers only: replicas that accept appends at once cannot agree on the order of elements
 * without showing it to change.
 */
final class CausalStore implements Store {
  private static final int REPLICAS = 3;
  private static final double DELIVERY_RATE = 0.5;

  private final SplitMix random;
  private final int replicas;
  private final WriteBuffer[] buffers;

  /** Per replica and key, the number of the applied write with the largest timestamp. */
  private final IntTable[] latest;

  /** Per replica and origin, how many transactions of the origin have been applied. */
  private final int[][] applied;

  private final long[] clock;
  private final TransactionLog[] logs;

  /** All writes from 1: key, value, and the timestamp with the replica in its last digits. */
  private int[] key = new int[64];

  private int[] value = new int[64];
  private long[] stamp = new long[64];
  private int writes = 1;

  /** What a replica has committed, in order. */
  private static final class TransactionLog {
    int[] firstWrite = new int[16];
    int[] endWrite = new int[16];

    /** What the replica had applied from each origin, one row a transaction. */
    int[] applied = new int[16];

    int size;
  }

  CausalStore(int clients, SplitMix random, IntFunction<IntTable> newTable) {
    this.random = random;
    this.replicas = Math.min(REPLICAS, clients);
    this.buffers = WriteBuffer.forClients(clients);
    this.latest = new IntTable[replicas];
    this.applied = new int[replicas][replicas];
    this.clock = new long[replicas];
    this.logs = new TransactionLog[replicas];
    Arrays.setAll(latest, newTable);
    Arrays.setAll(logs, i -> new TransactionLog());
  }

  @Override
  public boolean isAtomic() {
    return true;
  }

  @Override
  public void begin(int client, long session) {
    buffers[client].clear();
  }

  @Override
  public int read(int client, int readKey) {
    int own = buffers[client].find(readKey);
    return own >= 0 ? buffers[client].version(own) : value[latest[client % replicas].get(readKey)];
  }

  @Override
  public boolean write(int client, int writtenKey, int newValue) {
    buffers[client].put(writtenKey, newValue, 0);
    return true;
  }

  @Override
  public boolean commit(int client) {
    WriteBuffer buffer = buffers[client];
    if (buffer.size() == 0) {
      return true;
    }
    int replica = client % replicas;
    TransactionLog log = logs[replica];
    if (log.size == log.firstWrite.length) {
      int capacity = Growth.of(log.size);
      log.firstWrite = Arrays.copyOf(log.firstWrite, capacity);
      log.endWrite = Arrays.copyOf(log.endWrite, capacity);
    }
    if ((log.size + 1) * replicas > log.applied.length) {
      log.applied = Arrays.copyOf(log.applied, Growth.of((log.size + 1) * replicas));
    }
    System.arraycopy(applied[replica], 0, log.applied, log.size * replicas, replicas);
    long newStamp = ++clock[replica] * REPLICAS + replica;
    log.firstWrite[log.size] = writes;
    for (int i = 0; i < buffer.size(); i++) {
      addWrite(buffer.key(i), buffer.version(i), newStamp);
    }
    log.endWrite[log.size++] = writes;
    apply(replica, replica);
    return true;
  }

  @Override
  public void abort(int client) {}

  /** Now and then delivers a random number of waiting transactions from one replica to another. */
  @Override
  public void background() {
    if (replicas == 1 || !random.chance(DELIVERY_RATE)) {
      return;
    }
    int to = random.below(replicas);
    int from = (to + 1 + random.below(replicas - 1)) % replicas;
    int waiting = logs[from].size - applied[to][from];
    if (waiting > 0) {
      int batch = 1 + random.below(waiting);
      for (int i = 0; i < batch && isReady(to, from); i++) {
        apply(to, from);
      }
    }
  }

  /** Whether a replica has applied all that an origin's next transaction may depend on. */
  private boolean isReady(int replica, int origin) {
    int row = applied[replica][origin] * replicas;
    for (int i = 0; i < replicas; i++) {
      if (applied[replica][i] < logs[origin].applied[row + i]) {
        return false;
      }
    }
    return true;
  }

  private void apply(int replica, int origin) {
    int transaction = applied[replica][origin]++;
    TransactionLog log = logs[origin];
    for (int w = log.firstWrite[transaction]; w < log.endWrite[transaction]; w++) {
      if (stamp[w] > stamp[latest[replica].get(key[w])]) {
        latest[replica].put(key[w], w);
      }
      clock[replica] = Math.max(clock[replica], stamp[w] / REPLICAS);
    }
  }

  private void addWrite(int newKey, int newValue, long newStamp) {
    if (writes == key.length) {
      int capacity = Growth.of(writes);
      key = Arrays.copyOf(key, capacity);
      value = Arrays.copyOf(value, capacity);
      stamp = Arrays.copyOf(stamp, capacity);
    }
    key[writes] = newKey;
    value[writes] = newValue;
    stamp[writes++] = newStamp;
  }
}
