package dev.assay.collect.workload;

import java.util.Locale;

/** How accesses spread over the keys. */
public enum Distribution {
  /** Every key equally often. */
  UNIFORM,
  /** Zipfian with exponent 0.99, the default of YCSB; key 0 is the most popular. */
  ZIPF,
  /** Four accesses in five go to the first fifth of the keys, the others to any key. */
  HOTSPOT;

  /** The name used on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
