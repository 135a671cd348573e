package dev.assay.history;

import java.util.Arrays;
import java.util.List;

/**
 * What transactions did over time: how many ended in each tenth of a second, and how long they
 * took. Histories are added block by block and need not be kept. Memory is bounded: the times of a
 * long run are summed up over longer stretches.
 */
public final class RunActivity {
  /** What transactions do, as far as it matters for how long they take. */
  public enum Kind {
    READS("transactions that only read"),
    WRITES("transactions that write");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  private static final long SLOT_NANOS = 100_000_000;

  /** Slots that are counted at most: a day. What comes later is not counted. */
  private static final int MAX_SLOTS = 24 * 60 * 60 * 10;

  /** Stretches for which latencies are known at most. */
  private static final int MAX_STRETCHES = 256;

  /** Blocks do not come in the order of time, so the first may not have what began first. */
  private static final long MARGIN_NANOS = 10 * SLOT_NANOS;

  /** Latencies are counted in eight cells for each doubling, from a microsecond on. */
  private static final int CELLS_SHIFT = 3;

  private static final int CELLS = 33 << CELLS_SHIFT;
  private static final int OUTCOMES = Outcome.values().length;

  private long origin = History.ABSENT;
  private long first = Long.MAX_VALUE;
  private int slots;
  private int[][] ended = new int[OUTCOMES][64];
  private int slotsPerStretch = 1;
  private int[][][] latencies = new int[Kind.values().length][MAX_STRETCHES][];

  /** All of a history that is there as a whole. */
  public static RunActivity of(History history) {
    RunActivity activity = new RunActivity();
    activity.add(history, history.metadata().get(History.FINAL_SESSION));
    return activity;
  }

  /**
   * Adds transactions.
   *
   * @param finalSession the name of the session that is not a client's, or null
   */
  public void add(History block, String finalSession) {
    for (int txn = 0; txn < block.transactionCount(); txn++) {
      boolean client =
          finalSession == null || !block.sessionText(block.session(txn)).equals(finalSession);
      if (client && block.start(txn) != History.ABSENT) {
        add(block, txn);
      }
    }
  }

  private void add(History block, int txn) {
    long start = block.start(txn);
    if (origin == History.ABSENT) {
      origin = start - MARGIN_NANOS;
    }
    boolean known = block.end(txn) != History.ABSENT;
    long end = known ? block.end(txn) : start;
    long slot = Math.floorDiv(end - origin, SLOT_NANOS);
    if (slot < 0 || slot >= MAX_SLOTS) {
      return;
    }
    first = Math.min(first, start);
    int place = (int) slot;
    slots = Math.max(slots, place + 1);
    int outcome = block.outcome(txn).ordinal();
    if (place >= ended[outcome].length) {
      int size = Math.max(place + 1, 2 * ended[outcome].length);
      for (int i = 0; i < OUTCOMES; i++) {
        ended[i] = Arrays.copyOf(ended[i], size);
      }
    }
    ended[outcome][place]++;
    if (known) {
      time(kind(block, txn), place, end - start);
    }
  }

  private static Kind kind(History block, int txn) {
    for (int op = block.firstOp(txn); op < block.endOp(txn); op++) {
      if (block.kind(op).isWrite()) {
        return Kind.WRITES;
      }
    }
    return Kind.READS;
  }

  private void time(Kind kind, int slot, long nanos) {
    while (slot / slotsPerStretch >= MAX_STRETCHES) {
      lengthenStretches();
    }
    int[][] stretches = latencies[kind.ordinal()];
    int stretch = slot / slotsPerStretch;
    if (stretches[stretch] == null) {
      stretches[stretch] = new int[CELLS];
    }
    stretches[stretch][cell(nanos)]++;
  }

  private void lengthenStretches() {
    slotsPerStretch *= 2;
    for (int[][] stretches : latencies) {
      for (int i = 0; i < MAX_STRETCHES; i++) {
        int[] both = i < MAX_STRETCHES / 2 ? sum(stretches[2 * i], stretches[2 * i + 1]) : null;
        stretches[i] = both;
      }
    }
  }

  private static int[] sum(int[] one, int[] other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    for (int i = 0; i < CELLS; i++) {
      one[i] += other[i];
    }
    return one;
  }

  private static int cell(long nanos) {
    long micros = Math.max(1, nanos / 1000);
    int doubling = 63 - Long.numberOfLeadingZeros(micros);
    long part = ((micros << CELLS_SHIFT) >> doubling) - (1 << CELLS_SHIFT);
    return (int) Math.min(CELLS - 1, (doubling << CELLS_SHIFT) + part);
  }

  /** The middle of a cell, in milliseconds. */
  private static double millis(int cell) {
    double part = (cell & ((1 << CELLS_SHIFT) - 1)) + 0.5;
    return Math.scalb(1 + part / (1 << CELLS_SHIFT), cell >> CELLS_SHIFT) / 1000;
  }

