package dev.assay.window;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.check.weak.SplitOperations;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Judges what is before a cut of a window, by the same checkers as a whole history.
 *
 * <p>That a level holds is asked with the state carried over as the initial state, and with the
 * versions seen after the cut as the last ones. That it is violated is asked of a part of the whole
 * history: the transactions before the cut, and those they read from, reduced to the writes that
 * were read. A level for which both answers are no needs a larger window.
 */
final class Judge {
  private final Window window;
  private final Cuts cuts;
  private final Budget budget;

  Judge(Window window, Cuts cuts, Budget budget) {
    this.window = window;
    this.cuts = cuts;
    this.budget = budget;
  }

  /**
   * What is known of the transactions before a cut.
   *
   * @param part a part of the whole history, with its anomalies; null where nothing is violated
   * @param writers the transactions before the window that are in that part; their ids are −1, −2,
   *     and so on
   * @param open levels that can neither be proven nor refuted here
   * @param unknown levels that no checker can decide here
   * @param needsMore whether more transactions after the cut may help; else more from before
   */
  record Judgement(
      Report part,
      List<KeyState.Writer> writers,
      Set<Level> open,
      Map<Level, Verdict.Unknown> unknown,
      boolean needsMore) {
    /** Whether more time could have decided more. */
    boolean ranOut() {
      return unknown.values().stream().anyMatch(Verdict.Unknown::isForLack);
    }
  }

  /**
   * Judges the transactions before a cut.
   *
   * @param levels levels that are not known to be violated
   * @param violated levels that are, whose anomalies are listed
   * @param last whether nothing follows the cut
   */
  Judgement judge(int cut, Set<Level> levels, Set<Level> violated, boolean last) {
    History prefix = cut == window.size() ? window.history : prefix(cut);
    List<Chain> pins = last ? List.of() : pins(cut, prefix);
    TreeMap<Long, KeyState.Writer> writers = writers(cut);
    Set<Level> all = union(levels, violated);
    Map<Level, Verdict.Unknown> unknown = new EnumMap<>(Level.class);
    if (pins.isEmpty() && writers.isEmpty()) {
      Report report = check(prefix, all, List.of());
      report.verdicts().forEach((level, verdict) -> note(level, verdict, unknown));
      return new Judgement(report, List.of(), Set.of(), unknown, false);
    }
    Set<Level> open = EnumSet.noneOf(Level.class);
    if (!levels.isEmpty()) {
      Report proven = check(prefix, levels, pins);
      // An order that contradicts what was read is not used, so nothing would be proven with it.
      boolean contradicts = proven.shows(AnomalyType.CERTIFICATE_CONTRADICTION);
      levels.stream().filter(level -> contradicts || !proven.holds(level)).forEach(open::add);
      Level ofOperations = Level.CAUSAL_NON_TRANSACTIONAL;
      if (proven.verdicts().containsKey(ofOperations) && !isProvenByCausal(proven)) {
        open.remove(ofOperations);
        if (contradicts || !holdsForOperations(prefix, pins)) {
          open.add(ofOperations);
        }
      }
    }
    if (open.isEmpty() && violated.isEmpty()) {
      return new Judgement(null, List.of(), Set.of(), unknown, false);
    }
    Report part = check(part(cut, writers), all, List.of());
    for (Level level : Set.copyOf(open)) {
      note(level, part.verdict(level), unknown);
      if (part.violated(level) || unknown.containsKey(level)) {
        open.remove(level);
      }
    }
    boolean needsMore = false;
    if (!open.isEmpty() && !pins.isEmpty()) {
      Report unpinned = check(prefix, open, List.of());
      needsMore = open.stream().allMatch(unpinned::holds);
    }
    return new Judgement(part, List.copyOf(writers.values()), open, unknown, needsMore);
  }

  private static boolean isProvenByCausal(Report proven) {
    return proven.verdicts().containsKey(Level.CAUSAL) && proven.holds(Level.CAUSAL);
  }

  /**
   * Whether causal consistency holds for operations as transactions: that level does not use orders
   * that are given, so it is asked of these.
   */
  private boolean holdsForOperations(History prefix, List<Chain> pins) {
    History split = SplitOperations.of(prefix, ReadsFrom.of(prefix)).rewritten();
    List<Chain> ofOperations = new ArrayList<>();
    for (Chain pin : pins) {
      // Operations keep their numbers.
      int[] writes = pin.writes().stream().mapToInt(Integer::intValue).toArray();
      ofOperations.add(Chain.of(split.key(writes[0]), writes));
    }
    Report report = check(split, EnumSet.of(Level.CAUSAL), ofOperations);
    return report.holds(Level.CAUSAL) && !report.shows(AnomalyType.CERTIFICATE_CONTRADICTION);
  }

