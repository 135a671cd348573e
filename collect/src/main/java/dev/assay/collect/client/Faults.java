package dev.assay.collect.client;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Ways to make a store fail on purpose. */
public interface Faults {
  /** The names of the nodes that can be made to fail, such as {@code replica 1}. */
  List<String> names();

  /** What can be done to them. */
  Set<FaultKind> kinds();

  /**
   * Makes a node fail.
   *
   * @param node its place among {@link #names}
   */
  void begin(FaultKind kind, int node) throws IOException;

  /** Ends what was begun. */
  void end(FaultKind kind, int node) throws IOException;
}
