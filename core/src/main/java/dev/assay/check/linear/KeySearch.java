package dev.assay.check.linear;

import static dev.assay.check.linear.KeyParts.NONE;

import dev.assay.graph.Sorted;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Searches for an order of the parts of a key that respects real time and sessions and gives every
 * result (Wing and Gong 1993), without visiting twice the same parts with the same state (Lowe
 * 2017). What may be the next part began before anything that is left has ended, so the parts left
 * among these and the state identify a situation; with few clients that is a short key.
 *
 * <p>Three rules leave out orders that are not needed. A read that agrees with the state is next:
 * it changes nothing, and all that may follow it still can, unless that is an optional part that
 * must come before it if at all. Of equal optional parts the first is next: they can be exchanged.
 * And an optional part takes effect only where another part sees it, if writes overwrite each
 * other.
 */
final class KeySearch {
  /** What a search found. */
  enum Answer {
    ORDERED,
    NOT_ORDERED,
    GAVE_UP
  }

  private static final int LOOK_AT_CLOCK = 0x3ff;

  private final KeyParts parts;
  private final KeyState state;

  /** Parts that have not taken effect, linked by start; the last index is before the first. */
  private final int[] next;

  private final int[] previous;
  private final boolean[] done;
  private final boolean[] reads;

  /** The previous optional part that does the same and can be exchanged with it, or none. */
  private final int[] twin;

  /** Parts that must take effect, by end; those before {@link #firstOpen} have. */
  private final int[] byEnd;

  private final int[] place;
  private int firstOpen;

  /** The latest start of what has taken effect; optional parts that ended before never will. */
  private long latestStart = Long.MIN_VALUE;

  /** Whether there are optional parts with an end. */
  private boolean deadlines;

  // What has taken effect, and whether nothing else could have been next.
  private final int[] taken;
  private final int[] before;
  private final long[] startBefore;
  private final boolean[] forced;
  private int depth;

  private final Visited visited = new Visited();
  private int[] situation = new int[16];
  private long steps;

  KeySearch(KeyParts parts) {
    int count = parts.count();
    this.parts = parts;
    this.state = KeyState.of(parts);
    this.next = new int[count + 1];
    this.previous = new int[count + 1];
    this.done = new boolean[count];
    this.reads = new boolean[count];
    this.twin = new int[count];
    this.place = new int[count];
    this.taken = new int[count];
    this.before = new int[count];
    this.startBefore = new long[count];
    this.forced = new boolean[count];
    int[] required = new int[count];
    int must = 0;
    int last = count;
    for (int part = 0; part < count; part++) {
      reads[part] = parts.isRead(part);
      if (parts.optional[part] && !state.canHelp(part)) {
        continue;
      }
      if (parts.optional[part]) {
        deadlines |= parts.end[part] != Long.MAX_VALUE;
      } else {
        required[must++] = part;
      }
      next[last] = part;
      previous[part] = last;
      last = part;
    }
    next[last] = count;
    previous[count] = last;
    this.byEnd = Sorted.by(Arrays.copyOf(required, must), part -> parts.end[part]);
    for (int i = 0; i < must; i++) {
      place[byEnd[i]] = i;
    }
    linkTwins();
  }

  private void linkTwins() {
    Arrays.fill(twin, NONE);
    Map<List<Integer>, Integer> last = new HashMap<>();
    for (int part = next[none()]; part != none(); part = next[part]) {
      if (isExchangeable(part)) {
        Integer earlier = last.put(parts.contents(part), part);
        twin[part] = earlier == null ? NONE : earlier;
      }
    }
  }

  private boolean isExchangeable(int part) {
    int earlier = parts.before[part];
    boolean endsChance = earlier != NONE && parts.optional[earlier];
    boolean unending = parts.optional[part] && parts.end[part] == Long.MAX_VALUE;
    return unending && parts.after[part] == NONE && !endsChance;
  }

  private int none() {
    return done.length;
  }

  /**
   * Searches until it is known, or a limit is reached.
   *
   * @param maxSteps maximum number of parts tried
   * @param expired whether the time is over
   */
  Answer run(long maxSteps, BooleanSupplier expired) {
    if (!state.isPossible()) {
      return Answer.NOT_ORDERED;
    }
    takeReads();
    int from = next[none()];
    while (firstOpen < byEnd.length) {
      if (++steps > maxSteps || ((steps & LOOK_AT_CLOCK) == 0 && expired.getAsBoolean())) {
        return Answer.GAVE_UP;
      }
      int part = takeNext(from);
      if (part == NONE) {
        part = takeBack();
        if (part == NONE) {
          return Answer.NOT_ORDERED;
        }
        from = next[part];
        continue;
      }
      int mark = depth;
      takeReads();
      boolean useful = !parts.optional[part] || depth > mark || isSeen();
      from = useful && isNew() ? next[none()] : next[takeBack()];
    }
    return Answer.ORDERED;
  }

