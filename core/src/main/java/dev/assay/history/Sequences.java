package dev.assay.history;

import java.util.Arrays;

/**
 * The results of list and set reads. Most reads of one list are prefixes of each other, so a key's
 * longest read is stored once, as its <em>trace</em>, and each read as a length into it; a read
 * that fits no trace of its key gets a new one. Memory is thus the longest read per key plus
 * whatever disagrees with it, not the sum of all reads.
 */
public final class Sequences {
  private final int[][] traces;
  private final int[] traceOf;
  private final int[] lengths;

  private Sequences(int[][] traces, int[] traceOf, int[] lengths) {
    this.traces = traces;
    this.traceOf = traceOf;
    this.lengths = lengths;
  }

  /** Number of sequences, one for each list or set read with a known result. */
  public int count() {
    return lengths.length;
  }

  public int length(int sequence) {
    return lengths[sequence];
  }

  /** The value code of an element. */
  public int element(int sequence, int index) {
    if (index >= lengths[sequence]) {
      throw new IndexOutOfBoundsException(index);
    }
    return traces[traceOf[sequence]][index];
  }

  /** Whether a sequence holds an element. */
  public boolean contains(int sequence, int element) {
    int[] trace = traces[traceOf[sequence]];
    for (int i = 0; i < lengths[sequence]; i++) {
      if (trace[i] == element) {
        return true;
      }
    }
    return false;
  }

  /** The same of the result of a set read, whose elements are sorted by code. */
  public boolean setContains(int sequence, int element) {
    return Arrays.binarySearch(traces[traceOf[sequence]], 0, lengths[sequence], element) >= 0;
  }

  /** Two sequences with the same trace are prefixes of one another. */
  public int trace(int sequence) {
    return traceOf[sequence];
  }

  public int traceCount() {
    return traces.length;
  }

  /** The length of the longest sequence on this trace. */
  public int traceLength(int trace) {
    return traces[trace].length;
  }

  /** The value code of an element of a trace. */
  public int traceElement(int trace, int index) {
    return traces[trace][index];
  }

  /** Whether the two sequences hold the same elements in the same order. */
  public boolean same(int a, int b) {
    return lengths[a] == lengths[b] && isPrefix(a, b);
  }

  /** Whether sequence {@code a} is a prefix of sequence {@code b}. */
  public boolean isPrefix(int a, int b) {
    if (lengths[a] > lengths[b]) {
      return false;
    }
    if (traceOf[a] == traceOf[b]) {
      return true;
    }
    int[] x = traces[traceOf[a]];
    int[] y = traces[traceOf[b]];
    return Arrays.equals(x, 0, lengths[a], y, 0, lengths[a]);
  }

  static final class Builder {
    private final LongIndex keys = new LongIndex();

    /** The main trace of each key of {@link #keys} plus one; 0 if there is none yet. */
    private int[] mainTrace = new int[8];

    private int[][] traces = new int[8][];
    private int[] traceLengths = new int[8];
    private int traceCount;
    private int[] traceOf = new int[8];
    private int[] lengths = new int[8];
    private int count;

    /** Adds a read of a list; reads of one key share a trace where they agree. */
    int addList(long rawKey, int[] elements, int from, int to) {
      int index = keys.indexOf(rawKey);
      if (index == mainTrace.length) {
        mainTrace = Arrays.copyOf(mainTrace, index * 2);
      }
      int length = to - from;
      if (mainTrace[index] == 0) {
        mainTrace[index] = newTrace(elements, from, to) + 1;
        return newSequence(mainTrace[index] - 1, length);
      }
      int trace = mainTrace[index] - 1;
      int known = Math.min(length, traceLengths[trace]);
      if (!Arrays.equals(elements, from, from + known, traces[trace], 0, known)) {
        int other = newTrace(elements, from, to);
        if (length > traceLengths[trace]) {
          // A wrong early read must not force a separate trace for every later one.
          mainTrace[index] = other + 1;
        }
        return newSequence(other, length);
      }
      if (length > known) {
        extend(trace, elements, from, to);
      }
      return newSequence(trace, length);
    }

    int mainTraceLength(long rawKey) {
      int index = keys.find(rawKey);
      return index < 0 || mainTrace[index] == 0 ? 0 : traceLengths[mainTrace[index] - 1];
    }

    /** Adds a read of a list: a prefix of the key's main trace, then these elements. */
    int addList(long rawKey, int prefix, int[] elements, int from, int to) {
      if (prefix == 0) {
        return addList(rawKey, elements, from, to);
      }
      int trace = mainTrace[keys.find(rawKey)] - 1;
      int length = Math.addExact(prefix, to - from);
      int known = Math.min(length, traceLengths[trace]);
      if (Arrays.equals(elements, from, from + known - prefix, traces[trace], prefix, known)) {
        if (length > known) {
          reserve(trace, length);
          System.arraycopy(elements, from, traces[trace], prefix, to - from);
          traceLengths[trace] = length;
        }
        return newSequence(trace, length);
      }
      int[] whole = Arrays.copyOf(traces[trace], length);
      System.arraycopy(elements, from, whole, prefix, to - from);
      return addList(rawKey, whole, 0, length);
    }

    /** Adds a read of a set; the elements are sorted by code, so equal sets look equal. */
    int addSet(int[] elements, int from, int to) {
      int[] sorted = Arrays.copyOfRange(elements, from, to);
      Arrays.sort(sorted);
      return newSequence(newTrace(sorted, 0, sorted.length), sorted.length);
    }

    /** A copy of the elements of a sequence. */
    int[] elements(int sequence) {
      return Arrays.copyOf(traces[traceOf[sequence]], lengths[sequence]);
    }

    Sequences build() {
      for (int i = 0; i < traceCount; i++) {
        traces[i] = Arrays.copyOf(traces[i], traceLengths[i]);
      }
      return new Sequences(
          Arrays.copyOf(traces, traceCount),
          Arrays.copyOf(traceOf, count),
          Arrays.copyOf(lengths, count));
    }

    private void extend(int trace, int[] elements, int from, int to) {
      int length = to - from;
      reserve(trace, length);
      int known = traceLengths[trace];
      System.arraycopy(elements, from + known, traces[trace], known, length - known);
      traceLengths[trace] = length;
    }

    private void reserve(int trace, int length) {
      if (length > traces[trace].length) {
        traces[trace] = Arrays.copyOf(traces[trace], Math.max(length, length + (length >> 1)));
      }
    }

    private int newTrace(int[] elements, int from, int to) {
      if (traceCount == traces.length) {
        traces = Arrays.copyOf(traces, traceCount * 2);
        traceLengths = Arrays.copyOf(traceLengths, traceCount * 2);
      }
      traces[traceCount] = Arrays.copyOfRange(elements, from, to);
      traceLengths[traceCount] = to - from;
      return traceCount++;
    }

    private int newSequence(int trace, int length) {
      if (count == lengths.length) {
        int capacity = Math.addExact(count, Math.max(count >>> 1, 8));
        traceOf = Arrays.copyOf(traceOf, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
      }
      traceOf[count] = trace;
      lengths[count] = length;
      return count++;
    }
  }
}
