package dev.assay.format.jepsen;

import dev.assay.history.Keyword;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Workloads of Jepsen whose operations are not transactions: registers with {@code :read}, {@code
 * :write} and {@code :cas}, whose values may be tuples of {@code jepsen.independent} with the key
 * in front; sets and counters with {@code :add} and {@code :read}; a bank with {@code :transfer}
 * and reads of all accounts. Each operation is a transaction of its own; a {@code :cas} reads and
 * then writes, and a {@code :transfer} takes from one account and adds to another, which are
 * counters. What {@code monotonic} means only {@linkplain MonotonicRows all of it} tells.
 *
 * <p>A read alone does not say what it is of, and an {@code :add} not whether it is of a set or of
 * a counter. Operations wait here until another tells.
 */
final class SingleOps {
  /** The keys where the value names none. */
  private static final String REGISTER = "register";

  private static final String SET = "set";
  private static final String COUNTER = "counter";

  private enum Workload {
    REGISTERS,
    SET,
    COUNTER,
    BANK,
    MONOTONIC
  }

  private final Queue<JepsenOp> waiting = new ArrayDeque<>();
  private boolean adds;

  /** Whether a read that waits is of a collection, and whether one is of something else. */
  private boolean collections;

  private boolean others;

  /** Null as long as no operation tells. */
  private Workload workload;

  /** Whether registers have keys; null as long as none shows it. */
  private Boolean keyed;

  private long failed;
  private long negative;
  private int disordered;
  private boolean finished;

  /** Whether {@code :f} is one of these. */
  static boolean isFunction(String function) {
    return function != null
        && switch (JsonOps.bare(function)) {
          case "read", "write", "cas", "add", "transfer" -> true;
          default -> false;
        };
  }

  /** Whether this is such an operation. */
  static boolean has(JepsenOp op) {
    boolean transaction = op.hasValue && !op.hasForm;
    return !transaction && isFunction(op.otherFunction);
  }

  /** How many compare-and-sets failed. */
  long failed() {
    return failed;
  }

  /** How many reads saw a negative balance. */
  long negative() {
    return negative;
  }

  /** How many rows of {@code monotonic} have a timestamp that contradicts their number. */
  int disordered() {
    return disordered;
  }

  /** Whether the accounts of a bank are the keys: counters that begin at unknown balances. */
  boolean isBank() {
    return workload == Workload.BANK;
  }

  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** The oldest operation that waits; null if there is none whose type is known. */
  JepsenOp next() {
    boolean early = workload == null || (workload == Workload.MONOTONIC && !finished);
    return early ? null : waiting.poll();
  }

  /** Lets go of what still waits: nothing told what it is of, or all of it had to be seen. */
  void finish(RawScalars scalars) {
    finished = true;
    if (workload == null) {
      workload = adds ? Workload.SET : Workload.REGISTERS;
    }
    if (workload == Workload.MONOTONIC && !waiting.isEmpty()) {
      MonotonicRows rows = new MonotonicRows(List.copyOf(waiting), scalars);
      waiting.clear();
      waiting.addAll(rows.filled());
      disordered = rows.disordered();
    }
  }

  /** Takes in an operation, which {@link #next} gives back when its type is known. */
  void accept(JepsenOp op) {
    switch (JsonOps.bare(op.otherFunction)) {
      case "add" -> {
        adds = true;
        if (MonotonicRows.isRow(op.form)) {
          tell(Workload.MONOTONIC);
        }
      }
      case "transfer" -> tell(Workload.BANK);
      case "read" -> {
        boolean answered = op.type == JepsenOp.Type.OK && op.form != null;
        if (answered && op.form instanceof Map<?, ?>) {
          tell(Workload.BANK);
        }
        if (adds && MonotonicRows.areRows(op.form)) {
          tell(Workload.MONOTONIC);
        }
        collections |= answered && op.form instanceof Collection<?>;
        others |= answered && !(op.form instanceof Collection<?>);
      }
      default -> tell(adds ? null : Workload.REGISTERS);
    }
    if (adds && (collections || others)) {
      tell(collections ? Workload.SET : Workload.COUNTER);
    }
    waiting.add(op.copy());
  }

  private void tell(Workload told) {
    workload = workload == null ? told : workload;
  }

  /**
   * Makes micro-operations of the value, unless that is of another form. Where the outcome is not
   * {@code :ok}, clients put the reason there, such as {@code :timed-out} or TiDB's {@code
   * [:negative 3 -1]}: then what was asked for counts.
   *
   * @param asked whether the invocation of this completion has a value
   * @return what is wrong with it; null for nothing
   */
  String fill(JepsenOp op, RawScalars scalars, boolean asked) {
    if (workload == Workload.MONOTONIC) {
      return null;
    }
    boolean failed = op.type == JepsenOp.Type.FAIL;
    boolean cas = JsonOps.bare(op.otherFunction).equals("cas");
    if (asked && (op.type == JepsenOp.Type.INFO || (failed && !cas))) {
      op.hasValue = false;
      op.problem = null;
      return null;
    }
    failed &= asked;
    boolean understood =
        switch (JsonOps.bare(op.otherFunction)) {
          case "read" -> read(op, scalars);
          case "write" -> write(op, scalars);
          case "add" -> add(op, scalars);
          case "transfer" -> transfer(op, scalars);
          default -> compareAndSet(op, scalars);
        };
    if (understood && workload == Workload.REGISTERS && op.form != null) {
      boolean own = isKeyed(op);
      if (keyed != null && !keyed.equals(own)) {
        return "a register " + (own ? "with" : "without") + " a key, unlike those before it";
      }
      keyed = own;
    }
    if (understood) {
      op.hasValue = true;
      op.problem = null;
    } else if (failed) {
      // A :cas whose value is the reason. What it asked for is no read of that.
      op.hasValue = true;
      op.ops.clear();
      op.problem = null;
    }
    return null;
  }

