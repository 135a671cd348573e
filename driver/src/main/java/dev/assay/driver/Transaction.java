package dev.assay.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A transaction of the application while it runs, for one thread at a time. */
final class Transaction {
  final long start;
  final List<Operation> operations = new ArrayList<>();
  private final Map<Object, Integer> savepoints = new LinkedHashMap<>();
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

  Transaction() {
    this(System.nanoTime());
  }

  private Transaction(long start) {
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

  void savepoint(Object name) {
    savepoints.remove(name);
    savepoints.put(name, operations.size());
  }

  /** Takes back what was written since a savepoint, and what was read of that. */
  void rollbackTo(Object name) {
    failed = false;
    Integer since = savepoints.get(name);
    if (since == null) {
      // Not known here: nothing that was written can be trusted to be there.
      since = 0;
    }
    List<String> undone = new ArrayList<>();
    for (int i = operations.size() - 1; i >= since; i--) {
      Operation operation = operations.get(i);
      if (operation.kind != Operation.Kind.READ) {
        operation.rows.values().forEach(row -> undone.add(row.key() + " " + row.version()));
        operations.remove(i);
      }
    }
    for (Operation operation : operations) {
      int before = operation.rows.size();
      operation.rows.values().removeIf(row -> undone.contains(row.key() + " " + row.version()));
      if (operation.rows.size() < before) {
        operation.condition = null;
      }
    }
    savepoints.values().removeIf(mark -> mark > operations.size());
  }
}