  public boolean isEmpty() {
    return slots == 0;
  }

  /** How many stretches of time there are. */
  public int stretches() {
    int from = firstStretch();
    return slots == 0 ? 0 : (slots - 1) / slotsPerStretch + 1 - from;
  }

  private int firstStretch() {
    return slots == 0 ? 0 : (int) ((first - origin) / SLOT_NANOS) / slotsPerStretch;
  }

  public double stretchSeconds() {
    return slotsPerStretch * SLOT_NANOS / 1e9;
  }

  /** When a stretch begins, in seconds since the first transaction did; at least 0. */
  public double seconds(int stretch) {
    return Math.max(0, stretch + firstStretch()) * stretchSeconds() - (first - origin) / 1e9;
  }

  /** A time of the recording in seconds since the first transaction began. */
  public double seconds(long nanos) {
    return (nanos - first) / 1e9;
  }

  /** How many transactions ended so in a stretch; those without an end count where they began. */
  public int count(Outcome outcome, int stretch) {
    int from = (stretch + firstStretch()) * slotsPerStretch;
    int sum = 0;
    for (int slot = from; slot < Math.min(from + slotsPerStretch, slots); slot++) {
      sum += ended[outcome.ordinal()][slot];
    }
    return sum;
  }

  /** How many transactions of a kind have a known latency in a stretch. */
  public long count(Kind kind, int stretch) {
    int[] cells = latencies[kind.ordinal()][stretch + firstStretch()];
    return cells == null ? 0 : Arrays.stream(cells).asLongStream().sum();
  }

  /** A quantile of how long transactions took, in milliseconds, to 6 %; NaN if there are none. */
  public double millis(Kind kind, int stretch, double quantile) {
    long count = count(kind, stretch);
    int[] cells = latencies[kind.ordinal()][stretch + firstStretch()];
    long left = (long) Math.ceil(quantile * count);
    for (int cell = 0; count > 0 && cell < CELLS; cell++) {
      left -= cells[cell];
      if (left <= 0 && cells[cell] > 0) {
        return millis(cell);
      }
    }
    return Double.NaN;
  }

  /**
   * How a store fared during a fault.
   *
   * @param available the share of the time in which transactions committed, from 0 to 1
   * @param perSecond transactions committed in a second
   * @param perSecondElsewhere the same while there was no fault; NaN if there always was one
   * @param silentSeconds the longest time without a commit
   */
  public record Availability(
      double available, double perSecond, double perSecondElsewhere, double silentSeconds) {}

  /** How the store fared during one of the faults; null if no transaction could have ended then. */
  public Availability during(RecordedFault fault, List<RecordedFault> all) {
    int from = Math.max(slotOf(first), slotOf(fault.begin()));
    int to = Math.min(slots, endSlot(fault));
    if (isEmpty() || from >= to) {
      return null;
    }
    int[] commits = ended[Outcome.COMMITTED.ordinal()];
    int with = 0;
    int silent = 0;
    int longest = 0;
    long committed = 0;
    for (int slot = from; slot < to; slot++) {
      with += commits[slot] > 0 ? 1 : 0;
      silent = commits[slot] > 0 ? 0 : silent + 1;
      longest = Math.max(longest, silent);
      committed += commits[slot];
    }
    double seconds = (to - from) * SLOT_NANOS / 1e9;
    return new Availability(
        (double) with / (to - from),
        committed / seconds,
        elsewhere(all),
        longest * SLOT_NANOS / 1e9);
  }

  /** The slot of a time, if it were within what was counted. */
  private int slotOf(long nanos) {
    return (int) Math.min(MAX_SLOTS, Math.max(0, (nanos - origin) / SLOT_NANOS));
  }

  /** The slot after the last one of a fault, which has at least one. */
  private int endSlot(RecordedFault fault) {
    return fault.end() == History.ABSENT
        ? slots
        : Math.max(slotOf(fault.begin()) + 1, slotOf(fault.end()));
  }

  private double elsewhere(List<RecordedFault> all) {
    boolean[] faulty = new boolean[slots];
    for (RecordedFault fault : all) {
      int from = Math.min(slots, slotOf(fault.begin()));
      Arrays.fill(faulty, from, Math.max(from, Math.min(slots, endSlot(fault))), true);
    }
    int count = 0;
    long committed = 0;
    for (int slot = slotOf(first); slot < slots; slot++) {
      count += faulty[slot] ? 0 : 1;
      committed += faulty[slot] ? 0 : ended[Outcome.COMMITTED.ordinal()][slot];
    }
    return count == 0 ? Double.NaN : committed / (count * SLOT_NANOS / 1e9);
  }
}