  private static void note(Level level, Verdict verdict, Map<Level, Verdict.Unknown> unknown) {
    if (verdict instanceof Verdict.Unknown reason) {
      unknown.put(level, reason);
    }
  }

  private static Set<Level> union(Set<Level> some, Set<Level> others) {
    Set<Level> all = EnumSet.noneOf(Level.class);
    all.addAll(some);
    all.addAll(others);
    return all;
  }

  private Report check(History history, Set<Level> levels, List<Chain> pins) {
    VersionCertificate certificate =
        pins.isEmpty() ? VersionCertificate.NONE : new VersionCertificate(pins, new int[0]);
    return Assay.check(
        history,
        CheckOptions.of(levels).given(new Given(Assumption.DEFAULT, certificate)).within(budget));
  }

  /** The transactions before a cut, with the initial state of the window. */
  private History prefix(int cut) {
    HistoryBuilder builder = new HistoryBuilder();
    window.context.describe(builder);
    builder.initialStateOf(window.history);
    copy(builder, cut);
    return builder.build();
  }

  private void copy(HistoryBuilder builder, int cut) {
    History history = window.history;
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < cut; txn++) {
      builder.id(copy.begin(txn), txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        copy.add(op);
      }
    }
  }

  /** The versions that are seen after a cut, or would be, as the last ones of their keys. */
  private List<Chain> pins(int cut, History prefix) {
    List<Chain> pins = new ArrayList<>();
    History history = window.history;
    if (history.uses(OpKind.Type.REGISTER)) {
      int[] last = cuts.lastVersions(cut);
      for (int txn = 0; txn < cut; txn++) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int key = history.key(op);
          if (cuts.isFinalWrite(txn, op) && last[key] != op) {
            // Operations have the same numbers there; keys may not.
            pins.add(Chain.of(prefix.key(op), op, last[key]));
          }
        }
      }
    }
    if (history.uses(OpKind.Type.LIST)) {
      int[] longest = cuts.longestReads(cut);
      for (int key = 0; key < longest.length; key++) {
        if (window.keys[key].type == OpKind.Type.LIST) {
          int[] order = cuts.elements(key, cut);
          int shown = Math.min(longest[key], order.length);
          if (order.length - shown > 1) {
            pins.add(
                Chain.of(prefix.key(order[0]), Arrays.copyOfRange(order, shown, order.length)));
          }
        }
      }
    }
    return pins;
  }

  /** Those who wrote what was carried over and is read before the cut, by their numbers. */
  private TreeMap<Long, KeyState.Writer> writers(int cut) {
    TreeMap<Long, KeyState.Writer> writers = new TreeMap<>();
    History history = window.history;
    for (int op = 0; op < endOp(cut); op++) {
      if (isCarried(op)) {
        KeyState.Writer writer = window.keys[history.key(op)].writer();
        writers.put(writer.number(), writer);
      }
    }
    return writers;
  }

  private int endOp(int cut) {
    return cut == 0 ? 0 : window.history.endOp(cut - 1);
  }

  private boolean isCarried(int op) {
    return window.history.kind(op) == OpKind.READ
        && window.history.value(op) != Values.UNKNOWN
        && window.reads.source(op) == ReadsFrom.INITIAL
        && window.keys[window.history.key(op)].writer() != null;
  }

  /** A part of the whole history; what was carried over are transactions with negative ids. */
  private History part(int cut, TreeMap<Long, KeyState.Writer> writers) {
    HistoryBuilder builder = new HistoryBuilder();
    window.context.describe(builder);
    Map<Long, List<KeyState>> written = new TreeMap<>();
    boolean[] used = new boolean[window.keys.length];
    for (int op = 0; op < endOp(cut); op++) {
      int key = window.history.key(op);
      if (!used[key] && isCarried(op)) {
        used[key] = true;
        KeyState state = window.keys[key];
        written.computeIfAbsent(state.writer().number(), n -> new ArrayList<>()).add(state);
      }
    }
    writers.forEach(
        (number, writer) -> {
          int txn =
              builder.begin(
                  builder.session(writer.session()),
                  writer.committed() ? Outcome.COMMITTED : Outcome.INDETERMINATE);
          builder.id(txn, -1 - txn);
          builder.start(txn, writer.start());
          builder.end(txn, writer.end());
          builder.position(txn, writer.position());
          builder.file(txn, writer.file());
          for (KeyState key : written.get(number)) {
            builder.write(key.key, window.context.scalars.get(key.value()));
          }
        });
    for (KeyState key : window.keys) {
      if (key.writer() == null && key.declared != null) {
        builder.initially(key.key, key.declared);
      }
    }
    copy(builder, cut);
    return builder.build();
  }
}
