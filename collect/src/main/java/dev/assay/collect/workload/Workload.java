package dev.assay.collect.workload;

/**
 * Draws what clients do, one access after another, from a {@link WorkloadSpec}. Not thread-safe.
 *
 * <p>Values are counted per key from 1, so each (key, value) is written at most once and a read
 * names its writer; 0 is left to the initial version.
 */
public final class Workload {
  private final WorkloadSpec spec;
  private final SplitMix random;
  private final KeyChooser keys;

  /** Values handed out so far for each register; null for lists. */
  private final IntTable issued;

  /** For lists: the key each place of the distribution stands for now, and its appends so far. */
  private final int[] liveKeys;

  private final int[] appends;
  private long nextFreshKey;

  private int place;
  private int key;
  private boolean read;

  public Workload(WorkloadSpec spec, SplitMix random) {
    this.spec = spec;
    this.random = random;
    this.keys = new KeyChooser(spec.distribution(), spec.keys());
    this.nextFreshKey = spec.keys();
    if (spec.usesLists()) {
      issued = null;
      appends = new int[spec.keys()];
      liveKeys = new int[spec.keys()];
      for (int i = 0; i < liveKeys.length; i++) {
        liveKeys[i] = i;
      }
    } else {
      issued = IntTable.forKeys(spec.keys(), spec.expectedWrites());
      appends = null;
      liveKeys = null;
    }
  }

  /** How many accesses the next transaction makes. */
  public int nextLength() {
    int fewest = spec.minOperations();
    int most = spec.maxOperations();
    return fewest == most ? fewest : fewest + random.below(most - fewest + 1);
  }

  /** Draws the next access; {@link #isRead} and {@link #key} describe it. */
  public void next() {
    place = keys.next(random);
    read = random.chance(spec.readRatio());
    if (liveKeys == null) {
      key = place;
      return;
    }
    // A full list is retired by the append it has no room for, so its end may still be read.
    if (!read && appends[place] == spec.maxAppendsPerKey()) {
      liveKeys[place] = Math.toIntExact(freshKey());
      appends[place] = 0;
    }
    key = liveKeys[place];
  }

  /** Whether the access drawn last only reads. */
  public boolean isRead() {
    return read;
  }

  /** The key of the access drawn last. */
  public int key() {
    return key;
  }

  /** A value for the access drawn last, which writes; to be called once. */
  public int issueValue() {
    if (issued != null) {
      int value = issued.get(key) + 1;
      issued.put(key, value);
      return value;
    }
    return ++appends[place];
  }

  /** The value issued last for each register, which is its current one if every write commits. */
  public IntTable issuedValues() {
    return issued;
  }

  /** A key that no access has used or will use. */
  public long freshKey() {
    return nextFreshKey++;
  }
}
