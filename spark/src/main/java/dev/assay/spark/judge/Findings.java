package dev.assay.spark.judge;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LiveFacts;
import dev.assay.render.Totals;
import dev.assay.spark.cut.Cuts;
import dev.assay.spark.input.Bytes;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Scalar;
import dev.assay.spark.input.Split;
import dev.assay.spark.input.Survey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What windows showed, and what that says about the whole history. */
public final class Findings {
  private static final Duration TIME_TO_SHOW = Duration.ofSeconds(60);

  private final String file;
  private final CheckRequest request;
  private final List<Survey> surveys;
  private final Described described;
  private final Set<Level> levels;

  /** By number; windows where everything holds are not here. */
  private TreeMap<Integer, Judged> windows = new TreeMap<>();

  /** Windows that were joined since, where levels were violated. */
  private final List<Earlier> earlier = new ArrayList<>();

  /** Those of them that show what no window does now. */
  private final List<Judged> lost = new ArrayList<>();

  /** Windows that were judged once more, with others around them. */
  private final List<Judged> shown = new ArrayList<>();

  /** A window between cuts that were given up. */
  private record Earlier(Cuts cuts, Judged judged) {}

  /** Levels that were violated in some window, also in one that was joined since. */
  private final Set<Level> violated = EnumSet.noneOf(Level.class);

  private final Map<Level, Verdict.Unknown> unknown = new EnumMap<>(Level.class);

  /** Levels that some window has still to decide; at first all of them. */
  private final Set<Level> undecided;

  /** Why violations cannot be shown; null if they can. */
  private Verdict.Unknown unshown;

  /** What shows each kind of anomaly, and all of it together. */
  private final Map<AnomalyType, Exhibit> exhibits = new EnumMap<>(AnomalyType.class);

  private final Exhibit all = new Exhibit();
  private long keys;

  public Findings(
      String file,
      CheckRequest request,
      List<Survey> surveys,
      Described described,
      Set<Level> levels) {
    this.file = file;
    this.request = request;
    this.surveys = surveys;
    this.described = described;
    this.levels = levels;
    this.undecided = EnumSet.noneOf(Level.class);
    this.undecided.addAll(levels);
  }

  public void keys(long count) {
    keys = count;
  }

  /** Adds what is known of windows that were judged. */
  public void addAll(Collection<Judged> judged) {
    for (Judged one : judged) {
      windows.put(one.window, one);
      one.violated.forEach(level -> violated.add(Judged.level(level)));
      one.unknown.forEach(
          (level, why) ->
              unknown.putIfAbsent(
                  Judged.level(level),
                  new Verdict.Unknown(Verdict.Reason.valueOf(why[0]), why[1])));
    }
  }

  /** Every window was judged: levels that are open in none of them are decided. */
  void allJudged() {
    Set<Level> open = EnumSet.noneOf(Level.class);
    windows.values().forEach(one -> one.open.forEach(level -> open.add(Judged.level(level))));
    undecided.retainAll(open);
  }

  /** Windows with levels that are decided nowhere. */
  List<Integer> open() {
    List<Integer> open = new ArrayList<>();
    for (Judged one : windows.values()) {
      boolean matters =
          one.open.stream()
              .map(Judged::level)
              .anyMatch(level -> !violated.contains(level) && !unknown.containsKey(level));
      if (matters) {
        open.add(one.window);
      }
    }
    return open;
  }

  /**
   * Forgets windows that are joined with others, and numbers the rest anew.
   *
   * @param cuts those before
   * @param left which of them are given up, each after the window of its number
   */
  void join(Cuts cuts, boolean[] left) {
    TreeMap<Integer, Judged> rest = new TreeMap<>();
    int next = 0;
    for (int number = 0; number <= left.length; number++) {
      boolean joinsBefore = number > 0 && left[number - 1];
      boolean joinsAfter = number < left.length && left[number];
      if (!joinsBefore && !joinsAfter && windows.containsKey(number)) {
        rest.put(next, windows.get(number).numbered(next));
      } else if (windows.containsKey(number) && !windows.get(number).violated.isEmpty()) {
        earlier.add(new Earlier(cuts, windows.get(number)));
      }
      next += joinsAfter ? 0 : 1;
    }
    windows = rest;
  }

