package dev.assay.collect.cluster;

import dev.assay.collect.server.Programs;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network of its own for each node, joined by a bridge, in a user namespace: packets between
 * nodes can be dropped, without privileges. It takes a kernel that lets this user make such
 * namespaces. For servers that {@link PeerWires} cannot do, since they tell each other the address
 * that they listen at.
 *
 * <p>Nothing of this is reached from outside but sockets in files. It all goes when the process
 * that holds it does, and that ends when this one does.
 */
public final class Namespaces implements Links {
  private static final String PACKAGES = "iproute2 nftables util-linux";

  /** One packet in this many is lost, in each direction. */
  private static final int LOST_ONE_IN = 10;

  /** Makes the networks, prints the processes that hold them, and waits for the end of input. */
  private static final String SCRIPT =
      """
      set -e
      pids=
      trap 'kill $pids' EXIT
      ip link add bridge0 type bridge
      ip link set bridge0 up
      for i in $(seq "$1"); do
        unshare --net sleep infinity &
        pid=$!
        pids="$pids $pid"
        until [ "$(readlink /proc/$pid/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do
          kill -0 $pid
          sleep 0.01
        done
        ip link add "veth$i" type veth peer name eth0 netns $pid
        ip link set "veth$i" master bridge0 up
        nsenter -t $pid --net sh -ec '
          ip addr add "$1/24" dev eth0
          ip link set eth0 up
          ip link set lo up
          nft add table inet assay
          nft add chain inet assay cuts "{ type filter hook input priority 0; }"
          nft add chain inet assay in "{ type filter hook input priority 1; }"
          nft add chain inet assay out "{ type filter hook output priority 1; }"
        ' - "10.77.0.$i"
      done
      echo $pids
      cat > /dev/null
      """;

  private final Process holder;
  private final List<String> pids;

  private Namespaces(Process holder, List<String> pids) {
    this.holder = holder;
    this.pids = pids;
  }

  /** Networks for this many nodes. */
  public static Namespaces create(int nodes) throws IOException {
    for (String program : List.of("unshare", "nsenter", "ip", "nft")) {
      Programs.require(program, PACKAGES);
    }
    Path errors = Files.createTempFile("assay-namespaces", ".log");
    try {
      List<String> command = new ArrayList<>(List.of("setsid", "unshare", "--user"));
      command.addAll(List.of("--map-root-user", "--net", "sh", "-c", SCRIPT, "-", "" + nodes));
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
      builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
      Process holder = builder.start();
      BufferedReader out = holder.inputReader(StandardCharsets.UTF_8);
      String line = out.readLine();
      if (line == null) {
        String why = Files.readString(errors).strip().replaceAll("\\s*\\n\\s*", "; ");
        throw new ServerException(
            "this machine lets this user make no network namespaces (unshare --user --net): "
                + (why.isEmpty() ? "it gave no reason" : why));
      }
      return new Namespaces(holder, List.of(line.strip().split("\\s+")));
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  /** The address of a node, for other nodes. */
  public String address(int node) {
    return "10.77.0." + (node + 1);
  }

  /** A program in the network of a node, run by an ordinary user who owns what this one does. */
  public List<String> command(int node, List<String> command) {
    List<String> inside = enter(node);
    inside.addAll(List.of("unshare", "--user"));
    inside.addAll(command);
    return inside;
  }

  private List<String> enter(int node) {
    return new ArrayList<>(
        List.of("nsenter", "--preserve-credentials", "-t", pids.get(node), "--user", "--net"));
  }

  private void rule(int node, String rule) throws IOException {
    List<String> command = enter(node);
    command.add(Programs.require("nft", PACKAGES).toString());
    command.addAll(List.of(rule.split(" ")));
    ServerProcess.execute("nft " + rule, command, null);
  }

  @Override
  public void cut(int from, int to) throws IOException {
    rule(to, "add rule inet assay cuts ip saddr " + address(from) + " drop");
  }

  @Override
  public void mend() throws IOException {
    for (int node = 0; node < pids.size(); node++) {
      rule(node, "flush chain inet assay cuts");
    }
  }

  /** Kernels that can do this (netem) are rare enough; clients are late. */
  @Override
  public void delay(int node, long millis) {}

  @Override
  public void lossy(int node, boolean on) throws IOException {
    for (String side : List.of("in iifname", "out oifname")) {
      String[] chain = side.split(" ");
      rule(node, "flush chain inet assay " + chain[0]);
      if (on) {
        String some = " eth0 numgen random mod " + LOST_ONE_IN + " 0 drop";
        rule(node, "add rule inet assay " + side + some);
      }
    }
  }

  @Override
  public void close() {
    try {
      holder.getOutputStream().close();
    } catch (IOException e) {
      holder.destroy();
    }
  }
}
