package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Collects what monitors say of histories and the whole-history checkers do not, with the smallest
 * feed that shows each. {@code -Dassay.law.findings=FOLDER} also writes these to files.
 */
final class Law {
  /** The maximum number of feeds to shrink for one difference, and of differences to shrink. */
  private static final int SHRUNK = 1;

  private static final int SHOWN = 5;

  /** {@code -Dassay.law.parts=true} also requires that parts show what is announced. */
  private static final Set<Feed.Kind> STRICT =
      Boolean.getBoolean("assay.law.parts")
          ? EnumSet.allOf(Feed.Kind.class)
          : EnumSet.of(Feed.Kind.VERDICT, Feed.Kind.NAME);

  private static final String FOLDER = System.getProperty("assay.law.findings");

  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Feed> smallest = new TreeMap<>();
  private final Map<String, Long> open = new TreeMap<>();
  private final Map<Feed.Kind, Long> lenient = new EnumMap<>(Feed.Kind.class);
  private final Random random;
  private long decided;
  private int feeds;

  Law(long seed) {
    random = new Random(seed);
  }

  Random random() {
    return random;
  }

  /** Compares for some way in which these transactions may arrive, listed in the order they end. */
  void compare(List<Line> lines, History like) {
    compare(feed(lines, like));
  }

  /** The same where some transactions come too late. */
  void compareTooLate(List<Line> lines, History like) {
    Feed feed = feed(lines, like);
    compare(new Feed(like, feed.lines(), feed.ends(), feed.way().tooLate()));
  }

  /** The same where windows may not grow. */
  void compareInSmallWindows(List<Line> lines, History like) {
    Feed feed = feed(lines, like);
    Feed.Way way = feed.way().window(1 + random.nextInt(40));
    compare(new Feed(like, feed.lines(), feed.ends(), way));
  }

  private Feed feed(List<Line> lines, History like) {
    long delay = random.nextBoolean() ? 0 : 1 + random.nextInt(60);
    List<Line> arriving = delayed(lines, delay);
    int block =
        switch (random.nextInt(4)) {
          case 0 -> 1;
          case 1 -> arriving.size();
          default -> 1 + random.nextInt(20);
        };
    List<Integer> ends = new ArrayList<>();
    for (int end = 0; end < arriving.size(); ) {
      end = Math.min(arriving.size(), end + 1 + random.nextInt(block));
      ends.add(end);
    }
    return new Feed(like, arriving, ends, way());
  }

  private Feed.Way way() {
    int cutEvery = 1 << random.nextInt(6);
    long extra = random.nextBoolean() ? 0 : random.nextInt(100);
    long memory = random.nextInt(3) == 0 ? random.nextInt(10_000) : -1;
    int threads = random.nextInt(20) == 0 ? 2 + random.nextInt(3) : 1;
    double lag = random.nextInt(3) / 2.0;
    return new Feed.Way(cutEvery, lag, extra, 0, memory, threads);
  }

  /** Each report comes after a delay, those of a session in its order. */
  private List<Line> delayed(List<Line> lines, long most) {
    if (most == 0) {
      return lines;
    }
    record Arrival(Line line, long time) {}
    Map<Object, Long> last = new HashMap<>();
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      long end = line.time() == History.ABSENT ? 10L * i : line.time();
      long time = Math.max(end + random.nextLong(most), last.getOrDefault(line.session(), 0L));
      last.put(line.session(), time);
      arrivals.add(new Arrival(line, time));
    }
    arrivals.sort(Comparator.comparingLong(Arrival::time));
    return arrivals.stream().map(Arrival::line).toList();
  }

  void compare(Feed feed) {
    Report whole = feed.judgedAsAWhole();
    feeds++;
    decided +=
        whole.verdicts().values().stream().filter(v -> !(v instanceof Verdict.Unknown)).count();
    boolean noted = false;
    for (Feed.Difference difference : feed.differences(whole)) {
      if (difference.kind() == Feed.Kind.OPEN) {
        open.merge(difference.what().replaceAll(".*unknown: ", ""), 1L, Long::sum);
      } else if (!STRICT.contains(difference.kind()) || isByOrder(difference, feed)) {
        lenient.merge(difference.kind(), 1L, Long::sum);
      } else if (!noted) {
        // The other differences of a feed most often have the same cause.
        note(difference.what(), feed);
        noted = true;
      }
    }
  }

  /**
   * Which of several cycles is named depends on the order in which transactions are listed. With
   * several threads they come in another one than the whole has.
   */
  private static boolean isByOrder(Feed.Difference difference, Feed feed) {
    return difference.kind() == Feed.Kind.NAME && feed.way().threads() > 1;
  }

  private void note(String what, Feed feed) {
    int count = counts.merge(what, 1, Integer::sum);
    if (count <= SHRUNK && counts.size() <= SHOWN) {
      Feed part = FeedShrinker.smallest(feed, what);
      Feed known = smallest.get(what);
      if (known == null || part.text().length() < known.text().length()) {
        smallest.put(what, part);
        write(what, part);
      }
    }
  }

  private static void write(String what, Feed feed) {
    if (FOLDER != null) {
      try {
        String name = what.replaceAll("[^A-Za-z0-9-]+", "-") + ".md";
        Report whole = feed.judgedAsAWhole();
        Files.createDirectories(Path.of(FOLDER));
        Files.writeString(
            Path.of(FOLDER, name),
            "# "
                + what
                + "\n\n```\n"
                + feed.text()
                + "```\n\nThe whole: "
                + summary(whole)
                + "\n"
                + "\nAll differences: "
                + feed.differences(whole)
                + "\n");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static String summary(Report whole) {
    StringBuilder text = new StringBuilder();
    whole.verdicts().forEach((level, verdict) -> text.append(level + " " + verdict.id() + ", "));
    whole.anomalies().forEach(anomaly -> text.append(anomaly.type() + " "));
    return text.toString();
  }

  /** Requires that nothing differs, and that at most this share of verdicts stays open. */
  void assertHolds(double mostOpen) {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (what, count) -> {
          text.append(what + " (" + count + " of " + feeds + " feeds)\n");
          if (smallest.containsKey(what)) {
            text.append(smallest.get(what).text()).append('\n');
          }
        });
    assertThat(text.toString()).isEmpty();
    long left = open.values().stream().mapToLong(Long::longValue).sum();
    assertThat(left)
        .as("of %d verdicts open: %s; other differences: %s", decided, open, lenient)
        .isLessThanOrEqualTo((long) (decided * mostOpen));
  }
}
