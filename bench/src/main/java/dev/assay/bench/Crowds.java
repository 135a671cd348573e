package dev.assay.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Histories that are full of violations of one kind: on one key, on one pair of keys, in one
 * session or in one large component. A checker that lists every combination of them does not end.
 */
final class Crowds {
  private static final int READERS = 20;

  private final Path folder;

  Crowds(Path folder) {
    this.folder = folder;
  }

  /** By name, what writes a history of a number of transactions. */
  private static final Map<String, BiConsumer<Lines, Integer>> KINDS = kinds();

  static List<String> names() {
    return List.copyOf(KINDS.keySet());
  }

  /** The level to check; deciding strong levels for versions in no known order is not listing. */
  static String level(String name) {
    boolean known = name.contains("list") || name.contains("cycle") || name.endsWith("-read");
    return known ? "all" : "causal";
  }

  Path file(String name, int transactions) throws IOException {
    Path file =
        folder.resolve("crowd-" + name.replaceAll("\\W+", "-") + "-" + transactions + ".jsonl");
    if (!Files.exists(file)) {
      Lines lines = new Lines();
      KINDS.get(name).accept(lines, transactions);
      Files.write(file, lines.all);
    }
    return file;
  }

  private static Map<String, BiConsumer<Lines, Integer>> kinds() {
    Map<String, BiConsumer<Lines, Integer>> kinds = new LinkedHashMap<>();
    addReads(kinds);
    addPatterns(kinds);
    addCommitOrders(kinds);
    addCycles(kinds);
    addLists(kinds);
    addSets(kinds);
    return kinds;
  }

