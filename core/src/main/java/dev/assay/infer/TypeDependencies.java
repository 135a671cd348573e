package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.List;

/**
 * What reads of one data type imply about the order of transactions. A data type whose versions
 * have no total order, unlike those of registers and lists, needs one implementation of this and a
 * line in {@link #of}.
 */
interface TypeDependencies {
  /** Edges from writers to transactions that read from them, labelled with the key. */
  EdgeList wr();

  /** Edges from readers to transactions whose writes they missed, labelled with the key. */
  EdgeList rw();

  /** For how many keys the order of the versions is known. */
  KnownOrders known();

  /** One for each such type that a history uses. */
  static List<TypeDependencies> of(History history, ReadsFrom reads) {
    List<TypeDependencies> types = new ArrayList<>();
    if (history.uses(OpKind.Type.SET)) {
      types.add(new SetDependencies(history, reads));
    }
    if (history.uses(OpKind.Type.COUNTER)) {
      types.add(new CounterDependencies(history, reads));
    }
    return types;
  }
}
