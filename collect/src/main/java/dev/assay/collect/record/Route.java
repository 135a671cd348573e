package dev.assay.collect.record;

import dev.assay.collect.client.Node;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.SplitMix;
import java.util.ArrayList;
import java.util.List;

/** Where the transactions of one client run. */
final class Route {
  private final Routing routing;
  private final List<Node> nodes;
  private final List<Integer> writable = new ArrayList<>();
  private final List<Integer> readOnly = new ArrayList<>();
  private final int client;
  private final SplitMix random;

  Route(List<Node> nodes, Routing routing, int client, SplitMix random) {
    this.routing = routing;
    this.nodes = nodes;
    this.client = client;
    this.random = random;
    for (int i = 0; i < nodes.size(); i++) {
      (nodes.get(i).isReadOnly() ? readOnly : writable).add(i);
    }
  }

  /** Decides what the next transaction does; returns the place of the node that it runs on. */
  int draw(LiveWorkload.Client workload) {
    int node =
        switch (routing) {
          case STAY -> client % nodes.size();
          case WANDER -> random.below(nodes.size());
          case SPLIT -> writable.get(client % writable.size());
        };
    workload.draw(nodes.get(node).isReadOnly());
    if (routing == Routing.SPLIT && workload.onlyReads()) {
      return readOnly.get(random.below(readOnly.size()));
    }
    return node;
  }
}
