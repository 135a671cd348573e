package dev.assay.type;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;
import java.util.EnumMap;
import java.util.Map;

/**
 * What reads of one data type imply about the order of transactions, where the versions of a key
 * are not in one order as those of registers and lists are.
 */
public interface TypeDependencies {
  /** Edges from writers to transactions that read from them, labelled with the key. */
  EdgeList wr();

  /** Edges from readers to transactions whose writes they missed, labelled with the key. */
  EdgeList rw();

  /** For how many keys the order of the versions is known. */
  KnownOrders known();

  /** The write of a transaction that a read saw, which makes an edge of {@link #wr}; or −1. */
  int seen(int read, int by);

  /** What a transaction did that makes an edge of {@link #rw} from a read; or −1. */
  int missed(int read, int by);

  /** One for each such type that a history uses. */
  static Map<OpKind.Type, TypeDependencies> of(History history, ReadsFrom reads) {
    Map<OpKind.Type, TypeDependencies> types = new EnumMap<>(OpKind.Type.class);
    for (OpKind.Type type : OpKind.Type.values()) {
      TypeDependencies found =
          type.commutes() && history.uses(type)
              ? DataType.of(type).dependencies(history, reads)
              : null;
      if (found != null) {
        types.put(type, found);
      }
    }
    return types;
  }
}
