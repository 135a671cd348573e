package dev.assay.check.linear;

import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.HashSet;
import java.util.Set;

/**
 * A list only grows, so all that was read of it are beginnings of the longest, and its length says
 * what it holds.
 */
final class ListState implements KeyState {
  private static final int ANY = -1;
  private static final int NEVER = -2;

  private final KeyParts parts;
  private final Sequences sequences;

  /** What a read of the longest list shows, of those that must take effect; or none. */
  private final int longest;

  /** For each append its element; for each read its length. */
  private final int[] value;

  private final Set<Integer> shown = new HashSet<>();
  private boolean possible = true;
  private int length;

  ListState(KeyParts parts) {
    this.parts = parts;
    this.sequences = parts.history.sequences();
    this.value = new int[parts.ops.length];
    this.longest = longest();
    for (int i = 0; longest != Values.UNKNOWN && i < sequences.length(longest); i++) {
      shown.add(sequences.element(longest, i));
    }
    for (int part = 0; part < parts.count(); part++) {
      for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
        int given = parts.history.value(parts.ops[i]);
        boolean write = parts.history.kind(parts.ops[i]).isWrite();
        value[i] = write ? given : lengthRead(given);
        possible &= write || value[i] != NEVER || parts.optional[part];
      }
    }
  }

  private int longest() {
    int found = Values.UNKNOWN;
    for (int part = 0; part < parts.count(); part++) {
      for (int i = parts.first[part]; !parts.optional[part] && i < parts.first[part + 1]; i++) {
        int result = parts.history.value(parts.ops[i]);
        if (parts.history.kind(parts.ops[i]).isWrite() || result == Values.UNKNOWN) {
          continue;
        }
        if (found == Values.UNKNOWN || sequences.length(result) > sequences.length(found)) {
          found = result;
        }
      }
    }
    return found;
  }

  /** An optional read of something else is of no use: whoever follows it is not seen either. */
  private int lengthRead(int result) {
    if (result == Values.UNKNOWN) {
      return ANY;
    }
    boolean fits = longest != Values.UNKNOWN && sequences.isPrefix(result, longest);
    return fits ? sequences.length(result) : NEVER;
  }

  @Override
  public boolean isPossible() {
    return possible;
  }

  @Override
  public boolean apply(int part) {
    int then = length;
    for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
      if (!parts.history.kind(parts.ops[i]).isWrite()) {
        if (value[i] != ANY && value[i] != then) {
          return false;
        }
      } else {
        boolean seen = longest != Values.UNKNOWN && then < sequences.length(longest);
        if (seen && sequences.element(longest, then) != value[i]) {
          return false;
        }
        then++;
      }
    }
    length = then;
    return true;
  }

  @Override
  public void undo(int part, int before) {
    length = before;
  }

  @Override
  public int code() {
    return length;
  }

  @Override
  public boolean overwrites() {
    return false;
  }

  @Override
  public boolean canHelp(int part) {
    for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
      if (parts.history.kind(parts.ops[i]).isWrite() && shown.contains(value[i])) {
        return true;
      }
    }
    return false;
  }
}
