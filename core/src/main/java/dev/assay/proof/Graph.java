package dev.assay.proof;

import dev.assay.graph.IntList;
import dev.assay.proof.Facts.Read;
import dev.assay.proof.Rule.Sees;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The dependencies between some transactions of a history, as far as the order of writers is
 * decided, and the cycles of them that a level forbids.
 */
final class Graph {
  /** The kinds of edges, with their names in a proof. */
  enum Kind {
    SO,
    RT,
    WR,
    WW,
    RW,
    /** Of a serial order that is given. */
    GV
  }

  /**
   * An edge.
   *
   * @param op the read that shows it, or −1
   * @param version for a read of a version that {@code to} overwrites, its writer
   */
  record Edge(Kind kind, int from, int to, int op, int version) {}

  private static final int NO_OP = -1;

  final int[] members;
  private final Facts facts;
  private final CounterSums sums;

  /** By number among the members. */
  private final int[] number;

  /** What is required of each member. */
  private final Rule[] rules;

  private final List<List<Edge>> fixed = new ArrayList<>();
  private final List<IntList> conflicts = new ArrayList<>();

  /** The reads by members of what a member wrote to a key. */
  private final List<List<Read>> readsOf = new ArrayList<>();

  /** Whether one member comes before another, by what is known, shown or supposed. */
  private final boolean[][] before;

  /** The graph of some transactions, each under a rule of its own. */
  Graph(Facts facts, IntFunction<Rule> ruleOf, int[] members) {
    this.facts = facts;
    this.sums = new CounterSums(facts);
    this.members = members;
    this.rules = Arrays.stream(members).mapToObj(ruleOf).toArray(Rule[]::new);
    this.before = new boolean[members.length][members.length];
    this.number = new int[facts.nodes];
    Arrays.fill(number, -1);
    for (int i = 0; i < members.length; i++) {
      number[members[i]] = i;
    }
    for (int a = 0; a < members.length; a++) {
      fixed.add(new ArrayList<>());
      conflicts.add(new IntList());
      readsOf.add(new ArrayList<>());
    }
    for (int a = 0; a < members.length; a++) {
      for (int b = 0; b < members.length; b++) {
        if (a != b) {
          relate(a, b);
        }
      }
      addReads(a);
    }
  }

  private void relate(int a, int b) {
    int from = members[a];
    int to = members[b];
    Rule rule = rules[b];
    if (rule.sessions() && facts.session(from, to) && matters(rule, from, to)) {
      fixed.get(a).add(new Edge(Kind.SO, from, to, NO_OP, NO_OP));
    }
    if (rule.realTime() && facts.realTime(from, to) && matters(rule, from, to)) {
      fixed.get(a).add(new Edge(Kind.RT, from, to, NO_OP, NO_OP));
    }
    if (rule.serial() && facts.given(from, to)) {
      fixed.get(a).add(new Edge(Kind.GV, from, to, NO_OP, NO_OP));
    }
    if (facts.conflict(from, to)) {
      conflicts.get(a).add(b);
      before[a][b] = facts.known(from, to);
    }
  }

  private boolean matters(Rule rule, int from, int to) {
    return !rule.onKeys() || facts.meet(from, to);
  }

  private void addReads(int reader) {
    for (Read read : facts.readsBy(members[reader])) {
      boolean known = read.writer() >= 0 && number[read.writer()] >= 0;
      if (known && read.key() != Facts.NO_KEY) {
        readsOf.get(number[read.writer()]).add(read);
      }
      if (known && rules[reader].reads()) {
        Edge edge = new Edge(Kind.WR, read.writer(), read.reader(), read.op(), read.write());
        fixed.get(number[read.writer()]).add(edge);
      }
    }
  }

  /** The reads that show the sums up to a node; some levels do not ask to see own writes. */
  List<Integer> sumsOf(int node) {
    boolean shown = facts.isMaker(node) || rules[number[node]].sees() != Sees.NOTHING;
    return shown ? facts.sumsOf(node) : List.of();
  }

