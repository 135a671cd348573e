package dev.assay.collect.kv;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Failure;
import dev.assay.collect.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Transactions of etcd by compare and revision. */
final class EtcdSession implements KeyValues {
  private final EtcdMembers members;
  private final int node;
  private final boolean stale;
  private final Map<String, Seen> seen = new LinkedHashMap<>();
  private final Map<String, String> writes = new LinkedHashMap<>();
  private long versionWritten = ClientSession.NONE;

  /** What a key had, and in which revision; 0 for none. */
  private record Seen(String text, String revision) {}

  EtcdSession(EtcdMembers members, int node, boolean stale) {
    this.members = members;
    this.node = node;
    this.stale = stale;
  }

  @Override
  public void begin() {
    seen.clear();
    writes.clear();
    versionWritten = ClientSession.NONE;
  }

  @Override
  public String get(String key) throws ClientException {
    if (writes.containsKey(key)) {
      return writes.get(key);
    }
    if (!seen.containsKey(key)) {
      Map<String, Object> request = new HashMap<>();
      request.put("key", encoded(key));
      request.put("serializable", stale);
      List<?> found = Json.list(members.ask(node, "kv/range", request).get("kvs"));
      if (found == null || found.isEmpty()) {
        seen.put(key, new Seen(null, "0"));
      } else {
        Map<String, Object> one = Json.object(found.get(0));
        byte[] text = Base64.getDecoder().decode(Json.text(one.get("value")));
        seen.put(key, new Seen(new String(text, UTF_8), Json.text(one.get("mod_revision"))));
      }
    }
    return seen.get(key).text();
  }

  /** Its own writes have none before it commits. */
  @Override
  public long version(String key) {
    return writes.containsKey(key) ? ClientSession.NONE : Long.parseLong(seen.get(key).revision());
  }

  @Override
  public long versionWritten() {
    return versionWritten;
  }

  @Override
  public void put(String key, String text) {
    writes.put(key, text);
  }

  @Override
  public void commit() throws ClientException {
    if (writes.isEmpty() && seen.size() < 2) {
      // One read is atomic by itself.
      return;
    }
    List<Object> compare = new ArrayList<>();
    seen.forEach(
        (key, one) ->
            compare.add(
                Map.of(
                    "key",
                    encoded(key),
                    "target",
                    "MOD",
                    "result",
                    "EQUAL",
                    "mod_revision",
                    one.revision())));
    List<Object> success = new ArrayList<>();
    writes.forEach(
        (key, text) ->
            success.add(
                Map.of("request_put", Map.of("key", encoded(key), "value", encoded(text)))));
    Map<String, Object> answer =
        members.ask(node, "kv/txn", Map.of("compare", compare, "success", success));
    if (!Boolean.TRUE.equals(answer.get("succeeded"))) {
      throw new ClientException(Failure.REFUSED, "another revision");
    }
    versionWritten = Long.parseLong(Json.text(Json.object(answer.get("header")).get("revision")));
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @Override
  public void rollback() {
    begin();
  }

  @Override
  public void close() {
    begin();
  }
}
