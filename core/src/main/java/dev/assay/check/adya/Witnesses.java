package dev.assay.check.adya;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Dependencies;
import dev.assay.infer.ListChains;
import dev.assay.infer.ReadsFrom;
import java.util.ArrayList;
import java.util.List;

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
    List<Integer> shownBy = new ArrayList<>();
    for (int i = 0; i < cycle.length; i++) {
      int edge = cycle[(smallest + i) % cycle.length];
      int to = edges.from(cycle[(smallest + i + 1) % cycle.length]);
      Edge step = step(edge, to);
      steps.add(step);
      addProof(step, shownBy);
    }
    return new Evidence(List.of(), steps, null, null, shownBy);
  }

  /** The names of the kinds of a cycle's edges, in order. */
  int[] kinds(int[] cycle) {
    int[] kinds = new int[cycle.length];
    for (int i = 0; i < cycle.length; i++) {
      kinds[i] = graph.kind(cycle[i]);
    }
    return kinds;
  }

  private Edge step(int edge, int to) {
    int from = graph.edges().from(edge);
    int key = graph.edges().mark(edge);
    return switch (graph.kind(edge)) {
      case AdyaGraph.WW -> overwrite(from, to, key);
      case AdyaGraph.WR -> read(from, to, key);
      case AdyaGraph.RW -> antiDependency(from, to, key);
      case AdyaGraph.SO -> Edge.of(from, to, Edge.Kind.SO, -1, -1, -1);
      default -> Edge.of(from, to, Edge.Kind.RT, -1, -1, -1);
    };
  }

  private Edge read(int from, int to, int key) {
    for (int op = history.firstOp(to); op < history.endOp(to); op++) {
      int write = history.key(op) == key ? dependencies.sourceOp(op) : ReadsFrom.NONE;
      if (write >= 0 && history.transactionOf(write) == from) {
        return Edge.of(from, to, Edge.Kind.WR, key, write, op);
      }
    }
    throw new IllegalStateException("no read makes this edge");
  }

  /** The last append of one transaction before the first later one of the other. */
  private Edge overwrite(int from, int to, int key) {
    int earlier = -1;
    int later = -1;
    for (int i = chains.first(key); i < chains.end(key) && later < 0; i++) {
      if (chains.writer(i) == from && i < chains.shownEnd(key)) {
        earlier = chains.append(i);
      } else if (chains.writer(i) == to && earlier >= 0) {
        later = chains.append(i);
      }
    }
    return Edge.of(from, to, Edge.Kind.WW, key, earlier, later);
  }

  /** A read from before any own write whose version one of the other transaction follows. */
  private Edge antiDependency(int from, int to, int key) {
    for (int op = history.firstOp(from); op < history.endOp(from); op++) {
      if (history.key(op) != key) {
        continue;
      }
      if (history.kind(op).isWrite()) {
        break;
      }
      int later = history.kind(op) == OpKind.LIST_READ ? laterAppend(op, to) : laterWrite(op, to);
      if (later >= 0) {
        return Edge.of(from, to, Edge.Kind.RW, key, op, later);
      }
    }
    throw new IllegalStateException("no read makes this edge");
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

  /** The initial version is before any; any other is before one by whom it was read as well. */
  private int laterWrite(int read, int by) {
    int source = dependencies.sourceOp(read);
    if (source == ReadsFrom.INITIAL) {
      return lastWrite(by, history.key(read));
    }
    for (int op = history.firstOp(by); op < history.endOp(by) && source >= 0; op++) {
      int other = history.key(op) == history.key(read) ? dependencies.sourceOp(op) : -1;
      if (other >= 0 && history.transactionOf(other) == history.transactionOf(source)) {
        return lastWrite(by, history.key(read));
      }
    }
    return -1;
  }

  private int lastWrite(int txn, int key) {
    int last = -1;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == key) {
        last = op;
      }
    }
    return last;
  }

  /** The read that shows the order a step on a list rests on. */
  private void addProof(Edge step, List<Integer> shownBy) {
    boolean ordered = step.kind() == Edge.Kind.WW || step.kind() == Edge.Kind.RW;
    if (!ordered || step.key() >= chains.keys() || step.toOp() < 0) {
      return;
    }
    int read = chains.longestRead(step.key());
    boolean shown =
        history.kind(step.toOp()) == OpKind.APPEND
            && chains.place(step.toOp()) < chains.shownEnd(step.key());
    if (shown && read >= 0 && read != step.fromOp() && !shownBy.contains(read)) {
      shownBy.add(read);
    }
  }
}
