package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to say which write each read saw. A history whose values are written once has exactly
 * one; where a value was written twice there is one for each choice among the possible writers.
 *
 * <p>Readings of levels.md that are settled here: the possible writers of a value are all writes of
 * it to that key by anybody, aborted ones and the reader itself included. A loader is a
 * <em>committed</em> transaction, the first of its session, that reads nothing and writes only
 * initial values (a later one may follow a read of the initial state, as in {@code r(1,0,1,1)
 * w(1,0,1,2)}, which is serializable) that began before anybody who read an initial value had
 * ended; where it wrote the key, a read of the initial value cannot be of T⊥. Any other write of an
 * initial value is one more possible writer beside T⊥, and so is a deletion, whoever made it. A
 * condition that failed on a value read any write of another value, or T⊥ if that is another. A
 * read with a version number saw a write of that value and number, or, where there is none, one of
 * the value whose number is not on record.
 */
final class Resolution {
  /** Where a value came from: a write, the virtual first transaction, or nowhere. */
  record Source(int txn, int op) {
    static final Source INITIAL = new Source(-1, -1);
    static final Source THIN_AIR = new Source(-2, -2);

    boolean isWrite() {
      return txn >= 0;
    }
  }

  private record Choice(int txn, int op, int element, List<Source> among) {}

  final SmallHistory history;

  /** Per transaction and operation; per element of a list or set read, one for a register read. */
  private final Source[][][] sources;

  /** Whether each transaction counts as committed. */
  private final boolean[] counts;

  private Resolution(SmallHistory history, Source[][][] sources) {
    this.history = history;
    this.sources = sources;
    this.counts = countsAsCommitted(history, sources);
  }

  /** All of them, at least one. */
  static List<Resolution> all(SmallHistory history) {
    List<Choice> choices = new ArrayList<>();
    Source[][][] sources = new Source[history.txns().size()][][];
    for (int t = 0; t < sources.length; t++) {
      List<Op> ops = history.txns().get(t).ops();
      sources[t] = new Source[ops.size()][];
      for (int i = 0; i < ops.size(); i++) {
        List<Integer> values = valuesRead(ops.get(i));
        sources[t][i] = new Source[values.size()];
        for (int e = 0; e < values.size(); e++) {
          choices.add(new Choice(t, i, e, candidates(history, ops.get(i), values.get(e))));
        }
      }
    }
    List<Resolution> result = new ArrayList<>();
    choose(history, sources, choices, 0, result);
    result.removeIf(Resolution::showsAnAppendTwice);
    return result;
  }

