package dev.assay.resolve;

import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The write behind each element of lists and sets. Elements are looked up once per trace, so that a
 * thousand reads of one list cost as much as its longest.
 */
public final class Elements {
  private final History history;

  /** Elements that were appended to a list or added to a set; see {@link #pair}. */
  private final LongIndex written = new LongIndex();

  /** The operation that wrote each pair of {@link #written}. */
  private int[] writtenBy = new int[16];

  /** How often each pair of {@link #written} was written, where that is more than once. */
  private int[] times = new int[0];

  /** An aborted write of each pair that was written more than once, where one of them aborted. */
  private final Map<Integer, Integer> abortedTwins = new HashMap<>();

  /** For each trace, the writer of each element. */
  private final int[][] writers;

  /**
   * For each trace, the first element that was never written; the length of the trace when none.
   */
  private final int[] firstThinAir;

  /** For each trace, the first element that an aborted transaction wrote. */
  private final int[] firstAborted;

  /** For each trace, the first element that was appended more than once. */
  private final int[] firstAmbiguous;

  private boolean anyAmbiguous;

  Elements(History history) {
    this.history = history;
    int traces = history.sequences().traceCount();
    this.writers = new int[traces][];
    this.firstThinAir = new int[traces];
    this.firstAborted = new int[traces];
    this.firstAmbiguous = new int[traces];
    boolean any = history.uses(OpKind.Type::hasElements);
    for (int op = 0; any && op < history.operationCount(); op++) {
      if (history.kind(op).writesElement()) {
        add(op);
      }
    }
    for (int op = 0; any && op < history.operationCount(); op++) {
      if (history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN) {
        resolve(history.sequences().trace(history.value(op)), op);
      }
    }
  }

  private void add(int op) {
    int known = written.size();
    int index = written.indexOf(pair(op, history.value(op)));
    if (index == writtenBy.length) {
      writtenBy = Arrays.copyOf(writtenBy, Math.addExact(index, index >>> 1));
    }
    writtenBy[index] = index < known ? merge(index, op) : op;
  }

  /**
   * A transaction that adds an element to a set again changes nothing, so its last addition
   * represents all. Of a committed and an aborted addition, a read is assumed to have seen the
   * committed one. A list shows every append; which of them a read shows is ambiguous, unless all
   * were rolled back.
   */
  private int merge(int index, int op) {
    int before = writtenBy[index];
    if (index >= times.length) {
      times = Arrays.copyOf(times, Math.addExact(index, index >>> 1) + 1);
    }
    times[index] = Math.max(times[index], 1) + 1;
    if (before >= 0 && isAborted(before)) {
      abortedTwins.putIfAbsent(index, before);
    } else if (isAborted(op)) {
      abortedTwins.putIfAbsent(index, op);
    }
    if (before >= 0 && isAborted(before) && isAborted(op)) {
      return before;
    }
    if (before < 0 || !isItem(op) || !isItem(before)) {
      return ReadsFrom.AMBIGUOUS;
    }
    int earlier = history.transactionOf(before);
    int later = history.transactionOf(op);
    if (earlier == later || (isAborted(before) && !isLost(later))) {
      return op;
    }
    return isAborted(op) && !isLost(earlier) ? before : ReadsFrom.AMBIGUOUS;
  }

  private boolean isItem(int op) {
    return history.kind(op).type().hasItems();
  }

  private boolean isLost(int txn) {
    return history.outcome(txn) == Outcome.INDETERMINATE;
  }

  private void resolve(int trace, int read) {
    if (writers[trace] != null) {
      return;
    }
    Sequences sequences = history.sequences();
    int[] found = new int[sequences.traceLength(trace)];
    firstThinAir[trace] = found.length;
    firstAborted[trace] = found.length;
    firstAmbiguous[trace] = found.length;
    for (int i = found.length - 1; i >= 0; i--) {
      int index = written.find(pair(read, sequences.traceElement(trace, i)));
      found[i] = index < 0 ? ReadsFrom.THIN_AIR : writtenBy[index];
      if (index < 0) {
        firstThinAir[trace] = i;
      } else if (found[i] >= 0 && isAborted(found[i])) {
        firstAborted[trace] = i;
      } else if (found[i] == ReadsFrom.AMBIGUOUS) {
        firstAmbiguous[trace] = i;
        anyAmbiguous = true;
      }
    }
    writers[trace] = found;
  }

