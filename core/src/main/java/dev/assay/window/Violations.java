package dev.assay.window;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Budget;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.explain.Minimizer;
import dev.assay.history.History;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.window.Exhibits.Exhibit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What was found in all windows. */
final class Violations {
  private static final Duration TIME_TO_SHRINK = Duration.ofSeconds(2);

  /** Maximum number of attempts to shrink what is not announced: judging must not fall behind. */
  private static final int MOST_ATTEMPTS = 60;

  private final MonitorOptions options;
  private final Exhibits exhibits;
  private final Set<Level> levels = EnumSet.noneOf(Level.class);

  /** What is in each window, by its number; none for windows without anomalies. */
  private final TreeMap<Integer, Map<AnomalyType, Total>> windows = new TreeMap<>();

  /** What is in all of them. */
  private final Map<AnomalyType, Total> totals = new EnumMap<>(AnomalyType.class);

  /** For each type what shows it; there may be more types than totals. */
  private final Map<AnomalyType, Exhibit> shown = new EnumMap<>(AnomalyType.class);

  /** For each level what showed first that it is violated. */
  private final Map<Level, Exhibit> shownFor = new EnumMap<>(Level.class);

  private final List<Exhibit> kept = new ArrayList<>();
  private final Listing listing = new Listing();

  /** All instances of an anomaly. */
  private record Total(Set<Level> violates, long count, boolean isLowerBound) {
    Total and(Total other) {
      Set<Level> both = EnumSet.copyOf(violates);
      both.addAll(other.violates);
      return new Total(both, count + other.count, isLowerBound || other.isLowerBound);
    }
  }

  Violations(MonitorOptions options, Context context) {
    this.options = options;
    this.exhibits = new Exhibits(context);
  }

  /** The levels that are violated. */
  Set<Level> levels() {
    return Collections.unmodifiableSet(levels);
  }

  /** Forgets what was counted in a window and those after it, which will be judged again. */
  void forgetSince(int window) {
    if (!windows.tailMap(window).isEmpty()) {
      windows.tailMap(window).clear();
      totals.clear();
      windows.values().forEach(this::addTotals);
    }
  }

  private void addTotals(Map<AnomalyType, Total> more) {
    more.forEach((type, total) -> totals.merge(type, total, Total::and));
  }

  /** How many instances of each anomaly there are. */
  Map<AnomalyType, Long> counts() {
    Map<AnomalyType, Long> counts = new EnumMap<>(AnomalyType.class);
    totals.forEach((type, total) -> counts.put(type, total.count));
    return counts;
  }

  /** Takes what a part of the history shows; levels that held so far are announced. */
  void found(Judge.Judgement judgement, Window window, long accepted) {
    Report part = judgement.part();
    Set<Level> fresh = EnumSet.noneOf(Level.class);
    part.verdicts().keySet().stream()
        .filter(part::violated)
        .forEach(
            level -> options.levels().stream().filter(it -> it.implies(level)).forEach(fresh::add));
    fresh.removeIf(level -> levels.contains(level) && !isDoubtful(level));
    if (fresh.isEmpty()) {
      return;
    }
    Set<Level> toShow = EnumSet.copyOf(fresh);
    levels.addAll(fresh);
    for (Anomaly anomaly : part.anomalies()) {
      Set<Level> shows = EnumSet.noneOf(Level.class);
      toShow.stream().filter(level -> violates(anomaly, level)).forEach(shows::add);
      if (!shows.isEmpty()) {
        announce(shows, anomaly.type(), show(anomaly, shows, judgement, window), accepted);
        toShow.removeAll(shows);
      }
    }
  }

  private void announce(Set<Level> fresh, AnomalyType type, Exhibit exhibit, long accepted) {
    History part = exhibits.history(exhibit);
    Report report = Assay.check(part, options.levels(), Budget.of(TIME_TO_SHRINK));
    options.listener().accept(new Violation(fresh, Set.of(type), report, lastEnd(part), accepted));
  }

  private static boolean violates(Anomaly anomaly, Level level) {
    return anomaly.violates().stream().anyMatch(level::implies);
  }

  /** Keeps a small part of the history that shows an anomaly. */
  private Exhibit show(
      Anomaly anomaly, Set<Level> violated, Judge.Judgement judgement, Window window) {
    Showing showing = new Showing(anomaly, violated, judgement.part().verdicts().keySet());
    Minimizer minimizer =
        new Minimizer(
            judgement.part().history(),
            (part, type) -> showing.isShownBy(part),
            Budget.of(TIME_TO_SHRINK));
    History part = minimizer.ofFirst(anomaly).history();
    Exhibit exhibit = exhibits.keep(showing.asked, part, window, judgement.writers());
    shown.putIfAbsent(anomaly.type(), exhibit);
    violated.forEach(level -> shownFor.put(level, exhibit));
    kept.add(exhibit);
    return exhibit;
  }

