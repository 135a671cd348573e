package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.ReadConsistency;
import dev.assay.check.ReportedChoice;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Settles levels for histories with ambiguous reads: a level holds if some choice of writers
 * satisfies it, and is violated if none does. What is violated without the ambiguous reads is
 * violated with them. The likeliest choice is tried first, all of them only when they are few.
 */
final class AmbiguousReads {
  private static final long MAX_CHOICES = 4096;
  private static final int SHOWN_KEYS = 5;

  private final Subject subject;
  private final ReadsFrom reads;
  private final History history;
  private final WeakRun without;
  private final int[] open;
  private final int[][] candidates;

  /** Prepares; {@code without} has decided the history without its ambiguous reads. */
  AmbiguousReads(Subject subject, WeakRun without) {
    this.subject = subject;
    this.reads = subject.reads();
    this.history = subject.history();
    this.without = without;
    this.open = reads.ambiguous();
    this.candidates = new int[open.length][];
    for (int i = 0; i < open.length; i++) {
      candidates[i] = reads.candidates(open[i]);
    }
  }

  void settle(Map<Level, Verdict> verdicts, List<Anomaly> anomalies, List<String> notes) {
    Set<Level> left = EnumSet.noneOf(Level.class);
    // The levels left would hold without the ambiguous reads.
    for (Level level : Level.definedByAxioms()) {
      boolean wanted = subject.levels().stream().anyMatch(l -> l.implies(level));
      if (wanted && Ledger.holds(verdicts, level)) {
        left.add(level);
      }
    }
    verdicts.values().removeIf(verdict -> verdict instanceof Verdict.Holds);
    ReportedChoice.Found found = new ReportedChoice.Found();
    Attempt likely = attempt(likeliest(), left);
    found.add(likely.anomalies);
    adopt(likely.run, left, verdicts);
    if (left.isEmpty()) {
      return;
    }
    if (choices() > MAX_CHOICES) {
      left.forEach(level -> verdicts.put(level, unknown(history, reads)));
      return;
    }
    tryAll(left, verdicts, found);
    if (!left.isEmpty() && !subject.budget().expired()) {
      Set<Level> violated = EnumSet.noneOf(Level.class);
      left.forEach(level -> violated.addAll(level.andStronger()));
      Set<Level> holding = EnumSet.noneOf(Level.class);
      for (Level level : Level.definedByAxioms()) {
        if (Ledger.holds(verdicts, level)) {
          holding.add(level);
        }
      }
      anomalies.addAll(ReportedChoice.against(violated, holding, found.all()));
      notes.add(ReadConsistency.ONE_CHOICE);
    }
  }

  /** The result under one choice of writers, read anomalies included. */
  private record Attempt(WeakRun run, List<Anomaly> anomalies) {}

  private Attempt attempt(int[] choice, Set<Level> levels) {
    ReadsFrom chosen = reads.choosing(choice);
    Set<Level> none = EnumSet.noneOf(Level.class);
    VersionOrders versions = new VersionOrders(history, chosen, subject.versions().given());
    Subject plain =
        new Subject(history, chosen, versions, subject.levels(), none, none, subject.budget());
    List<Anomaly> anomalies = new ArrayList<>(new ReadConsistency().check(plain).anomalies());
    Set<Level> violated = EnumSet.noneOf(Level.class);
    violated.addAll(subject.violated());
    anomalies.forEach(anomaly -> violated.addAll(anomaly.violates()));
    Subject own =
        new Subject(history, chosen, versions, subject.levels(), violated, none, subject.budget());
    WeakRun run = new WeakRun(own, EnumSet.copyOf(levels)).decide();
    anomalies.addAll(run.anomalies());
    return new Attempt(run, anomalies);
  }

  /** Records the levels that hold under a choice and removes them from those left. */
  private static void adopt(WeakRun run, Set<Level> left, Map<Level, Verdict> verdicts) {
    for (Level level : List.copyOf(left)) {
      if (run.holds(level)) {
        verdicts.put(level, new Verdict.Holds("some choice of writers satisfies every read"));
        left.remove(level);
      }
    }
  }

  /** For each read the latest writer before it in the first guess. */
  private int[] likeliest() {
    CommitOrder order = without.firstGuess();
    int[] choice = new int[open.length];
    for (int i = 0; i < open.length; i++) {
      int reader = order.rank(history.transactionOf(open[i]));
      int best = candidates[i][0];
      int bestRank = Integer.MIN_VALUE;
      for (int write : candidates[i]) {
        int rank = write == ReadsFrom.INITIAL ? -1 : order.rank(history.transactionOf(write));
        if (rank < reader && rank > bestRank) {
          best = write;
          bestRank = rank;
        }
      }
      choice[i] = best;
    }
    return choice;
  }

  private long choices() {
    long product = 1;
    for (int[] some : candidates) {
      product *= some.length;
      if (product > MAX_CHOICES) {
        return product;
      }
    }
    return product;
  }

  private void tryAll(Set<Level> left, Map<Level, Verdict> verdicts, ReportedChoice.Found found) {
    int[] at = new int[open.length];
    int[] choice = new int[open.length];
    do {
      if (subject.budget().expired()) {
        left.forEach(level -> verdicts.put(level, unknown(history, reads)));
        return;
      }
      for (int i = 0; i < open.length; i++) {
        choice[i] = candidates[i][at[i]];
      }
      Attempt attempt = attempt(choice, left);
      adopt(attempt.run, left, verdicts);
      found.add(attempt.anomalies);
    } while (!left.isEmpty() && advance(at));
  }

  private boolean advance(int[] at) {
    for (int i = 0; i < at.length; i++) {
      if (++at[i] < candidates[i].length) {
        return true;
      }
      at[i] = 0;
    }
    return false;
  }

  static Verdict unknown(History history, ReadsFrom reads) {
    Set<String> keys = new TreeSet<>();
    for (int read : reads.ambiguous()) {
      keys.add(history.keys().text(history.key(read)));
    }
    List<String> shown = new ArrayList<>(keys).subList(0, Math.min(SHOWN_KEYS, keys.size()));
    return new Verdict.Unknown(
        Verdict.Reason.AMBIGUOUS,
        reads.ambiguousReads()
            + " reads saw a value written more than once, on keys "
            + String.join(", ", shown)
            + (keys.size() > SHOWN_KEYS ? ", …" : ""));
  }
}
