package dev.assay.window;

import dev.assay.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Leaves out of a feed what a difference does not need: blocks, transactions, operations. */
final class FeedShrinker {
  private final Predicate<Feed> shows;
  private Feed feed;

  private FeedShrinker(Feed feed, Predicate<Feed> shows) {
    this.feed = feed;
    this.shows = shows;
  }

  static Feed smallest(Feed feed, String difference) {
    return smallest(
        feed,
        part ->
            part.differences(part.judgedAsAWhole()).stream()
                .anyMatch(each -> each.what().equals(difference)));
  }

  static Feed smallest(Feed feed, Predicate<Feed> shows) {
    FeedShrinker shrinker = new FeedShrinker(feed, shows);
    shrinker.withOneThread();
    int before;
    do {
      before = shrinker.size();
      shrinker.transactions();
      shrinker.operations();
      shrinker.blocks();
    } while (shrinker.size() < before);
    return shrinker.feed;
  }

  private int size() {
    return feed.ends().size() + feed.lines().stream().mapToInt(line -> 1 + line.ops().size()).sum();
  }

  private boolean take(Feed smaller) {
    boolean taken = !smaller.lines().isEmpty() && shows.test(smaller);
    feed = taken ? smaller : feed;
    return taken;
  }

  private void withOneThread() {
    take(new Feed(feed.like(), feed.lines(), feed.ends(), feed.way().withOneThread()));
  }

  private void transactions() {
    for (int size = Math.max(1, feed.lines().size() / 2); size >= 1; size /= 2) {
      for (int from = feed.lines().size() - size; from > -size; from -= size) {
        take(without(Math.max(0, from), Math.max(0, from) + size));
      }
    }
  }

  private Feed without(int from, int to) {
    List<Line> lines = new ArrayList<>(feed.lines());
    int end = Math.min(to, lines.size());
    lines.subList(Math.min(from, end), end).clear();
    List<Integer> ends = new ArrayList<>();
    for (int each : feed.ends()) {
      int moved = each <= from ? each : Math.max(from, each - (end - from));
      if (moved > 0 && (ends.isEmpty() || ends.get(ends.size() - 1) != moved)) {
        ends.add(moved);
      }
    }
    return with(lines, ends);
  }

  private Feed with(List<Line> lines, List<Integer> ends) {
    return new Feed(feed.like(), lines, ends, feed.way());
  }

  private void operations() {
    for (int i = 0; i < feed.lines().size(); i++) {
      for (int op = feed.lines().get(i).ops().size() - 1; op >= 0; op--) {
        List<Line> lines = new ArrayList<>(feed.lines());
        List<Operation> ops = new ArrayList<>(lines.get(i).ops());
        ops.remove(op);
        lines.set(i, lines.get(i).with(ops));
        take(with(lines, feed.ends()));
      }
    }
  }

  private void blocks() {
    for (int i = feed.ends().size() - 2; i >= 0; i--) {
      List<Integer> ends = new ArrayList<>(feed.ends());
      ends.remove(i);
      take(with(feed.lines(), ends));
    }
  }
}
