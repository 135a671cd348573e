package dev.assay.oracle.predicate;

import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What single rows were read from whom, those among the results of selects included. A row that is
 * not there may never have been, or any transaction may have deleted it.
 */
final class ItemReads {
  /** A version of a key that a transaction read; one of a row that is not there is null. */
  record Read(int reader, String key, Row row) {}

  private final PredicateHistory history;
  private final Map<Read, List<Integer>> candidates = new LinkedHashMap<>();
  private boolean plain = true;

  ItemReads(PredicateHistory history) {
    this.history = history;
    for (int txn = 0; txn < history.size(); txn++) {
      Map<String, Row> own = new HashMap<>();
      Map<String, Row> seen = new HashMap<>();
      for (Op op : history.txns().get(txn).ops()) {
        Map<String, Row> rows = new HashMap<>();
        if (op instanceof Op.Read read) {
          rows.put(read.key(), read.row());
        } else if (op instanceof Op.Select select) {
          rows.putAll(select.rows());
        }
        for (Map.Entry<String, Row> row : rows.entrySet()) {
          add(new Read(txn, row.getKey(), row.getValue()), own, seen);
        }
        own.putAll(op.written());
      }
    }
  }

  private void add(Read read, Map<String, Row> own, Map<String, Row> seen) {
    if (own.containsKey(read.key)) {
      plain &= Objects.equals(own.get(read.key), read.row);
      return;
    }
    plain &= !seen.containsKey(read.key) || Objects.equals(seen.get(read.key), read.row);
    seen.put(read.key, read.row);
    List<Integer> sources = new ArrayList<>();
    if (read.row == null) {
      sources.add(-1);
    }
    for (int writer = 0; writer < history.size(); writer++) {
      Map<String, Row> last = history.finalWrites(writer);
      boolean same = last.containsKey(read.key) && Objects.equals(last.get(read.key), read.row);
      if (same && writer != read.reader) {
        sources.add(writer);
      }
    }
    plain &= !sources.isEmpty();
    candidates.put(read, sources);
  }

  private boolean isDeleted(String key) {
    return history.txns().stream()
        .flatMap(txn -> txn.ops().stream())
        .anyMatch(op -> op.written().containsKey(key) && op.written().get(key) == null);
  }

  /** Whether no read is an anomaly by itself. */
  boolean arePlain() {
    return plain;
  }

  /**
   * Whether a row that was not there was deleted at some time, so that nothing names its writer,
   * unless the snapshot of its reader does.
   */
  boolean areAmbiguous(Certificate certificate) {
    return candidates.keySet().stream()
        .anyMatch(read -> read.row == null && isDeleted(read.key) && !isTold(read, certificate));
  }

  /** Whether the snapshot of the reader has a row that is not there either. */
  private boolean isTold(Read read, Certificate certificate) {
    return read.row == null
        && certificate.snapshots().containsKey(read.reader)
        && candidates.get(read).contains(certificate.snapshotWriter(read.reader, read.key));
  }

  /** Whether versions are ordered so that someone wrote a version before the one he had read. */
  boolean areContradictedBy(Certificate certificate) {
    return candidates.entrySet().stream()
        .anyMatch(
            entry -> {
              List<Integer> order =
                  certificate.orders().getOrDefault(entry.getKey().key, List.of());
              int own = order.indexOf(entry.getKey().reader);
              return own >= 0 && entry.getValue().stream().anyMatch(w -> order.indexOf(w) > own);
            });
  }

  /** Every choice of whom the reads from others were from. */
  List<Map<Read, Integer>> choices() {
    return choices(new Certificate(Map.of(), List.of(), Map.of(), Map.of()));
  }

  /** The same where the snapshot of a transaction says which rows were not there. */
  List<Map<Read, Integer>> choices(Certificate certificate) {
    List<Map<Read, Integer>> choices = List.of(Map.of());
    for (Map.Entry<Read, List<Integer>> read : candidates.entrySet()) {
      List<Map<Read, Integer>> longer = new ArrayList<>();
      for (Map<Read, Integer> choice : choices) {
        List<Integer> possible =
            isTold(read.getKey(), certificate)
                ? List.of(certificate.snapshotWriter(read.getKey().reader, read.getKey().key))
                : read.getValue();
        for (int source : possible) {
          Map<Read, Integer> next = new LinkedHashMap<>(choice);
          next.put(read.getKey(), source);
          longer.add(next);
        }
      }
      choices = longer;
    }
    return choices;
  }
}
