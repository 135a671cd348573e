package dev.assay.oracle;

import dev.assay.history.History;
import dev.assay.history.Operation;
import dev.assay.level.Level;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The oracle for histories that a reader made, where they are small enough for it. */
public final class HistoryOracle {
  /** An order for each permutation of these is tried. */
  private static final int MOST_TRANSACTIONS = 7;

  private final History history;

  /** Values as small numbers, 0 for what is initial: that is zero to {@link SmallHistory}. */
  private final Map<Object, Integer> numbers = new HashMap<>();

  private HistoryOracle(History history) {
    this.history = history;
    numbers.put(null, 0);
  }

  /** The levels a history of registers, lists or sets has; empty where it is too large to say. */
  public static Optional<Set<Level>> holding(History history) {
    if (history.transactionCount() > MOST_TRANSACTIONS || history.zeroIsInitial()) {
      return Optional.empty();
    }
    return new HistoryOracle(history).small().map(LevelOracle::holding);
  }

  private Optional<SmallHistory> small() {
    List<Txn> txns = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      List<Op> ops = new ArrayList<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        Op small = op(op);
        if (small == null) {
          return Optional.empty();
        }
        ops.add(small);
      }
      boolean timed = history.start(txn) != History.ABSENT;
      if (timed != history.hasTimes()) {
        return Optional.empty();
      }
      Txn small = Txn.of(history.session(txn), history.outcome(txn), ops);
      txns.add(timed ? small.during(history.start(txn), history.end(txn)) : small);
    }
    return Optional.of(new SmallHistory(txns));
  }

  private Op op(int op) {
    Operation operation = history.operation(op);
    int key = history.key(op);
    if (!operation.known()) {
      return new Op.UnseenRead(key);
    }
    return switch (operation.kind()) {
      case READ -> new Op.Read(key, scalar(op));
      case WRITE -> new Op.Write(key, scalar(op));
      case ADD -> new Op.Add(key, number(operation.value()));
      case SET_READ -> {
        List<?> elements = (List<?>) operation.value();
        yield new Op.SetRead(key, elements.stream().map(this::number).toList());
      }
      case APPEND -> new Op.Append(key, number(operation.value()));
      case LIST_READ -> {
        List<?> elements = (List<?>) operation.value();
        yield new Op.ListRead(key, elements.stream().map(this::number).toList());
      }
      default -> null;
    };
  }

  /** The value of a register: zero is the initial one, whatever the history declares. */
  private int scalar(int op) {
    if (history.hasInitialValue(op)) {
      return 0;
    }
    Object value = history.operation(op).value();
    return number(value == null ? "nil, which is not initial" : value);
  }

  private int number(Object value) {
    return numbers.computeIfAbsent(value, v -> numbers.size());
  }
}
