package dev.assay.check.strong;

import dev.assay.solve.Decision;
import java.util.BitSet;

/**
 * What came of asking whether there is an order at a level.
 *
 * @param choices what reads of values written more than once were then taken for
 */
record Answer(Decision.Result result, Choices choices) {
  /** That an instance has no order because a part of it has none. */
  static Answer ofPart(
      Instance instance, Instance part, Decision.Result.Refuted refuted, Choices choices) {
    BitSet blamed = new BitSet();
    refuted.blamed().stream().forEach(m -> blamed.set(instance.number[part.members[m]]));
    return new Answer(new Decision.Result.Refuted(blamed), choices);
  }
}