  /** Anomalies inside single reads, all of one key. */
  private static void addReads(Map<String, BiConsumer<Lines, Integer>> kinds) {
    kinds.put("thin-air-read", (h, n) -> h.each(n, i -> h.add(h.reader(), r("x", i + 1))));
    kinds.put(
        "aborted-read",
        (h, n) -> {
          h.each(n / 2, i -> h.aborted(0, w("x", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", i + 1)));
        });
    kinds.put(
        "intermediate-read",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", 2 * i + 1), w("x", 2 * i + 2)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", 2 * i + 1)));
        });
    kinds.put(
        "future-read", (h, n) -> h.each(n, i -> h.add(h.reader(), r("x", i + 1), w("x", i + 1))));
    kinds.put(
        "not-my-own-write",
        (h, n) -> {
          h.add(0, w("x", 0));
          h.each(n - 1, i -> h.add(h.reader(), w("x", i + 1), r("x", h.random.nextInt(i + 1))));
        });
    kinds.put(
        "non-repeatable-read",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", h.old(n / 2)), r("x", h.old(n / 2))));
        });
    kinds.put(
        "non-repeatable reads of one transaction",
        (h, n) -> {
          h.each(n - 1, i -> h.add(0, w("x", i + 1)));
          h.add(1, IntStream.range(1, n).mapToObj(i -> r("x", n - i)).toArray(String[]::new));
        });
  }

  /** Stale reads that causal order shows. */
  private static void addPatterns(Map<String, BiConsumer<Lines, Integer>> kinds) {
    kinds.put(
        "stale reads of one key",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", h.old(n / 2))));
        });
    kinds.put(
        "stale reads in one session",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1)));
          h.each(n / 2, i -> h.add(1, r("x", h.old(n / 2))));
        });
    kinds.put(
        "own writes not seen",
        (h, n) -> {
          h.add(0, w("x", 0));
          h.each(n - 1, i -> h.add(i % READERS, w("x", i + 1), w("y" + i, 1)));
          h.each(READERS, i -> h.add(i, r("x", 0)));
        });
    kinds.put(
        "initial reads",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1), w("y", i + 1)));
          h.each(READERS, i -> h.add(i + 1, r("y", n / 2)));
          h.each(n / 2, i -> h.add(h.reader(), "[\"r\",\"x\",null]"));
        });
    kinds.put(
        "fractured reads of one pair",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1), w("y", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", h.old(n / 4)), r("y", n / 4 + h.old(n / 4))));
        });
    kinds.put(
        "non-monotonic reads of one pair",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1), w("y", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("y", n / 4 + h.old(n / 4)), r("x", h.old(n / 4))));
        });
    kinds.put(
        "conflicts of read-modify-writes",
        (h, n) -> {
          h.add(0, w("x", 0));
          h.each(n / 2, i -> h.add(i % READERS, r("x", i), w("x", i + 1)));
          h.each(n / 2 - 1, i -> h.add(h.reader(), r("x", h.old(n / 2))));
        });
  }

  /** Stale reads that only commit order shows: every writer is its own session. */
  private static void addCommitOrders(Map<String, BiConsumer<Lines, Integer>> kinds) {
    kinds.put(
        "reads in two orders",
        (h, n) -> {
          h.each(n / 3, i -> h.add(1000 + i, w("x", i + 1)));
          h.each(n / 3, i -> h.add(1, r("x", i + 1)));
          h.each(n / 3, i -> h.add(2, r("x", n / 3 - i)));
        });
    kinds.put(
        "stale reads, a session each",
        (h, n) -> {
          h.each(n / 2, i -> h.add(0, w("x", i + 1)));
          h.each(n / 2, i -> h.add(1000 + i, r("x", h.old(n / 2))));
        });
    kinds.put(
        "reads of blind writers in any order",
        (h, n) -> {
          h.each(n / 2, i -> h.add(1000 + i, w("x", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", h.old(n / 2))));
        });
    kinds.put(
        "pairs of blind writers",
        (h, n) -> {
          h.each(n / 2, i -> h.add(1000 + i, w("x", i + 1), w("y", i + 1)));
          h.each(n / 2, i -> h.add(h.reader(), r("x", h.old(n / 2)), r("y", h.old(n / 2))));
        });
  }

  private static void addCycles(Map<String, BiConsumer<Lines, Integer>> kinds) {
    kinds.put(
        "causality cycles of two",
        (h, n) ->
            h.each(
                n / 2,
                i -> {
                  h.add(h.reader(), r("b" + i, 1), w("a" + i, 1));
                  h.add(h.reader(), r("a" + i, 1), w("b" + i, 1));
                }));
    kinds.put(
        "one large causality cycle",
        (h, n) ->
            h.each(n, i -> h.add(1000 + i, r("k" + (i + 1) % n, 1), w("k" + i, 1), r("hub", 1)))
                .add(0, w("hub", 1), r("k0", 1)));
    kinds.put(
        "lost updates of one version",
        (h, n) -> h.each(n, i -> h.add(h.reader(), "[\"r\",\"x\",null]", w("x", i + 1))));
    kinds.put(
        "write skews of one pair",
        (h, n) -> {
          h.add(0, w("x", 0), w("y", 0));
          h.each(
              n / 2,
              i -> {
                h.add(h.reader(), r("x", i), r("y", i), w("x", i + 1));
                h.add(h.reader(), r("x", i), r("y", i), w("y", i + 1));
              });
        });
    kinds.put(
        "long forks of one pair",
        (h, n) -> {
          h.each(n / 4, i -> h.add(0, w("x", i + 1)));
          h.each(n / 4, i -> h.add(1, w("y", i + 1)));
          h.each(
              n / 4,
              i -> {
                h.add(2000 + i, r("x", h.old(n / 8)), r("y", n / 8 + h.old(n / 8)));
                h.add(3000000 + i, r("x", n / 8 + h.old(n / 8)), r("y", h.old(n / 8)));
              });
        });
  }

  private static void addLists(Map<String, BiConsumer<Lines, Integer>> kinds) {
    kinds.put(
        "stale reads of one list",
        (h, n) -> {
          h.each(50, i -> h.add(0, append("x", i)));
          h.each(n - 50, i -> h.add(h.reader(), prefix("r", "x", h.random.nextInt(50) + 1)));
        });
    kinds.put(
        "read skews of two lists",
        (h, n) -> {
          h.each(50, i -> h.add(0, append("x", i), append("y", i)));
          h.each(
              n - 50,
              i ->
                  h.add(
                      1000 + i,
                      prefix("r", "x", h.random.nextInt(25) + 1),
                      prefix("r", "y", h.random.nextInt(25) + 26)));
        });
    kinds.put(
        "write skews of lists in one component",
        (h, n) ->
            h.each(
                    n,
                    i -> h.add(1000 + i, "[\"r\",\"k" + (i + 1) % n + "\",[]]", append("k" + i, 1)))
                .each(n, i -> h.add(0, prefix("r", "k" + i, 0).replace("[]", "[1]"))));
    kinds.put(
        "lists in two orders",
        (h, n) ->
            h.each(
                n / 4,
                i -> {
                  h.add(0, append("k" + i, 1));
                  h.add(1, append("k" + i, 2));
                  h.add(2, "[\"r\",\"k" + i + "\",[1,2]]");
                  h.add(3, "[\"r\",\"k" + i + "\",[2,1]]");
                }));
    kinds.put(
        "lists with one lost update",
        (h, n) -> {
          Map<Integer, Integer> length = new LinkedHashMap<>();
          h.each(
              n,
              i -> {
                int key = 100 * (i / 5000) + i % 100;
                int size = length.merge(key, 1, Integer::sum);
                // Keys change every 5,000 transactions, and a fresh one has nothing to lose.
                int seen = size - 1 - (i == n / 2 + 150 ? 1 : 0);
                h.timed(i % READERS, i, prefix("r", "k" + key, seen), append("k" + key, size - 1));
              });
        });
  }

  private static void addSets(Map<String, BiConsumer<Lines, Integer>> kinds) {
    kinds.put(
        "stale reads of one set",
        (h, n) -> {
          h.each(50, i -> h.add(0, "[\"add\",\"x\"," + i + "]"));
          h.each(n - 50, i -> h.add(h.reader(), prefix("rs", "x", h.random.nextInt(50) + 1)));
        });
    kinds.put(
        "forks of one set",
        (h, n) -> {
          h.each(50, i -> h.add(1000 + i, "[\"add\",\"x\"," + i + "]"));
          h.each(n - 50, i -> h.add(h.reader(), "[\"rs\",\"x\",[" + h.random.nextInt(50) + "]]"));
        });
  }

  private static String r(String key, int value) {
    return "[\"r\",\"" + key + "\"," + value + "]";
  }

  private static String w(String key, int value) {
    return "[\"w\",\"" + key + "\"," + value + "]";
  }

  private static String append(String key, int element) {
    return "[\"append\",\"" + key + "\"," + element + "]";
  }

  private static String prefix(String read, String key, int length) {
    return IntStream.range(0, length)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(",", "[\"" + read + "\",\"" + key + "\",[", "]]"));
  }

  /** A history in the making, one transaction a line. */
  private static final class Lines {
    private final List<String> all = new ArrayList<>();
    private final Random random = new Random(1);

    /** One of a few sessions. */
    int reader() {
      return 1 + random.nextInt(READERS);
    }

    /** One of the first versions, which are numbered from 1 on. */
    int old(int versions) {
      return 1 + random.nextInt(versions);
    }

    Lines each(int times, IntConsumer step) {
      IntStream.range(0, times).forEach(step);
      return this;
    }

    void add(int session, String... operations) {
      all.add("{\"session\":" + session + ",\"ops\":[" + String.join(",", operations) + "]}");
    }

    void aborted(int session, String... operations) {
      add(session, operations);
      all.add(all.remove(all.size() - 1).replace("}", ",\"outcome\":\"aborted\"}"));
    }

    /** A transaction that runs while those just before and after it do. */
    void timed(int session, int at, String... operations) {
      add(session, operations);
      String times = ",\"start\":" + 10 * at + ",\"end\":" + (10 * at + 15) + "}";
      all.add(all.remove(all.size() - 1).replace("}", times));
    }
  }
}
