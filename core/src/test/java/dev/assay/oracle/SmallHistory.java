package dev.assay.oracle;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Versioned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A history of a few transactions as plain objects, for the oracles and their generators. Keys and
 * sessions are small numbers, values are integers; 0 is the initial value of every register and
 * counter, as in formats without nil. In a history with deletions 0 stands for nil, the absent
 * state. A session's transactions follow each other in list order.
 */
record SmallHistory(List<Txn> txns) {
  private static final Pattern PLUME =
      Pattern.compile("([rw])\\((-?\\d+),(-?\\d+),(-?\\d+),(-?\\d+)\\)");

  SmallHistory {
    txns = List.copyOf(txns);
  }

  /** One transaction; start and end are {@link History#ABSENT} where there are no times. */
  record Txn(int session, Outcome outcome, List<Op> ops, long start, long end) {
    Txn {
      ops = List.copyOf(ops);
    }

    static Txn of(int session, Outcome outcome, List<Op> ops) {
      return new Txn(session, outcome, ops, History.ABSENT, History.ABSENT);
    }

    static Txn committed(int session, Op... ops) {
      return of(session, Outcome.COMMITTED, List.of(ops));
    }

    Txn with(List<Op> newOps) {
      return new Txn(session, outcome, newOps, start, end);
    }

    Txn during(long newStart, long newEnd) {
      return new Txn(session, outcome, ops, newStart, newEnd);
    }
  }

  /** Two transactions, by their places in the list, that wrote a common key in this order. */
  record Before(int first, int second) {}

  /** An operation on one key. */
  sealed interface Op {
    int key();

    /** {@code read(k) -> v} of a register or counter, with the number of the version, or 0. */
    record Read(int key, int value, int version) implements Op {
      Read(int key, int value) {
        this(key, value, 0);
      }
    }

    /**
     * A read of a register that is known only to have seen another value: a condition that failed.
     */
    record OtherRead(int key, int value) implements Op {}

    /** {@code delete(k)} of a register. */
    record Delete(int key) implements Op {}

    /** A read whose result the client never learned. */
    record UnseenRead(int key) implements Op {}

    /** {@code write(k, v)} of a register, with the number of the version, or 0. */
    record Write(int key, int value, int version) implements Op {
      Write(int key, int value) {
        this(key, value, 0);
      }
    }

    /** {@code append(k, e)} to a list. */
    record Append(int key, int value) implements Op {}

    /** {@code read(k) -> [e...]} of a list. */
    record ListRead(int key, List<Integer> elements) implements Op {
      public ListRead {
        elements = List.copyOf(elements);
      }
    }

    /** {@code add(k, e)} to a set. */
    record Add(int key, int value) implements Op {}

    /** {@code read(k) -> {e...}} of a set, elements ascending. */
    record SetRead(int key, List<Integer> elements) implements Op {
      public SetRead {
        elements = List.copyOf(elements);
      }
    }

    /** {@code increment(k, n)} of a counter. */
    record Increment(int key, int amount) implements Op {}

    default boolean isWrite() {
      return !(this instanceof Read
          || this instanceof OtherRead
          || this instanceof UnseenRead
          || this instanceof ListRead
          || this instanceof SetRead);
    }

    /** What a write writes. */
    default int written() {
      if (this instanceof Write write) {
        return write.value;
      }
      if (this instanceof Append append) {
        return append.value;
      }
      if (this instanceof Delete) {
        return 0;
      }
      return this instanceof Increment increment ? increment.amount : ((Add) this).value;
    }
  }

  static SmallHistory of(Txn... txns) {
    return new SmallHistory(List.of(txns));
  }

  /** Reads plume-text: {@code r(key,value,session,txn)} or {@code w(…)}, txn −1 for aborted. */
  static SmallHistory plume(String text) {
    Map<String, Integer> index = new HashMap<>();
    List<Integer> sessions = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    List<List<Op>> ops = new ArrayList<>();
    Matcher matcher = PLUME.matcher(text);
    while (matcher.find()) {
      int key = Integer.parseInt(matcher.group(2));
      int value = Integer.parseInt(matcher.group(3));
      String txn = matcher.group(4) + "/" + matcher.group(5);
      if (!index.containsKey(txn)) {
        index.put(txn, ops.size());
        sessions.add(Integer.parseInt(matcher.group(4)));
        outcomes.add(matcher.group(5).equals("-1") ? Outcome.ABORTED : Outcome.COMMITTED);
        ops.add(new ArrayList<>());
      }
      boolean read = matcher.group(1).equals("r");
      ops.get(index.get(txn)).add(read ? new Op.Read(key, value) : new Op.Write(key, value));
    }
    List<Txn> txns = new ArrayList<>();
    for (int t = 0; t < ops.size(); t++) {
      txns.add(Txn.of(sessions.get(t), outcomes.get(t), ops.get(t)));
    }
    return new SmallHistory(txns);
  }

  boolean hasTimes() {
    return txns.stream().anyMatch(t -> t.start != History.ABSENT);
  }

  /** The history where some transactions committed at unknown times. */
  SmallHistory committing(Set<Integer> some) {
    List<Txn> all = new ArrayList<>();
    for (int t = 0; t < txns.size(); t++) {
      Txn txn = txns.get(t);
      boolean open = some.contains(t) && txn.outcome == Outcome.INDETERMINATE;
      long end = txn.end == History.ABSENT ? History.ABSENT : Long.MAX_VALUE;
      all.add(open ? new Txn(txn.session, Outcome.COMMITTED, txn.ops, txn.start, end) : txn);
    }
    return new SmallHistory(all);
  }

