package dev.assay.collect.kv;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Target;
import dev.assay.collect.server.Caller;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster of etcd that Assay starts on loopback, with the program of this machine. Members reach
 * each other by wires, one to each, so that they can be cut off from each other; clients reach
 * every member.
 */
final class EtcdServers extends EtcdMembers implements Faults {
  private static final long READY_MILLIS = 60_000;
  private static final long SLOW_MILLIS = 100;

  private final TemporaryFolder folder;
  private final List<ServerProcess> processes;
  private final List<Wire> wires;
  private final Set<Cut> cuts = new HashSet<>();

  /** A partition that is on. */
  private record Cut(FaultKind kind, int node) {}

  private EtcdServers(
      List<Node> nodes, TemporaryFolder folder, List<ServerProcess> processes, List<Wire> wires) {
    super(nodes);
    this.folder = folder;
    this.processes = processes;
    this.wires = wires;
  }

  static EtcdServers start(Target target) throws IOException {
    if (target.version() != null) {
      throw new ServerException("etcd is the one that is installed; its version cannot be chosen");
    }
    String program = program();
    TemporaryFolder folder = TemporaryFolder.create("assay-etcd");
    List<ServerProcess> processes = new ArrayList<>();
    List<Wire> wires = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    EtcdServers servers = new EtcdServers(nodes, folder, processes, wires);
    try {
      servers.start(program, target, nodes);
      return servers;
    } catch (IOException | RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  private static String program() throws ServerException {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":"))
        .map(each -> Path.of(each, "etcd"))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElseThrow(
            () ->
                new ServerException(
                    "there is no program etcd; on Debian: apt-get install -y etcd-server"));
  }

  private void start(String program, Target target, List<Node> nodes) throws IOException {
    int count = target.topology().nodes();
    List<Integer> peers = new ArrayList<>();
    List<String> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      peers.add(ServerProcess.freePort());
      wires.add(new Wire(peers.get(i), caller -> Caller.of(caller, processes)));
      members.add("node" + (i + 1) + "=http://127.0.0.1:" + wires.get(i).port());
    }
    for (int i = 0; i < count; i++) {
      String url = "http://127.0.0.1:" + ServerProcess.freePort();
      nodes.add(new Node(Node.Role.NODE, url));
      List<String> command = new ArrayList<>(List.of(program, "--name", "node" + (i + 1)));
      command.addAll(List.of("--data-dir", folder.path().resolve("data" + i).toString()));
      command.addAll(List.of("--listen-client-urls", url, "--advertise-client-urls", url));
      command.addAll(List.of("--listen-peer-urls", "http://127.0.0.1:" + peers.get(i)));
      String reached = "http://127.0.0.1:" + wires.get(i).port();
      command.addAll(List.of("--initial-advertise-peer-urls", reached));
      command.addAll(List.of("--initial-cluster", String.join(",", members)));
      target.options().forEach((name, value) -> command.add("--" + name + "=" + value));
      // Members accept each other at once, and clients when there are enough of them.
      ServerProcess process =
          new ServerProcess("etcd", command, folder.path().resolve("log" + i), peers.get(i));
      processes.add(process);
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

  // ---- faults

  @Override
  public Optional<Faults> faults() {
    return Optional.of(this);
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= processes.size(); i++) {
      names.add("node " + i);
    }
    return names;
  }

  @Override
  public Set<FaultKind> kinds() {
    return EnumSet.of(
        FaultKind.KILL,
        FaultKind.PAUSE,
        FaultKind.PARTITION,
        FaultKind.ONE_WAY,
        FaultKind.RING,
        FaultKind.SLOW);
  }

  @Override
  public void begin(FaultKind kind, int node) throws IOException {
    switch (kind) {
      case KILL -> processes.get(node).kill();
      case PAUSE -> processes.get(node).pause();
      case PARTITION, ONE_WAY, RING -> {
        cuts.add(new Cut(kind, node));
        cut(kind, node);
      }
      case SLOW -> wires.forEach(wire -> wire.delay(SLOW_MILLIS));
      default -> throw new IllegalArgumentException(kind.id() + " cannot be done to etcd");
    }
  }

  private void cut(FaultKind kind, int node) {
    int count = processes.size();
    for (int other = 0; other < count; other++) {
      boolean both = kind == FaultKind.PARTITION || other == (node + 1) % count;
      if (kind == FaultKind.ONE_WAY) {
        cut(other, node);
      } else if (both) {
        cut(node, other);
        cut(other, node);
      }
    }
  }

  /** What one node sends does not reach another, whichever of them made the connection. */
  private void cut(int from, int to) {
    wires.get(to).cutFrom(from);
    wires.get(from).cutTo(to);
  }

  @Override
  public void end(FaultKind kind, int node) throws IOException {
    switch (kind) {
      case KILL -> processes.get(node).startAgain();
      case PAUSE -> processes.get(node).resume();
      case SLOW -> wires.forEach(wire -> wire.delay(0));
      default -> {
        cuts.remove(new Cut(kind, node));
        wires.forEach(Wire::mend);
        cuts.forEach(left -> cut(left.kind(), left.node()));
      }
    }
  }

  @Override
  public void close() {
    wires.forEach(Wire::close);
    processes.forEach(ServerProcess::stop);
    folder.close();
  }
}
