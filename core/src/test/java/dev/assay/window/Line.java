package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.util.ArrayList;
import java.util.List;

/** A transaction as an object, so that tests can move it, cut it and leave it out. */
record Line(Object session, Outcome outcome, long start, long end, List<Operation> ops) {
  Line {
    ops = List.copyOf(ops);
  }

  static Line of(Object session, Outcome outcome, Operation... ops) {
    return new Line(session, outcome, History.ABSENT, History.ABSENT, List.of(ops));
  }

  /** The transactions of a history, in its order. */
  static List<Line> of(History history) {
    List<Line> lines = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      List<Operation> ops = new ArrayList<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        ops.add(history.operation(op));
      }
      lines.add(
          new Line(
              history.sessionName(history.session(txn)),
              history.outcome(txn),
              history.start(txn),
              history.end(txn),
              ops));
    }
    return lines;
  }

  static Operation op(OpKind kind, Object key, Object value) {
    return new Operation(kind, key, true, value);
  }

  static Operation unseen(OpKind kind, Object key) {
    return new Operation(kind, key, false, null);
  }

  Line during(long newStart, long newEnd) {
    return new Line(session, outcome, newStart, newEnd, ops);
  }

  Line with(List<Operation> others) {
    return new Line(session, outcome, start, end, others);
  }

  boolean isTimed() {
    return start != History.ABSENT && end != History.ABSENT;
  }

  /** When it ended, or at least began, or {@link History#ABSENT}. */
  long time() {
    return end == History.ABSENT ? start : end;
  }

  /** Some transactions as a history that begins in the same state as another one. */
  static History history(List<Line> lines, History like) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(like);
    like.metadata().forEach(builder::metadata);
    for (Line line : lines) {
      int txn = builder.begin(builder.session(line.session), line.outcome);
      builder.start(txn, line.start);
      builder.end(txn, line.end);
      line.ops.forEach(op -> add(builder, op));
    }
    return builder.build();
  }

  private static void add(HistoryBuilder builder, Operation op) {
    if (op.kind().isPredicate()) {
      addPredicate(builder, op);
    } else if (!op.known()) {
      builder.op(op.kind(), builder.scalars().of(op.key()), RawScalars.UNKNOWN);
    } else if (op.kind() == OpKind.LIST_READ) {
      builder.readList(op.key(), (List<?>) op.value());
    } else if (op.kind() == OpKind.SET_READ) {
      builder.readSet(op.key(), (List<?>) op.value());
    } else {
      builder.op(op.kind(), builder.scalars().of(op.key()), builder.scalars().of(op.value()));
    }
  }

  private static void addPredicate(HistoryBuilder builder, Operation op) {
    builder.predicate(op.kind(), (String) op.key());
    if (op.value() instanceof List<?> rows) {
      for (Object each : rows) {
        Operation.Row row = (Operation.Row) each;
        builder.row(builder.scalars().of(row.key()), builder.scalars().of(row.value()));
      }
    } else {
      builder.result(builder.scalars().of(op.value()));
    }
  }
}