  /** Whether a list read shows an append twice although there are enough to show each once. */
  private boolean showsAnAppendTwice() {
    for (int t = 0; t < sources.length; t++) {
      for (int i = 0; i < sources[t].length; i++) {
        if (op(t, i) instanceof Op.ListRead read) {
          for (int e = 0; e < sources[t][i].length; e++) {
            int value = read.elements().get(e);
            long shown = read.elements().stream().filter(other -> other == value).count();
            boolean again =
                sources[t][i][e].isWrite() && List.of(sources[t][i]).indexOf(sources[t][i][e]) < e;
            if (again && shown <= candidates(history, read, value).size()) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  /** How many there are. */
  static long count(SmallHistory history) {
    long count = 1;
    for (Txn txn : history.txns()) {
      for (Op op : txn.ops()) {
        for (int value : valuesRead(op)) {
          count *= candidates(history, op, value).size();
        }
      }
    }
    return count;
  }

  private static void choose(
      SmallHistory history,
      Source[][][] sources,
      List<Choice> choices,
      int next,
      List<Resolution> result) {
    if (next == choices.size()) {
      Source[][][] copy = new Source[sources.length][][];
      for (int t = 0; t < copy.length; t++) {
        copy[t] = new Source[sources[t].length][];
        for (int i = 0; i < copy[t].length; i++) {
          copy[t][i] = sources[t][i].clone();
        }
      }
      result.add(new Resolution(history, copy));
      return;
    }
    Choice choice = choices.get(next);
    for (Source source : choice.among) {
      sources[choice.txn][choice.op][choice.element] = source;
      choose(history, sources, choices, next + 1, result);
    }
  }

  private static List<Integer> valuesRead(Op op) {
    if (op instanceof Op.Read read) {
      return List.of(read.value());
    }
    if (op instanceof Op.OtherRead read) {
      return List.of(read.value());
    }
    if (op instanceof Op.ListRead read) {
      return read.elements();
    }
    if (op instanceof Op.SetRead read) {
      return read.elements();
    }
    return List.of();
  }

  private static List<Source> candidates(SmallHistory history, Op read, int value) {
    int version = read instanceof Op.Read numbered ? numbered.version() : 0;
    List<Source> named = version == 0 ? List.of() : writers(history, read.key(), value, version);
    if (!named.isEmpty()) {
      return named;
    }
    List<Source> writers = new ArrayList<>();
    boolean other = read instanceof Op.OtherRead;
    boolean loaded = false;
    for (int t = 0; t < history.txns().size(); t++) {
      Txn txn = history.txns().get(t);
      for (int i = 0; i < txn.ops().size(); i++) {
        Op op = txn.ops().get(i);
        boolean possible = version == 0 || !(op instanceof Op.Write w && w.version() != 0);
        if (possible
            && op.isWrite()
            && op.key() == read.key()
            && (op.written() == value) != other) {
          writers.add(new Source(t, i));
          loaded |=
              isLoader(txn) && isFirstOfSession(history, t) && !followsInitialRead(history, txn);
        }
      }
    }
    boolean initial = other ? value != 0 : read instanceof Op.Read && value == 0;
    if (initial && !loaded) {
      writers.add(Source.INITIAL);
    }
    return writers.isEmpty() ? List.of(Source.THIN_AIR) : writers;
  }

  /** The writes of a version. */
  private static List<Source> writers(SmallHistory history, int key, int value, int version) {
    List<Source> writers = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      List<Op> ops = history.txns().get(t).ops();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.get(i).equals(new Op.Write(key, value, version))) {
          writers.add(new Source(t, i));
        }
      }
    }
    return writers;
  }

  private static boolean isFirstOfSession(SmallHistory history, int t) {
    for (int before = 0; before < t; before++) {
      if (history.txns().get(before).session() == history.txns().get(t).session()) {
        return false;
      }
    }
    return true;
  }

  private static boolean followsInitialRead(SmallHistory history, Txn loader) {
    return history.txns().stream()
        .anyMatch(
            txn ->
                txn.outcome() == Outcome.COMMITTED
                    && txn.end() < loader.start()
                    && txn.ops().stream()
                        .anyMatch(op -> op instanceof Op.Read r && r.value() == 0));
  }

  private static boolean isLoader(Txn txn) {
    return txn.outcome() == Outcome.COMMITTED
        && txn.ops().stream()
            .allMatch(op -> op instanceof Op.Write w && w.value() == 0 && w.version() == 0);
  }

  private static boolean[] countsAsCommitted(SmallHistory history, Source[][][] sources) {
    int n = sources.length;
    boolean[] counts = new boolean[n];
    for (int t = 0; t < n; t++) {
      counts[t] = history.txns().get(t).outcome() == Outcome.COMMITTED;
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int t = 0; t < n; t++) {
        for (Source[] read : sources[t]) {
          for (Source source : read) {
            boolean revived =
                counts[t]
                    && source.isWrite()
                    && !counts[source.txn]
                    && history.txns().get(source.txn).outcome() == Outcome.INDETERMINATE;
            if (revived) {
              counts[source.txn] = true;
              changed = true;
            }
          }
        }
      }
    }
    return counts;
  }

  boolean counts(int txn) {
    return counts[txn];
  }

  boolean isAborted(Source source) {
    return source.isWrite() && history.txns().get(source.txn).outcome() == Outcome.ABORTED;
  }

  Op op(int txn, int op) {
    return history.txns().get(txn).ops().get(op);
  }

  /** The sources of the elements of a read of a list or set. */
  List<Source> elements(int txn, int op) {
    return List.of(sources[txn][op]);
  }

  /**
   * The write that made the version a read of a register or list saw; null for other operations.
   */
  Source version(int txn, int op) {
    Op read = op(txn, op);
    if (read instanceof Op.Read || read instanceof Op.OtherRead) {
      return sources[txn][op][0];
    }
    if (read instanceof Op.ListRead) {
      Source[] elements = sources[txn][op];
      return elements.length == 0 ? Source.INITIAL : elements[elements.length - 1];
    }
    return null;
  }

  /** An operation, without its version number if that is of a write which another one replaced. */
  private static Op withoutOverwrittenVersion(Txn txn, int place) {
    Op op = txn.ops().get(place);
    boolean replaced =
        txn.ops().subList(place + 1, txn.ops().size()).stream()
            .anyMatch(later -> later.isWrite() && later.key() == op.key());
    return replaced && op instanceof Op.Write write ? new Op.Write(op.key(), write.value()) : op;
  }

  /**
   * The same with every operation a transaction of its own, in session and program order. What does
   * not count stays out, except that aborted writes stay as sources of aborted reads.
   */
  Resolution split() {
    List<Txn> txns = new ArrayList<>();
    int[][] place = new int[sources.length][];
    for (int t = 0; t < sources.length; t++) {
      Txn txn = history.txns().get(t);
      place[t] = new int[sources[t].length];
      for (int i = 0; i < place[t].length; i++) {
        place[t][i] = txns.size();
        boolean aborted = txn.outcome() == Outcome.ABORTED;
        if (counts[t] || aborted) {
          Outcome outcome = aborted ? Outcome.ABORTED : Outcome.COMMITTED;
          txns.add(Txn.of(txn.session(), outcome, List.of(withoutOverwrittenVersion(txn, i))));
        }
      }
    }
    Source[][][] splitSources = new Source[txns.size()][1][];
    for (int t = 0; t < sources.length; t++) {
      for (int i = 0; i < place[t].length; i++) {
        if (counts[t] || history.txns().get(t).outcome() == Outcome.ABORTED) {
          Source[] old = sources[t][i];
          Source[] moved = new Source[old.length];
          for (int e = 0; e < old.length; e++) {
            moved[e] = old[e].isWrite() ? new Source(place[old[e].txn][old[e].op], 0) : old[e];
          }
          splitSources[place[t][i]][0] = moved;
        }
      }
    }
    return new Resolution(new SmallHistory(txns), splitSources);
  }
}
