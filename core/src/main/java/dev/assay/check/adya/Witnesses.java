package dev.assay.check.adya;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Dependencies;
import dev.assay.infer.ListChains;
import dev.assay.infer.predicates.PredicateDependencies;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import dev.assay.type.TypeDependencies;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Turns cycles of the graph into evidence: which operations make each edge. */
final class Witnesses {
  private final AdyaGraph graph;
  private final Dependencies dependencies;
  private final History history;
  private final ListChains chains;

  Witnesses(AdyaGraph graph) {
    this.graph = graph;
    this.dependencies = graph.dependencies();
    this.history = graph.history();
    this.chains = dependencies.lists().chains();
  }

  /** The evidence of a cycle given by its edges, each of which leaves a transaction. */
  Evidence evidence(int[] cycle) {
    EdgeList edges = graph.edges();
    int smallest = 0;
    for (int i = 1; i < cycle.length; i++) {
      if (edges.from(cycle[i]) < edges.from(cycle[smallest])) {
        smallest = i;
      }
    }
    List<Edge> steps = new ArrayList<>();
    Set<Integer> shownBy = new LinkedHashSet<>();
    for (int i = 0; i < cycle.length; i++) {
      int edge = cycle[(smallest + i) % cycle.length];
      int to = edges.from(cycle[(smallest + i + 1) % cycle.length]);
      Edge step = step(edge, to);
      steps.add(step);
      addProof(step, shownBy);
    }
    return new Evidence(List.of(), steps, null, null, List.copyOf(shownBy));
  }

  private Edge byPredicate(int edge, int from, int to) {
    PredicateDependencies predicates = graph.predicates();
    int mark = graph.edges().mark(edge);
    int select = predicates.predicateOp(mark);
    int write = predicates.writeOp(mark);
    int key = history.key(write);
    EdgeKind kind = graph.edgeKind(edge);
    boolean reads = kind == EdgeKind.WR;
    int first = reads ? write : select;
    int second = reads ? select : write;
    // An update reads the rows that it changes as items.
    return graph.isByPredicate(edge)
        ? Edge.byPredicate(from, to, kind, key, first, second)
        : Edge.of(from, to, kind, key, first, second);
  }

  private Edge step(int edge, int to) {
    int from = graph.edges().from(edge);
    if (graph.isOfPredicateOperation(edge)) {
      return byPredicate(edge, from, to);
    }
    int key = graph.edges().mark(edge);
    EdgeKind kind = graph.edgeKind(edge);
    return switch (kind) {
      case WW -> overwrite(from, to, key);
      case WR -> read(from, to, key);
      case RW -> antiDependency(from, to, key);
      default -> Edge.of(from, to, kind, -1, -1, -1);
    };
  }

  private Edge read(int from, int to, int key) {
    for (int op = history.firstOp(to); op < history.endOp(to); op++) {
      int write = history.key(op) == key ? writeSeen(op, from) : ReadsFrom.NONE;
      if (write >= 0) {
        return Edge.of(from, to, EdgeKind.WR, key, write, op);
      }
    }
    throw new IllegalStateException("no read makes this edge");
  }

  /** The write of a transaction that a read saw, or a negative number. */
  private int writeSeen(int read, int by) {
    TypeDependencies type = dependencies.ofType(history.kind(read).type());
    if (type != null) {
      return history.kind(read).isWrite() ? ReadsFrom.NONE : type.seen(read, by);
    }
    int write = dependencies.sourceOp(read);
    return write >= 0 && history.transactionOf(write) == by ? write : ReadsFrom.NONE;
  }

  /**
   * Of a list, the last append of one transaction before the first later one of the other; of a
   * register what the user gave or assumed.
   */
  private Edge overwrite(int from, int to, int key) {
    EdgeList order = dependencies.versions().registers().order();
    for (int i = 0; i < order.size(); i++) {
      if (order.from(i) == from && order.to(i) == to && order.label(i) == key) {
        Reason reason = dependencies.versions().registers().reason(order.mark(i));
        return CyclicVersions.edge(history, dependencies.versions().given(), key, from, to, reason);
      }
    }
    int earlier = -1;
    int later = -1;
    for (int i = chains.first(key); i < chains.end(key) && later < 0; i++) {
      if (chains.writer(i) == from && i < chains.shownEnd(key)) {
        earlier = chains.append(i);
      } else if (chains.writer(i) == to && earlier >= 0) {
        later = chains.append(i);
      }
    }
    return later >= 0
        ? Edge.of(from, to, EdgeKind.WW, key, earlier, later)
        : Edge.of(
            from, to, EdgeKind.WW, key, history.lastWrite(from, key), history.lastWrite(to, key));
  }

