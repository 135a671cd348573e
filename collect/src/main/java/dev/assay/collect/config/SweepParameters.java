package dev.assay.collect.config;

import dev.assay.collect.config.Parameter.Group;

/** Parameters that only sweeps have; no run does, so they are not in {@link Parameters}. */
public final class SweepParameters {
  public static final Parameter<Double> KNOWN_VERSIONS =
      new Parameter<>("known-versions", Group.WORKLOAD, ValueType.share())
          .option("SHARE", "Share of the version order that is given to checkers")
          .standard(null, null, "0");

  private SweepParameters() {}
}
