package dev.assay.cli;

import dev.assay.check.Verdict;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.infer.Stats;
import dev.assay.render.CheckResult;
import dev.assay.render.Plain;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Statistics of a history for people. */
final class StatsText {
  private static final int HOTTEST = 5;
  private static final int BAR = 40;

  private final History history;
  private final Stats stats;
  private final List<OpenConstraints.Count> constraints;
  private final PrintStream out;

  /** Prepares; constraints are null where they were not asked for. */
  StatsText(
      History history, Stats stats, List<OpenConstraints.Count> constraints, PrintStream out) {
    this.history = history;
    this.stats = stats;
    this.constraints = constraints;
    this.out = out;
  }

  void print(boolean notes) {
    List<String> outcomes = new ArrayList<>();
    for (Outcome outcome : Outcome.values()) {
      outcomes.add(Plain.number(stats.outcomes(outcome)) + " " + outcome.id());
    }
    row("transactions", history.transactionCount(), String.join(", ", outcomes));
    row("sessions", history.sessionCount(), spread(stats.sessionSizes(), "transaction"));
    row("operations", history.operationCount(), kinds());
    row("keys", history.keys().count(), hottest());
    row("initial reads", stats.initialReads(), "");
    if (stats.unknownReads() > 0) {
      row("unseen reads", stats.unknownReads(), "their result never reached the client");
    }
    row("never written", stats.versionsNeverWritten(), "values read that were never written");
    row("never read", stats.versionsNeverRead(), "values written that were never read");
    row("duplicates", stats.duplicateVersions(), "values written more than once to a key");
    times();
    sizes();
    if (constraints != null) {
      constraints();
    }
    for (Map.Entry<String, String> entry : history.metadata().entrySet()) {
      if (!entry.getKey().startsWith("note.")) {
        out.println(
            "  "
                + padded(Wording.clean(entry.getKey()), 15)
                + " "
                + Wording.oneLine(entry.getValue()));
      }
    }
    if (notes) {
      for (String note : CheckResult.notesOf(history)) {
        out.println("note: " + Wording.oneLine(note));
      }
    }
  }

  private void row(String name, long number, String more) {
    String text = "  " + padded(name, 15) + " " + Plain.number(number);
    out.println(more.isEmpty() ? text : padded(text, 30) + "  " + more);
  }

  private static String spread(int[] ascending, String unit) {
    int least = Stats.percentile(ascending, 0);
    int most = Stats.percentile(ascending, 100);
    return least == most
        ? Plain.count(least, unit) + " each"
        : Plain.number(least) + " to " + Plain.count(most, unit) + " each";
  }

  private String kinds() {
    List<String> kinds = new ArrayList<>();
    for (OpKind kind : OpKind.values()) {
      if (stats.operations(kind) > 0) {
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        kinds.add(Plain.count(stats.operations(kind), name));
      }
    }
    return String.join(", ", kinds);
  }

  private String hottest() {
    List<String> keys = new ArrayList<>();
    Wording wording = new Wording(history);
    for (int key : stats.hottestKeys(HOTTEST)) {
      keys.add(wording.key(key) + " (" + Plain.number(stats.operationsOn(key)) + ")");
    }
    return keys.isEmpty() ? "" : "most used: " + String.join(", ", keys);
  }

  private void times() {
    long first = stats.firstTime();
    long last = stats.lastTime();
    if (first == History.ABSENT || last == History.ABSENT) {
      out.println("  " + padded("time", 15) + " none recorded");
    } else {
      out.println(
          "  "
              + padded("time", 15)
              + " "
              + first
              + " to "
              + last
              + ", a span of "
              + Plain.number(last - first));
    }
  }

  /** Percentiles and a histogram whose classes double in width. */
  private void sizes() {
    int[] sizes = stats.transactionSizes();
    out.println(
        "  operations per transaction: min "
            + Stats.percentile(sizes, 0)
            + ", median "
            + Stats.percentile(sizes, 50)
            + ", p90 "
            + Stats.percentile(sizes, 90)
            + ", p99 "
            + Stats.percentile(sizes, 99)
            + ", max "
            + Stats.percentile(sizes, 100));
    int[] classes = new int[33];
    int most = 0;
    for (int size : sizes) {
      most = Math.max(most, ++classes[32 - Integer.numberOfLeadingZeros(size)]);
    }
    for (int i = 0; i < classes.length; i++) {
      if (classes[i] > 0) {
        long low = i == 0 ? 0 : 1L << (i - 1);
        long high = (1L << i) - 1;
        String range = low >= high ? String.valueOf(low) : low + " to " + high;
        int bar = (int) Math.max(1, (long) classes[i] * BAR / most);
        out.println(
            "    "
                + padded(range, 14)
                + padded("#".repeat(bar), BAR)
                + "  "
                + Plain.number(classes[i]));
      }
    }
  }

  /** A table: what there is before saturation, what is open after it, and in how many parts. */
  private void constraints() {
    boolean ambiguous = constraints.stream().anyMatch(count -> count.ambiguousReads() > 0);
    String reads = ambiguous ? "   ambiguous reads" : "";
    String open = ambiguous ? "   before    open" : "";
    out.println("  constraints" + " ".repeat(24) + "pairs of writers" + reads);
    out.println(" ".repeat(39) + "before      open" + open + "    parts   largest");
    for (OpenConstraints.Count count : constraints) {
      StringBuilder line = new StringBuilder("    " + padded(count.level().id(), 33));
      line.append(number(count.pairs(), 8));
      boolean counted = count.outcome() == OpenConstraints.Outcome.COUNTED;
      line.append(counted ? number(count.openPairs(), 10) : "");
      if (ambiguous) {
        line.append(number(count.ambiguousReads(), 9));
        line.append(counted ? number(count.openReads(), 8) : "");
      }
      line.append(
          switch (count.outcome()) {
            case COUNTED -> number(count.parts(), 9) + number(count.largestPart(), 10);
            case REFUTED -> "   violated, by saturation alone";
            case UNSATURATED -> "   not saturated: too large for this heap";
            case EXPIRED -> "   " + Verdict.Unknown.TIMEOUT.why();
          });
      out.println(line);
    }
  }

  private static String number(long number, int width) {
    String text = Plain.number(number);
    return " ".repeat(Math.max(1, width - text.length())) + text;
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
