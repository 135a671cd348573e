package dev.assay.bench;

import dev.assay.collect.TransactionSink;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Hands on generated transactions in blocks, as a recording would: with times that a fast database
 * could have, and each after a random delay, if clients report late.
 */
final class Blocks implements TransactionSink {
  private static final int BLOCK = 1_000;
  private static final OpKind[] KINDS = OpKind.values();
  private static final Outcome[] OUTCOMES = Outcome.values();

  /** The simulation ends a transaction about every 200 ns; a fast database every 10 µs. */
  private static final long SLOWER = 50;

  private static final int SESSION = 0;
  private static final int OUTCOME = 1;
  private static final int START = 2;
  private static final int END = 3;
  private static final int OPERATIONS = 4;

  private record Delayed(long time, long number, long[] transaction) {}

  private final long delay;
  private final Consumer<History> consumer;
  private final Random random = new Random(1);
  private final PriorityQueue<Delayed> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Delayed::time).thenComparing(Delayed::number));
  private long[] lastOfSession = new long[64];
  private long[] open = new long[64];
  private int size;
  private long number;
  private HistoryBuilder block = new HistoryBuilder();
  private long latest;
  private long epoch;
  private long firstKey;

  /**
   * Prepares.
   *
   * @param delay the maximum time until a transaction is reported, in nanoseconds
   */
  Blocks(long delay, Consumer<History> consumer) {
    this.delay = delay;
    this.consumer = consumer;
  }

  /** Begins with fresh keys, after all that has been handed on: another generator goes on. */
  void next() {
    epoch = latest;
    firstKey += Integer.MAX_VALUE;
  }

  @Override
  public void begin(long session) {
    size = OPERATIONS;
    open[SESSION] = session;
  }

  @Override
  public void op(OpKind kind, long key, long value) {
    require(3);
    open[size++] = kind.ordinal();
    open[size++] = firstKey + key;
    open[size++] = value;
  }

  @Override
  public void listRead(long key, long[] elements, int length) {
    op(OpKind.LIST_READ, key, length);
    require(length);
    System.arraycopy(elements, 0, open, size, length);
    size += length;
  }

  private void require(int more) {
    if (size + more > open.length) {
      open = Arrays.copyOf(open, Math.max(size + more, open.length * 2));
    }
  }

  @Override
  public void end(Outcome outcome, long start, long end) {
    open[OUTCOME] = outcome.ordinal();
    open[START] = time(start);
    open[END] = time(end);
    latest = Math.max(latest, Math.max(open[START], open[END]));
    if (delay == 0) {
      add(open, size);
      return;
    }
    int session = (int) open[SESSION];
    if (session >= lastOfSession.length) {
      lastOfSession = Arrays.copyOf(lastOfSession, session * 2);
    }
    long now = end == History.ABSENT ? open[START] : open[END];
    long reported = Math.max(now + random.nextLong(delay), lastOfSession[session]);
    lastOfSession[session] = reported;
    waiting.add(new Delayed(reported, number++, Arrays.copyOf(open, size)));
    // Later transactions may still end a little earlier, but not by the time between two reports.
    while (waiting.peek().time < now) {
      addNext();
    }
  }

  private long time(long simulated) {
    return simulated == History.ABSENT ? simulated : epoch + simulated * SLOWER;
  }

  private void addNext() {
    long[] next = waiting.poll().transaction;
    add(next, next.length);
  }

  private void add(long[] transaction, int length) {
    if (block.transactionCount() == 0) {
      block.zeroIsInitial(true);
    }
    int session = block.rawSession(transaction[SESSION]);
    int txn = block.begin(session, OUTCOMES[(int) transaction[OUTCOME]]);
    block.start(txn, transaction[START]);
    block.end(txn, transaction[END]);
    for (int i = OPERATIONS; i < length; i += 3) {
      OpKind kind = KINDS[(int) transaction[i]];
      if (kind == OpKind.LIST_READ) {
        int elements = (int) transaction[i + 2];
        block.readList(transaction[i + 1], transaction, i + 3, i + 3 + elements);
        i += elements;
      } else {
        block.op(kind, transaction[i + 1], transaction[i + 2]);
      }
    }
    if (block.transactionCount() == BLOCK) {
      handOver();
    }
  }

  private void handOver() {
    consumer.accept(block.build());
    block = new HistoryBuilder();
  }

  /** Hands on what is left. */
  void finish() {
    while (!waiting.isEmpty()) {
      addNext();
    }
    handOver();
  }
}
