package dev.assay.collect.config;

/** Where a parameter is used: defaults and choices depend on it. */
public enum Use {
  /** A workload on a database: {@code assay run} and {@code assay record}. */
  RUN,
  /** A workload on a simulated store: {@code assay generate}. */
  GENERATE,
  /** Sweeps over workloads: {@code assay bench}. */
  BENCH;

  /** Whether every workload parameter may be a list. */
  public boolean takesLists() {
    return this != GENERATE;
  }
}
