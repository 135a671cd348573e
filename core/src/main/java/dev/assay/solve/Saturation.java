package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import dev.assay.graph.TopologicalOrder;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Adds every order that is forced because its opposite would close a cycle directly, and what it
 * implies, until a fixed point.
 *
 * <p>For a transaction r that read a version of s and another writer w of the key: if w committed
 * before r began, w comes before s. For two writers a and b of a key: if a's {@linkplain
 * Polygraph#versionTarget version target} precedes b's commit, a comes before b, and so do the
 * reads of a's version. Of all the writers in one lane only the last that precedes matters, because
 * the others precede that one.
 *
 * <p>Precedence is kept as clocks: for each node and lane, how far into the lane its past reaches.
 * The nodes are swept in topological order repeatedly; after the first sweep only changed nodes are
 * visited.
 */
final class Saturation {
  /** The result of saturation. */
  enum Outcome {
    DONE,
    CONTRADICTION,
    EXPIRED
  }

  private static final long ENTRIES_AT_A_TIME = 1 << 22;

  /** Number of clock entries that can be joined in the time of one search for a writer. */
  private static final int ENTRIES_A_SEARCH = 16;

  private final Polygraph problem;
  private final BooleanSupplier expired;
  private final Digraph knownBefore;
  private final Links addedBefore;

  /** The edges added; labels are the two ends of the path that forced an edge. */
  private final EdgeList added = new EdgeList();

  private Lanes lanes;
  private WritersByLane writers;
  private int width;
  private int[] clock;
  private int[] order;
  private int[] place;

  /** The last sweep in which each node is due, and in which it was processed. */
  private final int[] due;

  private final int[] changed;
  private int sweep;
  private boolean more;

  /** Whether the clock of the current node has grown since its rules were applied. */
  private boolean again;

  private int current;

  /** Clock entries to join before the next look at the budget. */
  private long untilLook;

  private int[] candidates = new int[64];

  Saturation(Polygraph problem, BooleanSupplier expired) {
    this.problem = problem;
    this.expired = expired;
    this.knownBefore = Digraph.predecessors(problem.nodes, problem.known);
    this.addedBefore = new Links(problem.nodes);
    this.due = new int[problem.nodes];
    this.changed = new int[problem.nodes];
  }

  /**
   * Adds what is forced.
   *
   * @param preferred the nodes in an order to start from
   * @param maxEntries maximum number of entries of all clocks together; beyond it nothing is added,
   *     but a topological order is still found
   */
  Outcome run(int[] preferred, long maxEntries) {
    if (!prepare(preferred)) {
      return Outcome.CONTRADICTION;
    }
    if (entries() > maxEntries) {
      return Outcome.DONE;
    }
    writers = new WritersByLane(problem, lanes);
    clock = new int[width * problem.nodes];
    Arrays.fill(clock, Polygraph.NONE);
    Arrays.fill(due, 1);
    do {
      sweep++;
      more = false;
      place = TopologicalOrder.positions(order);
      if (!sweepOnce()) {
        return Outcome.EXPIRED;
      }
      if (more) {
        order = LinkedOrder.find(order, knownBefore, addedBefore);
        if (order == null) {
          return Outcome.CONTRADICTION;
        }
      }
    } while (more);
    return Outcome.DONE;
  }

  /** Orders the nodes; false if the known edges have a cycle. */
  boolean prepare(int[] preferred) {
    order = LinkedOrder.find(preferred, knownBefore, addedBefore);
    if (order != null) {
      lanes = Lanes.of(problem, order, knownBefore);
      width = lanes.count;
    }
    return order != null;
  }

  /** An order close to the preferred one, topological for all edges added. */
  int[] startingFrom(int[] preferred) {
    return LinkedOrder.find(preferred, knownBefore, addedBefore);
  }

  /** How many entries all clocks together have, once the nodes are ordered. */
  long entries() {
    return (long) width * problem.nodes;
  }

  /** The order of the last sweep, topological for everything added. */
  int[] order() {
    return order;
  }

  EdgeList added() {
    return added;
  }

  int sweeps() {
    return sweep;
  }

  /** Whether clocks were made, so that {@link #precedes} may be asked. */
  boolean hasClocks() {
    return clock != null;
  }

  WritersByLane writers() {
    return writers;
  }

  /** How far into a lane the past of a node reaches. */
  int reached(int node, int lane) {
    return clock[node * width + lane];
  }

  /** Whether an event of a transaction (its commit or its begin) precedes a node. */
  boolean precedes(int txn, boolean commit, int node) {
    int at = commit ? lanes.commit(txn) : lanes.begin(txn);
    return clock[node * width + lanes.lane(txn)] >= at;
  }

