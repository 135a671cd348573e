package dev.assay.oracle.predicate;

import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import dev.assay.oracle.predicate.PredicateHistory.Txn;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Matcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A table: what operations give on it and do to it. */
final class Rows {
  static final List<String> COLUMNS = List.of("val", "ver");

  private static final Map<String, Matcher> MATCHERS = new HashMap<>();

  private final Map<String, Row> rows = new TreeMap<>();

  Rows() {}

  Rows(Map<String, Row> rows) {
    rows.forEach(this::put);
  }

  static Matcher matcher(String condition) {
    return MATCHERS.computeIfAbsent(
        condition,
        text -> {
          try {
            return Condition.parse(text).bind(COLUMNS);
          } catch (ConditionException e) {
            throw new IllegalArgumentException(e);
          }
        });
  }

  Map<String, Row> content() {
    return rows;
  }

  void put(String key, Row row) {
    if (row == null) {
      rows.remove(key);
    } else {
      rows.put(key, row);
    }
  }

  void putAll(Map<String, Row> changes) {
    changes.forEach(this::put);
  }

  /** The operation with what it gives on this table, which is left as it is. */
  Op result(Op op) {
    if (op instanceof Op.Read read) {
      return new Op.Read(read.key(), rows.get(read.key()));
    }
    if (op instanceof Op.Write) {
      return op;
    }
    Matcher matcher = matcher(op.predicate());
    if (op instanceof Op.Aggregate aggregate) {
      Map<String, Object> values = new TreeMap<>();
      rows.forEach((key, row) -> values.put(key, row.value()));
      return new Op.Aggregate(aggregate.condition(), matcher.aggregate(values.entrySet()));
    }
    Map<String, Row> matching = new TreeMap<>();
    rows.forEach(
        (key, row) -> {
          if (matcher.matches(key, row.value())) {
            matching.put(key, row);
          }
        });
    if (op instanceof Op.Select select) {
      return new Op.Select(select.condition(), matching);
    }
    if (matcher.condition().form() == Condition.Form.ROWS) {
      // It does not say what it sets, so any row will do.
      matching.replaceAll((key, row) -> op.written().getOrDefault(key, row));
    } else {
      matching.replaceAll((key, row) -> Row.of(matcher.updated(key, row.value())));
    }
    return new Op.Update(op.predicate(), matching);
  }

  /** The operation with what it gives, done. */
  Op run(Op op) {
    Op result = result(op);
    putAll(result.written());
    return result;
  }

  /** Whether all operations of a transaction give here what they gave; done. */
  boolean agrees(Txn txn) {
    List<Op> results = new ArrayList<>();
    for (Op op : txn.ops()) {
      results.add(run(op));
    }
    return results.equals(txn.ops());
  }
}