  /** Decides whether parts of the history show an anomaly, by asking as little as that takes. */
  private static final class Showing {
    private final AnomalyType type;
    private final Set<Level> toViolate;
    private final Set<Level> all;
    private int left;

    /** The levels that parts are checked for: the weakest ones if they suffice. */
    private Set<Level> asked;

    /** Whether a part was found that shows it; smaller ones are checked for the same levels. */
    private boolean isFound;

    /**
     * An anomaly.
     *
     * @param violated the levels to violate; none if nothing is announced
     * @param all the levels that it was found among
     */
    Showing(Anomaly anomaly, Set<Level> violated, Set<Level> all) {
      type = anomaly.type();
      toViolate = EnumSet.noneOf(Level.class);
      toViolate.addAll(violated);
      toViolate.retainAll(all);
      this.all = all;
      left = violated.isEmpty() ? MOST_ATTEMPTS : Integer.MAX_VALUE;
      Set<Level> against = EnumSet.noneOf(Level.class);
      against.addAll(violated.isEmpty() ? anomaly.violates() : violated);
      against.retainAll(all);
      asked = against.isEmpty() ? all : Set.copyOf(Level.minimal(against));
    }

    boolean isShownBy(History part) {
      if (left-- <= 0) {
        return false;
      }
      if (isShownBy(part, asked)) {
        return true;
      }
      if (isFound || asked == all || !isShownBy(part, all)) {
        return false;
      }
      asked = all;
      return true;
    }

    private boolean isShownBy(History part, Set<Level> levels) {
      Report report = Assay.check(part, levels, Budget.of(TIME_TO_SHRINK));
      boolean shown = report.shows(type) && toViolate.stream().allMatch(l -> isViolated(l, report));
      isFound |= shown;
      return shown;
    }

    private static boolean isViolated(Level level, Report report) {
      return report.verdicts().keySet().stream()
          .anyMatch(other -> level.implies(other) && report.violated(other));
    }
  }

