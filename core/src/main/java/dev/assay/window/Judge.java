package dev.assay.window;

import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
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
  final Window window;
  private final Cuts cuts;
  private final Budget budget;

  /** Keys whose last versions are other ones in the proofs of some levels. */
  private final Set<KeyState> unsettled = new HashSet<>();

  /**
   * A judge.
   *
   * @param budget its own: where a large cut runs out of time, a smaller one needs some
   */
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
   * @param last whether nothing follows the cut
   */
  Judgement judge(int cut, Set<Level> levels, boolean last) {
    if (levels.isEmpty()) {
      return new Judgement(null, List.of(), Set.of(), Map.of(), false);
    }
    History prefix = cut == window.size() ? window.history : prefix(cut);
    TreeMap<Long, KeyState.Writer> writers = writers(cut);
    PartCheck check =
        new PartCheck(
                prefix,
                last ? List.of() : pins(cut, prefix, false),
                () -> part(cut, writers),
                writers.isEmpty(),
                budget)
            .decidingOnly()
            .orWith(new OtherPins(cut, prefix));
    PartCheck.Answer answer = check.ask(levels);
    return new Judgement(
        answer.part(),
        answer.part() == null ? List.of() : List.copyOf(writers.values()),
        answer.open(),
        answer.unknown(),
        answer.needsMore());
  }

  /**
   * What was found before a cut, with the anomalies of levels that were known to be violated.
   *
   * @param briefly whether those that single reads show are enough
   */
  Judgement listing(Judgement judgement, int cut, Set<Level> violated, boolean briefly) {
    Set<Level> decided = EnumSet.noneOf(Level.class);
    if (judgement.part() != null) {
      decided.addAll(judgement.part().verdicts().keySet());
    }
    TreeMap<Long, KeyState.Writer> writers = writers(cut);
    // Which reads of repeated values are anomalies is a matter of all that is known.
    boolean onlyReads = briefly && decided.isEmpty() && !window.repeats();
    Report listed =
        PartCheck.list(part(cut, writers), violated, onlyReads ? null : decided, budget);
    return new Judgement(
        listed,
        List.copyOf(writers.values()),
        judgement.open(),
        judgement.unknown(),
        judgement.needsMore());
  }

  /** The keys of which nothing may be seen that was carried over, or the cut has to be undone. */
  Set<KeyState> unsettled() {
    return unsettled;
  }

  /**
   * The last versions by an order that is found to explain the transactions before the cut, where
   * the guess at them is wrong. Else the same guess would be made again, however much follows: it
   * may be about a key that is not used any more.
   */
  private final class OtherPins implements PartCheck.Orders {
    private final int cut;
    private final History prefix;
    private int[] places;

    OtherPins(int cut, History prefix) {
      this.cut = cut;
      this.prefix = prefix;
    }

    @Override
    public List<Chain> pinsBy(Level level) {
      List<Chain> seen = pins(cut, prefix, true);
      int[] order = PartCheck.operationOrder(prefix, seen, level, budget);
      if (order == null) {
        return null;
      }
      int[] guess = cuts.places();
      places = cuts.placesBy(order);
      cuts.places(places);
      List<Chain> pins = pins(cut, prefix, false);
      cuts.places(guess);
      return pins;
    }

    @Override
    public void take() {
      cuts.places(places);
    }

    @Override
    public void differ() {
      unsettled.addAll(cuts.differing(places, cut));
    }
  }

  /** The transactions before a cut, with the initial state of the window. */
  private History prefix(int cut) {
    HistoryBuilder builder = new HistoryBuilder();
    window.context.describe(builder);
    builder.initialStateOf(window.history);
    copy(builder, cut, false);
    return builder.build();
  }

  private void copy(HistoryBuilder builder, int cut, boolean withCarried) {
    History history = window.history;
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < cut; txn++) {
      builder.id(copy.begin(txn), txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (withCarried && isListCarried(op)) {
          addList(builder, op);
        } else {
          copy.add(op);
        }
      }
    }
  }

  /** Adds a read of a list, which begins with the last element that was carried over. */
  private void addList(HistoryBuilder builder, int op) {
    History history = window.history;
    KeyState key = window.keys[history.key(op)];
    int sequence = history.value(op);
    long[] elements = new long[history.sequences().length(sequence) + 1];
    elements[0] = builder.scalars().of(lastElement(key));
    for (int i = 1; i < elements.length; i++) {
      int element = history.sequences().element(sequence, i - 1);
      elements[i] = builder.scalars().of(history.values(), element);
    }
    long name = builder.scalars().of(key.key);
    builder.readElements(history.kind(op), name, elements, 0, elements.length);
  }

  private Object lastElement(KeyState key) {
    return window.context.scalars.get(key.elements()[key.size() - 1]);
  }

  /**
   * The versions that are seen after a cut, or would be, as the last ones of their keys.
   *
   * @param onlySeen whether nothing is said of versions that are not seen after the cut
   */
  private List<Chain> pins(int cut, History prefix, boolean onlySeen) {
    List<Chain> pins = new ArrayList<>();
    History history = window.history;
    if (history.uses(OpKind.Type.REGISTER)) {
      int[] last = cuts.lastVersions(cut);
      for (int txn = 0; txn < cut; txn++) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          int key = history.key(op);
          boolean replaced = cuts.isFinalWrite(txn, op) && last[key] != op;
          if (replaced && (!onlySeen || cuts.isCarriedOn(last[key], cut))) {
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
          pinElements(cut, key, longest[key], onlySeen, prefix, pins);
        }
      }
    }
    return pins;
  }

  /** Adds the order of the elements of a list that reads before the cut do not show. */
  private void pinElements(
      int cut, int key, int longest, boolean onlySeen, History prefix, List<Chain> pins) {
    int[] order = cuts.elements(key, cut);
    int from = Math.min(longest, order.length);
    int to = onlySeen ? Math.max(from, cuts.shownElements(key, cut)) : order.length;
    if (to - from > 1) {
      pins.add(Chain.of(prefix.key(order[0]), Arrays.copyOfRange(order, from, to)));
    }
    for (int i = to; to > from && i < order.length; i++) {
      pins.add(Chain.of(prefix.key(order[0]), order[to - 1], order[i]));
    }
  }

  /** Those who wrote what was carried over and is read before the cut, by their numbers. */
  private TreeMap<Long, KeyState.Writer> writers(int cut) {
    TreeMap<Long, KeyState.Writer> writers = new TreeMap<>();
    History history = window.history;
    for (int op = 0; op < endOp(cut); op++) {
      KeyState.Writer writer = carriedBy(op);
      if (writer != null) {
        writers.put(writer.number(), writer);
      }
    }
    return writers;
  }

  private int endOp(int cut) {
    return cut == 0 ? 0 : window.history.endOp(cut - 1);
  }

  /** Who wrote what was carried over and is read, or null if it is not that. */
  private KeyState.Writer carriedBy(int op) {
    KeyState key = window.keys[window.history.key(op)];
    return isCarried(op) ? key.writer() : isListCarried(op) ? key.appender() : null;
  }

  /** All reads of a list show what was carried over, or their result is not known. */
  private boolean isListCarried(int op) {
    return window.history.kind(op) == OpKind.LIST_READ
        && window.history.value(op) != Values.UNKNOWN
        && window.keys[window.history.key(op)].appender() != null;
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
    Map<Long, List<Integer>> written = new TreeMap<>();
    boolean[] used = new boolean[window.keys.length];
    for (int op = 0; op < endOp(cut); op++) {
      int key = window.history.key(op);
      KeyState.Writer writer = used[key] ? null : carriedBy(op);
      if (writer != null) {
        used[key] = true;
        written.computeIfAbsent(writer.number(), n -> new ArrayList<>()).add(op);
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
          for (int read : written.get(number)) {
            KeyState key = window.keys[window.history.key(read)];
            if (isCarried(read)) {
              builder.write(key.key, window.context.scalars.get(key.value()));
            } else {
              builder.append(key.key, lastElement(key));
            }
          }
        });
    for (KeyState key : window.keys) {
      if (key.writer() == null && key.declared != null) {
        builder.initially(key.key, key.declared);
      }
    }
    copy(builder, cut, true);
    return builder.build();
  }
}
