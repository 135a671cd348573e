package dev.assay.window;

import dev.assay.history.History;

/** Transactions that were accepted together, with the state of their keys. */
final class Block {
  final History history;

  /** By key of the history. */
  final KeyState[] keys;

  /** When they were accepted. */
  final long nanos;

  Block(History history, KeyState[] keys, long nanos) {
    this.history = history;
    this.keys = keys;
    this.nanos = nanos;
  }
}