  History toHistory() {
    return toHistory((builder, t) -> {});
  }

  /** The history with more about each transaction. */
  History toHistory(ObjIntConsumer<HistoryBuilder> more) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.zeroIsInitial(!deletes());
    for (Txn txn : txns) {
      int t = builder.begin(builder.session((long) txn.session), txn.outcome);
      if (txn.start != History.ABSENT) {
        builder.start(t, txn.start);
        builder.end(t, txn.end);
      }
      more.accept(builder, t);
      for (Op op : txn.ops) {
        add(builder, op);
      }
    }
    return builder.build();
  }

  private boolean deletes() {
    return txns.stream().flatMap(txn -> txn.ops.stream()).anyMatch(op -> op instanceof Op.Delete);
  }

  private Long value(int value) {
    return value == 0 && deletes() ? null : Long.valueOf(value);
  }

  private static Object numbered(Long value, int version) {
    return version == 0 ? value : new Versioned(value, version);
  }

  private boolean hasVersions() {
    return txns.stream().flatMap(txn -> txn.ops.stream()).anyMatch(op -> version(op) != 0);
  }

  private static int version(Op op) {
    if (op instanceof Op.Read read) {
      return read.version;
    }
    return op instanceof Op.Write write ? write.version : 0;
  }

  private void add(HistoryBuilder builder, Op op) {
    Long key = (long) op.key();
    if (op instanceof Op.Read read) {
      builder.read(key, numbered(value(read.value), read.version));
    } else if (op instanceof Op.OtherRead read) {
      builder.readOther(key, value(read.value));
    } else if (op instanceof Op.Delete) {
      builder.write(key, null);
    } else if (op instanceof Op.UnseenRead) {
      builder.op(OpKind.READ, builder.scalars().of(key), RawScalars.UNKNOWN);
    } else if (op instanceof Op.Write write) {
      builder.write(key, numbered((long) write.value, write.version));
    } else if (op instanceof Op.Append append) {
      builder.append(key, (long) append.value);
    } else if (op instanceof Op.ListRead read) {
      builder.readList(key, read.elements.stream().map(Integer::longValue).toList());
    } else if (op instanceof Op.Add add) {
      builder.add(key, (long) add.value);
    } else if (op instanceof Op.Increment increment) {
      builder.increment(key, increment.amount);
    } else if (op instanceof Op.SetRead read) {
      builder.readSet(key, read.elements.stream().map(Integer::longValue).toList());
    }
  }

  /** plume-text where that format can express the history, assay-jsonl otherwise. */
  String text() {
    boolean plume =
        !hasTimes()
            && !hasVersions()
            && txns.stream().allMatch(t -> t.outcome == Outcome.COMMITTED && !t.ops.isEmpty())
            && txns.stream()
                .flatMap(t -> t.ops.stream())
                .allMatch(op -> op instanceof Op.Read || op instanceof Op.Write);
    StringBuilder text = new StringBuilder();
    for (int t = 0; t < txns.size(); t++) {
      text.append(plume ? plumeLines(txns.get(t), t + 1) : jsonLine(txns.get(t)));
    }
    return text.toString();
  }

  private static String plumeLines(Txn txn, int number) {
    StringBuilder text = new StringBuilder();
    for (Op op : txn.ops) {
      int value = op instanceof Op.Read read ? read.value : op.written();
      text.append(op.isWrite() ? "w(" : "r(");
      text.append(op.key()).append(',').append(value).append(',');
      text.append(txn.session).append(',').append(number).append(")\n");
    }
    return text.toString();
  }

  private String jsonLine(Txn txn) {
    StringBuilder text = new StringBuilder();
    text.append("{\"session\":").append(txn.session);
    text.append(",\"outcome\":\"").append(txn.outcome.id()).append('"');
    if (txn.start != History.ABSENT) {
      text.append(",\"start\":").append(txn.start).append(",\"end\":").append(txn.end);
    }
    text.append(",\"ops\":[");
    for (int i = 0; i < txn.ops.size(); i++) {
      text.append(i == 0 ? "" : ",").append(jsonOp(txn.ops.get(i)));
    }
    return text.append("]}\n").toString();
  }

  private String jsonOp(Op op) {
    if (op instanceof Op.Read read) {
      return json(OpKind.READ, op, text(value(read.value), read.version));
    }
    if (op instanceof Op.OtherRead read) {
      return json(OpKind.READ, op, "{\"not\":" + value(read.value) + "}");
    }
    if (op instanceof Op.Delete) {
      return json(OpKind.WRITE, op, null);
    }
    if (op instanceof Op.UnseenRead) {
      return json(OpKind.READ, op, "?");
    }
    if (op instanceof Op.ListRead read) {
      return json(OpKind.LIST_READ, op, read.elements);
    }
    if (op instanceof Op.SetRead read) {
      return json(OpKind.SET_READ, op, read.elements);
    }
    if (op instanceof Op.Increment increment) {
      return json(OpKind.INCREMENT, op, increment.amount);
    }
    OpKind kind =
        op instanceof Op.Write
            ? OpKind.WRITE
            : op instanceof Op.Append ? OpKind.APPEND : OpKind.ADD;
    return json(kind, op, text((long) op.written(), version(op)));
  }

  private static Object text(Long value, int version) {
    return version == 0 ? value : "{\"value\":" + value + ",\"version\":" + version + "}";
  }

  private static String json(OpKind kind, Op op, Object value) {
    return "[\"" + kind.symbol() + "\"," + op.key() + "," + value + "]";
  }

  @Override
  public String toString() {
    return text();
  }
}
