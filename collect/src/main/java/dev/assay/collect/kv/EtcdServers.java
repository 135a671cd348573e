package dev.assay.collect.kv;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Target;
import dev.assay.collect.cluster.Clock;
import dev.assay.collect.cluster.Members;
import dev.assay.collect.cluster.PeerWires;
import dev.assay.collect.server.Caller;
import dev.assay.collect.server.Programs;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster of etcd that Assay starts on loopback, with the program of this machine. Members reach
 * each other by wires, one to each, so that they can be cut off from each other; clients reach
 * every member.
 */
final class EtcdServers extends EtcdMembers {
  private static final long READY_MILLIS = 60_000;

  private final TemporaryFolder folder;
  private final PeerWires wires;
  private final Members members;

  private EtcdServers(List<Node> nodes, TemporaryFolder folder) {
    super(nodes);
    this.folder = folder;
    this.wires = new PeerWires();
    this.members = new Members(wires, true, null);
  }

  static EtcdServers start(Target target) throws IOException {
    if (target.version() != null) {
      throw new ServerException("etcd is the one that is installed; its version cannot be chosen");
    }
    String program = Programs.require("etcd", "etcd-server").toString();
    List<Node> nodes = new ArrayList<>();
    EtcdServers servers = new EtcdServers(nodes, TemporaryFolder.create("assay-etcd"));
    try {
      servers.start(program, target, nodes);
      return servers;
    } catch (IOException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  private void start(String program, Target target, List<Node> nodes) throws IOException {
    int count = target.topology().nodes();
    List<Integer> peers = new ArrayList<>();
    List<String> reached = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      peers.add(ServerProcess.freePort());
      Wire wire =
          new Wire(Wire.loopback(peers.get(i)), caller -> Caller.of(caller, members.processes()));
      wires.add(i, wire);
      reached.add("http://127.0.0.1:" + wire.port());
      all.add("node" + (i + 1) + "=" + reached.get(i));
    }
    for (int i = 0; i < count; i++) {
      String url = "http://127.0.0.1:" + ServerProcess.freePort();
      nodes.add(new Node(Node.Role.NODE, url));
      List<String> command = new ArrayList<>(List.of(program, "--name", "node" + (i + 1)));
      command.addAll(List.of("--data-dir", folder.path().resolve("data" + i).toString()));
      command.addAll(List.of("--listen-client-urls", url, "--advertise-client-urls", url));
      command.addAll(List.of("--listen-peer-urls", "http://127.0.0.1:" + peers.get(i)));
      command.addAll(List.of("--initial-advertise-peer-urls", reached.get(i)));
      command.addAll(List.of("--initial-cluster", String.join(",", all)));
      target.options().forEach((name, value) -> command.add("--" + name + "=" + value));
      // Members accept each other at once, and clients when there are enough of them.
      ServerProcess process =
          new ServerProcess("etcd", command, folder.path().resolve("log" + i), peers.get(i));
      members.add(new Members.Member("node " + (i + 1), process, null, Clock.RIGHT));
      process.start();
    }
    awaitReady();
  }

  private void awaitReady() throws ServerException {
    long deadline = System.nanoTime() + READY_MILLIS * 1_000_000;
    for (int node = 0; node < nodes().size(); node++) {
      while (!answers(node)) {
        if (System.nanoTime() > deadline) {
          throw new ServerException("etcd did not elect a leader within a minute");
        }
        ServerProcess.sleep(50);
      }
    }
  }

  private boolean answers(int node) {
    try {
      ask(node, "kv/range", Map.of("key", "YQ=="));
      return true;
    } catch (ClientException e) {
      return false;
    }
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(members);
  }

  @Override
  public void close() {
    members.close();
    folder.close();
  }
}
