package dev.assay.format.jepsen;

import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.util.List;

/**
 * Operations on single registers, as Jepsen's tests of linearizability record them: {@code :read},
 * {@code :write} and {@code :cas}, whose values may be tuples of {@code jepsen.independent} with
 * the key in front. Each is a transaction of its own; a {@code :cas} reads and then writes.
 */
final class RegisterOps {
  /** The key where the value names none. */
  private static final String KEY = "register";

  private RegisterOps() {}

  /** Whether {@code :f} is one of these. */
  static boolean isFunction(String function) {
    return function != null
        && switch (JsonOps.bare(function)) {
          case "read", "write", "cas" -> true;
          default -> false;
        };
  }

  /** Makes micro-operations of the value that was read, if this is such an operation. */
  static void fill(JepsenOp op, RawScalars scalars) {
    boolean transaction = op.hasValue && !op.hasForm;
    if (transaction || !isFunction(op.otherFunction)) {
      return;
    }
    boolean understood =
        switch (JsonOps.bare(op.otherFunction)) {
          case "read" -> read(op, op.form, scalars);
          case "write" -> write(op, op.form, scalars);
          default -> compareAndSet(op, op.form, scalars);
        };
    if (understood) {
      op.hasValue = true;
      op.problem = null;
    }
  }

  private static boolean read(JepsenOp op, Object form, RawScalars scalars) {
    boolean keyed = isPair(form);
    Object value = keyed ? second(form) : form;
    if (value instanceof List<?>) {
      return false;
    }
    op.keyed = form == null ? null : (Boolean) keyed;
    op.ops.add(OpKind.READ, scalars.of(keyed ? first(form) : KEY), scalars.of(value));
    return true;
  }

  private static boolean write(JepsenOp op, Object form, RawScalars scalars) {
    boolean keyed = isPair(form);
    Object value = keyed ? second(form) : form;
    if (value == null || value instanceof List<?>) {
      return false;
    }
    op.keyed = keyed;
    op.ops.add(OpKind.WRITE, scalars.of(keyed ? first(form) : KEY), scalars.of(value));
    return true;
  }

  private static boolean compareAndSet(JepsenOp op, Object form, RawScalars scalars) {
    boolean keyed = isPair(form) && isPair(second(form));
    Object pair = keyed ? second(form) : form;
    if (!isPair(pair) || first(pair) instanceof List<?> || second(pair) instanceof List<?>) {
      return false;
    }
    op.keyed = keyed;
    long key = scalars.of(keyed ? first(form) : KEY);
    // One that failed saw another value, and which one is not on record.
    Object seen = op.type == JepsenOp.Type.FAIL ? null : first(pair);
    op.failedCas = op.type == JepsenOp.Type.FAIL;
    op.ops.add(OpKind.READ, key, scalars.of(seen));
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