  /** Takes a part that can be next, of those from here on, without reads taken anyway; or none. */
  private int takeNext(int from) {
    for (int part = from; part != none() && mayBegin(part); part = next[part]) {
      steps++;
      boolean tried = reads[part] && !endsChance(part);
      if (tried || !isFree(part) || followsTwin(part)) {
        continue;
      }
      int code = state.code();
      if (state.apply(part)) {
        if (parts.optional[part] && state.overwrites() && state.code() == code) {
          state.undo(part, code);
          continue;
        }
        push(part, code, false);
        return part;
      }
    }
    return NONE;
  }

  /** Whether nothing that is left had ended before a part began. */
  private boolean mayBegin(int part) {
    return firstOpen == byEnd.length || parts.start[part] <= parts.end[byEnd[firstOpen]];
  }

  /** Whether an optional part ended before something began that has taken effect. */
  private boolean isTooLate(int part) {
    return parts.optional[part] && parts.end[part] < latestStart;
  }

  /** Whether a part can be next by its session and, if it is optional, by its end. */
  private boolean isFree(int part) {
    if (isTooLate(part)) {
      return false;
    }
    int earlier = parts.before[part];
    while (earlier != NONE && parts.optional[earlier]) {
      earlier = parts.before[earlier];
    }
    if (earlier != NONE && !done[earlier]) {
      return false;
    }
    int later = parts.optional[part] ? parts.after[part] : NONE;
    while (later != NONE && parts.optional[later] && !done[later]) {
      later = parts.after[later];
    }
    return later == NONE || !done[later];
  }

  /** Whether an optional part that still can take effect could not do so after a part. */
  private boolean endsChance(int part) {
    for (int other = next[none()];
        deadlines && other != none() && mayBegin(other);
        other = next[other]) {
      boolean ends = parts.optional[other] && parts.end[other] < parts.start[part];
      if (ends && !isTooLate(other)) {
        return true;
      }
    }
    int earlier = parts.before[part];
    while (earlier != NONE && parts.optional[earlier]) {
      if (!done[earlier]) {
        return true;
      }
      earlier = parts.before[earlier];
    }
    return false;
  }

  private boolean followsTwin(int part) {
    for (int other = twin[part]; other != NONE; other = twin[other]) {
      if (!done[other] && isFree(other)) {
        return true;
      }
    }
    return false;
  }

  /** Lets all reads take effect that can. */
  private void takeReads() {
    boolean more = true;
    while (more) {
      more = false;
      for (int part = next[none()]; part != none() && mayBegin(part); part = next[part]) {
        if (reads[part] && !endsChance(part) && isFree(part)) {
          int code = state.code();
          if (state.apply(part)) {
            push(part, code, true);
            more = true;
          }
        }
      }
    }
  }

  /** Whether a part that begins with a read can be next, which sees what is there. */
  private boolean isSeen() {
    if (!state.overwrites()) {
      return true;
    }
    for (int part = next[none()]; part != none() && mayBegin(part); part = next[part]) {
      if (parts.beginsWithRead(part) && isFree(part)) {
        int code = state.code();
        if (state.apply(part)) {
          state.undo(part, code);
          return true;
        }
      }
    }
    return false;
  }

  private void push(int part, int code, boolean isForced) {
    taken[depth] = part;
    before[depth] = code;
    startBefore[depth] = latestStart;
    latestStart = Math.max(latestStart, parts.start[part]);
    forced[depth++] = isForced;
    done[part] = true;
    next[previous[part]] = next[part];
    previous[next[part]] = previous[part];
    while (firstOpen < byEnd.length && done[byEnd[firstOpen]]) {
      firstOpen++;
    }
  }

  /** Takes back the last part that was chosen, and what followed from it; none if there is none. */
  private int takeBack() {
    while (depth > 0) {
      int part = taken[--depth];
      next[previous[part]] = part;
      previous[next[part]] = part;
      done[part] = false;
      if (!parts.optional[part]) {
        firstOpen = Math.min(firstOpen, place[part]);
      }
      state.undo(part, before[depth]);
      latestStart = startBefore[depth];
      if (!forced[depth]) {
        return part;
      }
    }
    return NONE;
  }

  /** The number of parts that were tried. */
  long steps() {
    return steps;
  }

  private boolean isNew() {
    int length = 0;
    for (int part = next[none()]; part != none() && mayBegin(part); part = next[part]) {
      if (length + 2 > situation.length) {
        situation = Arrays.copyOf(situation, 2 * situation.length);
      }
      if (!isTooLate(part)) {
        situation[length++] = part;
      }
    }
    situation[length++] = state.code();
    return visited.add(situation, length);
  }
}
