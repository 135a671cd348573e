package dev.assay.collect.certificate;

import dev.assay.collect.db.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The transactions that a database's log shows as committed, in the order of their commits, each
 * with the versions that it left behind. Filled by the reader of the log.
 */
public final class CommitLog {
  /**
   * A transaction that changed something.
   *
   * @param id what the database calls it: a transaction id, a position or a timestamp
   * @param mark the id in the history, where the session left it in the log; else null
   * @param sample a version that it wrote, though perhaps not the last of its key, or null if it
   *     only deleted: versions name their writers
   * @param changes for registers and rows the last of each key, for lists all
   */
  public record Committed(long id, String mark, Change sample, List<Change> changes) {}

  /**
   * A version of a key.
   *
   * @param version the value as the history has it, the appended element of a list, or null for
   *     what only its writer names: a row that was deleted, or whose value is not in the log
   */
  public record Change(long key, Object version) {}

  private final List<Committed> transactions = new ArrayList<>();
  private final Map<Long, Object> versions = new LinkedHashMap<>();
  private final List<Change> appended = new ArrayList<>();
  private String mark;
  private Change sample;

  public List<Committed> transactions() {
    return transactions;
  }

  /** Forgets changes that are not committed. */
  void begin() {
    versions.clear();
    appended.clear();
    mark = null;
    sample = null;
  }

  void mark(String text) {
    mark = text;
  }

  /** The last version of a register or a row so far; null as in {@link Change}. */
  void version(long key, Object version) {
    versions.put(key, version);
    sample = version == null ? sample : new Change(key, version);
  }

  /** A row of {@link Table#ROWS}. */
  void row(long key, long value, long version) {
    version(key, List.of(value, version));
  }

  /** A list after an append: numbers that each end in a comma. */
  void list(long key, String text) {
    int end = text.length() - 1;
    if (end > 0) {
      int start = text.lastIndexOf(',', end - 1) + 1;
      sample = new Change(key, Long.parseLong(text.substring(start, end)));
      appended.add(sample);
    }
  }

  /** Adds the transaction, unless it changed none of the tables of the run. */
  void commit(long id) {
    List<Change> changes = new ArrayList<>(appended);
    versions.forEach((key, version) -> changes.add(new Change(key, version)));
    if (!changes.isEmpty() || mark != null) {
      transactions.add(new Committed(id, mark, sample, List.copyOf(changes)));
    }
    begin();
  }
}
