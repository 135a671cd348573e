package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.Outcome;

/** A transaction that was accepted, and its place in the candidate order. */
final class Arrived implements Comparable<Arrived> {
  final Block block;
  final int txn;

  /** Where it is in the candidate order: by its end, but not before others of its session. */
  final long time;

  /** The number of transactions accepted before it, which orders those of the same time. */
  final long number;

  /** Its place in its session, from 1. */
  final long place;

  Arrived(Block block, int txn, long time, long number, long place) {
    this.block = block;
    this.txn = txn;
    this.time = time;
    this.number = number;
    this.place = place;
  }

  History history() {
    return block.history;
  }

  Outcome outcome() {
    return block.history.outcome(txn);
  }

  int operations() {
    return block.history.endOp(txn) - block.history.firstOp(txn);
  }

  /** Its name in reports: the source's, or its place in its session. */
  String id() {
    Object own = block.history.ownId(txn);
    return own != null
        ? own.toString()
        : block.history.sessionText(block.history.session(txn)) + "/#" + place;
  }

  @Override
  public int compareTo(Arrived other) {
    int byTime = Long.compare(time, other.time);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }
}
