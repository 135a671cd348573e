package dev.assay.collect.cluster;

import dev.assay.collect.server.Wire;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes on loopback that reach each other by wires. It takes servers that let others know another
 * address than the one they listen at.
 */
public final class PeerWires implements Links {
  private final List<Wire> wires = new ArrayList<>();

  /** The node that each wire leads to. */
  private final List<Integer> servers = new ArrayList<>();

  /** Adds a wire that leads to a node, and knows by number the nodes that call. */
  public void add(int server, Wire wire) {
    servers.add(server);
    wires.add(wire);
  }

  /** All wires lead to another node from now on, which has taken the place of the one before. */
  public void leadTo(int server, SocketAddress address) {
    for (int i = 0; i < wires.size(); i++) {
      servers.set(i, server);
      wires.get(i).leadTo(address);
    }
  }

  @Override
  public void cut(int from, int to) {
    for (int i = 0; i < wires.size(); i++) {
      if (servers.get(i) == to) {
        wires.get(i).cutFrom(from);
      }
      if (servers.get(i) == from) {
        wires.get(i).cutTo(to);
      }
    }
  }

  @Override
  public void mend() {
    wires.forEach(Wire::mend);
  }

  @Override
  public void delay(int node, long millis) {
    for (int i = 0; i < wires.size(); i++) {
      if (servers.get(i) == node) {
        wires.get(i).delay(millis);
      }
    }
  }

  @Override
  public void lossy(int node, boolean on) {
    for (int i = 0; i < wires.size(); i++) {
      if (servers.get(i) == node) {
        wires.get(i).lossy(on);
      }
    }
  }

  @Override
  public void close() {
    wires.forEach(Wire::close);
  }
}
