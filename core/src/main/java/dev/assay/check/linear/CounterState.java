package dev.assay.check.linear;

import dev.assay.history.Values;
import java.util.Arrays;

/** A counter holds the sum of its increments. */
final class CounterState extends GrowingState {
  /** For each operation the increment, or the sum that was read. */
  private final long[] value;

  /** The sums that must be read, ascending; empty where the counter may also shrink. */
  private long[] sums = new long[0];

  private long sum;

  CounterState(KeyParts parts) {
    super(parts);
    this.value = new long[parts.ops.length];
    boolean grows = true;
    for (int i = 0; i < value.length; i++) {
      int code = parts.history.value(parts.ops[i]);
      boolean number = code != Values.NIL && code != Values.UNKNOWN;
      value[i] = number ? parts.history.values().asLong(code) : 0;
      grows &= !isWrite(i) || value[i] >= 0;
    }
    if (grows) {
      rankReads();
    }
  }

  private boolean isWrite(int i) {
    return parts.history.kind(parts.ops[i]).isWrite();
  }

  private boolean isUnknown(int i) {
    return parts.history.value(parts.ops[i]) == Values.UNKNOWN;
  }

  private void rankReads() {
    sums = new long[value.length];
    int count = 0;
    for (int part = 0; part < parts.count(); part++) {
      for (int i = parts.first[part]; !parts.optional[part] && i < parts.first[part + 1]; i++) {
        if (!isWrite(i) && !isUnknown(i)) {
          rank[i] = 0;
          sums[count++] = value[i];
        }
      }
    }
    sums = Arrays.stream(sums, 0, count).sorted().distinct().toArray();
    for (int i = 0; i < value.length; i++) {
      rank[i] = rank[i] == NO_RANK ? NO_RANK : Arrays.binarySearch(sums, value[i]);
    }
    openReads(sums.length);
  }

  @Override
  public boolean isPossible() {
    return true;
  }

  @Override
  boolean step(int i) {
    if (!isWrite(i)) {
      return isUnknown(i) || sum == value[i];
    }
    if (lowestOpen() != NO_RANK && sum + value[i] > sums[lowestOpen()]) {
      return false;
    }
    sum += value[i];
    return true;
  }

  @Override
  void stepBack(int i) {
    sum -= isWrite(i) ? value[i] : 0;
  }

  @Override
  public boolean canHelp(int part) {
    for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
      if (isWrite(i) && value[i] != 0) {
        return true;
      }
    }
    return false;
  }
}
