package dev.assay.bench;

import dev.assay.collect.Generator;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Distribution;
import dev.assay.history.History;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Ways to find which transactions causally precede which, on the questions the weak checker asks:
 * for every read of x by t3 from t1 and every writer t2 of x between them in the order of commits,
 * does t2 precede t3? Each way runs on one thread.
 */
final class Pasts {
  private Pasts() {}

  static void print() {
    System.out.println(
        "| sessions × transactions | questions | flat clocks s | chunked clocks s | sweeps s"
            + " | entries joined | entries changed | steps swept |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    row(50, 2000, true);
    row(200, 500, true);
    row(1000, 100, true);
    // Clocks of that many sessions do not fit, and in windows they take minutes.
    row(20_000, 5, false);
  }

  private static void row(int sessions, int transactions, boolean clocks) {
    History history =
        new Generator(
                Histories.registers(sessions, transactions, 20, 10_000, Distribution.UNIFORM),
                StoreLevel.CAUSAL)
            .history();
    ReadsFrom reads = ReadsFrom.of(history);
    CausalGraph graph = new CausalGraph(history, reads);
    Questions questions = new Questions(history, reads);
    FlatClocks flat = new FlatClocks(history, graph);
    Sweeps sweeps = new Sweeps(graph, history.transactionCount());
    Timed byFlat = clocks ? Timed.of(questions, flat::answer) : Timed.NONE;
    Timed byChunks =
        clocks ? Timed.of(questions, new ChunkedClocks(history, graph)::answer) : Timed.NONE;
    Timed bySweeps = Timed.of(questions, sweeps::answer);
    if (clocks && (byFlat.answer != bySweeps.answer || byChunks.answer != bySweeps.answer)) {
      throw new IllegalStateException("the ways disagree");
    }
    System.out.printf(
        Locale.ROOT,
        "| %,d × %,d | %,d | %s | %s | %s | %s | %s | %s |%n",
        sessions,
        transactions,
        questions.count(),
        byFlat,
        byChunks,
        bySweeps,
        clocks ? millions(flat.joined()) : "–",
        clocks ? millions(flat.changed()) : "–",
        millions(sweeps.steps()));
  }

  private static String millions(long count) {
    return count / 1_000_000 + " M";
  }

  /** An answer and the CPU time of the thread that found it, which other processes do not slow. */
  private record Timed(long answer, double seconds) {
    private static final Timed NONE = new Timed(0, Double.NaN);

    static Timed of(Questions questions, ToLongFunction<Questions> way) {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long start = threads.getCurrentThreadCpuTime();
      long answer = way.applyAsLong(questions);
      return new Timed(answer, (threads.getCurrentThreadCpuTime() - start) / 1e9);
    }

    @Override
    public String toString() {
      return Double.isNaN(seconds) ? "–" : String.format(Locale.ROOT, "%.2f", seconds);
    }
  }

  /** Pairs of transactions to ask about, by the later one. */
  static final class Questions {
    private final int[] first;
    private final int[] earlier;

    Questions(History history, ReadsFrom reads) {
      int transactions = history.transactionCount();
      long[] pairs = new long[1024];
      int size = 0;
      for (KeyAccess access : reads.access()) {
        for (int k = 0; k < access.size(); k++) {
          int[] writers = new int[access.endWriter(k) - access.firstWriter(k)];
          for (int w = 0; w < writers.length; w++) {
            writers[w] = access.writer(access.firstWriter(k) + w);
          }
          Arrays.sort(writers);
          for (int r = access.firstRead(k); r < access.endRead(k); r++) {
            int reader = access.reader(r);
            int w = Arrays.binarySearch(writers, reader);
            w = (w < 0 ? -w - 1 : w) - 1;
            for (; w >= 0 && writers[w] > access.source(r); w--) {
              if (size == pairs.length) {
                pairs = Arrays.copyOf(pairs, size * 2);
              }
              pairs[size++] = ((long) reader << 32) | writers[w];
            }
          }
        }
      }
      Arrays.sort(pairs, 0, size);
      first = new int[transactions + 1];
      earlier = new int[size];
      for (int i = 0; i < size; i++) {
        earlier[i] = (int) pairs[i];
        first[(int) (pairs[i] >>> 32) + 1]++;
      }
      for (int txn = 0; txn < transactions; txn++) {
        first[txn + 1] += first[txn];
      }
    }

    int count() {
      return earlier.length;
    }

    int first(int later) {
      return first[later];
    }

    int end(int later) {
      return first[later + 1];
    }

    int earlier(int place) {
      return earlier[place];
    }
  }
}