  private boolean isAborted(int sequence, int index) {
    int write = writer(sequence, index);
    return write >= 0 && isAborted(write);
  }

  private boolean isAborted(int op) {
    return history.outcome(history.transactionOf(op)) == Outcome.ABORTED;
  }

  /**
   * An element of the list or set that an operation is about. A list and a set of the same key have
   * no element in common.
   */
  private long pair(int op, int element) {
    long object = ((long) history.key(op) << 1) | (isItem(op) ? 1 : 0);
    return (object << 32) | (element & 0xffffffffL);
  }

  /**
   * The operation that wrote an element of a list or set read, {@link ReadsFrom#THIN_AIR} when none
   * did, {@link ReadsFrom#AMBIGUOUS} when several transactions did, or one appended it repeatedly.
   */
  public int writer(int sequence, int index) {
    return writers[history.sequences().trace(sequence)][index];
  }

  /** The same for an element of a trace that some read has. */
  public int traceWriter(int trace, int index) {
    return writers[trace][index];
  }

  /** Whether what an operation appended to a list, or added to a set, was written repeatedly. */
  public boolean isRepeated(int write) {
    return times.length > 0 && timesWritten(write, history.value(write)) > 1;
  }

  /** How often an element was written to the list or set that an operation is about. */
  public int timesWritten(int op, int element) {
    int index = written.find(pair(op, element));
    return index < 0 ? 0 : index < times.length ? Math.max(times[index], 1) : 1;
  }

  /**
   * The aborted write of an element that a read shows, where another transaction wrote it too, so
   * that its writer is not known; −1 if there is none.
   */
  public int abortedTwin(int read) {
    int sequence = history.value(read);
    for (int i = 0; !abortedTwins.isEmpty() && i < history.sequences().length(sequence); i++) {
      int element = history.sequences().element(sequence, i);
      int twin = abortedTwins.getOrDefault(written.find(pair(read, element)), -1);
      if (twin >= 0 && writer(sequence, i) == ReadsFrom.AMBIGUOUS) {
        return twin;
      }
    }
    return -1;
  }

  /** The writer of the last element, {@link ReadsFrom#INITIAL} when there is none. */
  public int lastWriter(int sequence) {
    int length = history.sequences().length(sequence);
    return length == 0 ? ReadsFrom.INITIAL : writer(sequence, length - 1);
  }

  /** Whether some element was never written. */
  public boolean hasThinAir(int sequence) {
    return firstThinAir[history.sequences().trace(sequence)] < history.sequences().length(sequence);
  }

  /** Whether some read shows an element whose writer is not known. */
  public boolean hasAmbiguous() {
    return anyAmbiguous;
  }

  /** Whether the writer of some element is not known, because it was written more than once. */
  public boolean hasAmbiguous(int sequence) {
    int first = firstAmbiguous[history.sequences().trace(sequence)];
    return first < history.sequences().length(sequence);
  }

  /** The length of a sequence without what aborted transactions wrote. */
  public int lengthWithoutAborted(int sequence) {
    int length = history.sequences().length(sequence);
    int lasting = length;
    for (int i = 0; abortedWrite(sequence) >= 0 && i < length; i++) {
      lasting -= isAborted(sequence, i) ? 1 : 0;
    }
    return lasting;
  }

  /** Whether a sequence is the beginning of another, without what aborted transactions wrote. */
  public boolean isPrefixWithoutAborted(int a, int b) {
    Sequences sequences = history.sequences();
    if (sequences.isPrefix(a, b) || (abortedWrite(a) < 0 && abortedWrite(b) < 0)) {
      return sequences.isPrefix(a, b);
    }
    int at = 0;
    for (int i = 0; i < sequences.length(a); i++) {
      if (isAborted(a, i)) {
        continue;
      }
      while (at < sequences.length(b) && isAborted(b, at)) {
        at++;
      }
      if (at == sequences.length(b) || sequences.element(a, i) != sequences.element(b, at++)) {
        return false;
      }
    }
    return true;
  }

  /** The write of the first element that an aborted transaction wrote, or −1. */
  public int abortedWrite(int sequence) {
    int first = firstAborted[history.sequences().trace(sequence)];
    return first < history.sequences().length(sequence) ? writer(sequence, first) : -1;
  }
}
