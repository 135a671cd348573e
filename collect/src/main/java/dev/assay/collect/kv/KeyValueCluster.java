package dev.assay.collect.kv;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** A store of keys and texts that runs. Each run has names for its own keys. */
final class KeyValueCluster implements Cluster {
  private final Client client;
  private final List<Node> nodes;
  private final Means means;
  private volatile String run = "0";

  /** What differs between stores. */
  interface Means {
    KeyValues connect(int node, SessionSpec spec) throws ClientException;

    /** Name and version as the store reports them. */
    String describe() throws ClientException;

    default Optional<Faults> faults() {
      return Optional.empty();
    }

    void close();
  }

  KeyValueCluster(Client client, List<Node> nodes, Means means) {
    this.client = client;
    this.nodes = List.copyOf(nodes);
    this.means = means;
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public List<Node> nodes() {
    return nodes;
  }

  @Override
  public ClientSession open(int node, SessionSpec spec) throws ClientException {
    return new KeyValueSession(means.connect(node, spec), run);
  }

  @Override
  public RunData newData() {
    return RunData.ownName(() -> run = Long.toHexString(new SecureRandom().nextLong()));
  }

  @Override
  public void ping() throws ClientException {
    means.describe();
  }

  @Override
  public String describe() throws ClientException {
    return means.describe();
  }

  @Override
  public Optional<Faults> faults() {
    return means.faults();
  }

  @Override
  public void close() {
    means.close();
  }
}