  /** An external read whose version is followed by one that the other transaction wrote. */
  private Edge antiDependency(int from, int to, int key) {
    Set<OpKind.Type> written = EnumSet.noneOf(OpKind.Type.class);
    for (int op = history.firstOp(from); op < history.endOp(from); op++) {
      OpKind kind = history.kind(op);
      if (history.key(op) != key) {
        continue;
      }
      if (kind.isWrite()) {
        written.add(kind.type());
        continue;
      }
      int later = written.contains(kind.type()) ? -1 : later(op, to);
      if (later >= 0) {
        return new Edge(from, to, EdgeKind.RW, key, op, later, reasons(op, to));
      }
    }
    throw new IllegalStateException("no read makes this edge");
  }

  /**
   * The reasons for an rw edge on a register: which version was read, and that the other
   * transaction read it too before writing, or an order that the user gave or assumed.
   */
  private List<Edge> reasons(int read, int later) {
    int key = history.key(read);
    int reader = history.transactionOf(read);
    int source = dependencies.sourceOp(read);
    if (history.kind(read) != OpKind.READ) {
      return List.of();
    }
    if (source == ReadsFrom.INITIAL) {
      return List.of(Edge.of(Edge.INITIAL, reader, EdgeKind.WR, key, -1, read));
    }
    int writer = history.transactionOf(source);
    return List.of(
        Edge.of(writer, reader, EdgeKind.WR, key, source, read),
        overwrites(source, later) ? read(writer, later, key) : overwrite(writer, later, key));
  }

  /** What a transaction did that a read must come before, or a negative number. */
  private int later(int read, int by) {
    OpKind kind = history.kind(read);
    TypeDependencies type = dependencies.ofType(kind.type());
    if (type != null) {
      return type.missed(read, by);
    }
    return kind == OpKind.LIST_READ ? laterAppend(read, by) : laterWrite(read, by);
  }

  private int laterAppend(int read, int by) {
    int write = dependencies.sourceOp(read);
    int key = history.key(read);
    if (write < ReadsFrom.INITIAL || (write >= 0 && chains.place(write) < 0)) {
      return -1;
    }
    int next = write < 0 ? chains.first(key) : chains.place(write) + 1;
    for (; next < chains.end(key); next++) {
      if (chains.writer(next) == by) {
        return chains.append(next);
      }
    }
    return -1;
  }

  /** The last write of a register by a transaction known to follow what was read. */
  private int laterWrite(int read, int by) {
    int source = dependencies.sourceOp(read);
    int key = history.key(read);
    boolean later =
        source == ReadsFrom.INITIAL
            || (source >= 0 && (overwrites(source, by) || isKnownAfter(source, by, key)));
    return later ? history.lastWrite(by, key) : -1;
  }

  /** Whether a transaction read a version, or another of that transaction, and wrote the key. */
  private boolean overwrites(int source, int by) {
    for (int op = history.firstOp(by); op < history.endOp(by); op++) {
      int other = history.key(op) == history.key(source) ? dependencies.sourceOp(op) : -1;
      if (other >= 0 && history.transactionOf(other) == history.transactionOf(source)) {
        return history.lastWrite(by, history.key(source)) >= 0;
      }
    }
    return false;
  }

  private boolean isKnownAfter(int source, int by, int key) {
    EdgeList order = dependencies.versions().registers().order();
    int from = history.transactionOf(source);
    for (int i = 0; i < order.size(); i++) {
      if (order.from(i) == from && order.to(i) == by && order.label(i) == key) {
        return true;
      }
    }
    return false;
  }

  /** The read that shows the order a step on a list rests on. */
  private void addProof(Edge step, Set<Integer> shownBy) {
    boolean ordered = step.kind() == EdgeKind.WW || step.kind() == EdgeKind.RW;
    if (!ordered || step.key() >= chains.keys() || step.toOp() < 0) {
      return;
    }
    int read = chains.longestRead(step.key());
    boolean shown =
        history.kind(step.toOp()) == OpKind.APPEND
            && chains.place(step.toOp()) < chains.shownEnd(step.key());
    if (shown && read >= 0 && read != step.fromOp()) {
      shownBy.add(read);
    }
  }
}