  /** What keeps the increments from adding up to what a read shows, or null if they may. */
  List<Argument.Pair> sumConflict(int node, int read) {
    List<Argument.Pair> decided = new ArrayList<>();
    IntList others = conflicts.get(number[node]);
    for (int i = 0; i < others.size(); i++) {
      int txn = members[others.get(i)];
      boolean other = !facts.isMaker(txn) && txn != facts.owner(read);
      if (!other || !facts.writes(txn, facts.counter(read))) {
        continue;
      }
      if (before[others.get(i)][number[node]]) {
        decided.add(new Argument.Pair(txn, node));
      } else if (before[number[node]][others.get(i)]) {
        decided.add(new Argument.Pair(node, txn));
      }
    }
    return sums.conflict(node, read, decided);
  }

  /** Pairs of makers of which the first comes before the second by what they show. */
  List<Argument.Pair> ascendingMakers() {
    List<Integer> makers = Arrays.stream(members).filter(facts::isMaker).boxed().toList();
    return makers.isEmpty() ? List.of() : sums.ascending(makers);
  }

  IntList conflicts(int member) {
    return conflicts.get(member);
  }

  boolean isBefore(int a, int b) {
    return before[a][b];
  }

  void set(int a, int b, boolean value) {
    before[a][b] = value;
  }

  int number(int txn) {
    return number[txn];
  }

  // ---- edges

  /** Edges from a member. */
  private void forEach(int member, boolean withReads, Consumer<Edge> visitor) {
    fixed.get(member).forEach(visitor);
    IntList others = conflicts.get(member);
    for (int i = 0; i < others.size(); i++) {
      if (before[member][others.get(i)]) {
        visitor.accept(ww(member, others.get(i)));
      }
    }
    if (withReads) {
      forEachOverwritten(member, visitor);
    }
  }

  private Edge ww(int a, int b) {
    return new Edge(Kind.WW, members[a], members[b], NO_OP, NO_OP);
  }

  private void forEachOverwritten(int reader, Consumer<Edge> visitor) {
    for (Read read : facts.readsBy(members[reader])) {
      IntList all = read.key() == Facts.NO_KEY ? new IntList() : facts.writers(read.key());
      for (int i = 0; i < all.size(); i++) {
        int b = all.get(i);
        boolean other = b != read.reader() && b != read.writer() && number[b] >= 0;
        if (other && isOverwrite(read.writer(), b)) {
          visitor.accept(new Edge(Kind.RW, read.reader(), b, read.op(), read.writer()));
        }
      }
    }
  }

  private boolean isOverwrite(int writer, int by) {
    return writer < 0
        || (number[writer] >= 0 ? before[number[writer]][number[by]] : facts.known(writer, by));
  }

