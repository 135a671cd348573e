package dev.assay.window;

import dev.assay.check.replay.LastVersions;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Carries the state of keys over a cut. */
final class Carrying {
  private final Window window;
  private final LastVersions versions;
  private final int cut;
  private final Past.Closing closing;
  private final History history;

  /** Those who wrote what is carried over, by transaction. */
  private final Map<Integer, KeyState.Writer> writers = new HashMap<>();

  private final Set<KeyState> unsettled;

  /**
   * What is carried over a cut.
   *
   * @param unsettled keys of which nothing of that may be seen, or the cut has to be undone
   */
  Carrying(
      Window window,
      LastVersions versions,
      int cut,
      Set<KeyState> unsettled,
      Past.Closing closing) {
    this.unsettled = unsettled;
    this.window = window;
    this.versions = versions;
    this.cut = cut;
    this.closing = closing;
    this.history = window.history;
  }

  void carry() {
    Set<KeyState> changed = new HashSet<>();
    for (int txn = 0; txn < cut; txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op).writesNamed()) {
          write(txn, op, changed);
        }
      }
    }
    registers();
    elements();
    for (KeyState key : unsettled) {
      key.unsettledSince = key.unsettledSince < 0 ? closing.number() : key.unsettledSince;
    }
    closing.close();
  }

  private void write(int txn, int op, Set<KeyState> changed) {
    KeyState key = window.keys[history.key(op)];
    if (changed.add(key)) {
      closing.change(key);
      key.firstWindow = key.firstWindow < 0 ? closing.number() : key.firstWindow;
    }
    long value = window.context.raw(history, history.value(op));
    boolean again = key.wrote(value) || window.rewritesInitial.get(txn);
    if (again && key.ambiguousSince < 0) {
      key.ambiguousSince = closing.number();
    }
    closing.write(key, value);
  }

  private void registers() {
    if (!history.uses(OpKind.Type.REGISTER)) {
      return;
    }
    int[] last = versions.lastVersions(cut);
    for (int key = 0; key < last.length; key++) {
      if (last[key] >= 0) {
        KeyState state = window.keys[key];
        state.unsettledSince = -1;
        state.set(window.context.raw(history, history.value(last[key])), writer(state, last[key]));
      }
    }
  }

  /** The transaction of a write, which is the last one of its key. */
  private KeyState.Writer writer(KeyState key, int write) {
    int txn = history.transactionOf(write);
    KeyState.Writer writer = writers.computeIfAbsent(txn, this::writer);
    writer.places().put(key.key, write - history.firstOp(txn));
    return writer;
  }

  private KeyState.Writer writer(int txn) {
    Arrived arrived = window.transactions.get(txn);
    return new KeyState.Writer(
        history.sessionName(history.session(txn)),
        arrived.id(),
        arrived.number,
        history.isCommitted(txn),
        history.start(txn),
        history.end(txn),
        history.position(txn),
        history.file(txn),
        new HashMap<>());
  }

  private void elements() {
    for (int key = 0; key < window.keys.length; key++) {
      int[] order = versions.elements(key, cut);
      for (int write : order) {
        window.keys[key].append(window.context.raw(history, history.value(write)));
      }
      boolean list = order.length > 0 && history.kind(order[0]) == OpKind.APPEND;
      // A key that is a register as well may have the same writer, in another place.
      if (list && window.keys[key].writer() == null) {
        window.keys[key].appendedBy(writer(window.keys[key], order[order.length - 1]));
      }
    }
  }
}
