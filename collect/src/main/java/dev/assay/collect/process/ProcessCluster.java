package dev.assay.collect.process;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.Target;
import dev.assay.collect.client.UnusableException;
import dev.assay.history.OpKind;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A store behind programs: one for all sessions, or one for each. */
final class ProcessCluster implements Cluster {
  private static final Duration PING = Duration.ofSeconds(5);

  private final ProcessClient client;
  private final Target target;
  private final Map<String, String> environment = new HashMap<>();
  private final AtomicInteger sessions = new AtomicInteger();

  /** The process of all sessions, or the one that prepares and cleans up. */
  private final Conversation first;

  /** The name of the current run, which its keys can begin with. */
  private volatile String run = "0";

  ProcessCluster(ProcessClient client, Target target) throws IOException {
    this.client = client;
    this.target = target;
    if (target.user() != null) {
      environment.put("ASSAY_USER", target.user());
    }
    if (target.password() != null) {
      environment.put("ASSAY_PASSWORD", target.password());
    }
    first = new Conversation(client.command(), environment);
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public List<Node> nodes() {
    return target.nodes().isEmpty() ? List.of(new Node(Node.Role.NODE, "")) : target.nodes();
  }

  @Override
  public String redact(String text) {
    String password = target.password();
    return text == null || password == null || password.isEmpty()
        ? text
        : text.replace(password, "***");
  }

  @Override
  public ClientSession open(int node, SessionSpec spec) throws ClientException {
    if (client.isShared() && first.over() != null) {
      // Another process would not have what this one may have kept in memory.
      throw new UnusableException(first.over().getMessage(), first.over());
    }
    Conversation conversation = client.isShared() ? first : another();
    ProcessSession session =
        new ProcessSession(
            conversation, sessions.incrementAndGet(), client.patience(), !client.isShared());
    Map<String, Object> request = session.request("open");
    request.put("run", run);
    request.put("level", spec.isolation().name());
    Node at = nodes().get(node);
    if (!at.url().isEmpty()) {
      request.put("node", at.url());
      request.put("role", at.role().id());
    }
    if (spec.readOnly()) {
      request.put("readOnly", true);
    }
    if (spec.forUpdate()) {
      request.put("lock", true);
    }
    try {
      session.ask(request, ready());
      return session;
    } catch (ClientException e) {
      session.close();
      throw e;
    }
  }

  private Conversation another() throws ClientException {
    try {
      return new Conversation(client.command(), environment);
    } catch (IOException e) {
      throw ClientException.unanswered(e.getMessage(), e);
    }
  }

  @Override
  public RunData newData() {
    return new RunData() {
      @Override
      public void create() throws ClientException {
        run = Long.toHexString(new SecureRandom().nextLong());
        once("setup");
      }

      @Override
      public void load(OpKind.Type type, long[] keys) {
        throw new UnsupportedOperationException("a client process has no rows to update");
      }

      @Override
      public boolean areAnothers(ClientSession session) {
        return false;
      }

      @Override
      public boolean dropIfOurs() {
        try {
          once("teardown");
        } catch (ClientException e) {
          // What is left there has a name that no other run uses.
        }
        return true;
      }
    };
  }

  private void once(String op) throws ClientException {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("op", op);
    request.put("run", run);
    if (!target.nodes().isEmpty()) {
      request.put("nodes", target.urls());
    }
    ProcessClient.requireNoError(first.ask(request).await(ready()));
  }

  /** A process may still be starting when it gets its first request. */
  private Duration ready() {
    return client.patience().compareTo(ProcessClient.HELLO) > 0
        ? client.patience()
        : ProcessClient.HELLO;
  }

  @Override
  public void ping() throws ClientException {
    ProcessClient.hello(first, PING.compareTo(client.patience()) < 0 ? PING : client.patience());
  }

  @Override
  public String describe() {
    return client.describe();
  }

  @Override
  public void close() {
    first.close();
  }
}
