package dev.assay.check.strong;

import dev.assay.solve.Decision;
import java.util.BitSet;

/**
 * The result of deciding whether there is an order at a level.
 *
 * @param choices the candidates of ambiguous reads that the result is about
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
