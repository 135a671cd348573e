package dev.assay.check.linear;

import dev.assay.check.linear.KeyParts.Role;
import dev.assay.check.linear.KeySearch.Answer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Makes the parts of a key that have no order fewer, as long as they have none. What only reads is
 * left out. What writes becomes optional, which rules out no order, and is left out once it cannot
 * help those that remain.
 */
final class SmallestConflict {
  /** Bounds the work by what was done, not by time: equal histories have equal witnesses. */
  private static final long MAX_STEPS = 2_000_000;

  private final KeyParts parts;
  private final BooleanSupplier expired;
  private final Role[] roles;
  private long steps = MAX_STEPS;

  private SmallestConflict(KeyParts parts, BooleanSupplier expired) {
    this.parts = parts;
    this.expired = expired;
    this.roles = new Role[parts.count()];
    Arrays.fill(roles, Role.KEPT);
  }

  /** The parts of a smaller problem that has no order either. */
  static KeyParts of(KeyParts parts, BooleanSupplier expired) {
    SmallestConflict conflict = new SmallestConflict(parts, expired);
    conflict.cutEnd();
    for (int size = Integer.highestOneBit(Math.max(1, parts.count())); size > 0; size /= 2) {
      conflict.relax(size);
    }
    return conflict.useful();
  }

  /** Finds the first moment at which what had ended has no order. */
  private void cutEnd() {
    long[] ends = parts.end.clone();
    Arrays.sort(ends);
    int low = 0;
    int high = ends.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (hasNoOrder(endedBy(ends[middle]))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    Role[] ended = ends.length == 0 ? roles : endedBy(ends[low]);
    if (hasNoOrder(ended)) {
      System.arraycopy(ended, 0, roles, 0, roles.length);
    }
  }

  private Role[] endedBy(long time) {
    Role[] some = new Role[roles.length];
    for (int part = 0; part < some.length; part++) {
      if (parts.end[part] <= time) {
        some[part] = Role.KEPT;
      } else if (parts.start[part] <= time && !parts.isRead(part)) {
        some[part] = Role.RELAXED;
      }
    }
    return some;
  }

  /** Leaves out as many as it can, this many at once. */
  private void relax(int size) {
    int part = 0;
    while (part < roles.length) {
      Role[] fewer = roles.clone();
      int relaxed = 0;
      while (part < roles.length && relaxed < size) {
        if (fewer[part] == Role.KEPT) {
          fewer[part] = parts.isRead(part) ? null : Role.RELAXED;
          relaxed++;
        }
        part++;
      }
      if (relaxed > 0 && hasNoOrder(fewer)) {
        System.arraycopy(fewer, 0, roles, 0, roles.length);
      }
    }
  }

  private boolean hasNoOrder(Role[] some) {
    if (steps <= 0) {
      return false;
    }
    steps -= some.length;
    KeyParts fewer = parts.some(some);
    KeySearch search = fewer.count() == 0 ? null : new KeySearch(fewer);
    Answer answer = search == null ? Answer.ORDERED : search.run(steps, expired);
    steps -= search == null ? 0 : search.steps();
    return answer == Answer.NOT_ORDERED;
  }

  /** Without optional parts that explain nothing. */
  private KeyParts useful() {
    KeyParts fewer = parts.some(roles);
    int before = -1;
    while (fewer.count() != before) {
      before = fewer.count();
      KeyState state = KeyState.of(fewer);
      Role[] needed = new Role[before];
      for (int part = 0; part < before; part++) {
        boolean helps =
            !fewer.optional[part]
                || (state.canHelp(part)
                    && (reachesRead(fewer, state, part) || isOnlyWriter(fewer, needed, part)));
        needed[part] = helps ? Role.KEPT : null;
      }
      fewer = fewer.some(needed);
    }
    return fewer;
  }

  /** Whether no other part that is left writes the same, so that reads would lack their writer. */
  private static boolean isOnlyWriter(KeyParts few, Role[] needed, int part) {
    for (int other = 0; other < few.count(); other++) {
      boolean left = other > part || needed[other] == Role.KEPT;
      if (other != part && left && few.lastWritten(other) == few.lastWritten(part)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a read may follow a part without a write that must come between the two. */
  private static boolean reachesRead(KeyParts few, KeyState state, int part) {
    if (!state.overwrites()) {
      return true;
    }
    for (int read = 0; read < few.count(); read++) {
      if (read != part && few.beginsWithRead(read) && few.start[part] <= few.end[read]) {
        boolean hidden = false;
        for (int write = 0; !hidden && write < few.count(); write++) {
          hidden =
              !few.optional[write]
                  && !few.isRead(write)
                  && few.end[part] < few.start[write]
                  && few.end[write] < few.start[read];
        }
        if (!hidden) {
          return true;
        }
      }
    }
    return false;
  }
}
