package dev.assay.collect.store;

import dev.assay.collect.workload.IntTable;
import java.util.Arrays;
import java.util.function.IntBinaryOperator;

/**
 * Snapshot isolation: a transaction reads what was committed when it began, and commits only if no
 * other transaction has committed a write of one of its keys since (first committer wins).
 * Snapshots are taken at the start and commits made before the end, so histories are strong
 * snapshot isolated.
 */
final class SnapshotStore implements Store {
  private static final long IDLE = Long.MAX_VALUE;

  private final IntBinaryOperator effect;
  private final WriteBuffer[] buffers;

  /** The commit count each open transaction began at; {@link #IDLE} where none is open. */
  private final long[] snapshots;

  /** The newest version node of each key; 0 for none. */
  private final IntTable heads;

  private int[] version = new int[64];
  private long[] committedAt = new long[64];
  private int[] older = new int[64];
  private int nodes = 1;

  /** Nodes that no snapshot can see any more, linked by {@link #older}. */
  private int free;

  private long commits;

  /** A lower bound of the open snapshots, brought up to date once per as many commits. */
  private long oldestSnapshot;

  private int commitsUntilUpdate;

  SnapshotStore(int clients, IntTable heads, IntBinaryOperator effect) {
    this.effect = effect;
    this.buffers = WriteBuffer.forClients(clients);
    this.snapshots = new long[clients];
    this.heads = heads;
    Arrays.fill(snapshots, IDLE);
  }

  @Override
  public boolean isAtomic() {
    return false;
  }

  @Override
  public void begin(int client, long session) {
    snapshots[client] = commits;
    buffers[client].clear();
  }

  @Override
  public int read(int client, int key) {
    int own = buffers[client].find(key);
    if (own >= 0) {
      return buffers[client].version(own);
    }
    return version[visible(heads.get(key), snapshots[client])];
  }

  @Override
  public boolean write(int client, int key, int value) {
    int before = read(client, key);
    buffers[client].put(key, effect.applyAsInt(before, value), before);
    return true;
  }

  @Override
  public boolean commit(int client) {
    WriteBuffer buffer = buffers[client];
    long snapshot = snapshots[client];
    snapshots[client] = IDLE;
    for (int i = 0; i < buffer.size(); i++) {
      if (committedAt[heads.get(buffer.key(i))] > snapshot) {
        return false;
      }
    }
    if (buffer.size() > 0) {
      commits++;
      updateOldestSnapshot();
      for (int i = 0; i < buffer.size(); i++) {
        install(buffer.key(i), buffer.version(i));
      }
    }
    return true;
  }

  @Override
  public void abort(int client) {
    snapshots[client] = IDLE;
  }

  /** The newest node of a chain that was committed by then; node 0 is the initial version. */
  private int visible(int head, long snapshot) {
    int node = head;
    while (committedAt[node] > snapshot) {
      node = older[node];
    }
    return node;
  }

  private void install(int key, int newVersion) {
    int head = heads.get(key);
    int node = newNode();
    version[node] = newVersion;
    committedAt[node] = commits;
    older[node] = head;
    heads.put(key, node);
    int needed = visible(head, oldestSnapshot);
    if (needed != 0) {
      for (int old = older[needed]; old != 0; ) {
        int next = older[old];
        older[old] = free;
        free = old;
        old = next;
      }
      older[needed] = 0;
    }
  }

  private int newNode() {
    if (free != 0) {
      int node = free;
      free = older[node];
      return node;
    }
    if (nodes == version.length) {
      int capacity = Growth.of(nodes);
      version = Arrays.copyOf(version, capacity);
      committedAt = Arrays.copyOf(committedAt, capacity);
      older = Arrays.copyOf(older, capacity);
    }
    return nodes++;
  }

  private void updateOldestSnapshot() {
    if (commitsUntilUpdate-- == 0) {
      oldestSnapshot = commits;
      for (long snapshot : snapshots) {
        oldestSnapshot = Math.min(oldestSnapshot, snapshot);
      }
      commitsUntilUpdate = snapshots.length;
    }
  }
}
