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
        Written what = new Written(kind.type(), history.key(op), history.value(op));
        writes.computeIfAbsent(what, w -> new IntList()).add(op);
      }
    }
  }

  /** Whether the client saw what an operation read. */
  static boolean isSeen(History history, int op) {
    return !history.kind(op).isWrite() && history.value(op) != Values.UNKNOWN;
  }

  /** How many values an operation read. */
  int count(int op) {
    if (!isSeen(history, op)) {
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

  /** All writes of what was read, and the initial state unless a loader wrote it. */
  int[] candidates(int op, int element) {
    OpKind.Type type = history.kind(op).type();
    boolean other = history.isOtherRead(op);
    IntList found =
        other ? others(op) : writes.get(new Written(type, history.key(op), value(op, element)));
    int named = other ? history.values().excluded(history.value(op)) : Values.UNKNOWN;
    boolean initial =
        other
            ? !history.isInitial(history.key(op), named)
            : type == OpKind.Type.REGISTER && history.hasInitialValue(op);
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

  private boolean loads(int write) {
    return history.hasInitialValue(write) && loaders.isLoader(history.transactionOf(write));
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