  /** Nothing more can be decided; what was, stays. */
  public void giveUp(Verdict.Unknown why) {
    undecided.forEach(level -> unknown.putIfAbsent(level, why));
  }

  /** What was violated by now cannot be shown. */
  public void unshown(Verdict.Unknown why) {
    unshown = why;
  }

  // ---- what shows it

  /**
   * For each kind of anomaly the smallest window that has it, by the cuts it is between, together
   * with those around it: how an anomaly is called may depend on transactions that come before or
   * after it. Where a window that was joined with others no longer decides what one of these
   * violated, that one.
   */
  public Map<Cuts, boolean[]> exhibiting(Cuts cuts, Rounds rounds) {
    Map<AnomalyType, Judged> smallest = new EnumMap<>(AnomalyType.class);
    Set<String> decided = new HashSet<>();
    for (Judged one : windows.values()) {
      decided.addAll(one.violated);
      for (AnomalyType type : one.types()) {
        Judged other = smallest.get(type);
        if (other == null || one.transactions < other.transactions) {
          smallest.put(type, one);
        }
      }
    }
    Map<Cuts, boolean[]> asked = new IdentityHashMap<>();
    Set<Integer> chosen = new TreeSet<>();
    smallest.values().forEach(one -> chosen.add(one.window));
    Cuts wider = rounds.around(cuts, chosen);
    chosen.forEach(window -> ask(asked, wider, wider.window(cuts.begin(window))));
    for (Earlier one : earlier) {
      if (decided.addAll(one.judged.violated)) {
        ask(asked, one.cuts, one.judged.window);
        lost.add(one.judged);
      }
    }
    return asked;
  }

  private static void ask(Map<Cuts, boolean[]> asked, Cuts cuts, int window) {
    asked.computeIfAbsent(cuts, c -> new boolean[c.windows()])[window] = true;
  }

  public void show(List<Judged> judged) {
    shown.addAll(judged);
    for (Judged one : judged) {
      for (AnomalyType type : one.types()) {
        byte[] exhibit = one.anomalies.get(type.id()).exhibit;
        if (exhibit != null && !exhibits.containsKey(type)) {
          exhibits.put(type, new Exhibit());
          exhibits.get(type).add(exhibit);
          all.add(exhibit);
        }
      }
    }
  }

  /** The id of a transaction: the reader of a split counts those without one from its start. */
  private Object name(long number, List<Object> sessionAndId) {
    int split = Split.of(number);
    Object session = sessionAndId.get(0);
    String prefix = text(session) + "/#";
    if (split == 0 || !(sessionAndId.get(1) instanceof String id) || !id.startsWith(prefix)) {
      return sessionAndId.get(1);
    }
    Bytes name = new Bytes(Scalar.bytes(session));
    long before = 0;
    for (Survey survey : surveys.subList(0, split)) {
      before += survey.sessions == null ? 0 : survey.sessions.getOrDefault(name, 0);
    }
    try {
      return prefix + (before + Long.parseLong(id.substring(prefix.length())));
    } catch (NumberFormatException e) {
      return id;
    }
  }

