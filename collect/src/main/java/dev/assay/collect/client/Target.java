package dev.assay.collect.client;

import java.util.List;
import java.util.Map;

/**
 * Which store to use, and where.
 *
 * @param client its kind
 * @param version the version to start, or null for the tested one
 * @param nodes where it runs; empty to start one
 * @param user the user to connect as, or null
 * @param password the password, or null; never shown and never recorded
 * @param options settings of the server Assay starts
 * @param topology the nodes that Assay starts
 */
public record Target(
    Client client,
    String version,
    List<Node> nodes,
    String user,
    String password,
    Map<String, String> options,
    Topology topology) {
  public Target {
    nodes = List.copyOf(nodes);
    options = Map.copyOf(options);
  }

  /** One node, if Assay starts it. */
  public Target(
      Client client,
      String version,
      List<Node> nodes,
      String user,
      String password,
      Map<String, String> options) {
    this(client, version, nodes, user, password, options, Topology.SINGLE);
  }

  /** A store that Assay starts. */
  public static Target embedded(Client client, String version) {
    return new Target(client, version, List.of(), null, null, Map.of());
  }

  /** A store that runs, with nodes that are all alike. */
  public static Target at(Client client, String user, String password, String... urls) {
    List<Node> nodes = List.of(urls).stream().map(url -> new Node(Node.Role.NODE, url)).toList();
    return new Target(client, null, nodes, user, password, Map.of());
  }

  public boolean isEmbedded() {
    return nodes.isEmpty();
  }

  public List<String> urls() {
    return nodes.stream().map(Node::url).toList();
  }

  /** The record's own text would show the password. */
  @Override
  public String toString() {
    return client.id();
  }
}
