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

  private final WorkloadKind kind;
  private final int maxWrites;

  /** For each place of the distribution: the key, and in the low bits its writes so far. */
  private final AtomicLongArray places;

  private final Object freshLock = new Object();
  private byte[] types;
  private int keys;

  LiveKeys(WorkloadKind kind, int places, int maxWrites) {
    this.kind = kind;
    this.maxWrites = (int) Math.min(maxWrites, COUNT_MASK);
    this.places = new AtomicLongArray(places);
    this.types = new byte[places];
    for (int place = 0; place < places; place++) {
      this.places.set(place, fresh(place) << COUNT_BITS);
    }
  }

  /** The key to read at a place. */
  long current(int place) {
    return places.get(place) >>> COUNT_BITS;
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
