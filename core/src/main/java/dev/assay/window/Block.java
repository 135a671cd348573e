package dev.assay.window;

import dev.assay.history.History;

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
}
