package dev.assay.infer;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a version certificate adds to the order of the versions of lists, and where it contradicts
 * what reads show.
 */
public final class GivenLists {
  private final History history;
  private final ReadsFrom reads;
  private final EdgeList order = new EdgeList();
  private final List<VersionCycle> contradictions = new ArrayList<>();

  public GivenLists(
      History history, ReadsFrom reads, ListVersions lists, VersionCertificate certificate) {
    this.history = history;
    this.reads = reads;
    Map<Integer, EdgeList> given = new HashMap<>();
    if (history.uses(OpKind.Type.LIST)) {
      certificate.chains().forEach(chain -> addChain(chain, given));
    }
    if (given.isEmpty()) {
      return;
    }
    Map<Integer, EdgeList> shown = new HashMap<>();
    for (int e = 0; e < lists.order().size(); e++) {
      int key = lists.order().label(e);
      if (given.containsKey(key)) {
        int earlier = lists.order().mark(e);
        shown
            .computeIfAbsent(key, k -> new EdgeList())
            .add(lists.order().from(e), lists.order().to(e), key, earlier);
      }
    }
    given.keySet().stream()
        .sorted()
        .forEach(key -> take(key, given.get(key), shown.getOrDefault(key, new EdgeList())));
  }

  /** Given order between appenders, labelled with the key and marked with the earlier append. */
  public EdgeList order() {
    return order;
  }

  /** Lists whose given order forms a cycle with itself or with what reads show. */
  public List<VersionCycle> contradictions() {
    return contradictions;
  }

  private void addChain(VersionCertificate.Chain chain, Map<Integer, EdgeList> given) {
    int before = VersionCertificate.INITIAL;
    for (int i = 0; i < chain.size(); i++) {
      int write = chain.write(i);
      boolean counts =
          write >= 0
              && history.kind(write) == OpKind.APPEND
              && reads.counts(history.transactionOf(write));
      if (!counts) {
        continue;
      }
      if (before >= 0 && history.transactionOf(before) != history.transactionOf(write)) {
        given
            .computeIfAbsent(chain.key(), k -> new EdgeList())
            .add(history.transactionOf(before), history.transactionOf(write), chain.key(), before);
      }
      before = write;
    }
  }

  private void take(int key, EdgeList given, EdgeList shown) {
    // Numbered in order of appearance: one list involves few of all transactions.
    LongIndex txns = new LongIndex();
    EdgeList all = new EdgeList();
    for (EdgeList edges : List.of(shown, given)) {
      for (int e = 0; e < edges.size(); e++) {
        all.add(txns.indexOf(edges.from(e)), txns.indexOf(edges.to(e)), key, edges.mark(e));
      }
    }
    Components components = Components.of(txns.size(), all);
    for (int e = shown.size(); e < all.size(); e++) {
      if (components.same(all.from(e), all.to(e))) {
        List<VersionCycle.Step> steps = new ArrayList<>();
        VersionCycles search = new VersionCycles(txns.size(), all, components);
        for (int edge : search.through(e)) {
          Reason.Source source =
              edge < shown.size() ? Reason.Source.TRACE : Reason.Source.CERTIFICATE;
          int to = (int) txns.get(all.to(edge));
          Reason reason = new Reason(source, all.mark(edge), append(to, key));
          steps.add(new VersionCycle.Step((int) txns.get(all.from(edge)), to, reason));
        }
        contradictions.add(new VersionCycle(key, Reason.Source.CERTIFICATE, steps));
        return;
      }
    }
    order.addAll(given);
  }

  /** An append of a transaction to a list. */
  private int append(int txn, int key) {
    int op = history.firstOp(txn);
    while (history.kind(op) != OpKind.APPEND || history.key(op) != key) {
      op++;
    }
    return op;
  }
}
