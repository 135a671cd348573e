package dev.assay.collect.certificate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Parses what TiDB's {@code /mvcc/key} returns about a row: in {@code writes}, wherever it is in
 * the answer, each version with {@code start_ts}, {@code commit_ts} and, unless it is a plain put,
 * {@code type}. Values are encoded, and not needed: the start timestamp names the writer.
 */
final class MvccVersions {
  private static final Set<String> INSTALLS = Set.of("0", "Put", "1", "Del");
  private static final Set<String> INSTALLS_NOTHING = Set.of("2", "Lock", "3", "Rollback");

  /** The keys that a transaction wrote, by its commit timestamp; and its transaction. */
  private final TreeMap<Long, TreeSet<Long>> keys = new TreeMap<>();

  private final TreeMap<Long, Long> starts = new TreeMap<>();

  void accept(long key, String answer) throws CertificateException {
    try (JsonParser json = new JsonFactory().createParser(answer)) {
      while (json.nextToken() != null) {
        if (json.currentToken() == JsonToken.START_ARRAY && "writes".equals(json.currentName())) {
          while (json.nextToken() == JsonToken.START_OBJECT) {
            readWrite(key, json);
          }
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new CertificateException(
          "cannot interpret TiDB's versions of " + key + ": " + answer, e);
    }
  }

  private void readWrite(long key, JsonParser json) throws IOException {
    long start = 0;
    long commit = 0;
    String type = "0";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "start_ts" -> start = Long.parseLong(json.getText());
        case "commit_ts" -> commit = Long.parseLong(json.getText());
        case "type" -> type = json.getText();
        default -> json.skipChildren();
      }
    }
    if (INSTALLS_NOTHING.contains(type)) {
      return;
    }
    if (!INSTALLS.contains(type) || start <= 0 || commit <= start) {
      throw new IllegalArgumentException("not a version");
    }
    Long before = starts.put(commit, start);
    if (before != null && before != start) {
      throw new IllegalArgumentException("two transactions committed at " + commit);
    }
    keys.computeIfAbsent(commit, t -> new TreeSet<>()).add(key);
  }

  /**
   * What was read, in the order of commit timestamps.
   *
   * @param ids the ids of transactions by their start timestamps
   */
  CommitLog log(Map<String, String> ids) throws CertificateException {
    CommitLog log = new CommitLog();
    for (Map.Entry<Long, TreeSet<Long>> entry : keys.entrySet()) {
      String start = Long.toString(starts.get(entry.getKey()));
      if (!ids.containsKey(start)) {
        throw new CertificateException(
            "TiDB has versions of a transaction " + start + " that no client ran");
      }
      log.begin();
      log.mark(ids.get(start));
      entry.getValue().forEach(key -> log.version(key, null));
      log.commit(entry.getKey());
    }
    return log;
  }
}
