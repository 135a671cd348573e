package dev.assay.format.follow;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.history.Origin;
import dev.assay.history.Values;
import java.util.IdentityHashMap;
import java.util.Map;

/** A block made of transactions of other blocks. */
public final class Regrouped {
  private HistoryBuilder builder = new HistoryBuilder();
  private final Map<History, OperationCopy> copies = new IdentityHashMap<>();

  public int size() {
    return builder.transactionCount();
  }

  void add(Arrival arrival) {
    add(arrival.block(), arrival.txn(), arrival.block().file(arrival.txn()), arrival.place());
  }

  /**
   * Adds a transaction of another block.
   *
   * @param file the file of the source that it is in
   * @param place line or offset there
   */
  public void add(History block, int from, int file, long place) {
    OperationCopy copy = copies.get(block);
    if (copy == null) {
      copy = new OperationCopy(block, builder);
      copies.put(block, copy);
      declare(block);
    }
    int txn = copy.begin(from);
    builder.file(txn, file);
    builder.position(txn, place);
    builder.id(txn, builder.scalars().of(block.ownId(from)));
    for (int op = block.firstOp(from); op < block.endOp(from); op = block.nextOp(op)) {
      copy.add(op);
    }
  }

  private void declare(History block) {
    builder.origin(block.origin());
    block.metadata().forEach(builder::metadata);
    builder.zeroIsInitial(block.zeroIsInitial());
    if (!block.declaresInitial()) {
      return;
    }
    if (block.initialOfAll() != Values.UNKNOWN) {
      builder.initially(block.values().get(block.initialOfAll()));
    }
    for (int key = 0; key < block.keys().count(); key++) {
      int value = block.declaredInitial(key);
      if (value != Values.UNKNOWN) {
        builder.initially(block.keys().get(key), block.values().get(value));
      }
    }
  }

  /** The block so far; another begins. */
  public History take() {
    return take(null);
  }

  /** The same, read from somewhere else. */
  public History take(Origin origin) {
    if (origin != null) {
      builder.origin(origin);
    }
    History block = builder.build();
    builder = new HistoryBuilder();
    copies.clear();
    return block;
  }
}