  /** For each choice the writers that are not ruled out by precedence; null when time is up. */
  int[][] possibleSources() {
    int[][] left = new int[problem.choiceReader.length][];
    IntList possible = new IntList(8);
    for (int c = 0; c < left.length; c++) {
      if (isOver()) {
        return null;
      }
      possible.clear();
      for (int i = problem.choices.first(c); i < problem.choices.end(c); i++) {
        int version = problem.choices.item(i);
        if (isPossible(problem.choiceReader[c], version)) {
          possible.add(problem.writer[version]);
        }
      }
      left[c] = possible.toArray();
    }
    return left;
  }

  /** A version cannot have been read before it was written, nor after it was overwritten. */
  private boolean isPossible(int reader, int version) {
    int source = problem.writer[version];
    int begin = problem.begin(reader);
    boolean initial = source == Polygraph.INITIAL;
    if (!initial && precedes(reader, false, problem.commit(source))) {
      return false;
    }
    int key = problem.keyOf[version];
    untilLook -= ENTRIES_A_SEARCH * (long) (writers.endGroup(key) - writers.firstGroup(key));
    for (int g = writers.firstGroup(key); g < writers.endGroup(key); g++) {
      int last = lastSeen(g, begin, reader);
      if (last != Polygraph.NONE && last != version) {
        int commit = problem.commit(problem.writer[last]);
        if (initial || precedes(source, !problem.shape.exclusive, commit)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The paths, each from a node to another, by which a version cannot be what a reader saw. */
  EdgeList whyImpossible(int reader, int version) {
    EdgeList paths = new EdgeList();
    int source = problem.writer[version];
    int begin = problem.begin(reader);
    boolean initial = source == Polygraph.INITIAL;
    if (!initial && precedes(reader, false, problem.commit(source))) {
      paths.add(begin, problem.commit(source), 0, 0);
      return paths;
    }
    int key = problem.keyOf[version];
    for (int g = writers.firstGroup(key); g < writers.endGroup(key); g++) {
      int last = lastSeen(g, begin, reader);
      int commit = last == Polygraph.NONE ? last : problem.commit(problem.writer[last]);
      boolean other = last != Polygraph.NONE && last != version;
      if (other && (initial || precedes(source, !problem.shape.exclusive, commit))) {
        paths.add(commit, begin, 0, 0);
        if (!initial) {
          int from = problem.shape.exclusive ? problem.begin(source) : problem.commit(source);
          paths.add(from, commit, 0, 0);
        }
        return paths;
      }
    }
    return paths;
  }

  /** Checks the budget once enough entries have been visited since the last time. */
  private boolean isOver() {
    if (untilLook-- > 0) {
      return false;
    }
    untilLook = ENTRIES_AT_A_TIME;
    return expired.getAsBoolean();
  }

  private boolean sweepOnce() {
    for (int i = 0; i < order.length; i++) {
      if (isOver()) {
        return false;
      }
      current = order[i];
      if (recompute(current) || sweep == 1) {
        changed[current] = sweep;
        if (problem.isEvent(current)) {
          applyRules(problem.owner[current]);
        }
      }
    }
    return true;
  }

  /** Joins the clocks of predecessors that have changed; returns whether this one changed. */
  private boolean recompute(int node) {
    boolean all = due[node] == sweep;
    boolean grew = false;
    for (int i = knownBefore.first(node); i < knownBefore.end(node); i++) {
      int before = knownBefore.neighbour(i);
      if (all || changed[before] == sweep) {
        grew |= join(node, before);
      }
    }
    for (int e = addedBefore.first(node); e != Polygraph.NONE; e = addedBefore.next(e)) {
      int before = addedBefore.other(e);
      if (all || changed[before] == sweep) {
        grew |= join(node, before);
      }
    }
    if (sweep == 1 && problem.isEvent(node)) {
      int txn = problem.owner[node];
      int own = node * width + lanes.lane(txn);
      int at = problem.commit(txn) == node ? lanes.commit(txn) : lanes.begin(txn);
      clock[own] = Math.max(clock[own], at);
      grew = true;
    }
    return grew;
  }

  private boolean join(int node, int before) {
    int to = node * width;
    int from = before * width;
    boolean grew = false;
    untilLook -= width;
    for (int l = 0; l < width; l++) {
      if (clock[from + l] > clock[to + l]) {
        clock[to + l] = clock[from + l];
        grew = true;
      }
    }
    return grew;
  }

  private void applyRules(int txn) {
    do {
      again = false;
      if (problem.begin(txn) == current) {
        for (int i = problem.reads.first(txn); i < problem.reads.end(txn); i++) {
          orderBeforeSource(txn, problem.reads.item(i));
        }
      }
      if (problem.commit(txn) == current && problem.shape.readsFirst) {
        for (int i = problem.writes.first(txn); i < problem.writes.end(txn); i++) {
          orderBeforeWriter(txn, problem.keyOf[problem.writes.item(i)]);
        }
      }
    } while (again);
  }

  /** Writers of the key that committed before this read began come before what it read. */
  private void orderBeforeSource(int reader, int version) {
    int source = problem.writer[version];
    boolean initial = source == Polygraph.INITIAL;
    if (initial && problem.shape.readsFirst) {
      return;
    }
    int key = problem.keyOf[version];
    untilLook -= writers.endGroup(key) - writers.firstGroup(key);
    // Nothing precedes the initial version: this closes a cycle.
    int target = initial ? Polygraph.NONE : problem.versionTarget(source);
    for (int g = writers.firstGroup(key); g < writers.endGroup(key); g++) {
      int last = lastSeen(g, current, reader);
      if (last == Polygraph.NONE || last == version) {
        continue;
      }
      int other = problem.writer[last];
      if (initial) {
        add(current, problem.commit(other), problem.commit(other), current);
      } else if (clock[target * width + lanes.lane(other)] < lanes.commit(other)) {
        add(problem.commit(other), target, problem.commit(other), current);
      }
    }
  }

  /** The last version of a group that a reader sees by what precedes a node of it, or −1. */
  private int lastSeen(int group, int node, int reader) {
    int reached = clock[node * width + writers.lane(group)];
    int key = problem.keyOf[writers.version(group, 0)];
    if (problem.seesOnlySources(reader, key)) {
      return lastSource(writers.lane(group), key, reached, reader);
    }
    int last = writers.last(group, reached, true, reader);
    while (last != Polygraph.NONE && !problem.sees(reader, problem.writer[last])) {
      untilLook -= ENTRIES_A_SEARCH;
      last = writers.last(group, lanes.commit(problem.writer[last]) - 1, true, reader);
    }
    return last;
  }

  /** The last version of a key written by a source of the reader in a lane up to a place, or −1. */
  private int lastSource(int lane, int key, int reached, int reader) {
    int last = Polygraph.NONE;
    for (int i = problem.reads.first(reader); i < problem.reads.end(reader); i++) {
      int source = problem.writer[problem.reads.item(i)];
      boolean before =
          source != Polygraph.INITIAL
              && lanes.lane(source) == lane
              && lanes.commit(source) <= reached;
      int version = before ? problem.versionOf(source, key) : Polygraph.NONE;
      boolean later =
          last == Polygraph.NONE
              || (version != Polygraph.NONE
                  && lanes.commit(source) > lanes.commit(problem.writer[last]));
      if (later) {
        last = version;
      }
    }
    return last;
  }

  /** Writers of the key whose target precedes this commit come before it. */
  private void orderBeforeWriter(int txn, int key) {
    int count = 0;
    int latest = Polygraph.NONE;
    untilLook -= writers.endGroup(key) - writers.firstGroup(key);
    if (candidates.length < writers.endGroup(key) - writers.firstGroup(key)) {
      candidates = new int[2 * (writers.endGroup(key) - writers.firstGroup(key))];
    }
    for (int g = writers.firstGroup(key); g < writers.endGroup(key); g++) {
      int reached = clock[current * width + writers.lane(g)];
      int last = writers.last(g, reached, !problem.shape.exclusive, txn);
      if (last != Polygraph.NONE) {
        candidates[count++] = last;
        int commit = problem.commit(problem.writer[last]);
        if (latest == Polygraph.NONE
            || place[commit] > place[problem.commit(problem.writer[latest])]) {
          latest = last;
        }
      }
    }
    for (int i = 0; i < count; i++) {
      int version = candidates[i];
      int other = problem.writer[version];
      boolean dominated =
          version != latest
              && precedes(other, !problem.shape.exclusive, problem.commit(problem.writer[latest]));
      if (!dominated) {
        orderVersions(version, txn);
      }
    }
  }

  private void orderVersions(int version, int txn) {
    int first = problem.writer[version];
    int target = problem.versionTarget(txn);
    int from = problem.versionTarget(first);
    int commit = problem.commit(txn);
    if (!precedes(first, true, target)) {
      add(problem.commit(first), target, from, commit);
    }
    int end = problem.end[version];
    if (end != Polygraph.NONE && !isPast(end) && !problem.isReader(version, txn)) {
      add(end, commit, from, commit);
    }
  }

  /** Whether all that precedes a node precedes the current one. */
  private boolean isPast(int node) {
    if (problem.isEvent(node)) {
      int txn = problem.owner[node];
      return precedes(txn, problem.begin(txn) != node, current);
    }
    if (place[node] > place[current]) {
      return false;
    }
    untilLook -= width;
    for (int l = 0; l < width; l++) {
      if (clock[node * width + l] > clock[current * width + l]) {
        return false;
      }
    }
    return true;
  }

  private void add(int from, int to, int pathFrom, int pathTo) {
    added.add(from, to, pathFrom, pathTo);
    addedBefore.add(to, from);
    boolean forward = place[from] < place[to];
    if (to == current && forward) {
      again |= join(to, from);
    } else if (forward && place[to] > place[current]) {
      due[to] = Math.max(due[to], sweep);
    } else {
      due[to] = sweep + 1;
      more = true;
    }
  }
}
