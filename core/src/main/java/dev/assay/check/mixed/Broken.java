package dev.assay.check.mixed;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.Axiom;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Turns what is wrong with the parts of transactions into findings about the transactions. */
final class Broken {
  /** Maximum number of transactions that are named. */
  private static final int MAX_NAMED = 6;

  /** In mapped steps, the instants of real time have numbers from here down. */
  private static final int FIRST_INSTANT = -10;

  private final Subject subject;
  private final History history;
  private final Promises promises;
  private final Links links;
  private final SeenWriters seen;

  Broken(Subject subject, Promises promises, Links links, SeenWriters seen) {
    this.subject = subject;
    this.history = subject.history();
    this.promises = promises;
    this.links = links;
    this.seen = seen;
  }

  /** Findings about single reads. */
  static Findings reads(History history, Promises promises, List<Anomaly> anomalies) {
    Set<Integer> readers = new TreeSet<>();
    List<Anomaly> against = new ArrayList<>();
    for (Anomaly anomaly : anomalies) {
      for (Evidence witness : anomaly.witnesses()) {
        readers.add(history.transactionOf(witness.operations().get(0)));
      }
      against.add(ofMixed(anomaly.type(), anomaly.count(), false, anomaly.witnesses()));
    }
    return findings(history, promises, readers, against);
  }

  /** Findings about reads of initial versions that must see a writer of their key. */
  Findings missedWriters() {
    Set<Integer> readers = new TreeSet<>();
    List<Anomaly> found = new ArrayList<>();
    for (int i = 0; i < Math.min(seen.missingReads(), MAX_NAMED); i++) {
      int op = seen.missingRead(i);
      int writer = seen.missedWriter(i);
      readers.add(history.transactionOf(op));
      List<Edge> cycle = new ArrayList<>(path(writer, op));
      cycle.add(overwritten(op, writer, List.of(read(op))));
      found.add(ofCycle(cycle));
    }
    return findings(history, promises, readers, found);
  }

  /** Findings about snapshot isolation of the parts. */
  Findings cycles(Parts parts, List<Anomaly> anomalies) {
    Rewriting rewriting = parts.rewriting();
    ArgumentMapper mapper =
        ArgumentMapper.ofParts(
            rewriting, (edge, because) -> back(edge, because, parts), Broken::shortened);
    Set<Integer> readers = new TreeSet<>();
    List<Anomaly> found = new ArrayList<>();
    for (Anomaly anomaly : anomalies) {
      for (Evidence witness : anomaly.witnesses()) {
        Evidence mapped = mapper.evidence(witness);
        Edge.forEachReason(
            mapped.edges(),
            edge -> {
              if (edge.kind() == EdgeKind.RW) {
                readers.add(edge.from());
              }
            });
        mapped.operations().forEach(op -> readers.add(history.transactionOf(op)));
        found.add(
            anomaly.type().cycleKind() == null
                ? ofMixed(anomaly.type(), 1, true, List.of(mapped))
                : ofCycle(mapped.edges()));
      }
    }
    return findings(history, promises, readers, found);
  }

  private static Findings findings(
      History history, Promises promises, Set<Integer> readers, List<Anomaly> found) {
    List<String> named = new ArrayList<>();
    for (int txn : readers) {
      if (named.size() < MAX_NAMED) {
        named.add("T" + history.label(txn) + " (" + promises.of(txn) + ")");
      }
    }
    int more = readers.size() - named.size();
    String note =
        String.join(", ", named)
            + (more > 0 ? " and " + more + " more" : "")
            + " did not get the level "
            + (readers.size() == 1 ? "it" : "they")
            + " ran at";
    return new Findings(Map.of(), found, List.of(note));
  }

  private static Anomaly ofCycle(List<Edge> cycle) {
    AnomalyType type = AnomalyType.ofCycles(Edge.cycles(cycle));
    return ofMixed(type, 1, true, List.of(Evidence.ofEdges(cycle)));
  }

  private static Anomaly ofMixed(
      AnomalyType type, long count, boolean lowerBound, List<Evidence> witnesses) {
    List<Evidence> refuting =
        witnesses.stream().map(witness -> witness.refuting(Level.MIXED)).toList();
    return new Anomaly(type, Set.of(Level.MIXED), count, lowerBound, refuting);
  }

  // ---- from parts back to transactions

