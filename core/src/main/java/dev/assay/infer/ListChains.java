package dev.assay.infer;

import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.OpsByKey;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The appends to each list in the order of its versions. The longest read of a list by a
 * transaction that counts, aborted appends left out, shows the first of them in order; those that
 * no read shows come after it, in an unknown order. Contains only appends of transactions that
 * count, each once.
 */
public final class ListChains {
  private static final int NONE = -1;

  private final History history;
  private final ReadsFrom reads;

  /** The list operations grouped by key, in file order. */
  private final Grouping operations;

  /** The appends of each key: those shown from first, those not shown from shownEnd. */
  private final int[] first;

  private final int[] shownEnd;
  private final int[] chain;

  /** The place of each append in its chain, or −1. */
  private final int[] place;

  /** For each key, its longest read, or −1. */
  private final int[] longest;

  private final BitSet repeating = new BitSet();
  private int ambiguousKey = NONE;

  ListChains(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    boolean any = history.uses(OpKind.Type.LIST);
    int keys = any ? history.keys().count() : 0;
    operations = any ? OpsByKey.of(history, OpKind.Type.LIST) : Grouping.of(0, new int[0]);
    longest = new int[keys];
    Arrays.fill(longest, NONE);
    first = new int[keys + 1];
    shownEnd = new int[keys];
    chain = new int[operations.size()];
    place = new int[any ? history.operationCount() : 0];
    Arrays.fill(place, NONE);
    for (int key = 0; key < keys; key++) {
      findAmbiguous(key);
      findLongestRead(key);
      first[key + 1] = order(key);
    }
  }

  /**
   * Looks for elements that were appended more than once in every read, including reads that
   * disagree with the longest and those of transactions that count only under some choice of
   * writers.
   */
  private void findAmbiguous(int key) {
    for (int i = operations.first(key); i < operations.end(key); i++) {
      int op = operations.item(i);
      if (isKnownRead(op)
          && reads.elements().hasAmbiguous(history.value(op))
          && history.outcome(history.transactionOf(op)) != Outcome.ABORTED) {
        ambiguousKey = key;
        return;
      }
    }
  }

  private void findLongestRead(int key) {
    int length = NONE;
    for (int i = operations.first(key); i < operations.end(key); i++) {
      int op = operations.item(i);
      if (isKnownRead(op)
          && history.sequences().length(history.value(op)) > length
          && reads.elements().lengthWithoutAborted(history.value(op)) > length
          && reads.counts(history.transactionOf(op))) {
        length = reads.elements().lengthWithoutAborted(history.value(op));
        longest[key] = op;
      }
    }
  }

  /** Fills the chain of a key and returns its end. */
  private int order(int key) {
    int end = first[key];
    int read = longest[key];
    int length = read == NONE ? 0 : history.sequences().length(history.value(read));
    for (int i = 0; i < length; i++) {
      int append = reads.elements().writer(history.value(read), i);
      boolean known = append >= 0 && reads.counts(history.transactionOf(append));
      if (known && place[append] == NONE) {
        place[append] = end;
        chain[end++] = append;
      } else if (known) {
        repeating.set(key);
      }
    }
    shownEnd[key] = end;
    int[] shown = null;
    for (int i = operations.first(key); i < operations.end(key); i++) {
      int op = operations.item(i);
      if (history.kind(op) != OpKind.APPEND
          || place[op] != NONE
          || !reads.counts(history.transactionOf(op))) {
        continue;
      }
      if (shown == null) {
        shown = sortedElements(read, length);
      }
      // An element appended twice is shown, though it is unknown by which append.
      if (Arrays.binarySearch(shown, history.value(op)) < 0) {
        place[op] = end;
        chain[end++] = op;
      }
    }
    return end;
  }

  private int[] sortedElements(int read, int length) {
    int[] elements = new int[length];
    for (int i = 0; i < length; i++) {
      elements[i] = history.sequences().element(history.value(read), i);
    }
    Arrays.sort(elements);
    return elements;
  }

  boolean isKnownRead(int op) {
    return history.kind(op) == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN;
  }

  /** Number of keys; those that are not lists have nothing. */
  public int keys() {
    return longest.length;
  }

  /** The operations on a list, in file order, are those at these places. */
  int firstOperation(int key) {
    return operations.first(key);
  }

  int endOperation(int key) {
    return operations.end(key);
  }

  int operation(int index) {
    return operations.item(index);
  }

  /** The first append that the longest read shows; see {@link #append}. */
  public int first(int key) {
    return first[key];
  }

  /** Where the appends that no read shows begin. */
  public int shownEnd(int key) {
    return shownEnd[key];
  }

  public int end(int key) {
    return first[key + 1];
  }

  /** The append at a place of the chains. */
  public int append(int index) {
    return chain[index];
  }

  /** The transaction that appended at a place of the chains. */
  public int writer(int index) {
    return history.transactionOf(chain[index]);
  }

  /** The place of an append in the chain of its key, or −1 if it has none. */
  public int place(int append) {
    return place[append];
  }

  /**
   * Whether the elements of a read identify the version it saw: not if elements repeat or the read
   * disagrees with the longest one.
   */
  public boolean identifiesVersion(int read) {
    int key = history.key(read);
    return !repeating.get(key)
        && reads
            .elements()
            .isPrefixWithoutAborted(history.value(read), history.value(longest[key]));
  }

  /** A list that shows an element which was appended more than once, or −1. */
  public int ambiguousKey() {
    return ambiguousKey;
  }

  /** The read that shows the order of a list, or −1. */
  public int longestRead(int key) {
    return longest[key];
  }
}
