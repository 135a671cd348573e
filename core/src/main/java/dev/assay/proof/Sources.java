package dev.assay.proof;

import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** All writes that each read may have seen. */
final class Sources {
  /** The initial version, as the write behind a read. */
  static final int INITIAL = -1;

  /** Nothing that was written. */
  static final int THIN_AIR = -2;

  /** One of several writes, not chosen. */
  static final int OPEN = -3;

  private static final int[] NOTHING_WRITTEN = {THIN_AIR};

  /** What a read saw at one place; elements of lists and sets are at places from 0. */
  record Place(int op, int element) {}

  private record Written(OpKind.Type type, int key, int value) {}

  private final History history;
  private final Loaders loaders;
  private final Map<Written, IntList> writes = new HashMap<>();

  Sources(History history) {
    this.history = history;
    this.loaders = new Loaders(history);
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      if (kind.isWrite()) {
        int value = history.values().unversioned(history.value(op));
        Written what = new Written(kind.type(), history.key(op), value);
        writes.computeIfAbsent(what, w -> new IntList()).add(op);
      }
    }
  }

  /** Whether the client saw what an operation read. */
  static boolean isSeen(History history, int op) {
    return !history.kind(op).isWrite() && history.value(op) != Values.UNKNOWN;
  }

  /** How many values an operation read that name what was written; those of counters do not. */
  int count(int op) {
    if (!isSeen(history, op) || history.kind(op).type().isNumber()) {
      return 0;
    }
    boolean many = history.kind(op).readsSequence();
    return many ? history.sequences().length(history.value(op)) : 1;
  }

  /** One of the values that an operation read. */
  int value(int op, int element) {
    boolean many = history.kind(op).readsSequence();
    return many ? history.sequences().element(history.value(op), element) : history.value(op);
  }

  /**
   * All writes of what was read, and the initial state unless a loader wrote it. A read that names
   * the number of its version saw a write of that number, or else one without.
   */
  int[] candidates(int op, int element) {
    OpKind.Type type = history.kind(op).type();
    boolean other = history.isOtherRead(op);
    int value = other ? Values.UNKNOWN : history.values().unversioned(value(op, element));
    IntList found = other ? others(op) : writes.get(new Written(type, history.key(op), value));
    int named = other ? history.values().excluded(history.value(op)) : value;
    boolean initial = type == OpKind.Type.REGISTER && beginsWith(history.key(op), named) != other;
    if (!other && history.values().isVersioned(value(op, element))) {
      IntList exact = withValue(found, value(op, element));
      initial &= exact == null;
      found = exact == null ? unnumbered(found) : exact;
    }
    for (int i = 0; initial && found != null && i < found.size(); i++) {
      initial = !loads(found.get(i));
    }
    if (found == null) {
      return initial ? new int[] {INITIAL} : NOTHING_WRITTEN;
    }
    IntList all = new IntList();
    for (int i = 0; i < found.size(); i++) {
      all.add(found.get(i));
    }
    if (initial) {
      all.add(INITIAL);
    }
    return all.toArray();
  }

  /** Whether a register holds a value in the beginning, whatever the number of its version. */
  private boolean beginsWith(int key, int value) {
    int declared = history.declaredInitial(key);
    boolean same = declared != Values.UNKNOWN && history.values().unversioned(declared) == value;
    return same || history.isInitial(key, value);
  }

  /** The writes of exactly this value, number included, or null. */
  private IntList withValue(IntList writes, int value) {
    return chosen(writes, op -> history.value(op) == value);
  }

  /** The writes whose number is not on record, or null. */
  private IntList unnumbered(IntList writes) {
    return chosen(writes, op -> !history.values().isVersioned(history.value(op)));
  }

  private static IntList chosen(IntList writes, IntPredicate condition) {
    IntList chosen = new IntList();
    for (int i = 0; writes != null && i < writes.size(); i++) {
      if (condition.test(writes.get(i))) {
        chosen.add(writes.get(i));
      }
    }
    return chosen.size() == 0 ? null : chosen;
  }

  private boolean loads(int write) {
    return history.hasInitialValue(write)
        && !history.values().isVersioned(history.value(write))
        && loaders.isLoader(history.transactionOf(write));
  }

  /** The writes of other values than the one that a read did not see, or null. */
  private IntList others(int read) {
    IntList found = new IntList();
    for (int op = 0; op < history.operationCount(); op++) {
      boolean possible = history.kind(op) == OpKind.WRITE && history.key(op) == history.key(read);
      if (possible && history.values().allows(history.value(read), history.value(op))) {
        found.add(op);
      }
    }
    return found.size() == 0 ? null : found;
  }

  /** The places that may have seen one of several writes. */
  List<Place> ambiguous() {
    List<Place> places = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      for (int e = 0; e < count(op); e++) {
        if (candidates(op, e).length > 1) {
          places.add(new Place(op, e));
        }
      }
    }
    return places;
  }

  /** The write behind everything read, as far as there is one or one is chosen. */
  int[][] chosen(Map<Place, Integer> choices) {
    int[][] sources = new int[history.operationCount()][];
    for (int op = 0; op < sources.length; op++) {
      sources[op] = new int[count(op)];
      for (int e = 0; e < sources[op].length; e++) {
        int[] possible = candidates(op, e);
        sources[op][e] =
            possible.length == 1 ? possible[0] : choices.getOrDefault(new Place(op, e), OPEN);
      }
    }
    return sources;
  }
}
