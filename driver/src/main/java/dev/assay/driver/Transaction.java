package dev.assay.driver;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A transaction of the application while it runs, for one thread at a time. */
final class Transaction {
  final long start;
  final List<Operation> operations = new ArrayList<>();

  /** Where in the operations a savepoint is. */
  private record Mark(Object name, int at) {}

  private final List<Mark> savepoints = new ArrayList<>();

  /** What was taken back to a savepoint. */
  private final List<Operation> undone = new ArrayList<>();

  /** Results of writes of which rows are still to be read. */
  final List<RecordedResult> unread = new ArrayList<>();

  /** The tables of writes that others may see before it is known of which rows. */
  final List<String> unsettled = new ArrayList<>();

  long end;
  String outcome;
  String error;

  /** The database's id, where it was asked for. */
  String id;

  /** Whether statements may have written rows that were not seen. */
  boolean unseenWrites;

  /** Whether a statement failed, after which the database only takes a rollback. */
  boolean failed;

  /** Results and generated keys that the application has not finished reading. */
  int open;

  private CallSite common;

  Transaction(long start) {
    this.start = start;
  }

  /** Another transaction, of the same time and place. */
  Transaction alike() {
    Transaction other = new Transaction(start);
    other.common = common;
    return other;
  }

  void called(CallSite site) {
    common = common == null ? site : common.common(site);
  }

  /** The method within which all statements were executed; null if none is known. */
  CallSite.Frame method() {
    return common == null ? null : common.innermost();
  }

  /** Where a statement was executed, and from where in the method of the transaction. */
  String place(CallSite site) {
    return site.text(common == null ? 0 : common.frames().size());
  }

  void end(String how) {
    if (outcome == null) {
      outcome = how;
      end = System.nanoTime();
    }
  }

  boolean wrote() {
    return operations.stream().anyMatch(one -> one.kind != Operation.Kind.READ);
  }

  /** The tables of which it deleted rows. */
  Set<String> deleted() {
    Set<String> tables = new TreeSet<>();
    for (Operation operation : operations) {
      if (operation.kind == Operation.Kind.DELETE) {
        tables.add(operation.table.label());
      }
    }
    return tables;
  }

  /** Whether a trigger may have written more than the statements did. */
  boolean wroteOpenTable() {
    return operations.stream()
        .anyMatch(one -> one.kind != Operation.Kind.READ && !one.table.closed());
  }

  /** Gives everything that was written one version; what was read of it before had another. */
  void writtenAt(String version) {
    Map<String, Operation> last = new LinkedHashMap<>();
    for (Operation operation : operations) {
      if (operation.kind == Operation.Kind.READ) {
        if (operation.rows.keySet().removeIf(last::containsKey)) {
          operation.condition = null;
        }
        continue;
      }
      for (String key : operation.rows.keySet()) {
        Operation before = last.put(key, operation);
        if (before != null && before != operation) {
          before.rows.remove(key);
        }
      }
    }
    for (Operation operation : last.values()) {
      if (operation.kind == Operation.Kind.WRITE) {
        operation.rows.replaceAll((key, row) -> new Row(row.table(), key, version, row.values()));
      }
    }
  }

  /** Whether a row was written here, as far as that is known yet. */
  boolean mayHaveWritten(String key, Table table) {
    for (Operation operation : operations) {
      boolean same = operation.table.label().equals(table.label());
      if (operation.kind != Operation.Kind.READ
          && same
          && (operation.unread || operation.rows.containsKey(key))) {
        return true;
      }
    }
    return false;
  }

  // ---- savepoints

  /**
   * Marks a savepoint.
   *
   * @param shadows whether one of the same name stays behind it
   */
  void savepoint(Object name, boolean shadows) {
    if (!shadows) {
      savepoints.removeIf(mark -> mark.name.equals(name));
    }
    savepoints.add(new Mark(name, operations.size()));
  }

  void release(Object name) {
    int found = find(name);
    if (found >= 0) {
      savepoints.subList(found, savepoints.size()).clear();
    }
  }

  private int find(Object name) {
    for (int i = savepoints.size() - 1; i >= 0; i--) {
      if (savepoints.get(i).name.equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Takes back what was written since a savepoint; false if it is not known which that is. */
  boolean rollbackTo(Object name) {
    failed = false;
    int found = find(name);
    int since = found < 0 ? 0 : savepoints.get(found).at;
    savepoints.subList(found + 1, savepoints.size()).clear();
    List<Operation> after = operations.subList(since, operations.size());
    List<Operation> reads = new ArrayList<>();
    boolean wrote = false;
    for (Operation operation : after) {
      if (operation.kind == Operation.Kind.READ) {
        operation.sawUndone |= wrote;
        reads.add(operation);
      } else {
        wrote = true;
        undone.add(operation);
      }
    }
    after.clear();
    operations.addAll(reads);
    return found >= 0;
  }

  /** Takes out what was seen of writes that were taken back; rows may be read long after that. */
  void forgetUndone() {
    Set<String> versions = new HashSet<>();
    for (Operation operation : undone) {
      operation.rows.values().forEach(row -> versions.add(row.key() + " " + row.version()));
    }
    for (Operation operation : operations) {
      if (operation.kind != Operation.Kind.READ) {
        continue;
      }
      boolean less =
          operation
              .rows
              .values()
              .removeIf(row -> versions.contains(row.key() + " " + row.version()));
      if (less || operation.sawUndone) {
        // Rows may be missing in it that were there, or the other way round.
        operation.condition = null;
        operation.absent = null;
      }
    }
  }
}
