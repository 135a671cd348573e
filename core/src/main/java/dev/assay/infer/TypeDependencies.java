package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.List;

/**
 * What reads of one data type imply about the order of transactions. A type whose versions have no
 * total order, unlike those of registers and lists, is one implementation and a line of {@link
 * #of}.
 */
interface TypeDependencies {
  /** Transactions and those that saw a write of theirs, labelled with the key. */
  EdgeList wr();

  /** Transactions and those whose writes they did not see, labelled with the key. */
  EdgeList rw();

  /** For how many keys the order of the versions is known. */
  KnownOrders known();

  /** Those of the types that a history uses. */
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
