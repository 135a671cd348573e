package dev.assay.collect.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A certificate as its lines say it, read by other means than the tool's own. */
final class Certificate {
  final List<String> commits = new ArrayList<>();

  /** The expected serialization order; empty if there is none. */
  final List<String> order = new ArrayList<>();

  /** Versions by key: a value, or a map with the writer of a dead version. */
  final Map<Long, List<Object>> versions = new LinkedHashMap<>();

  /** Snapshots by {@code T#operation} or {@code T}. */
  final Map<String, Map<?, ?>> snapshots = new HashMap<>();

  Certificate(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      Map<?, ?> fields = (Map<?, ?>) Json.parse(line);
      if (fields.containsKey("commits")) {
        ((List<?>) fields.get("commits")).forEach(label -> commits.add((String) label));
      } else if (fields.containsKey("order")) {
        ((List<?>) fields.get("order")).forEach(label -> order.add((String) label));
      } else if (fields.containsKey("key")) {
        versions.put((Long) fields.get("key"), new ArrayList<>((List<?>) fields.get("versions")));
      } else if (fields.containsKey("select")) {
        snapshots.put((String) fields.get("select"), (Map<?, ?>) fields.get("snapshot"));
      } else {
        snapshots.put((String) fields.get("snapshot"), fields);
      }
    }
  }

  /**
   * The transactions in the version set of an operation, in commit order; null if none is given.
   */
  List<String> visible(String transaction, int operation) {
    Map<?, ?> snapshot = snapshots.get(transaction + "#" + operation);
    if (snapshot == null) {
      snapshot = snapshots.get(transaction);
    }
    if (snapshot == null) {
      return null;
    }
    Object upTo = snapshot.get("upTo");
    int end = upTo == null ? 0 : commits.indexOf(upTo) + 1;
    if (upTo != null && end == 0) {
      throw new AssertionError("a snapshot up to " + upTo + ", which did not commit");
    }
    Set<Object> except = new HashSet<>();
    if (snapshot.get("except") instanceof List<?> list) {
      except.addAll(list);
    }
    List<String> seen = new ArrayList<>(commits.subList(0, end));
    if (!seen.containsAll(except)) {
      throw new AssertionError("exceptions that are not among the first");
    }
    seen.removeAll(except);
    return seen;
  }
}
