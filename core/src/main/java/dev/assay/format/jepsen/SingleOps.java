package dev.assay.format.jepsen;

import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;

/**
 * Workloads of Jepsen whose operations are not transactions: registers with {@code :read}, {@code
 * :write} and {@code :cas}, whose values may be tuples of {@code jepsen.independent} with the key
 * in front; sets and counters with {@code :add} and {@code :read}. Each operation is a transaction
 * of its own; a {@code :cas} reads and then writes.
 *
 * <p>An {@code :add} alone does not say whether it is of a set or of a counter. Operations wait
 * here until a read tells.
 */
final class SingleOps {
  /** The key where the value names none. */
  private static final String REGISTER = "register";

  private static final String SET = "set";
  private static final String COUNTER = "counter";

  private final Queue<JepsenOp> waiting = new ArrayDeque<>();
  private boolean adds;

  /** What is added to; null as long as no read tells. */
  private String added;

  /** Whether registers have keys; null as long as none shows it. */
  private Boolean keyed;

  private long failed;

  /** Whether {@code :f} is one of these. */
  static boolean isFunction(String function) {
    return function != null
        && switch (JsonOps.bare(function)) {
          case "read", "write", "cas", "add" -> true;
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

  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** The oldest operation that waits; null if there is none whose type is known. */
  JepsenOp next() {
    return adds && added == null ? null : waiting.poll();
  }

  /** Lets go of what still waits: no read saw it. */
  void finish() {
    added = added == null ? SET : added;
  }

  /** Takes in an operation, which {@link #next} gives back when its type is known. */
  void accept(JepsenOp op) {
    boolean add = JsonOps.bare(op.otherFunction).equals("add");
    adds |= add;
    if (adds && added == null && !add && op.form != null) {
      added = op.form instanceof Collection<?> ? SET : COUNTER;
    }
    waiting.add(op.copy());
  }

  /**
   * Makes micro-operations of the value, unless that is of another form.
   *
   * @return what is wrong with it; null for nothing
   */
  String fill(JepsenOp op, RawScalars scalars) {
    boolean understood =
        switch (JsonOps.bare(op.otherFunction)) {
          case "read" -> read(op, scalars);
          case "write" -> write(op, scalars);
          case "add" -> add(op, scalars);
          default -> compareAndSet(op, scalars);
        };
    if (understood && !adds && op.form != null) {
      boolean own = isKeyed(op);
      if (keyed != null && !keyed.equals(own)) {
        return "a register " + (own ? "with" : "without") + " a key, unlike those before it";
      }
      keyed = own;
    }
    if (understood) {
      op.hasValue = true;
      op.problem = null;
    }
    return null;
  }

  private static boolean isKeyed(JepsenOp op) {
    boolean cas = JsonOps.bare(op.otherFunction).equals("cas");
    return isPair(op.form) && (!cas || isPair(second(op.form)));
  }

  private boolean read(JepsenOp op, RawScalars scalars) {
    if (adds) {
      return readAdded(op, scalars);
    }
    boolean pair = isKeyed(op);
    Object value = pair ? second(op.form) : op.form;
    if (value instanceof Collection<?>) {
      return false;
    }
    op.ops.add(OpKind.READ, scalars.of(pair ? first(op.form) : REGISTER), scalars.of(value));
    return true;
  }

  private boolean readAdded(JepsenOp op, RawScalars scalars) {
    if (op.form == null) {
      // Nothing was seen: an invocation, or a read that failed.
      return op.type != JepsenOp.Type.OK;
    }
    if (added.equals(COUNTER)) {
      op.ops.add(OpKind.COUNTER_READ, scalars.of(COUNTER), scalars.of(op.form));
      return op.form instanceof Long;
    }
    if (!(op.form instanceof Collection<?> elements)) {
      return false;
    }
    elements.forEach(element -> op.ops.element(scalars.of(element)));
    op.ops.add(OpKind.SET_READ, scalars.of(SET), RawScalars.NIL);
    return true;
  }

  private boolean add(JepsenOp op, RawScalars scalars) {
    boolean counter = added.equals(COUNTER);
    if (op.form == null || (counter && !(op.form instanceof Long))) {
      return false;
    }
    op.ops.add(counter ? OpKind.INCREMENT : OpKind.ADD, scalars.of(added), scalars.of(op.form));
    return true;
  }

  private boolean write(JepsenOp op, RawScalars scalars) {
    boolean pair = isKeyed(op);
    Object value = pair ? second(op.form) : op.form;
    if (adds || value == null || value instanceof Collection<?>) {
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
    if (adds || !scalar) {
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
