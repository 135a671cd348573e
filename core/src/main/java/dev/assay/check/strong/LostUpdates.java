package dev.assay.check.strong;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds transactions that read the same version of a key and both wrote the key. */
final class LostUpdates implements Instance.KeyVisitor {
  private final Instance instance;

  /** For each member the key it wrote last, and of that key the first that read its version. */
  private final int[] wrote;

  private final int[] firstReader;
  private final int[] firstReaderOp;
  private final List<Evidence> witnesses = new ArrayList<>();
  private int maxWitnesses;
  private long count;
  private int key;

  LostUpdates(Instance instance) {
    this.instance = instance;
    this.wrote = new int[instance.size()];
    // The last place is for the initial version.
    this.firstReader = new int[instance.size() + 1];
    this.firstReaderOp = new int[instance.size() + 1];
    Arrays.fill(wrote, Instance.NONE);
  }

  /** The anomaly with some witnesses, or null. */
  Anomaly find(int max) {
    maxWitnesses = max;
    instance.visit(this);
    return witnesses.isEmpty() ? null : Anomaly.of(AnomalyType.LOST_UPDATE, count, witnesses);
  }

  @Override
  public void startKey(int started) {
    key = started;
    firstReader[instance.size()] = Instance.NONE;
  }

  @Override
  public void write(int member) {
    wrote[member] = key;
    firstReader[member] = Instance.NONE;
  }

  @Override
  public void read(int member, int source, int op) {
    boolean overwrites = wrote[member] == key;
    boolean known = source == Instance.NONE || wrote[source] == key;
    if (!overwrites || !known) {
      return;
    }
    int version = source == Instance.NONE ? instance.size() : source;
    if (firstReader[version] == Instance.NONE) {
      firstReader[version] = member;
      firstReaderOp[version] = op;
      return;
    }
    count++;
    if (witnesses.size() < maxWitnesses) {
      Edge one = readEdge(firstReader[version], source, firstReaderOp[version]);
      Edge other = readEdge(member, source, op);
      witnesses.add(Evidence.ofEdges(List.of(overwritten(one, other), overwritten(other, one))));
    }
  }

  private Edge readEdge(int member, int source, int op) {
    int write = source == Instance.NONE ? -1 : instance.sourceOp(op);
    int writer = source == Instance.NONE ? Edge.INITIAL : instance.members[source];
    return Edge.of(writer, instance.members[member], Edge.Kind.WR, key, write, op);
  }

  /** Who read a version that the other one, having read it too, overwrote. */
  private Edge overwritten(Edge read, Edge others) {
    History history = instance.history;
    int write = history.endOp(others.to()) - 1;
    while (!instance.isWrite(write) || history.key(write) != key) {
      write--;
    }
    return new Edge(
        read.to(), others.to(), Edge.Kind.RW, key, read.toOp(), write, List.of(read, others));
  }

  @Override
  public void choice(int member, int op) {
    // What an ambiguous read saw is not known.
  }

  @Override
  public void order(int first, int second) {
    // Orders play no part.
  }

  @Override
  public void endKey() {
    // All is done at the reads.
  }
}
