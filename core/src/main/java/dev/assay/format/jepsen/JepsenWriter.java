package dev.assay.format.jepsen;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a history as Jepsen operations, one a line. */
final class JepsenWriter {
  private static final int CHUNK = 1 << 16;

  private final History history;
  private final JepsenSyntax syntax;
  private final OutputStream out;
  private final JepsenProcesses processes;
  private final JepsenEvents events;
  private final boolean[] completes;
  private final StringBuilder text = new StringBuilder(CHUNK);

  JepsenWriter(History history, JepsenSyntax syntax, OutputStream out) {
    this.history = history;
    this.syntax = syntax;
    this.out = out;
    this.processes = new JepsenProcesses(history);
    this.events = new JepsenEvents(history, processes);
    this.completes = new boolean[history.transactionCount()];
    for (int i = 0; i < events.size(); i++) {
      completes[events.transaction(i)] |= events.isCompletion(i);
    }
  }

  void write() throws IOException {
    for (int i = 0; i < events.size(); i++) {
      event(events.transaction(i), events.isCompletion(i), events.index(i));
      if (text.length() >= CHUNK) {
        flush();
      }
    }
    flush();
    out.flush();
  }

  private void flush() throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }

  private void event(int txn, boolean completion, long index) {
    text.append('{');
    syntax.field(text, "index", true);
    text.append(index);
    long time = time(txn, completion);
    if (time != History.ABSENT) {
      syntax.field(text, "time", false);
      text.append(time);
    }
    syntax.field(text, "type", false);
    syntax.name(text, completion ? type(history.outcome(txn)) : "invoke");
    syntax.field(text, "process", false);
    text.append(processes.process[txn]);
    syntax.field(text, "f", false);
    syntax.name(text, "txn");
    syntax.field(text, "value", false);
    value(txn, completion || !completes[txn]);
    if (history.error(txn) != null && (completion || !completes[txn])) {
      syntax.field(text, "error", false);
      syntax.string(text, history.error(txn));
    }
    text.append("}\n");
  }

  private long time(int txn, boolean completion) {
    if (history.hasShownTimes()) {
      return completion ? history.shownEnd(txn) : history.shownStart(txn);
    }
    if (!processes.timed[txn]) {
      return History.ABSENT;
    }
    return completion ? history.end(txn) : history.start(txn);
  }

  private static String type(Outcome outcome) {
    return switch (outcome) {
      case COMMITTED -> "ok";
      case ABORTED -> "fail";
      case INDETERMINATE -> "info";
    };
  }

  // ---- micro-operations

  private void value(int txn, boolean withResults) {
    text.append('[');
    String before = "";
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (isWritten(history, txn, op)) {
        text.append(before);
        microOp(op, withResults);
        before = syntax.separator;
      }
    }
    text.append(']');
  }

  /**
   * Whether an operation has a place in the file. A read that a committed transaction made and
   * whose result is unknown has none: without a result it would say that nothing was there.
   */
  static boolean isWritten(History history, int txn, int op) {
    OpKind kind = history.kind(op);
    boolean unknownResult = !kind.isWrite() && isUnknown(history, op);
    return !kind.isPredicate() && !(unknownResult && history.isCommitted(txn));
  }

  private static boolean isUnknown(History history, int op) {
    return history.value(op) == Values.UNKNOWN || history.isOtherRead(op);
  }

  private void microOp(int op, boolean withResults) {
    OpKind kind = history.kind(op);
    text.append('[');
    syntax.name(text, name(kind));
    text.append(syntax.separator);
    syntax.scalar(text, history.keys().get(history.key(op)));
    text.append(syntax.separator);
    boolean scalar = !kind.readsSequence();
    int value = scalar ? history.values().unversioned(history.value(op)) : history.value(op);
    if (!kind.isWrite() && (!withResults || isUnknown(history, op))) {
      text.append(syntax.nil);
    } else if (kind.readsSequence()) {
      sequence(value, kind == OpKind.SET_READ);
    } else if (kind.type() == OpKind.Type.REGISTER && history.hasInitialValue(op)) {
      text.append(syntax.nil);
    } else {
      code(value);
    }
    text.append(']');
  }

  private static String name(OpKind kind) {
    return switch (kind) {
      case WRITE -> "w";
      case APPEND -> "append";
      case ADD -> "add";
      case INCREMENT -> "inc";
      default -> "r";
    };
  }

  private void sequence(int sequence, boolean set) {
    Sequences sequences = history.sequences();
    text.append(set ? syntax.openSet : "[");
    for (int i = 0; i < sequences.length(sequence); i++) {
      if (i > 0) {
        text.append(syntax.separator);
      }
      code(sequences.element(sequence, i));
    }
    text.append(set ? syntax.closeSet : "]");
  }

  private void code(int value) {
    if (history.values().isInteger(value)) {
      text.append(history.values().asLong(value));
    } else {
      syntax.scalar(text, history.values().get(value));
    }
  }
}
