package dev.assay.collect.kv;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The way to members of etcd that run. */
class EtcdMembers implements KeyValueCluster.Means {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final List<Node> nodes;

  EtcdMembers(List<Node> nodes) {
    this.nodes = nodes;
  }

  List<Node> nodes() {
    return nodes;
  }

  @Override
  public KeyValues connect(int node, SessionSpec spec) {
    return new EtcdSession(this, node, spec.isolation().name().equals(Etcd.STALE));
  }

  @Override
  public String describe() throws ClientException {
    for (Node node : nodes) {
      try {
        HttpRequest request = request(node.url() + "/version").GET().build();
        return "etcd " + Json.text(sent(request).get("etcdserver"));
      } catch (ClientException e) {
        // Another member may answer.
      }
    }
    throw ClientException.unanswered("no member of etcd answers", null);
  }

  /** Asks a member; an error means that the outcome is not known. */
  Map<String, Object> ask(int node, String path, Map<String, Object> body) throws ClientException {
    return sent(
        request(nodes.get(node).url() + "/v3/" + path)
            .POST(HttpRequest.BodyPublishers.ofString(Json.line(body)))
            .build());
  }

  private static HttpRequest.Builder request(String address) throws ClientException {
    try {
      return HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE);
    } catch (IllegalArgumentException e) {
      throw ClientException.unanswered("the address of a member begins with http://", e);
    }
  }

  private Map<String, Object> sent(HttpRequest request) throws ClientException {
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw ClientException.unanswered("status " + answer.statusCode(), null);
      }
      return Json.readObject(answer.body());
    } catch (IOException e) {
      throw ClientException.unanswered(e.getClass().getSimpleName(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ClientException.unanswered("interrupted", e);
    }
  }

  @Override
  public void close() {
    // The members were there before the run and stay.
  }
}
