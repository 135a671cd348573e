package dev.assay.collect.workload;

import java.util.Arrays;

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

  /** The key at each place of the distribution now; null where keys stay. */
  private final int[] liveKeys;

  /** For lists: the appends to each live key so far. */
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
    this.liveKeys = spec.keysRotate() || spec.usesLists() ? new int[spec.keys()] : null;
    if (liveKeys != null) {
      Arrays.setAll(liveKeys, place -> place);
    }
    this.appends = spec.usesLists() ? new int[spec.keys()] : null;
    this.issued = spec.usesLists() ? null : IntTable.forKeys(spec.keys(), spec.expectedWrites());
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
    key = liveKeys[place];
    // A full key is retired by the write it has no room for, so its end may still be read.
    if (!read && writesSoFar() == spec.writesPerKey()) {
      key = Math.toIntExact(freshKey());
      liveKeys[place] = key;
      if (appends != null) {
        appends[place] = 0;
      }
    }
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
    int value = writesSoFar() + 1;
    if (appends != null) {
      appends[place] = value;
    } else {
      issued.put(key, value);
    }
    return value;
  }

  /** Of the key of the access drawn last. */
  private int writesSoFar() {
    return appends != null ? appends[place] : issued.get(key);
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
