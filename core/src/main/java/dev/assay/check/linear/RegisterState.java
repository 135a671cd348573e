package dev.assay.check.linear;

import dev.assay.history.History;
import dev.assay.history.Values;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** A register holds what was written last. */
final class RegisterState implements KeyState {
  private final KeyParts parts;

  /** For each operation its value; all names of the initial value are one. */
  private final int[] value;

  /** Reads that are known only not to have seen their value. */
  private final BitSet others = new BitSet();

  private final Set<Integer> read = new HashSet<>();
  private int now;

  RegisterState(KeyParts parts) {
    this.parts = parts;
    this.value = new int[parts.ops.length];
    this.now = parts.history.initialValue(parts.key);
    for (int i = 0; i < value.length; i++) {
      History history = parts.history;
      int op = parts.ops[i];
      boolean other = history.isOtherRead(op);
      others.set(i, other);
      value[i] =
          canonical(other ? history.values().excluded(history.value(op)) : history.value(op));
      if (!history.kind(op).isWrite()) {
        read.add(value[i]);
      }
    }
  }

  private int canonical(int code) {
    return parts.history.isInitial(parts.key, code) ? parts.history.initialValue(parts.key) : code;
  }

  @Override
  public boolean isPossible() {
    return true;
  }

  @Override
  public boolean apply(int part) {
    int then = now;
    for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
      if (parts.history.kind(parts.ops[i]).isWrite()) {
        then = value[i];
      } else if (!agrees(i, then)) {
        return false;
      }
    }
    now = then;
    return true;
  }

  private boolean agrees(int i, int then) {
    // A condition that excludes a value which does not occur excludes nothing.
    return others.get(i) ? value[i] != then : value[i] == then || value[i] == Values.UNKNOWN;
  }

  @Override
  public void undo(int part, int before) {
    now = before;
  }

  @Override
  public int code() {
    return now;
  }

  @Override
  public boolean overwrites() {
    return true;
  }

  @Override
  public boolean canHelp(int part) {
    for (int i = parts.first[part + 1] - 1; i >= parts.first[part]; i--) {
      if (parts.history.kind(parts.ops[i]).isWrite()) {
        return !others.isEmpty() || read.contains(value[i]);
      }
    }
    return false;
  }
}
