package dev.assay.bench;

import java.util.Arrays;

/**
 * No clocks: for 64 transactions with questions at a time, one sweep down the order, as far as
 * their questions reach, marks what precedes each of them. What Assay does.
 */
final class Sweeps {
  private final CausalGraph graph;
  private final int transactions;
  private long steps;

  Sweeps(CausalGraph graph, int transactions) {
    this.graph = graph;
    this.transactions = transactions;
  }

  /** How many marks were handed from a transaction to one directly before it. */
  long steps() {
    return steps;
  }

  long answer(Pasts.Questions questions) {
    long[] precedes = new long[transactions];
    int[] batch = new int[Long.SIZE];
    int size = 0;
    long answer = 0;
    for (int txn = 0; txn < transactions; txn++) {
      if (questions.first(txn) < questions.end(txn)) {
        batch[size++] = txn;
      }
      if (size == batch.length || (size > 0 && txn == transactions - 1)) {
        answer += answer(questions, Arrays.copyOf(batch, size), precedes);
        size = 0;
      }
    }
    return answer;
  }

  private long answer(Pasts.Questions questions, int[] batch, long[] precedes) {
    int lowest = batch[0];
    for (int i = 0; i < batch.length; i++) {
      precedes[batch[i]] = 1L << i;
      lowest = Math.min(lowest, questions.earlier(questions.first(batch[i])));
    }
    int highest = batch[batch.length - 1];
    for (int txn = highest; txn > lowest; txn--) {
      long marks = precedes[txn];
      for (int i = graph.first(txn); marks != 0 && i < graph.end(txn); i++) {
        if (graph.predecessor(i) >= lowest) {
          precedes[graph.predecessor(i)] |= marks;
        }
        steps++;
      }
    }
    long answer = 0;
    for (int i = 0; i < batch.length; i++) {
      for (int q = questions.first(batch[i]); q < questions.end(batch[i]); q++) {
        answer += precedes[questions.earlier(q)] >>> i & 1;
      }
    }
    Arrays.fill(precedes, lowest, highest + 1, 0);
    return answer;
  }
}
