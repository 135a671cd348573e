package dev.assay.check;

import java.util.List;
import java.util.Map;

/** Anomalies inside one read. */
public final class ReadConsistency implements LevelChecker {
  @Override
  public String name() {
    return "read-consistency";
  }

  @Override
  public Findings check(Subject subject) {
    return new Findings(Map.of(), List.of(), List.of());
  }
}
