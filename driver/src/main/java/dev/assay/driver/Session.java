package dev.assay.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A connection of the application: its transactions, written in their order. */
final class Session {
  private final Recording recording;
  private final int number;
  private final Deque<Transaction> ended = new ArrayDeque<>();

  Session(Recording recording, int number) {
    this.recording = recording;
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Takes a transaction that has ended; it is written when its results have been read. */
  synchronized void ended(Transaction transaction) {
    ended.add(transaction);
    flush();
  }

  /** Something of a transaction has been read to its end. */
  synchronized void released() {
    flush();
  }

  private void flush() {
    while (!ended.isEmpty() && ended.peek().open <= 0) {
      recording.write(number, ended.poll());
    }
  }

  synchronized void flushAll() {
    while (!ended.isEmpty()) {
      recording.write(number, ended.poll());
    }
  }

  /** Reads what the application left of the results of its writes. */
  synchronized void finishResults() {
    for (Transaction transaction : List.copyOf(ended)) {
      List.copyOf(transaction.unread).forEach(RecordedResult::finish);
    }
  }

  void close() {
    flushAll();
    recording.closed(this);
  }
}
