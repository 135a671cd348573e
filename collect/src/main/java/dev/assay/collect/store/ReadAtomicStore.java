package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import dev.assay.collect.workload.SplitMix;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;

/**
 * Read atomic, after RAMP (Bailis et al., SIGMOD 2014): a transaction sees all or nothing of every
 * other, sees what its session wrote before, and may otherwise read as stale as it likes.
 *
 * <p>Every version of a key is kept, newest first, with its writer; writers are numbered in the
 * order they commit, which is the commit order of the axiom. A read walks back from the newest
 * version for a random distance. It must stop at the <em>floor</em>: the first version whose writer
 * belongs to the session or was read from by this transaction. And it must pass versions whose
 * writer also wrote a key that this transaction has read in an older version. The floor never needs
 * passing: reads made since its writer became visible stopped at that writer's floors.
 */
final class ReadAtomicStore implements Store {
  private static final double STALENESS = 0.3;

  private final SplitMix random;
  private final IntBinaryOperator effect;
  private final WriteBuffer[] buffers;
  private final WriteBuffer[] reads;
  private final long[] sessions;

  /** Null for registers, whose blind writes need no locks. */
  private final KeyLocks locks;

  /** The newest version node of each key; 0 for none. */
  private final IntTable heads;

  private int[] version = new int[64];
  private int[] writer = new int[64];
  private int[] older = new int[64];
  private int nodes = 1;

  /** Per writer, from 1: its session and where its keys begin in {@link #written}. */
  private long[] sessionOf = new long[64];

  private int[] firstWritten = new int[64];
  private int writers = 1;
  private int[] written = new int[64];
  private int writtenCount;

  ReadAtomicStore(
      int clients, SplitMix random, IntTable heads, IntBinaryOperator effect, KeyLocks locks) {
    this.random = random;
    this.effect = effect;
    this.buffers = WriteBuffer.forClients(clients);
    this.reads = WriteBuffer.forClients(clients);
    this.sessions = new long[clients];
    this.heads = heads;
    this.locks = locks;
  }

  @Override
  public boolean isAtomic() {
    return false;
  }

  @Override
  public void begin(int client, long session) {
    sessions[client] = session;
  }

  @Override
  public int read(int client, int key) {
    int own = buffers[client].find(key);
    int earlier = reads[client].find(key);
    if (own >= 0) {
      boolean changed =
          earlier >= 0 && reads[client].version(earlier) != buffers[client].replaced(own);
      if (locks != null && changed) {
        // The list under the own append is not the one read before: not a repeatable read.
        abort(client);
        return REFUSED;
      }
      return buffers[client].version(own);
    }
    if (earlier >= 0) {
      return reads[client].version(earlier);
    }
    int node = heads.get(key);
    while (node != 0
        && !isFloor(client, writer[node])
        && (random.chance(STALENESS) || isFractured(client, writer[node]))) {
      node = older[node];
    }
    reads[client].put(key, version[node], writer[node]);
    return version[node];
  }

  @Override
  public boolean write(int client, int key, int value) {
    if (locks != null && !locks.tryLock(client, key)) {
      abort(client);
      return false;
    }
    int own = buffers[client].find(key);
    int before = own >= 0 ? buffers[client].version(own) : version[heads.get(key)];
    buffers[client].put(key, effect.applyAsInt(before, value), before);
    return true;
  }

  @Override
  public boolean commit(int client) {
    WriteBuffer buffer = buffers[client];
    if (buffer.size() > 0) {
      if (writers + 1 >= sessionOf.length) {
        int capacity = Growth.of(writers + 1);
        sessionOf = Arrays.copyOf(sessionOf, capacity);
        firstWritten = Arrays.copyOf(firstWritten, capacity);
      }
      for (int i = 0; i < buffer.size(); i++) {
        install(buffer.key(i), buffer.version(i));
      }
      sessionOf[writers++] = sessions[client];
      firstWritten[writers] = writtenCount;
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
    reads[client].clear();
  }

  /** Whether a transaction follows this writer by session order or by reading from it. */
  private boolean isFloor(int client, int candidate) {
    if (sessionOf[candidate] == sessions[client]) {
      return true;
    }
    WriteBuffer seen = reads[client];
    for (int i = 0; i < seen.size(); i++) {
      if (seen.replaced(i) == candidate) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether reading from this writer would split it: an older version of a key it wrote is read.
   */
  private boolean isFractured(int client, int candidate) {
    WriteBuffer seen = reads[client];
    for (int i = firstWritten[candidate]; i < firstWritten[candidate + 1]; i++) {
      int index = seen.find(written[i]);
      if (index >= 0 && seen.replaced(index) < candidate) {
        return true;
      }
    }
    return false;
  }

  private void install(int key, int newVersion) {
    if (nodes == version.length) {
      int capacity = Growth.of(nodes);
      version = Arrays.copyOf(version, capacity);
      writer = Arrays.copyOf(writer, capacity);
      older = Arrays.copyOf(older, capacity);
    }
    if (writtenCount == written.length) {
      written = Arrays.copyOf(written, Growth.of(writtenCount));
    }
    written[writtenCount++] = key;
    version[nodes] = newVersion;
    writer[nodes] = writers;
    older[nodes] = heads.get(key);
    heads.put(key, nodes++);
  }
}
