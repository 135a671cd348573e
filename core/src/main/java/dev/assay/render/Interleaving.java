package dev.assay.render;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import dev.assay.predicate.Matcher;
import dev.assay.predicate.RowValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * An order in which the events of a small history may have happened: begins, operations and ends of
 * all transactions. What the clients know of the order is kept: operations of a transaction,
 * transactions of a session, and what ended before what began. Where that leaves room, a write
 * comes before a read that saw it, if possible with its commit in between, and after a read that
 * did not. A history with an anomaly has no order in which all of that is true; then what was seen
 * goes before what was not, and the rest is left as it falls.
 */
final class Interleaving {
  /** An event: an operation, or the begin or end of a transaction. */
  record Event(Kind kind, int txn, int op) {
    enum Kind {
      BEGIN,
      OPERATION,
      END
    }
  }

  private final History history;
  private final List<Event> events = new ArrayList<>();
  private final int[] begin;
  private final int[] end;
  private final int[] eventOf;
  private final List<BitSet> after = new ArrayList<>();

  private Interleaving(History history) {
    this.history = history;
    this.begin = new int[history.transactionCount()];
    this.end = new int[history.transactionCount()];
    this.eventOf = new int[history.operationCount()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      begin[txn] = event(Event.Kind.BEGIN, txn, -1);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        Arrays.fill(eventOf, op, history.nextOp(op), event(Event.Kind.OPERATION, txn, op));
      }
      end[txn] = event(Event.Kind.END, txn, -1);
      for (int event = begin[txn]; event < end[txn]; event++) {
        after.get(event).set(event + 1);
      }
    }
  }

  /** The events of a history in order. */
  static List<Event> of(History history) {
    Interleaving interleaving = new Interleaving(history);
    interleaving.orderSessions();
    interleaving.orderTimes();
    interleaving.orderSeen();
    interleaving.orderElements();
    interleaving.orderUnseen();
    interleaving.orderUnmatched();
    interleaving.orderCounts();
    interleaving.orderBegins();
    interleaving.orderWrites();
    interleaving.orderRest();
    return interleaving.sorted();
  }

  private int event(Event.Kind kind, int txn, int op) {
    events.add(new Event(kind, txn, op));
    after.add(new BitSet());
    return events.size() - 1;
  }

  private void orderSessions() {
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int place = 1; place < history.sessionSize(session); place++) {
        int earlier = history.sessionTransaction(session, place - 1);
        order(end[earlier], begin[history.sessionTransaction(session, place)]);
      }
    }
  }

  /** What ended before another began. When a commit took effect before its end is not known. */
  private void orderTimes() {
    for (int first = 0; first < end.length; first++) {
      long ended = history.knownEnd(first);
      for (int second = 0; ended != History.ABSENT && second < end.length; second++) {
        if (history.start(second) != History.ABSENT && ended < history.start(second)) {
          order(end[first], begin[second]);
        }
      }
    }
  }

  /** Begins and ends by their times; of equal ones the begin first, since both were open then. */
  private void orderRest() {
    List<Integer> timed = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.start(txn) != History.ABSENT) {
        timed.add(begin[txn]);
      }
      if (history.end(txn) != History.ABSENT) {
        timed.add(end[txn]);
      }
    }
    timed.sort(
        Comparator.comparingLong(this::time).thenComparing(event -> events.get(event).kind()));
    for (int i = 1; i < timed.size(); i++) {
      order(timed.get(i - 1), timed.get(i));
    }
  }

  private long time(int event) {
    int txn = events.get(event).txn();
    return events.get(event).kind() == Event.Kind.BEGIN ? history.start(txn) : history.end(txn);
  }

  /** Writes that were read: with their commit, if that can be, before the read. An abort after. */
  private void orderSeen() {
    for (boolean committed : new boolean[] {true, false}) {
      for (int read = 0; read < eventOf.length; read++) {
        for (int write = 0; write < eventOf.length; write++) {
          if (sees(read, write)) {
            int txn = history.transactionOf(write);
            boolean own = txn == history.transactionOf(read);
            if (!committed) {
              order(eventOf[write], eventOf[read]);
              if (history.outcome(txn) == Outcome.ABORTED) {
                order(eventOf[read], end[txn]);
              }
            } else if (!own
                && history.outcome(txn) != Outcome.ABORTED
                && sees(read, history.lastWrite(txn, history.key(read)))) {
              order(end[txn], eventOf[read]);
            }
          }
        }
      }
    }
  }

  /** Appends in the order of the elements, each after the commit of the one before if possible. */
  private void orderElements() {
    for (int read = 0; read < eventOf.length; read++) {
      if (history.kind(read) != OpKind.LIST_READ || history.value(read) == Values.UNKNOWN) {
        continue;
      }
      int sequence = history.value(read);
      int before = -1;
      for (int i = 0; i < history.sequences().length(sequence); i++) {
        int append = appendOf(history.key(read), history.sequences().element(sequence, i));
        if (before >= 0 && append >= 0) {
          int txn = history.transactionOf(before);
          if (txn != history.transactionOf(append)) {
            order(end[txn], eventOf[append]);
          }
          order(eventOf[before], eventOf[append]);
        }
        before = append >= 0 ? append : before;
      }
    }
  }

  private int appendOf(int key, int element) {
    for (int op = 0; op < eventOf.length; op++) {
      boolean appends = history.kind(op) == OpKind.APPEND && history.key(op) == key;
      if (appends && history.value(op) == element) {
        return op;
      }
    }
    return -1;
  }

  /**
   * Reads before writes that they did not see, or these before what was seen instead, or at least
   * their commit after the read, or after the begin of the transaction that read.
   */
  private void orderUnseen() {
    for (int read = 0; read < eventOf.length; read++) {
      for (int write = 0; write < eventOf.length; write++) {
        if (isOverlooked(read, write)) {
          if (!order(eventOf[read], eventOf[write]) && !isReplaced(write, read)) {
            orderCommitAfter(read, write);
          }
        }
      }
    }
  }

  /** Puts the commit of a write after a read, or at least after the reader began. */
  private void orderCommitAfter(int read, int write) {
    int writer = history.transactionOf(write);
    if (!order(eventOf[read], end[writer])) {
      order(begin[history.transactionOf(read)], end[writer]);
    }
  }

  /** Predicates before the rows that they match and did not meet, or after these were gone. */
  private void orderUnmatched() {
    for (int op = 0; op < eventOf.length; op++) {
      RowTest missed = history.kind(op).isPredicate() ? missed(op) : null;
      for (int write = 0; missed != null && write < eventOf.length; write++) {
        if (isRowOfAnother(op, write)
            && !meets(op, history.key(write))
            && missed.holds(write)
            && !order(eventOf[op], eventOf[write])
            && !isGone(op, write, missed)) {
          orderCommitAfter(op, write);
        }
      }
    }
  }

  private boolean isRowOfAnother(int op, int write) {
    int writer = history.transactionOf(write);
    return history.kind(write) == OpKind.WRITE
        && writer != history.transactionOf(op)
        && history.outcome(writer) != Outcome.ABORTED;
  }

  /** Puts a version of a row that no longer matches before a predicate, if there is one. */
  private boolean isGone(int op, int write, RowTest missed) {
    for (int other = 0; other < eventOf.length; other++) {
      if (history.key(other) == history.key(write)
          && isRowOfAnother(op, other)
          && !missed.holds(other)
          && order(end[history.transactionOf(other)], eventOf[op])) {
        order(end[history.transactionOf(other)], begin[history.transactionOf(op)]);
        return true;
      }
    }
    return false;
  }

  /** Whether a predicate operation has a row of a key. */
  private boolean meets(int op, int key) {
    for (int row = op + 1; row < history.nextOp(op); row++) {
      if (history.key(row) == key) {
        return true;
      }
    }
    return false;
  }

  private interface RowTest {
    boolean holds(int write);
  }

  /** Which rows a predicate operation would not have missed; null where that is not known. */
  private RowTest missed(int op) {
    try {
      Operation operation = history.operation(op);
      Condition condition = Condition.parse(operation.key().toString());
      List<String> columns = Columns.parse(history.metadata().get(Columns.METADATA));
      boolean ofExtreme =
          condition.form() == Condition.Form.MIN || condition.form() == Condition.Form.MAX;
      if (condition.form().isAggregate() && !ofExtreme) {
        return null;
      }
      Matcher matcher = condition.refined(operation.value()).bind(columns);
      RowValue extreme = ofExtreme ? Columns.column(columns, condition.aggregated()) : null;
      return write -> {
        Object key = history.keys().get(history.key(write));
        Object value = history.values().get(history.value(write));
        try {
          return matcher.matches(key, value)
              && (!ofExtreme || !Objects.equals(extreme.of(key, value), operation.value()));
        } catch (EvaluationException e) {
          return false;
        }
      };
    } catch (ConditionException e) {
      return null;
    }
  }

  /**
   * Reads of counters between the commits that add up to what they returned, if these came in the
   * order of their ends. Others would do as well, and of some counts none does.
   */
  private void orderCounts() {
    List<Integer> ends = new ArrayList<>();
    for (int txn = 0; txn < end.length; txn++) {
      if (history.outcome(txn) != Outcome.ABORTED) {
        ends.add(txn);
      }
    }
    ends.sort(Comparator.comparingLong(history::end));
    for (int read = 0; read < eventOf.length; read++) {
      if (isKnownRead(read) && !history.kind(read).type().namesVersions()) {
        orderCount(read, ends);
      }
    }
  }

  private void orderCount(int read, List<Integer> ends) {
    Object value = history.values().get(history.value(read));
    long missing = value instanceof Long count ? count : 0;
    for (int op = history.firstOp(history.transactionOf(read)); op < read; op++) {
      missing -= amount(op, history.key(read));
    }
    for (int txn : ends) {
      long added = 0;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        added += amount(op, history.key(read));
      }
      if (added != 0 && txn != history.transactionOf(read)) {
        if (missing != 0 && order(end[txn], eventOf[read])) {
          missing -= added;
        } else {
          order(eventOf[read], end[txn]);
        }
      }
    }
  }

  private long amount(int op, int key) {
    OpKind kind = history.kind(op);
    boolean counts = kind.isWrite() && kind.type().isNumber() && history.key(op) == key;
    return counts && history.values().get(history.value(op)) instanceof Long amount ? amount : 0;
  }

  /** What was seen committed before its reader began, since snapshots are taken at the begin. */
  private void orderBegins() {
    for (int read = 0; read < eventOf.length; read++) {
      for (int write = 0; write < eventOf.length; write++) {
        int writer = history.transactionOf(write);
        if (sees(read, write) && reaches(end[writer], eventOf[read])) {
          order(end[writer], begin[history.transactionOf(read)]);
        }
      }
    }
  }

  /**
   * Of two transactions that write a key, one ends before the other writes: databases have locks,
   * and a person who follows the order by hand cannot end a transaction that waits.
   */
  private void orderWrites() {
    for (int first = 0; first < eventOf.length; first++) {
      for (int second = first + 1; second < eventOf.length; second++) {
        int one = history.transactionOf(first);
        int other = history.transactionOf(second);
        boolean clash =
            one != other
                && history.key(first) == history.key(second)
                && changesARow(first)
                && changesARow(second)
                && !reaches(end[other], eventOf[first]);
        if (clash && !order(end[one], eventOf[second])) {
          order(end[other], eventOf[first]);
        }
      }
    }
  }

  private boolean changesARow(int op) {
    OpKind kind = history.kind(op);
    return kind.isWrite() && !kind.isPredicate() && !isRow(kind);
  }

  /** Whether each element is a row. */
  private static boolean isRow(OpKind kind) {
    return kind.type().hasElements() && kind.type().commutes();
  }

  /** Puts a write to a register before the one that a read saw, if there is one. */
  private boolean isReplaced(int write, int read) {
    for (int seen = 0; history.kind(read) == OpKind.READ && seen < eventOf.length; seen++) {
      if (sees(read, seen)) {
        return order(end[history.transactionOf(write)], eventOf[seen]);
      }
    }
    return false;
  }

  private boolean isOverlooked(int read, int write) {
    return isKnownRead(read)
        && history.kind(write).isWrite()
        && history.key(read) == history.key(write)
        && history.transactionOf(read) != history.transactionOf(write)
        && history.outcome(history.transactionOf(write)) != Outcome.ABORTED
        && !sees(read, write)
        && history.kind(read).type().namesVersions();
  }

  private boolean isKnownRead(int op) {
    OpKind kind = history.kind(op);
    return !kind.isWrite() && !kind.isPredicate() && history.value(op) != Values.UNKNOWN;
  }

  /** Whether a read returned what a write wrote. */
  private boolean sees(int read, int write) {
    if (!isKnownRead(read)
        || !history.kind(write).isWrite()
        || history.key(read) != history.key(write)) {
      return false;
    }
    if (!history.kind(read).readsSequence()) {
      return history.kind(read) == OpKind.READ && history.value(read) == history.value(write);
    }
    return history.sequences().contains(history.value(read), history.value(write));
  }

  /** Puts one event before another unless it is known to come after it; whether it now does. */
  private boolean order(int first, int second) {
    if (first == second || reaches(second, first)) {
      return false;
    }
    after.get(first).set(second);
    return true;
  }

  private boolean reaches(int from, int to) {
    BitSet seen = new BitSet();
    BitSet open = new BitSet();
    open.set(from);
    while (!open.isEmpty()) {
      int event = open.nextSetBit(0);
      if (event == to) {
        return true;
      }
      seen.set(event);
      open.or(after.get(event));
      open.andNot(seen);
    }
    return false;
  }

  /** All events in an order that keeps to what was put before what, with few changes of session. */
  private List<Event> sorted() {
    int[] waiting = new int[events.size()];
    for (BitSet later : after) {
      later.stream().forEach(event -> waiting[event]++);
    }
    List<Event> order = new ArrayList<>();
    BitSet ready = new BitSet();
    for (int event = 0; event < waiting.length; event++) {
      ready.set(event, waiting[event] == 0);
    }
    int last = -1;
    while (!ready.isEmpty()) {
      int event = next(ready, waiting, last);
      ready.clear(event);
      order.add(events.get(event));
      after.get(event).stream()
          .forEach(
              later -> {
                if (--waiting[later] == 0) {
                  ready.set(later);
                }
              });
      last = event;
    }
    return order;
  }

  /**
   * The next event of the same transaction if it is ready, else one of a transaction that is open,
   * else the begin of one that can go on.
   */
  private int next(BitSet ready, int[] waiting, int last) {
    // Events of a transaction are numbered one after the other.
    if (last >= 0 && ready.get(last + 1)) {
      return last + 1;
    }
    int begins = -1;
    for (int event = ready.nextSetBit(0); event >= 0; event = ready.nextSetBit(event + 1)) {
      if (events.get(event).kind() != Event.Kind.BEGIN) {
        return event;
      }
      begins = begins < 0 && waiting[event + 1] == 1 ? event : begins;
    }
    return begins < 0 ? ready.nextSetBit(0) : begins;
  }
}
