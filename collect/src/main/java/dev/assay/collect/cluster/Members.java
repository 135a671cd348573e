package dev.assay.collect.cluster;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Servers that Assay started, one or several, and what can be done to them. */
public final class Members implements Faults, AutoCloseable {
  private static final long SLOW_MILLIS = 100;

  /** How wrong a clock is that is fast, or slow. */
  private static final int SKEW_SECONDS = 60;

  private final List<Member> members = new ArrayList<>();
  private final Links links;
  private final Promotion promotion;
  private final boolean reached;
  private final Set<Cut> cuts = new LinkedHashSet<>();
  private int skews;

  /**
   * One of the servers.
   *
   * @param clients what leads clients to it, or null if nothing can be done to that
   */
  public record Member(String name, ServerProcess process, Wire clients, Clock clock) {
    /** The port of loopback where clients find it. */
    public int port(int own) {
      return clients == null ? own : clients.port();
    }
  }

  /** Lets a replica take the place of the primary, which is gone. */
  public interface Promotion {
    void promote() throws IOException;
  }

  /** A partition that is on. */
  private record Cut(FaultKind kind, List<Integer> nodes) {}

  /**
   * @param reached whether clients still reach a node that is cut off from others
   * @param promotion how a replica takes the place of the primary, or null
   */
  public Members(Links links, boolean reached, Promotion promotion) {
    this.links = links;
    this.reached = reached;
    this.promotion = promotion;
  }

  public void add(Member member) {
    members.add(member);
  }

  public Member get(int node) {
    return members.get(node);
  }

  public List<ServerProcess> processes() {
    return members.stream().map(Member::process).toList();
  }

  @Override
  public List<String> names() {
    return members.stream().map(Member::name).toList();
  }

  @Override
  public Set<FaultKind> kinds() {
    Set<FaultKind> kinds = EnumSet.of(FaultKind.KILL, FaultKind.PAUSE);
    boolean linked = links != Links.NONE;
    if (linked || members.stream().noneMatch(one -> one.clients() == null)) {
      kinds.addAll(Set.of(FaultKind.PARTITION, FaultKind.SLOW, FaultKind.LOSSY));
    }
    if (linked && members.size() > 1) {
      kinds.addAll(Set.of(FaultKind.HALVES, FaultKind.ONE_WAY, FaultKind.RING));
    }
    if (members.stream().noneMatch(one -> one.clock().file() == null)) {
      kinds.add(FaultKind.SKEW);
    }
    if (promotion != null) {
      kinds.add(FaultKind.FAILOVER);
    }
    return kinds;
  }

  @Override
  public synchronized void begin(FaultKind kind, List<Integer> nodes) throws IOException {
    switch (kind) {
      case PARTITION, ONE_WAY, RING, HALVES -> {
        Cut one = new Cut(kind, List.copyOf(nodes));
        cuts.add(one);
        cut(one);
      }
      case FAILOVER -> promotion.promote();
      case COMMAND -> throw new IllegalArgumentException("commands are not done by the server");
      default -> {
        for (int node : nodes) {
          begin(kind, node);
        }
      }
    }
  }

  private void begin(FaultKind kind, int node) throws IOException {
    Member member = members.get(node);
    switch (kind) {
      case KILL -> member.process().kill();
      case PAUSE -> member.process().pause();
      case SLOW -> slow(node, SLOW_MILLIS);
      case LOSSY -> lossy(node, true);
      default -> member.clock().set(skews++ % 2 == 0 ? SKEW_SECONDS : -SKEW_SECONDS);
    }
  }

  @Override
  public synchronized void end(FaultKind kind, List<Integer> nodes) throws IOException {
    switch (kind) {
      case PARTITION, ONE_WAY, RING, HALVES -> {
        cuts.remove(new Cut(kind, List.copyOf(nodes)));
        mend();
        for (Cut left : cuts) {
          cut(left);
        }
      }
      case FAILOVER, COMMAND -> {
        // What was promoted stays the primary.
      }
      default -> {
        for (int node : nodes) {
          end(kind, node);
        }
      }
    }
  }

  private void end(FaultKind kind, int node) throws IOException {
    Member member = members.get(node);
    switch (kind) {
      case KILL -> member.process().startAgain();
      case PAUSE -> member.process().resume();
      case SLOW -> slow(node, 0);
      case LOSSY -> lossy(node, false);
      default -> member.clock().set(0);
    }
  }

  private void slow(int node, long millis) throws IOException {
    links.delay(node, millis);
    if (members.get(node).clients() != null) {
      members.get(node).clients().delay(millis);
    }
  }

  private void lossy(int node, boolean on) throws IOException {
    links.lossy(node, on);
    if (members.get(node).clients() != null) {
      members.get(node).clients().lossy(on);
    }
  }

  private void cut(Cut one) throws IOException {
    for (int node : one.nodes()) {
      if (one.kind() == FaultKind.PARTITION && !reached) {
        members.get(node).clients().cut();
      }
      for (int other = 0; other < members.size(); other++) {
        boolean next = other == (node + 1) % members.size();
        boolean concerned =
            switch (one.kind()) {
              case RING -> next;
              case HALVES -> !one.nodes().contains(other);
              default -> true;
            };
        if (other != node && concerned) {
          links.cut(other, node);
          if (one.kind() != FaultKind.ONE_WAY) {
            links.cut(node, other);
          }
        }
      }
    }
  }

  private void mend() throws IOException {
    links.mend();
    for (Member member : members) {
      if (member.clients() != null) {
        member.clients().mend();
      }
    }
  }

  @Override
  public void close() {
    for (Member member : members) {
      if (member.clients() != null) {
        member.clients().close();
      }
      member.process().stop();
    }
    links.close();
  }
}