  /** A forbidden cycle, or null. */
  List<Edge> cycle() {
    boolean acyclic = order().length == members.length;
    for (int member = 0; member < members.length; member++) {
      List<Edge> found = cycleThrough(member, acyclic);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** A forbidden cycle that rests on a member being before another, or null. */
  List<Edge> cycle(int a, int b) {
    boolean conflict = facts.conflict(members[a], members[b]);
    List<Edge> found = conflict ? cycleFrom(ww(a, b)) : null;
    for (Read read : found == null ? readsOf.get(a) : List.<Read>of()) {
      int by = members[b];
      if (found == null && read.reader() != by && facts.writes(by, read.key())) {
        found = cycleFrom(new Edge(Kind.RW, read.reader(), by, read.op(), read.writer()));
      }
    }
    return found;
  }

  /** A cycle through a member; of those with one anti-dependency, it begins with that. */
  private List<Edge> cycleThrough(int member, boolean acyclic) {
    List<Edge> starts = new ArrayList<>();
    if (!acyclic || !rules[member].limitsBack()) {
      forEach(member, rules[member].sees() != Sees.NOTHING, starts::add);
    } else {
      forEachOverwritten(member, starts::add);
    }
    for (Edge start : starts) {
      List<Edge> found = cycleFrom(start);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** A forbidden cycle that begins with an edge, or null. */
  private List<Edge> cycleFrom(Edge start) {
    Rule reader = rules[number[start.from]];
    if (start.kind == Kind.RW && reader.sees() == Sees.NOTHING) {
      return null;
    }
    if (start.kind == Kind.RW && reader.limitsBack()) {
      return back(start, reader);
    }
    if (start.kind != Kind.RW && rules[number[start.to]].sees() == Sees.NEIGHBOURS) {
      List<Edge> found = new ArrayList<>();
      forEachOverwritten(
          number[start.to],
          edge -> {
            if (edge.to == start.from && found.isEmpty()) {
              found.add(edge);
            }
          });
      if (!found.isEmpty()) {
        return List.of(start, found.get(0));
      }
    }
    return search(start);
  }

  /** Whether the edge after this one may be a read of an overwritten version. */
  private boolean allowsRead(Edge edge) {
    Kind last = edge.kind;
    return switch (rules[number[edge.to]].sees()) {
      case ALL -> true;
      case SNAPSHOT -> last != Kind.RW;
      case PREFIX -> last == Kind.SO || last == Kind.WR || last == Kind.RT;
      default -> false;
    };
  }

  /**
   * The shortest way back from an edge. A state is a member, and whether a read of an overwritten
   * version may follow.
   */
  private List<Edge> search(Edge start) {
    int size = members.length;
    Edge[] reached = new Edge[2 * size];
    int[] from = new int[2 * size];
    boolean one = rules[number[start.from]].sees() == Sees.PAST;
    int first = state(start, one, 0);
    Deque<Integer> queue = new ArrayDeque<>(List.of(first));
    reached[first] = start;
    from[first] = -1;
    while (!queue.isEmpty()) {
      int state = queue.remove();
      boolean mayRead = one ? state < size && start.kind != Kind.RW : state >= size;
      if (state % size == number[start.from] && (start.kind != Kind.RW || one || mayRead)) {
        return path(state, from, reached);
      }
      forEach(
          state % size,
          mayRead,
          edge -> {
            int next = state(edge, one, state);
            if (reached[next] == null) {
              reached[next] = edge;
              from[next] = state;
              queue.add(next);
            }
          });
    }
    return null;
  }

  private int state(Edge edge, boolean one, int last) {
    boolean second = one ? last >= members.length || edge.kind == Kind.RW : allowsRead(edge);
    return number[edge.to] + (second ? members.length : 0);
  }

  private static List<Edge> path(int last, int[] from, Edge[] reached) {
    List<Edge> path = new ArrayList<>();
    for (int state = last; state >= 0; state = from[state]) {
      path.add(reached[state]);
    }
    Collections.reverse(path);
    return path;
  }

  // ---- what a reader must see

  /** A read of an overwritten version with edges that say that it must see who overwrote it. */
  private List<Edge> back(Edge rw, Rule rule) {
    List<Edge> way =
        switch (rule.sees()) {
          case CAUSES -> causes(rw.to, rw.from);
          case NEIGHBOURS -> direct(rw.to, rw.from, true, true, true);
          case SOURCES -> direct(rw.to, rw.from, true, true, false);
          case OWN_WRITES -> direct(rw.to, rw.from, true, false, false);
          case EARLIER -> earlier(rw);
          case READS -> two(rw.to, rw.from, Kind.WR, Kind.SO);
          case WRITES -> two(rw.to, rw.from, Kind.SO, Kind.WR);
          case FOLLOWED_READS -> followed(rw.to, rw.from);
          case PRAM -> pram(rw);
          default -> null;
        };
    if (way == null) {
      return null;
    }
    List<Edge> cycle = new ArrayList<>(List.of(rw));
    cycle.addAll(way);
    return cycle;
  }

  private List<Edge> pram(Edge rw) {
    List<Edge> way = direct(rw.to, rw.from, true, false, false);
    way = way == null ? two(rw.to, rw.from, Kind.WR, Kind.SO) : way;
    return way == null ? two(rw.to, rw.from, Kind.SO, Kind.WR) : way;
  }

  private List<Edge> direct(int from, int to, boolean so, boolean wr, boolean ww) {
    for (Edge edge : fixed.get(number[from])) {
      boolean allowed = edge.kind == Kind.SO ? so : edge.kind == Kind.WR && wr;
      if (edge.to == to && allowed) {
        return List.of(edge);
      }
    }
    boolean written = ww && facts.conflict(from, to) && before[number[from]][number[to]];
    return written ? List.of(ww(number[from], number[to])) : null;
  }

  private List<Edge> earlier(Edge rw) {
    for (Edge edge : fixed.get(number[rw.to])) {
      if (edge.kind == Kind.WR && edge.to == rw.from && edge.op < rw.op) {
        return List.of(edge);
      }
    }
    return null;
  }

  private List<Edge> two(int from, int to, Kind first, Kind second) {
    for (Edge one : fixed.get(number[from])) {
      for (Edge other : one.kind == first ? fixed.get(number[one.to]) : List.<Edge>of()) {
        if (other.kind == second && other.to == to) {
          return List.of(one, other);
        }
      }
    }
    return null;
  }

  private List<Edge> followed(int from, int to) {
    for (Edge one : fixed.get(number[from])) {
      if (one.kind != Kind.WR) {
        continue;
      }
      for (Edge other : fixed.get(number[one.to])) {
        if (other.kind == Kind.WR && other.to == to && other.version > one.op) {
          return List.of(one, other);
        }
      }
      List<Edge> rest = two(one.to, to, Kind.SO, Kind.WR);
      if (rest != null) {
        return List.of(one, rest.get(0), rest.get(1));
      }
    }
    return null;
  }

  /** The shortest path of session order and reads. */
  private List<Edge> causes(int from, int to) {
    Edge[] reached = new Edge[members.length];
    Deque<Integer> queue = new ArrayDeque<>(List.of(number[from]));
    while (!queue.isEmpty() && reached[number[to]] == null) {
      for (Edge edge : fixed.get(queue.remove())) {
        boolean cause = edge.kind == Kind.SO || edge.kind == Kind.WR;
        if (cause && reached[number[edge.to]] == null && edge.to != from) {
          reached[number[edge.to]] = edge;
          queue.add(number[edge.to]);
        }
      }
    }
    if (reached[number[to]] == null) {
      return null;
    }
    List<Edge> way = new ArrayList<>();
    for (int t = to; t != from; t = way.get(way.size() - 1).from) {
      way.add(reached[number[t]]);
    }
    Collections.reverse(way);
    return way;
  }

  // ---- an order

  /** All members in an order that proves the level, once every conflict is decided. */
  int[] order() {
    int size = members.length;
    List<IntList> after = new ArrayList<>();
    int[] open = new int[size];
    for (int i = 0; i < size; i++) {
      after.add(new IntList());
    }
    for (int a = 0; a < size; a++) {
      List<Edge> edges = new ArrayList<>();
      forEach(a, rules[a].sees() == Sees.ALL, edges::add);
      for (Edge edge : edges) {
        after.get(a).add(number[edge.to]);
        open[number[edge.to]]++;
        if (allowsRead(edge) && rules[number[edge.to]].sees() != Sees.ALL) {
          forEachOverwritten(
              number[edge.to],
              rw -> {
                after.get(number[edge.from]).add(number[rw.to]);
                open[number[rw.to]]++;
              });
        }
      }
    }
    IntList order = new IntList();
    for (int i = 0; i < size; i++) {
      if (open[i] == 0) {
        order.add(i);
      }
    }
    for (int done = 0; done < order.size(); done++) {
      IntList next = after.get(order.get(done));
      for (int i = 0; i < next.size(); i++) {
        if (--open[next.get(i)] == 0) {
          order.add(next.get(i));
        }
      }
    }
    int[] all = new int[order.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = members[order.get(i)];
    }
    return all;
  }
}
