package dev.assay.infer;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import dev.assay.type.KnownOrders;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What is known of the version orders of registers.
 *
 * <p>{@link #order} rests on version numbers and on what the user gave: assumptions and a
 * certificate. Without any it is empty, because the initial version, which precedes all others, has
 * no writer. Sources are applied one after another; one that would close a cycle of versions of a
 * key is dropped for that key and reported in {@link #cycles} (or {@link #contradictions} for the
 * certificate).
 *
 * <p>{@link #chains} rests on the history alone: where T read a version of x from W and then wrote
 * x, W's version comes before T's in every version order that Adya's read committed accepts. The
 * opposite order is ww from T to W, and with wr from W to T a G1c. Read uncommitted allows that
 * cycle, so a chain is not an edge of G0.
 */
public final class RegisterVersions {
  private final History history;
  private final ReadsFrom reads;
  private final Given given;
  private EdgeList chains;
  private EdgeList order = new EdgeList();
  private final List<VersionCycle> cycles = new ArrayList<>();
  private final List<VersionCycle> contradictions = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private RegisterInteractions interactions;

  private Grouping byKey;

  /** Null if more than version orders is given, or if the certificate contradicts something. */
  private CertifiedOrder certified;

  /** Edges between versions, labelled with the key, marked with a reason. */
  private EdgeList accepted = new EdgeList();

  /** Earlier and later operation, labelled with the source. */
  private EdgeList reasons = new EdgeList();

  public RegisterVersions(History history, ReadsFrom reads, Given given) {
    this.history = history;
    this.reads = reads;
    this.given = given;
    if (!history.uses(OpKind.Type.REGISTER)) {
      return;
    }
    boolean assumes = given.assumptions().size() > 1;
    boolean numbered = history.hasVersionNumbers();
    if (assumes || numbered || !given.certificate().isEmpty()) {
      boolean ordersVersionsOnly = !assumes && !numbered && given.certificate().order().length == 0;
      certified =
          ordersVersionsOnly ? CertifiedOrder.of(history, reads, given.certificate()) : null;
      if (certified == null) {
        takeUpSources();
        listOrder();
      } else {
        order = certified.order();
        reasons = certified.reasons();
      }
    }
  }

  // ---- results

  /**
   * Known order between transactions that wrote versions of a register, labelled with the key and
   * marked with a number for {@link #reason}. Not closed under transitivity.
   */
  public EdgeList order() {
    return order;
  }

  /** The edges of {@link #order} by their keys. */
  synchronized Grouping orderByKey() {
    if (byKey == null) {
      byKey =
          certified == null
              ? Grouping.of(history.keys().count(), order.size(), order::label)
              : certified.byKey();
    }
    return byKey;
  }

  /** Why an edge of {@link #order} is there, by its mark. */
  public Reason reason(int mark) {
    return new Reason(Reason.Source.of(reasons.label(mark)), reasons.from(mark), reasons.to(mark));
  }

  /**
   * Order that follows from read-modify-write, valid from Adya's read committed up: from the
   * transaction read from to the one that read and wrote, labelled with the key and marked with the
   * read.
   */
  public synchronized EdgeList chains() {
    if (chains == null) {
      EdgeList found = new EdgeList();
      if (history.uses(OpKind.Type.REGISTER)) {
        new ReadModifyWrites(history, reads).addTo(found);
      }
      chains = found;
    }
    return chains;
  }

  /** Assumptions that put the versions of a key in a cycle; each was dropped for that key. */
  public List<VersionCycle> cycles() {
    return cycles;
  }

  /** Keys for which the certificate contradicts itself or the history. */
  public List<VersionCycle> contradictions() {
    return contradictions;
  }

  /** What was not used, and why, for the user. */
  public List<String> notes() {
    return notes;
  }

  /** For how many registers all, part or nothing of the order is known, chains included. */
  public KnownOrders known() {
    if (!history.uses(OpKind.Type.REGISTER)) {
      return new KnownOrders(0, 0, 0);
    }
    KnownOrders counted = certified == null ? null : certified.known();
    if (counted != null) {
      return counted;
    }
    if (interactions == null) {
      takeUpSources();
    }
    RegisterInteractions versions = interactions;
    EdgeList all = new EdgeList();
    all.addAll(accepted);
    addChains(versions, all);
    return RegisterCoverage.of(history, versions, all);
  }

  // ---- sources

  private void takeUpSources() {
    interactions = new RegisterInteractions(history, reads);
    VersionSources sources = new VersionSources(history, interactions, reasons);
    accepted = sources.initial();
    if (history.hasVersionNumbers()) {
      accepted.addAll(sources.versionNumbers());
    }
    takeUp(sources, Reason.Source.CERTIFICATE, sources.certificate(given.certificate()));
    int[] expected = given.certificate().order();
    if (given.assumes(Assumption.TRANSACTION_ORDER) || expected.length > 0) {
      takeUp(sources, Reason.Source.TRANSACTION_ORDER, sources.transactionOrder(expected));
    }
    checkReadModifyWrites();
    if (given.assumes(Assumption.WRITES_FOLLOW_READS)) {
      takeUp(sources, Reason.Source.WRITES_FOLLOW_READS, sources.writesFollowReads());
    }
    if (given.assumes(Assumption.SEQUENTIAL_KEYS)) {
      takeUp(sources, Reason.Source.SEQUENTIAL_KEYS, sources.sequentialKeys());
    }
    if (given.assumes(Assumption.LINEARIZABLE_KEYS)) {
      takeUp(sources, Reason.Source.LINEARIZABLE_KEYS, sources.linearizableKeys());
    }
    if (given.assumes(Assumption.TIMESTAMPS)) {
      takeUp(sources, Reason.Source.TIMESTAMPS, sources.timestamps());
    }
    notes.addAll(sources.notes());
    noteUseless(Assumption.LINEARIZABLE_KEYS, history.hasTimes(), "times");
    noteUseless(Assumption.TIMESTAMPS, history.hasTimestamps(), "database timestamps");
    boolean hasOrder = history.hasSerialPositions() || expected.length > 0;
    noteUseless(Assumption.TRANSACTION_ORDER, hasOrder, "expected serialization order");
  }

  /**
   * Notes an assumption that the history lacks the data for, so that it does not appear to have
   * been used.
   */
  private void noteUseless(Assumption assumption, boolean usable, String lacking) {
    if (given.assumes(assumption) && !usable) {
      notes.add(assumption.id() + " orders nothing: the history has no " + lacking);
    }
  }

  /** Whether a source is the certificate. */
  private boolean isGiven(Reason.Source source) {
    return source == Reason.Source.CERTIFICATE
        || (source == Reason.Source.TRANSACTION_ORDER && given.certificate().order().length > 0);
  }

  /** Adds the edges of a source except for keys where they close a cycle with what is known. */
  private void takeUp(VersionSources sources, Reason.Source source, EdgeList edges) {
    List<VersionCycle> found = isGiven(source) ? contradictions : cycles;
    found.addAll(sources.ownCycles());
    sources.ownCycles().clear();
    if (edges.size() == 0) {
      return;
    }
    EdgeList all = new EdgeList();
    all.addAll(accepted);
    all.addAll(edges);
    BitSet cyclic = cyclicKeys(all, source, found);
    for (int e = 0; e < edges.size(); e++) {
      if (!cyclic.get(edges.label(e))) {
        accepted.add(edges.from(e), edges.to(e), edges.label(e), edges.mark(e));
      }
    }
  }

  /** The keys whose versions form a cycle, each reported as the fault of a source. */
  private BitSet cyclicKeys(EdgeList edges, Reason.Source fault, List<VersionCycle> found) {
    BitSet cyclic = new BitSet();
    Components components = Components.of(interactions.versionCount(), edges);
    if (components.count() == interactions.versionCount()) {
      return cyclic;
    }
    VersionCycles search = new VersionCycles(interactions.versionCount(), edges, components);
    // The newest edges come last, so the first cycle looked for is one that uses the fault.
    for (int e = edges.size() - 1; e >= 0; e--) {
      int key = edges.label(e);
      if (!cyclic.get(key) && components.same(edges.from(e), edges.to(e))) {
        cyclic.set(key);
        List<VersionCycle.Step> steps = new ArrayList<>();
        for (int edge : search.through(e)) {
          steps.add(
              new VersionCycle.Step(
                  interactions.writer(edges.from(edge)),
                  interactions.writer(edges.to(edge)),
                  reason(edges.mark(edge))));
        }
        found.add(new VersionCycle(key, fault, steps));
      }
    }
    return cyclic;
  }

  /**
   * A certificate that puts a transaction's write before the version it read contradicts the
   * history.
   */
  private void checkReadModifyWrites() {
    if (given.certificate().isEmpty()) {
      return;
    }
    EdgeList all = new EdgeList();
    all.addAll(accepted);
    addChains(interactions, all);
    List<VersionCycle> found = new ArrayList<>();
    BitSet cyclic = cyclicKeys(all, Reason.Source.CERTIFICATE, found);
    for (VersionCycle cycle : found) {
      boolean useful = cycle.steps().stream().anyMatch(step -> isGiven(step.reason().source()));
      if (useful) {
        contradictions.add(cycle);
      } else {
        // Reads alone close this cycle: it is a G1c, not a fault of the certificate.
        cyclic.clear(cycle.key());
      }
    }
    EdgeList kept = new EdgeList();
    for (int e = 0; e < accepted.size(); e++) {
      boolean dropped =
          cyclic.get(accepted.label(e))
              && isGiven(Reason.Source.of(reasons.label(accepted.mark(e))));
      if (!dropped) {
        kept.add(accepted.from(e), accepted.to(e), accepted.label(e), accepted.mark(e));
      }
    }
    accepted = kept;
  }

  private void addChains(RegisterInteractions versions, EdgeList edges) {
    EdgeList written = chains();
    for (int c = 0; c < written.size(); c++) {
      int read = written.mark(c);
      int write = ReadModifyWrites.laterWrite(history, read);
      int from = versions.versionLeftBy(reads.source(read));
      int to = versions.versionLeftBy(write);
      if (from != RegisterInteractions.NONE && to != RegisterInteractions.NONE) {
        edges.add(from, to, written.label(c), reasons.size());
        reasons.add(reads.source(read), write, Reason.Source.READ_MODIFY_WRITE.ordinal(), 0);
      }
    }
  }

  /** Edges between versions as edges between transactions; initial versions have no writer. */
  private void listOrder() {
    for (int e = 0; e < accepted.size(); e++) {
      int from = interactions.writer(accepted.from(e));
      int to = interactions.writer(accepted.to(e));
      if (from >= 0 && to >= 0) {
        order.add(from, to, accepted.label(e), accepted.mark(e));
      }
    }
  }
}