  private Edge back(Edge edge, List<Edge> because, Parts parts) {
    int link = edge.kind() == EdgeKind.WR ? parts.link(edge.toOp()) : Parts.NO_LINK;
    if (link >= 0) {
      return step(link);
    }
    Rewriting rewriting = parts.rewriting();
    return new Edge(
        transaction(edge.from(), rewriting),
        transaction(edge.to(), rewriting),
        edge.kind(),
        rewriting.key(edge.key()),
        rewriting.operation(edge.fromOp()),
        rewriting.operation(edge.toOp()),
        because);
  }

  private static int transaction(int part, Rewriting rewriting) {
    int txn = rewriting.transaction(part);
    return part >= 0 && txn < 0 ? FIRST_INSTANT - part : txn;
  }

  private static boolean isInstant(int txn) {
    return txn <= FIRST_INSTANT;
  }

  /** Without steps within a transaction, and with one step where real time takes several. */
  private static List<Edge> shortened(List<Edge> steps) {
    List<Edge> rotated = new ArrayList<>(steps);
    int start = 0;
    while (start < steps.size() && isInstant(steps.get(start).from())) {
      start++;
    }
    Collections.rotate(rotated, -start);
    List<Edge> result = new ArrayList<>();
    int ended = Edge.INITIAL;
    for (Edge step : rotated) {
      if (isInstant(step.to())) {
        ended = isInstant(step.from()) ? ended : step.from();
      } else if (isInstant(step.from())) {
        result.add(Edge.of(ended, step.to(), EdgeKind.RT, -1, -1, -1));
      } else if (step.from() != step.to()) {
        result.add(step);
      }
    }
    return result;
  }

  // ---- the steps behind links

  private Edge step(int link) {
    int from = links.first(link);
    int to = links.second(link);
    return switch (links.why(link)) {
      case READ -> read(links.label(link));
      case VERSIONS -> version(from, to, links.label(link), List.of());
      case SEEN -> seen(from, to, links.label(link));
    };
  }

  /** The version of a transaction that the reader must see is earlier than the one it read. */
  private Edge seen(int writer, int source, int op) {
    List<Edge> opposite = new ArrayList<>(path(writer, op));
    Edge later = version(source, writer, history.key(op), List.of());
    opposite.add(overwritten(op, writer, List.of(read(op), later)));
    return version(writer, source, history.key(op), opposite);
  }

  private Edge version(int from, int to, int key, List<Edge> because) {
    int first = history.lastWrite(from, key);
    return new Edge(from, to, EdgeKind.WW, key, first, history.lastWrite(to, key), because);
  }

  private Edge overwritten(int op, int writer, List<Edge> because) {
    int key = history.key(op);
    int write = history.lastWrite(writer, key);
    return new Edge(history.transactionOf(op), writer, EdgeKind.RW, key, op, write, because);
  }

  private Edge read(int op) {
    int write = subject.reads().versionSource(op);
    int from = write == ReadsFrom.INITIAL ? Edge.INITIAL : history.transactionOf(write);
    int to = history.transactionOf(op);
    return Edge.of(from, to, EdgeKind.WR, history.key(op), Math.max(write, -1), op);
  }

  /** The steps by which the reader of an operation must see a transaction. */
  private List<Edge> path(int writer, int op) {
    int reader = history.transactionOf(op);
    boolean causal = promises.of(reader).axiom() == Axiom.CAUSAL;
    for (int other = history.firstOp(reader); other < history.endOp(reader); other++) {
      int write = history.kind(other).isWrite() ? -1 : subject.reads().versionSource(other);
      if (write >= 0 && history.transactionOf(write) == writer) {
        return List.of(read(other));
      }
    }
    if (!causal) {
      return List.of(Edge.of(writer, reader, EdgeKind.SO, -1, -1, -1));
    }
    EdgeList edges = seen.causalEdges();
    Digraph after = Digraph.successors(history.transactionCount(), edges);
    BreadthFirstSearch search = new BreadthFirstSearch(after.nodes());
    search.start(writer);
    for (int node = search.next(); node >= 0 && !search.hasReached(reader); node = search.next()) {
      for (int i = after.first(node); i < after.end(node); i++) {
        search.reach(after.neighbour(i), after.edge(i));
      }
    }
    List<Edge> path = new ArrayList<>();
    for (int edge : search.path(reader)) {
      int read = edges.label(edge);
      path.add(
          read >= 0
              ? read(read)
              : Edge.of(edges.from(edge), edges.to(edge), EdgeKind.SO, -1, -1, -1));
    }
    return path;
  }
}
