package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Rewriting;
import dev.assay.resolve.Given;

/**
 * A history in which the items of other types are registers.
 *
 * @param rewriting the history so rewritten; the identity if nothing can be rewritten
 * @param problem why some operations are not rewritten, as a clause; empty if all are
 * @param repeats whether values that were written repeatedly are the only problem
 */
public record AsRegisters(Rewriting rewriting, String problem, boolean repeats) {
  /** Nothing is rewritten, and nothing needs to be. */
  static AsRegisters none(History history) {
    return new AsRegisters(Rewriting.none(history), "", false);
  }

  /** Rewrites all types with items that a history uses. */
  public static AsRegisters of(History history, Given given) {
    AsRegisters all = none(history);
    for (OpKind.Type type : OpKind.Type.values()) {
      if (type.hasItems() && history.uses(type)) {
        all = all.then(Items.of(type, all.rewriting.rewritten(), given));
      }
    }
    return all;
  }

  private AsRegisters then(AsRegisters next) {
    boolean first = next.problem.isEmpty();
    return new AsRegisters(
        rewriting.then(next.rewriting),
        first ? problem : next.problem,
        first ? repeats : next.repeats && (problem.isEmpty() || repeats));
  }
}