  private static boolean isKeyed(JepsenOp op) {
    boolean cas = JsonOps.bare(op.otherFunction).equals("cas");
    return isPair(op.form) && (!cas || isPair(second(op.form)));
  }

  private boolean read(JepsenOp op, RawScalars scalars) {
    if (workload != Workload.REGISTERS) {
      // Nothing was seen by an invocation, or a read that failed.
      return op.form == null ? op.type != JepsenOp.Type.OK : readAll(op, scalars);
    }
    boolean pair = isKeyed(op);
    Object value = pair ? second(op.form) : op.form;
    if (value instanceof Collection<?> || value instanceof Map<?, ?>) {
      return false;
    }
    op.ops.add(OpKind.READ, scalars.of(pair ? first(op.form) : REGISTER), scalars.of(value));
    return true;
  }

  private boolean readAll(JepsenOp op, RawScalars scalars) {
    if (workload == Workload.COUNTER) {
      op.ops.add(OpKind.COUNTER_READ, scalars.of(COUNTER), scalars.of(op.form));
      return op.form instanceof Long;
    }
    if (workload == Workload.BANK) {
      return readBalances(op, scalars);
    }
    if (!(op.form instanceof Collection<?> elements) || MonotonicRows.areRows(op.form)) {
      return false;
    }
    elements.forEach(element -> op.ops.element(scalars.of(element)));
    op.ops.add(OpKind.SET_READ, scalars.of(SET), RawScalars.NIL);
    return true;
  }

  private boolean add(JepsenOp op, RawScalars scalars) {
    boolean counter = workload == Workload.COUNTER;
    boolean added = counter || workload == Workload.SET;
    boolean scalar = op.form != null && !(op.form instanceof Map<?, ?>);
    if (!added || !scalar || (counter && !(op.form instanceof Long))) {
      return false;
    }
    long key = scalars.of(counter ? COUNTER : SET);
    op.ops.add(counter ? OpKind.INCREMENT : OpKind.ADD, key, scalars.of(op.form));
    return true;
  }

  private boolean write(JepsenOp op, RawScalars scalars) {
    boolean pair = isKeyed(op);
    Object value = pair ? second(op.form) : op.form;
    boolean scalar =
        value != null && !(value instanceof Collection<?>) && !(value instanceof Map<?, ?>);
    if (workload != Workload.REGISTERS || !scalar) {
      return false;
    }
    op.ops.add(OpKind.WRITE, scalars.of(pair ? first(op.form) : REGISTER), scalars.of(value));
    return true;
  }

  private boolean compareAndSet(JepsenOp op, RawScalars scalars) {
    boolean tuple = isKeyed(op);
    Object pair = tuple ? second(op.form) : op.form;
    boolean scalar =
        isPair(pair)
            && !(first(pair) instanceof Collection<?>)
            && !(second(pair) instanceof Collection<?>);
    if (workload != Workload.REGISTERS || !scalar) {
      return false;
    }
    long key = scalars.of(tuple ? first(op.form) : REGISTER);
    // One that failed saw another value, and which one is not on record.
    boolean fail = op.type == JepsenOp.Type.FAIL;
    failed += fail ? 1 : 0;
    op.ops.add(OpKind.READ, key, fail ? RawScalars.NIL : scalars.of(first(pair)));
    op.ops.add(OpKind.WRITE, key, scalars.of(second(pair)));
    return true;
  }

  // ---- the bank

  private boolean transfer(JepsenOp op, RawScalars scalars) {
    if (workload != Workload.BANK || !(op.form instanceof Map<?, ?> fields)) {
      return false;
    }
    Object from = field(fields, "from");
    Object to = field(fields, "to");
    if (from == null || to == null || !(field(fields, "amount") instanceof Long amount)) {
      return false;
    }
    op.ops.add(OpKind.INCREMENT, scalars.of(from), scalars.of(-amount));
    op.ops.add(OpKind.INCREMENT, scalars.of(to), scalars.of(amount));
    return true;
  }

  private static Object field(Map<?, ?> fields, String name) {
    Object value = fields.get(new Keyword(name));
    return value == null ? fields.get(name) : value;
  }

  /** All balances: by account, or in a vector whose indexes are the accounts. */
  private boolean readBalances(JepsenOp op, RawScalars scalars) {
    boolean debt = false;
    if (op.form instanceof Map<?, ?> balances) {
      for (Map.Entry<?, ?> balance : balances.entrySet()) {
        if (!(balance.getValue() instanceof Long amount)) {
          return false;
        }
        debt |= amount < 0;
        op.ops.add(OpKind.COUNTER_READ, scalars.of(balance.getKey()), scalars.of(amount));
      }
    } else if (op.form instanceof List<?> balances) {
      for (int account = 0; account < balances.size(); account++) {
        if (!(balances.get(account) instanceof Long amount)) {
          return false;
        }
        debt |= amount < 0;
        op.ops.add(OpKind.COUNTER_READ, scalars.of((long) account), scalars.of(amount));
      }
    } else {
      return false;
    }
    negative += debt ? 1 : 0;
    return true;
  }

  private static boolean isPair(Object form) {
    return form instanceof List<?> list && list.size() == 2;
  }

  private static Object first(Object pair) {
    return ((List<?>) pair).get(0);
  }

  private static Object second(Object pair) {
    return ((List<?>) pair).get(1);
  }
}
