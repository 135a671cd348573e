package dev.assay.collect.workload;

import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The keys that clients use now, shared by all of them. After a number of writes a key is retired
 * and a fresh one takes its place, so that lists stay short and a long run keeps meeting fresh
 * keys.
 */
final class LiveKeys {
  private static final int COUNT_BITS = 20;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  /** Writes to a fresh key after which no client is still busy with the one before, most likely. */
  private static final int SETTLED = 8;

  private static final long NONE = -1;

  private final WorkloadKind kind;
  private final int maxWrites;

  /** For each place of the distribution: the key, and in the low bits its writes so far. */
  private final AtomicLongArray places;

  /** For each place the key that was retired last, unless a client has read it since. */
  private final AtomicLongArray retired;

  private final Object freshLock = new Object();
  private byte[] types;
  private int keys;

  LiveKeys(WorkloadKind kind, int places, int maxWrites) {
    this.kind = kind;
    this.maxWrites = (int) Math.min(maxWrites, COUNT_MASK);
    this.places = new AtomicLongArray(places);
    this.retired = new AtomicLongArray(places);
    this.types = new byte[places];
    for (int place = 0; place < places; place++) {
      this.places.set(place, fresh(place) << COUNT_BITS);
      this.retired.set(place, NONE);
    }
  }

  /** The key in use at a place. */
  long current(int place) {
    return places.get(place) >>> COUNT_BITS;
  }

  /**
   * The key to read at a place: the one in use, or the one before that until a read of it is {@link
   * #seen}. What happened to a key last is known then while the run goes on; if only the last look
   * at all keys showed it, and it was not what had been guessed, all since would be judged again.
   */
  long toRead(int place) {
    long before = retired.get(place);
    boolean settled = (places.get(place) & COUNT_MASK) >= Math.min(SETTLED, maxWrites / 2);
    return before != NONE && settled ? before : current(place);
  }

  /** A transaction that read a key has committed. */
  void seen(int place, long key) {
    retired.compareAndSet(place, key, NONE);
  }

  /** The key to write at a place; counts the write. */
  long claim(int place) {
    while (true) {
      long now = places.get(place);
      if ((now & COUNT_MASK) < maxWrites) {
        if (places.compareAndSet(place, now, now + 1)) {
          return now >>> COUNT_BITS;
        }
      } else {
        retire(place, now);
      }
    }
  }

  private void retire(int place, long full) {
    synchronized (freshLock) {
      if (places.get(place) == full) {
        retired.set(place, full >>> COUNT_BITS);
        places.set(place, fresh(place) << COUNT_BITS);
      }
    }
  }

  private long fresh(int place) {
    synchronized (freshLock) {
      if (keys == types.length) {
        types = Arrays.copyOf(types, keys * 2);
      }
      types[keys] = (byte) kind.type(place).ordinal();
      return keys++;
    }
  }

  /** How many keys there were so far; their numbers are below this. */
  int count() {
    synchronized (freshLock) {
      return keys;
    }
  }

  void forEach(LiveWorkload.KeyVisitor visitor) {
    byte[] known;
    int count;
    synchronized (freshLock) {
      known = types;
      count = keys;
    }
    for (int key = 0; key < count; key++) {
      visitor.visit(OpKind.Type.values()[known[key]], key);
    }
  }
}
