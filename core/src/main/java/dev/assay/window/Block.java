package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.Optional;

/** Transactions that were accepted together, with the state of their keys. */
final class Block {
  final History history;

  /** By key of the history. */
  final KeyState[] keys;

  /** When they were accepted. */
  final long nanos;

  /** Which of all blocks it is. */
  final long number;

  Block(History history, KeyState[] keys, long nanos, long number) {
    this.history = history;
    this.keys = keys;
    this.nanos = nanos;
    this.number = number;
  }

  /** Notes the types of writes; returns a key that is written as several types. */
  Optional<KeyState> noteTypes() {
    KeyState ofSeveralTypes = null;
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      if (kind.isWrite() && history.key(op) >= 0) {
        KeyState key = keys[history.key(op)];
        if (key.writtenAs == null) {
          key.writtenAs = kind.type();
        } else if (key.writtenAs != kind.type()) {
          ofSeveralTypes = key;
        }
      }
    }
    return Optional.ofNullable(ofSeveralTypes);
  }
}