  private static String text(Object session) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.begin(builder.session(session), Outcome.COMMITTED);
    return builder.build().sessionText(0);
  }

  /** The line of a transaction: the reader of a later split has read the first line, too. */
  private long place(long number, long own) {
    int split = Split.of(number);
    boolean isOffset = surveys.isEmpty() || surveys.get(0).lines == 0;
    if (own == History.ABSENT || split == 0 || isOffset) {
      return own;
    }
    long before = surveys.subList(0, split).stream().mapToLong(survey -> survey.lines).sum();
    return own + before - 1;
  }

  // ---- the report

  private Map<Level, Verdict> verdicts(List<Anomaly> anomalies) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    for (Level level : levels) {
      if (violated.contains(level)) {
        List<AnomalyType> types =
            anomalies.stream()
                .filter(anomaly -> anomaly.violates().stream().anyMatch(level::implies))
                .map(Anomaly::type)
                .toList();
        String why = "a part of the history violates it";
        if (types.isEmpty() && unshown != null) {
          why += "; it is not shown: " + unshown.why();
        }
        verdicts.put(level, new Verdict.Violated(types, why));
      } else if (unknown.containsKey(level)) {
        verdicts.put(level, unknown.get(level));
      } else {
        verdicts.put(level, new Verdict.Holds("it holds in every part of the history"));
      }
    }
    return verdicts;
  }

  private Map<AnomalyType, Judged.Found> counted() {
    Map<AnomalyType, Judged.Found> totals = new EnumMap<>(AnomalyType.class);
    windows.values().forEach(one -> count(one, totals));
    lost.forEach(one -> count(one, totals));
    Map<AnomalyType, Judged.Found> around = new EnumMap<>(AnomalyType.class);
    shown.forEach(one -> count(one, around));
    around.forEach(totals::putIfAbsent);
    return totals;
  }

  private static void count(Judged one, Map<AnomalyType, Judged.Found> totals) {
    for (AnomalyType type : one.types()) {
      Judged.Found found = one.anomalies.get(type.id());
      Judged.Found total = totals.computeIfAbsent(type, t -> new Judged.Found());
      total.violates.addAll(found.violates);
      total.count += found.count;
      total.isLowerBound |= found.isLowerBound;
    }
  }

  /** What was found, each kind with the witnesses of the window that shows it. */
  private List<Anomaly> anomalies(History part) {
    List<Anomaly> anomalies = new ArrayList<>();
    counted()
        .forEach(
            (type, total) -> {
              if (exhibits.containsKey(type)) {
                anomaly(type, total, part).ifPresent(anomalies::add);
              }
            });
    return anomalies;
  }

  /** An anomaly as its exhibit shows it; none if others hide it there. */
  private Optional<Anomaly> anomaly(AnomalyType type, Judged.Found total, History part) {
    Rewriting own = exhibits.get(type).in(all, part);
    Report report = Assay.check(own.rewritten(), levels, Budget.of(TIME_TO_SHOW));
    Set<Level> violates = EnumSet.noneOf(Level.class);
    total.violates.forEach(level -> violates.add(Judged.level(level)));
    return report.anomalies().stream()
        .filter(anomaly -> anomaly.type() == type)
        .findAny()
        .map(
            found ->
                new Anomaly(
                    type,
                    violates,
                    total.count,
                    total.isLowerBound,
                    ArgumentMapper.back(own).anomaly(found).witnesses()));
  }

  public CheckResult result() {
    History part = all.history(described, this::name, this::place);
    List<Anomaly> anomalies = anomalies(part);
    Report report = new Report(part, verdicts(anomalies), anomalies, List.of(), Map.of());
    LiveFacts facts = new LiveFacts(totals(), null, List.of());
    return new CheckResult(
            file,
            request.filtered(report),
            request.judged(part.metadata()),
            request.survey(),
            0,
            -1)
        .forbidding(request.forbidden())
        .with(facts);
  }

  private Totals totals() {
    long[] outcomes = new long[Outcome.values().length];
    Set<Bytes> sessions = new HashSet<>();
    long operations = 0;
    for (Survey survey : surveys) {
      for (int i = 0; i < outcomes.length; i++) {
        outcomes[i] += survey.outcomes[i];
      }
      operations += survey.operations;
      if (survey.sessions != null) {
        sessions.addAll(survey.sessions.keySet());
      }
    }
    return new Totals(
        outcomes[Outcome.COMMITTED.ordinal()],
        outcomes[Outcome.ABORTED.ordinal()],
        outcomes[Outcome.INDETERMINATE.ordinal()],
        operations,
        keys,
        sessions.size());
  }
}
