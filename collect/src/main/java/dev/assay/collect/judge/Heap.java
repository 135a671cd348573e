package dev.assay.collect.judge;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;

/** Heap measurement; apart, because its classes are slow to load. */
final class Heap {
  private Heap() {}

  /** The sum of the peaks of all heap pools, an upper bound of the heap's peak. */
  static long peakBytes() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        bytes += pool.getPeakUsage().getUsed();
      }
    }
    return bytes;
  }
}
