package dev.assay.check.linear;

import dev.assay.graph.IntList;
import dev.assay.graph.Sorted;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.HashMap;
import java.util.Map;

/**
 * A set only grows, so what must be read of it is one chain of sets: a read sees its set when
 * nothing from later in the chain is there, and as many elements are as it has.
 */
final class SetState extends GrowingState {
  private final Sequences sequences;

  /** For each element the rank of the smallest set in the chain that has it. */
  private final Map<Integer, Integer> rankOf = new HashMap<>();

  /** How often each element was added. */
  private final Map<Integer, Integer> present = new HashMap<>();

  private boolean possible = true;

  SetState(KeyParts parts) {
    super(parts);
    this.sequences = parts.history.sequences();
    rankReads();
  }

  private boolean isWrite(int i) {
    return parts.history.kind(parts.ops[i]).isWrite();
  }

  private int value(int i) {
    return parts.history.value(parts.ops[i]);
  }

  private void rankReads() {
    IntList reads = new IntList();
    for (int part = 0; part < parts.count(); part++) {
      for (int i = parts.first[part]; !parts.optional[part] && i < parts.first[part + 1]; i++) {
        if (!isWrite(i) && value(i) != Values.UNKNOWN) {
          reads.add(i);
        }
      }
    }
    int ranks = 0;
    int size = -1;
    for (int i : Sorted.by(reads.toArray(), read -> sequences.length(value(read)))) {
      if (sequences.length(value(i)) > size) {
        size = sequences.length(value(i));
        ranks++;
      }
      for (int j = 0; j < size; j++) {
        rankOf.putIfAbsent(sequences.element(value(i), j), ranks - 1);
      }
      rank[i] = ranks - 1;
      possible &= rankOf.size() == size;
    }
    openReads(ranks);
  }

  @Override
  public boolean isPossible() {
    return possible;
  }

  @Override
  boolean step(int i) {
    if (!isWrite(i)) {
      return value(i) == Values.UNKNOWN || isThere(i);
    }
    if (rankOf.getOrDefault(value(i), NO_RANK) > lowestOpen()) {
      return false;
    }
    present.merge(value(i), 1, Integer::sum);
    return true;
  }

  private boolean isThere(int i) {
    int size = sequences.length(value(i));
    if (present.size() != size || rank[i] != NO_RANK) {
      return present.size() == size;
    }
    for (int j = 0; j < size; j++) {
      if (!present.containsKey(sequences.element(value(i), j))) {
        return false;
      }
    }
    return true;
  }

  @Override
  void stepBack(int i) {
    if (isWrite(i)) {
      present.computeIfPresent(value(i), (element, times) -> times == 1 ? null : times - 1);
    }
  }

  @Override
  public boolean canHelp(int part) {
    for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
      if (isWrite(i) && rankOf.containsKey(value(i))) {
        return true;
      }
    }
    return false;
  }
}
