package dev.assay.check.linear;

import dev.assay.check.linear.KeyParts.Role;
import dev.assay.check.linear.KeySearch.Answer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Makes the parts of a key that have no order fewer, as long as they have none. What is left out
 * either only reads, or may then have taken effect at any time or never, which never rules out an
 * order.
 */
final class SmallestConflict {
  /** Bounds the work by what was done, not by time: equal histories have equal witnesses. */
  private static final long MAX_STEPS = 20_000_000;

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

  /** Without those that no order needs. */
  private KeyParts useful() {
    KeyParts fewer = parts.some(roles);
    KeyState state = KeyState.of(fewer);
    Role[] needed = new Role[fewer.count()];
    for (int part = 0; part < needed.length; part++) {
      needed[part] = !fewer.optional[part] || state.canHelp(part) ? Role.KEPT : null;
    }
    return fewer.some(needed);
  }
}
