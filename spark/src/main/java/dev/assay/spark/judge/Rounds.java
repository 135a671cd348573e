package dev.assay.spark.judge;

import dev.assay.check.Verdict;
import dev.assay.spark.cut.Cuts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Judges windows, and joins those that decide nothing with their neighbours. */
public final class Rounds {
  /** How often windows are judged; those that decide nothing grow by three times as many others. */
  private static final int MOST = 8;

  private static final Verdict.Unknown TOO_LARGE =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "too many transactions have to be judged together");

  private static final Verdict.Unknown UNDECIDED =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "neither proven nor refuted in parts of the history");

  private final long[] samples;
  private final int sample;
  private final long largest;
  private final long context;

  /**
   * Rounds.
   *
   * @param samples positions of one in some transactions
   * @param sample in how many
   * @param largest the maximum number of transactions of a window
   * @param context about how many transactions before and after a violation decide how it is called
   */
  public Rounds(long[] samples, int sample, long largest, long context) {
    this.samples = samples;
    this.sample = sample;
    this.largest = largest;
    this.context = context;
  }

  /** Judges some windows. */
  public interface Judge {
    List<Judged> judge(Cuts cuts, boolean[] asked) throws Exception;
  }

  /** Judges all windows; the cuts that are left. */
  public Cuts run(Cuts first, Findings findings, Judge judge) throws Exception {
    Cuts cuts = first;
    boolean[] asked = new boolean[cuts.windows()];
    Arrays.fill(asked, true);
    for (int round = 0, more = 1; round < MOST; round++, more *= 3) {
      for (int number : tooLarge(cuts, asked)) {
        findings.giveUp(TOO_LARGE);
        asked[number] = false;
      }
      findings.addAll(judge.judge(cuts, asked));
      findings.allJudged();
      List<Integer> open = findings.open();
      if (open.isEmpty()) {
        return cuts;
      }
      boolean[] left = new boolean[cuts.windows() - 1];
      List<Long> begins = new ArrayList<>();
      for (int number : open) {
        begins.add(cuts.begin(number));
        int to = Math.min(left.length, number + more);
        Arrays.fill(left, Math.min(to, Math.max(0, number - more)), to, true);
      }
      findings.join(cuts, left);
      cuts = cuts.without(left);
      asked = new boolean[cuts.windows()];
      for (long begin : begins) {
        asked[cuts.window(begin)] = true;
      }
    }
    findings.giveUp(UNDECIDED);
    return cuts;
  }

  /** The same cuts without those near some windows; all of them where that makes one too large. */
  Cuts around(Cuts cuts, Set<Integer> chosen) {
    long[] sizes = sizes(cuts);
    boolean[] left = new boolean[sizes.length - 1];
    for (int window : chosen) {
      int from = window;
      for (long before = 0; from > 0 && before < context; from--) {
        before += sizes[from - 1];
      }
      int to = window;
      for (long after = 0; to < left.length && after < context; to++) {
        after += sizes[to + 1];
      }
      Arrays.fill(left, from, to, true);
    }
    Cuts wider = cuts.without(left);
    return Arrays.stream(sizes(wider)).anyMatch(size -> size > largest) ? cuts : wider;
  }

  /** The number of transactions of each window, by the samples. */
  private long[] sizes(Cuts cuts) {
    long[] sizes = new long[cuts.windows()];
    for (long position : samples) {
      sizes[cuts.window(position)] += sample;
    }
    return sizes;
  }

  /** Windows that have too many transactions. */
  private List<Integer> tooLarge(Cuts cuts, boolean[] asked) {
    long[] sizes = sizes(cuts);
    List<Integer> large = new ArrayList<>();
    for (int number = 0; number < sizes.length; number++) {
      if (asked[number] && sizes[number] > largest) {
        large.add(number);
      }
    }
    return large;
  }
}
