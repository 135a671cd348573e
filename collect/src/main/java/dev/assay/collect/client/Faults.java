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
   * Makes nodes fail.
   *
   * @param nodes their places among {@link #names}; for {@link FaultKind#HALVES} one of the sides
   */
  void begin(FaultKind kind, List<Integer> nodes) throws IOException;

  /** Ends what was begun. */
  void end(FaultKind kind, List<Integer> nodes) throws IOException;
}