  private static long lastEnd(History history) {
    long last = History.ABSENT;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      last = Math.max(last, history.end(txn));
    }
    return last;
  }

  /**
   * Counts what is before a cut and judged for good.
   *
   * @param found what was found there
   * @param before the levels that were violated before, whose anomalies are listed now and then
   * @param number the number of the window
   */
  void count(Judge judge, Judge.Judgement found, int cut, Set<Level> before, int number) {
    // What violates a level that is decided by name is shown once: to list it takes a check of its
    // own.
    Set<Level> listed = EnumSet.noneOf(Level.class);
    before.stream().filter(level -> !level.isDecidedByName()).forEach(listed::add);
    if (!listed.isEmpty()) {
      count(judge.listing(found, cut, listed, !listing.isDue(cut)), judge.window, number);
    } else if (found.part() != null) {
      count(found, judge.window, number);
    }
  }

  private void count(Judge.Judgement judgement, Window window, int number) {
    Map<AnomalyType, Total> found = new EnumMap<>(AnomalyType.class);
    for (Anomaly anomaly : judgement.part().anomalies()) {
      found.put(
          anomaly.type(),
          new Total(anomaly.violates(), anomaly.count(), anomaly.countIsLowerBound()));
      if (!shown.containsKey(anomaly.type())) {
        show(anomaly, Set.of(), judgement, window);
      }
    }
    if (!found.isEmpty()) {
      windows.put(number, found);
      addTotals(found);
    }
  }

  /** What is said about the whole: its verdicts, and the part of it that shows violations. */
  Report report(Map<Level, Verdict> verdicts) {
    History whole = exhibits.history(kept);
    List<Anomaly> anomalies = new ArrayList<>();
    for (AnomalyType type : AnomalyType.values()) {
      Exhibit exhibit = shown.get(type);
      boolean listed = exhibit != null && totals.containsKey(type);
      if (listed && !exhibits.isDoubtful(exhibit)) {
        anomaly(type, totals.get(type), exhibit, whole).ifPresent(anomalies::add);
      }
    }
    for (Level level : levels) {
      // What was announced may not be counted: its window was never settled, or grew and has other
      // names for it.
      boolean isShown = anomalies.stream().anyMatch(anomaly -> violates(anomaly, level));
      if (!isShown && shownFor.containsKey(level) && !isDoubtful(level)) {
        addAnnounced(level, whole, anomalies);
      }
    }
    anomalies.sort(Comparator.comparing(Anomaly::type));
    Map<Level, Verdict> settled = new EnumMap<>(verdicts);
    for (Level level : levels) {
      List<AnomalyType> types =
          anomalies.stream()
              .filter(anomaly -> violates(anomaly, level))
              .map(Anomaly::type)
              .toList();
      settled.put(
          level,
          isDoubtful(level)
              ? new Verdict.Unknown(
                  Verdict.Reason.AMBIGUOUS,
                  "what violates it rests on a value that was written again later")
              : new Verdict.Violated(types, "a part of the history violates it"));
    }
    return new Report(whole, settled, anomalies, List.of(), Map.of());
  }

  /** The anomaly by which a level was announced, with what is known of others of its type. */
  private void addAnnounced(Level level, History whole, List<Anomaly> anomalies) {
    Rewriting part = exhibits.part(shownFor.get(level), whole);
    Set<Level> asked = shownFor.get(level).levels();
    Assay.check(part.rewritten(), asked, Budget.unlimited()).anomalies().stream()
        .filter(anomaly -> violates(anomaly, level))
        .findFirst()
        .map(ArgumentMapper.back(part)::anomaly)
        .ifPresent(anomaly -> add(anomaly, anomalies));
  }

  private static void add(Anomaly announced, List<Anomaly> anomalies) {
    Anomaly counted =
        anomalies.stream().filter(it -> it.type() == announced.type()).findAny().orElse(announced);
    Set<Level> violates = EnumSet.copyOf(announced.violates());
    violates.addAll(counted.violates());
    List<Evidence> witnesses = new ArrayList<>(announced.witnesses());
    counted.witnesses().stream().filter(it -> !witnesses.contains(it)).forEach(witnesses::add);
    anomalies.remove(counted);
    // It may be among those that were counted.
    anomalies.add(new Anomaly(announced.type(), violates, counted.count(), true, witnesses));
  }

  private boolean isDoubtful(Level level) {
    return shownFor.containsKey(level) && exhibits.isDoubtful(shownFor.get(level));
  }

  /** An anomaly with the witnesses of its exhibit; none if others hide it there. */
  private Optional<Anomaly> anomaly(AnomalyType type, Total total, Exhibit exhibit, History whole) {
    Rewriting part = exhibits.part(exhibit, whole);
    Report report = Assay.check(part.rewritten(), exhibit.levels(), Budget.unlimited());
    return report.anomalies().stream()
        .filter(anomaly -> anomaly.type() == type)
        .findAny()
        .map(
            found ->
                new Anomaly(
                    type,
                    total.violates,
                    total.count,
                    total.isLowerBound || listing.leavesOut(type),
                    ArgumentMapper.back(part).anomaly(found).witnesses()));
  }

  // ---- states

  void save(StateOutput out) throws IOException {
    out.names(levels);
    listing.save(out);
    out.writeInt(windows.size());
    for (Map.Entry<Integer, Map<AnomalyType, Total>> window : windows.entrySet()) {
      out.writeInt(window.getKey());
      out.writeInt(window.getValue().size());
      for (Map.Entry<AnomalyType, Total> entry : window.getValue().entrySet()) {
        out.text(entry.getKey().name());
        out.names(entry.getValue().violates);
        out.writeLong(entry.getValue().count);
        out.writeBoolean(entry.getValue().isLowerBound);
      }
    }
    out.writeInt(kept.size());
    for (Exhibit exhibit : kept) {
      exhibits.save(exhibit, out);
    }
    saveShown(shown, out);
    saveShown(shownFor, out);
  }

  private <E extends Enum<E>> void saveShown(Map<E, Exhibit> map, StateOutput out)
      throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<E, Exhibit> entry : map.entrySet()) {
      out.text(entry.getKey().name());
      out.writeInt(place(entry.getValue()));
    }
  }

  /** The place of an exhibit among all; some may be equal. */
  private int place(Exhibit exhibit) {
    int place = 0;
    while (kept.get(place) != exhibit) {
      place++;
    }
    return place;
  }

  void restore(StateInput in) throws IOException {
    levels.addAll(in.names(Level.class));
    listing.restore(in);
    for (int i = in.readInt(); i > 0; i--) {
      int window = in.readInt();
      Map<AnomalyType, Total> found = new EnumMap<>(AnomalyType.class);
      for (int j = in.readInt(); j > 0; j--) {
        AnomalyType type = in.name(AnomalyType.class);
        found.put(type, new Total(in.names(Level.class), in.readLong(), in.readBoolean()));
      }
      windows.put(window, found);
      addTotals(found);
    }
    for (int i = in.readInt(); i > 0; i--) {
      kept.add(exhibits.restore(in));
    }
    restoreShown(AnomalyType.class, shown, in);
    restoreShown(Level.class, shownFor, in);
  }

  private <E extends Enum<E>> void restoreShown(Class<E> type, Map<E, Exhibit> map, StateInput in)
      throws IOException {
    for (int i = in.readInt(); i > 0; i--) {
      map.put(in.name(type), kept.get(in.readInt()));
    }
  }
}
