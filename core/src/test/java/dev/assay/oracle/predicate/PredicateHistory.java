package dev.assay.oracle.predicate;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A small history with predicates, as plain as can be. Rows have the columns {@code val} and {@code
 * ver}; no two writes of a key have the same {@code ver}. The checkers get the text that a failing
 * test shows.
 *
 * @param txns the transactions, those of a session in its order
 */
record PredicateHistory(List<Txn> txns) {
  PredicateHistory {
    txns = List.copyOf(txns);
  }

  /** The value of a row; the first column may be null. */
  record Row(Long val, long ver) {
    String text() {
      return "{\"vector\":[" + val + "," + ver + "]}";
    }

    /** As conditions take it. */
    Object value() {
      return Arrays.asList(val, ver);
    }

    static Row of(Object value) {
      return value instanceof List<?> list ? new Row((Long) list.get(0), (Long) list.get(1)) : null;
    }
  }

  /**
   * A transaction.
   *
   * @param session the number of its session
   * @param start when it started, or −1
   * @param end when it ended, or −1
   * @param snapshot the database's own timestamp of its snapshot, or −1
   * @param commit the database's own timestamp of its commit, or −1
   * @param outcome how it ended
   * @param ops what it did
   */
  record Txn(
      int session,
      long start,
      long end,
      long snapshot,
      long commit,
      Outcome outcome,
      List<Op> ops) {
    Txn {
      ops = List.copyOf(ops);
    }

    Txn(int session, List<Op> ops) {
      this(session, -1, -1, -1, -1, Outcome.COMMITTED, ops);
    }

    Txn timed(long newStart, long newEnd) {
      return new Txn(session, newStart, newEnd, snapshot, commit, outcome, ops);
    }

    Txn stamped(long newSnapshot, long newCommit) {
      return new Txn(session, start, end, newSnapshot, newCommit, outcome, ops);
    }

    Txn ended(Outcome newOutcome) {
      return new Txn(session, start, end, snapshot, commit, newOutcome, ops);
    }

    Txn with(List<Op> newOps) {
      return new Txn(session, start, end, snapshot, commit, outcome, newOps);
    }
  }

  /** An operation with what it gave; a row that is null in a map is one that was deleted. */
  sealed interface Op {
    record Read(String key, Row row) implements Op {}

    record Write(String key, Row row) implements Op {}

    /** A select of rows. */
    record Select(String condition, Map<String, Row> rows) implements Op {}

    record Aggregate(String condition, Object result) implements Op {}

    /** An update or delete by a predicate, with what it left. */
    record Update(String condition, Map<String, Row> rows) implements Op {}

    /** The condition of a predicate operation, or null. */
    default String predicate() {
      if (this instanceof Select select) {
        return select.condition;
      }
      if (this instanceof Aggregate aggregate) {
        return aggregate.condition;
      }
      return this instanceof Update update ? update.condition : null;
    }

    /** What it left of the keys it wrote. */
    default Map<String, Row> written() {
      if (this instanceof Write write) {
        Map<String, Row> one = new LinkedHashMap<>();
        one.put(write.key, write.row);
        return one;
      }
      return this instanceof Update update ? update.rows : Map.of();
    }

    private static String text(Row row) {
      return row == null ? "null" : row.text();
    }

    private static String text(Map<String, Row> rows) {
      List<String> each = new ArrayList<>();
      new TreeMap<>(rows).forEach((key, row) -> each.add("[\"" + key + "\"," + text(row) + "]"));
      return "[" + String.join(",", each) + "]";
    }

    default String text() {
      if (this instanceof Read read) {
        return "[\"r\",\"%s\",%s]".formatted(read.key, text(read.row));
      }
      if (this instanceof Write write) {
        return "[\"w\",\"%s\",%s]".formatted(write.key, text(write.row));
      }
      if (this instanceof Select select) {
        return "[\"select\",%s,%s]".formatted(select.condition, text(select.rows));
      }
      if (this instanceof Aggregate aggregate) {
        return "[\"select\",%s,%s]".formatted(aggregate.condition, aggregate.result);
      }
      Update update = (Update) this;
      return "[\"update\",%s,%s]".formatted(update.condition, text(update.rows));
    }
  }

  static String name(int txn) {
    return txn < 26 ? String.valueOf((char) ('A' + txn)) : "T" + txn;
  }

  int size() {
    return txns.size();
  }

  /** The history without what did not commit, or perhaps did not. */
  PredicateHistory committed() {
    return new PredicateHistory(
        txns.stream().filter(txn -> txn.outcome == Outcome.COMMITTED).toList());
  }

  /** The history without what was aborted. */
  PredicateHistory possible() {
    return new PredicateHistory(
        txns.stream().filter(txn -> txn.outcome != Outcome.ABORTED).toList());
  }

  boolean isTimed() {
    return txns.stream().anyMatch(txn -> txn.start >= 0);
  }

  /** What a transaction left of each key it wrote. */
  Map<String, Row> finalWrites(int txn) {
    Map<String, Row> last = new LinkedHashMap<>();
    txns.get(txn).ops.forEach(op -> last.putAll(op.written()));
    return last;
  }

  /** Whether the first transaction must come before the second, by sessions or by time. */
  boolean precedes(int first, int second, boolean sessions, boolean realTime) {
    Txn a = txns.get(first);
    Txn b = txns.get(second);
    return (sessions && a.session == b.session && first < second)
        || (realTime && a.end >= 0 && b.start >= 0 && a.end < b.start);
  }

  /** The history in assay-jsonl. */
  String text() {
    StringBuilder text =
        new StringBuilder("{\"assay\":1,\"metadata\":{\"columns\":\"val,ver\"}}\n");
    for (int i = 0; i < txns.size(); i++) {
      Txn txn = txns.get(i);
      text.append("{\"session\":").append(txn.session);
      text.append(",\"id\":\"").append(name(i)).append('"');
      text.append(",\"outcome\":\"").append(txn.outcome.id()).append('"');
      field(text, "start", txn.start);
      field(text, "end", txn.end);
      field(text, "snapshot", txn.snapshot);
      field(text, "commitTs", txn.commit);
      text.append(",\"ops\":[")
          .append(String.join(",", txn.ops.stream().map(Op::text).toList()))
          .append("]}\n");
    }
    return text.toString();
  }

  private static void field(StringBuilder text, String name, long time) {
    if (time >= 0) {
      text.append(",\"").append(name).append("\":").append(time);
    }
  }

  History toHistory() {
    try {
      return Formats.read(Input.of("small.jsonl", text().getBytes(StandardCharsets.UTF_8)));
    } catch (ParseException e) {
      throw new IllegalStateException(e.getMessage() + "\n" + text(), e);
    }
  }
}
