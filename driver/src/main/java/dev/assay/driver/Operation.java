package dev.assay.driver;

import java.util.LinkedHashMap;
import java.util.Map;

/** What one statement did to rows; filled in while the application reads its result. */
final class Operation {
  enum Kind {
    READ,
    WRITE,
    DELETE
  }

  final Kind kind;
  final Table table;
  final CallSite at;
  final Map<String, Row> rows = new LinkedHashMap<>();

  /** The key of a row that was not there, or null. */
  String absent;

  /** Whether no version of that row had been seen before, so that it had never been there. */
  boolean neverThere;

  /** The condition that selected exactly these rows, as JSON; null if it is not known. */
  String condition;

  /** Whether rows of a write are still to be read from its result. */
  boolean unread;

  /** Whether it was executed after writes that were taken back to a savepoint. */
  boolean sawUndone;

  Operation(Kind kind, Table table, CallSite at) {
    this.kind = kind;
    this.table = table;
    this.at = at;
  }

  void add(Row row) {
    if (row != null) {
      rows.put(row.key(), row);
    }
  }

  boolean isEmpty() {
    return rows.isEmpty() && absent == null && condition == null;
  }
}
