package dev.assay.collect.certificate;

import dev.assay.collect.db.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * The transactions that a database's log shows as committed, in the order of their commits, each
 * with the versions that it left behind. Filled by whoever reads the log.
 */
public final class CommitLog {
  /**
   * A transaction that changed something.
   *
   * @param id what the database calls it: a transaction id, a position or a timestamp
   * @param mark the id in the history, where the session left it in the log; else null
   * @param sample a version that it wrote, though perhaps not the last of its key, or null if it
   *     only deleted: versions name who wrote them
   * @param changes for registers and rows the last of each key, for lists all
   */
  public record Committed(long id, String mark, Change sample, List<Change> changes) {}

  /**
   * A version of a key.
   *
   * @param version the value as the history has it, the appended element of a list, or null for a
   *     row that was deleted
   */
  public record Change(long key, Object version) {}

  private final List<Committed> transactions = new ArrayList<>();
  private List<Change> changes = new ArrayList<>();
  private String mark;
  private Change sample;

  public List<Committed> transactions() {
    return transactions;
  }

  /** Forgets changes that are not committed. */
  void begin() {
    changes = new ArrayList<>();
    mark = null;
    sample = null;
  }

  void mark(String text) {
    mark = text;
  }

  /** A row of {@link Table#ROWS}. */
  void row(long key, long value, long version) {
    replace(new Change(key, List.of(value, version)));
  }

  void deleted(long key) {
    replace(new Change(key, null));
  }

  void register(long key, long value) {
    replace(new Change(key, value));
  }

  /** A list after an append: numbers that each end in a comma. */
  void list(long key, String text) {
    int end = text.length() - 1;
    if (end > 0) {
      int start = text.lastIndexOf(',', end - 1) + 1;
      add(new Change(key, Long.parseLong(text.substring(start, end))));
    }
  }

  /** What was changed is there, unless it was nothing of ours. */
  void commit(long id) {
    if (!changes.isEmpty() || mark != null) {
      transactions.add(new Committed(id, mark, sample, List.copyOf(changes)));
    }
    begin();
  }

  private void replace(Change change) {
    changes.removeIf(before -> before.key() == change.key());
    add(change);
  }

  private void add(Change change) {
    changes.add(change);
    sample = change.version() == null ? sample : change;
  }
}
