package dev.assay.format.jepsen;

import dev.assay.format.Losses;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What a history loses when it is written as Jepsen operations. */
final class JepsenLosses {
  private final History history;
  private final JepsenSyntax syntax;
  private final List<String> losses = new ArrayList<>();

  private JepsenLosses(History history, JepsenSyntax syntax) {
    this.history = history;
    this.syntax = syntax;
  }

  static List<String> of(History history, JepsenSyntax syntax) {
    JepsenLosses all = new JepsenLosses(history, syntax);
    all.orders();
    all.columns();
    all.operations();
    all.scalars();
    return all.losses;
  }

  private void add(long count, String one, String many) {
    if (count > 0) {
      losses.add(Losses.counted(count, one, many));
    }
  }

  private void orders() {
    JepsenProcesses processes = new JepsenProcesses(history);
    add(
        processes.continuing,
        "session that continues after an indeterminate transaction",
        "sessions that continue after an indeterminate transaction");
    add(
        processes.overlapping,
        "place in session order of a transaction that overlaps one before it",
        "places in session order of transactions that overlap one before them");
    add(
        processes.detached,
        "place in session order of a transaction without times among others with times",
        "places in session order of transactions without times among others with times");
    add(
        processes.halfTimed,
        "time of a transaction that lacks a start or a later end",
        "times of transactions that lack a start or a later end");
    add(
        processes.indeterminateEnds,
        "end time of an indeterminate transaction",
        "end times of indeterminate transactions");
    add(
        new JepsenEvents(history, processes).coinciding(),
        "transaction that begins at the very time another ends, and would follow it",
        "transactions that begin at the very time others end, and would follow them");
  }

  private void columns() {
    long timestamps = 0;
    long positions = 0;
    long levels = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean stamped =
          history.snapshotTs(txn) != History.ABSENT || history.commitTs(txn) != History.ABSENT;
      timestamps += stamped ? 1 : 0;
      positions += history.serialPosition(txn) != History.ABSENT ? 1 : 0;
      levels += history.level(txn) != null ? 1 : 0;
    }
    add(timestamps, "transaction's database timestamps", "transactions' database timestamps");
    add(positions, "serialization position", "serialization positions");
    add(levels, "level of a transaction", "levels of transactions");
    Losses common = new Losses(history).withoutMetadata().withoutInitialState();
    losses.addAll(
        (history.zeroIsInitial() ? common.zeroIsInitial().nilIsInitial() : common).phrases());
  }

  private void operations() {
    BitSet sets = keysOf(OpKind.ADD);
    sets.andNot(keysOf(OpKind.APPEND));
    BitSet counters = keysOf(OpKind.INCREMENT);
    counters.andNot(keysOf(OpKind.WRITE));
    long predicates = 0;
    long unknown = 0;
    long numbers = 0;
    long nil = 0;
    long bareCounters = 0;
    long bareSets = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        int value = history.value(op);
        boolean register = kind.type() == OpKind.Type.REGISTER;
        numbers += register && history.values().isVersioned(value) ? 1 : 0;
        if (kind.isPredicate()) {
          predicates++;
        } else if (!JepsenWriter.isWritten(history, txn, op)) {
          unknown++;
        } else if (kind == OpKind.COUNTER_READ && !counters.get(history.key(op))) {
          bareCounters++;
        } else if (kind == OpKind.SET_READ && !sets.get(history.key(op))) {
          bareSets++;
        } else if (kind == OpKind.READ || kind == OpKind.COUNTER_READ) {
          boolean initial =
              value == Values.NIL || (kind == OpKind.READ && history.hasInitialValue(op));
          nil += initial && !history.isCommitted(txn) ? 1 : 0;
        }
      }
    }
    add(predicates, "predicate operation", "predicate operations");
    add(numbers, "version number", "version numbers");
    add(
        unknown,
        "read of unknown result in a committed transaction",
        "reads of unknown result in committed transactions");
    add(
        nil,
        "read of the initial value in a transaction that did not commit",
        "reads of the initial value in transactions that did not commit");
    add(
        bareCounters,
        "counter read of a key that is not only incremented",
        "counter reads of keys that are not only incremented");
    if (syntax == JepsenSyntax.JSON) {
      add(
          bareSets,
          "set read of a key that is not only added to",
          "set reads of keys that are not only added to");
    }
  }

  private BitSet keysOf(OpKind kind) {
    BitSet keys = new BitSet();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == kind) {
        keys.set(history.key(op));
      }
    }
    return keys;
  }

  /** Keys and values that would read back as something else. */
  private void scalars() {
    long changed = 0;
    for (int key = 0; key < history.keys().count(); key++) {
      changed += syntax.keeps(history.keys().get(key)) ? 0 : 1;
    }
    add(changed, "key that reads back changed", "keys that read back changed");
    long values = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      if (!kind.isPredicate() && !kind.readsSequence()) {
        values += keeps(history.value(op)) ? 0 : 1;
      }
    }
    Sequences sequences = history.sequences();
    for (int trace = 0; trace < sequences.traceCount(); trace++) {
      for (int i = 0; i < sequences.traceLength(trace); i++) {
        values += keeps(sequences.traceElement(trace, i)) ? 0 : 1;
      }
    }
    add(values, "value that reads back changed", "values that read back changed");
  }

  private boolean keeps(int code) {
    return code == Values.UNKNOWN
        || history.values().isInteger(code)
        || syntax.keeps(history.values().get(code));
  }
}
