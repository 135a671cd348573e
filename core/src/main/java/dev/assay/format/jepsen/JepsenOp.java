package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.RawScalars;

/** One operation of a Jepsen history as its reader found it; reused from one to the next. */
final class JepsenOp {
  /** The four types an operation can have. */
  enum Type {
    INVOKE,
    OK,
    FAIL,
    INFO;

    /** The type with this name in lower case, or null. */
    static Type of(String name) {
      return switch (name) {
        case "invoke" -> INVOKE;
        case "ok" -> OK;
        case "fail" -> FAIL;
        case "info" -> INFO;
        default -> null;
      };
    }
  }

  /** Null where there is none. */
  Type type;

  /** The raw number of a client, {@link RawScalars#NIL} where the operation names no process. */
  long process;

  /** The process where it is not a client, as text; else null. */
  String otherProcess;

  /** What the operation does where that is not a transaction, as text; else null. */
  String otherFunction;

  /** Whether it has a value other than nil; {@link #ops} are that value. */
  boolean hasValue;

  MicroOps ops = new MicroOps();

  /** Whether the value is not a transaction but {@link #form}, for {@link SingleOps}. */
  boolean hasForm;

  /** A scalar, a map of these, a list of both, or a {@link java.util.Set}; null for nil. */
  Object form;

  /** {@link History#ABSENT} where there is none. */
  long index;

  /** {@link History#ABSENT} where there is none. */
  long time;

  String error;
  long line;
  long column;

  /** What is wrong with it; an error only if this turns out to be the operation of a client. */
  ParseException problem;

  void clear(long newLine, long newColumn) {
    type = null;
    process = RawScalars.NIL;
    otherProcess = null;
    otherFunction = null;
    hasValue = false;
    ops.clear();
    hasForm = false;
    form = null;
    index = History.ABSENT;
    time = History.ABSENT;
    error = null;
    line = newLine;
    column = newColumn;
    problem = null;
  }

  /** A copy that stays as it is; of an operation whose value is a {@link #form}. */
  JepsenOp copy() {
    JepsenOp copy = new JepsenOp();
    copy.clear(line, column);
    copy.type = type;
    copy.process = process;
    copy.otherFunction = otherFunction;
    copy.hasValue = hasValue;
    copy.hasForm = hasForm;
    copy.form = form;
    copy.index = index;
    copy.time = time;
    copy.error = error;
    copy.problem = problem;
    return copy;
  }

  /** Keeps the first problem. */
  void problem(ParseException newProblem) {
    if (problem == null) {
      problem = newProblem;
    }
  }

  /** Jepsen writes −1 for an index or time that is not there. */
  static long orAbsent(long indexOrTime) {
    return indexOrTime == -1 ? History.ABSENT : indexOrTime;
  }
}
