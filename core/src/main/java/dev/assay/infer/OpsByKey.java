package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;

/** The operations of one type, grouped by key and in file order. */
final class OpsByKey {
  private final int[] first;
  private final int[] ops;

  OpsByKey(History history, OpKind.Type type) {
    first = new int[history.keys().count() + 1];
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == type) {
        first[history.key(op) + 1]++;
      }
    }
    for (int key = 0; key + 1 < first.length; key++) {
      first[key + 1] += first[key];
    }
    ops = new int[first[first.length - 1]];
    int[] next = first.clone();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == type) {
        ops[next[history.key(op)]++] = op;
      }
    }
  }

  int keyCount() {
    return first.length - 1;
  }

  int first(int key) {
    return first[key];
  }

  int end(int key) {
    return first[key + 1];
  }

  int op(int place) {
    return ops[place];
  }
}
