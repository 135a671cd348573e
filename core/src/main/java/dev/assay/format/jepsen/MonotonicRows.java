package dev.assay.format.jepsen;

import dev.assay.history.Keyword;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rows of CockroachDB's {@code monotonic} workloads. An {@code :add} looks up the largest
 * {@code :val}, reads its row and inserts a row with the next number; its result is the row it saw.
 * Where there are two tables it only inserts, and the result, which names a process, is the row it
 * inserted. A read gives all rows.
 *
 * <p>That the largest number is 4 means that the row of 4 was seen and no row of 5: whoever
 * inserted 6 saw that of 5. So a row is the value of a key of its own, and an add is a read of one
 * key, a select of the next that finds nothing, and a write. Where several rows have one number,
 * which is whose is not on record; such numbers are looked up and counted by their value.
 *
 * <p>An add of unknown outcome does not say what it saw. A row that no known add inserted is of one
 * of these; which one does not matter, as it is given a transaction that only began after the first
 * of them did. Where there are more rows than such adds, somebody saw what nobody wrote.
 */
final class MonotonicRows {
  /** A larger number has none after it. */
  private static final long MOST = Long.MAX_VALUE;

  /** What the operations say of one number. */
  private static final class Number {
    /** How many adds are known to have inserted it. */
    private int writers;

    /** How many of them have been given a key. */
    private int keys;

    /** How often each row with it was seen at once. */
    private final Map<Object, Integer> rows = new HashMap<>();

    private BigInteger time;

    /** How many rows with it there must have been at some time. */
    private int needed(boolean seesInserted) {
      return seesInserted ? rowCount() : Math.max(1, rowCount());
    }

    private int rowCount() {
      return rows.values().stream().mapToInt(Integer::intValue).sum();
    }

    private boolean isAmbiguous() {
      return writers > 1 || rowCount() > 1;
    }
  }

  private final List<JepsenOp> ops;
  private final RawScalars scalars;
  private final TreeMap<Long, Number> numbers = new TreeMap<>();
  private final boolean seesInserted;

  /** For reads: conditions on rows whose key is known, and the numbers where it is not. */
  private final List<Long> ambiguous = new ArrayList<>();

  /** The smallest number that an add is known to have inserted. */
  private long lowest = Long.MAX_VALUE;

  private int disordered;

  MonotonicRows(List<JepsenOp> ops, RawScalars scalars) {
    this.ops = ops;
    this.scalars = scalars;
    this.seesInserted = ops.stream().anyMatch(op -> added(op) && process(op.form) != null);
  }

  /** Whether this is the value of such an operation. */
  static boolean isRow(Object form) {
    return form instanceof Map<?, ?> row && field(row, "val") instanceof Long value && value < MOST;
  }

  static boolean areRows(Object form) {
    return form instanceof List<?> rows && rows.stream().anyMatch(Map.class::isInstance);
  }

  /** How many rows have a timestamp that is not above that of the number before. */
  int disordered() {
    return disordered;
  }

  /** The operations with what they mean, and the adds of unknown outcome whose rows were seen. */
  List<JepsenOp> filled() {
    ops.forEach(this::collect);
    int unknown = unknown();
    if (!seesInserted) {
      fillGaps(unknown);
    }
    numbers.forEach(
        (value, number) -> {
          if (number.isAmbiguous()) {
            ambiguous.add(value);
          }
        });
    countDisorder();
    List<JepsenOp> begins = new ArrayList<>();
    List<JepsenOp> ends = new ArrayList<>();
    addUnknown(unknown, begins, ends);
    for (JepsenOp op : ops) {
      fill(op);
    }
    List<JepsenOp> all = new ArrayList<>();
    int first = firstUnknown();
    all.addAll(ops.subList(0, first));
    all.addAll(begins);
    all.addAll(ops.subList(first, ops.size()));
    all.addAll(ends);
    return all;
  }

  // ---- what was seen

  private static boolean isAdd(JepsenOp op) {
    return JsonOps.bare(op.otherFunction).equals("add");
  }

  private static boolean isRead(JepsenOp op) {
    return JsonOps.bare(op.otherFunction).equals("read");
  }

  private static boolean added(JepsenOp op) {
    return isAdd(op) && op.type == JepsenOp.Type.OK && isRow(op.form);
  }

  private static Object field(Object row, String name) {
    Map<?, ?> fields = (Map<?, ?>) row;
    Object value = fields.get(new Keyword(name));
    return value == null ? fields.get(name) : value;
  }

  private static Object process(Object row) {
    Object process = field(row, "proc");
    return process == null ? field(row, "process") : process;
  }

  /** The row that the test begins with; no add inserted it. */
  private static boolean isFirst(Object row) {
    return Long.valueOf(-1).equals(field(row, "node"));
  }

  private static long value(Object row) {
    return (Long) field(row, "val");
  }

  /** The number that an add inserted. */
  private long inserted(JepsenOp add) {
    return seesInserted ? value(add.form) : Math.addExact(value(add.form), 1);
  }

  private Number number(long value) {
    return numbers.computeIfAbsent(value, v -> new Number());
  }

  private void collect(JepsenOp op) {
    if (added(op)) {
      number(inserted(op)).writers++;
      see(List.of(op.form));
    } else if (op.type == JepsenOp.Type.OK && understoodRead(op)) {
      see((List<?>) op.form);
    }
  }

  private static boolean understoodRead(JepsenOp op) {
    return isRead(op)
        && op.form instanceof List<?> rows
        && rows.stream().allMatch(MonotonicRows::isRow);
  }

  private void see(List<?> rows) {
    Map<Object, Integer> counts = new HashMap<>();
    for (Object row : rows) {
      if (isFirst(row)) {
        lowest = Math.min(lowest, value(row) + 1);
      } else {
        Number number = number(value(row));
        number.rows.merge(row, counts.merge(row, 1, Integer::sum), Math::max);
        number.time = time(field(row, "sts"));
      }
    }
  }

  private static BigInteger time(Object timestamp) {
    return timestamp instanceof Long number
        ? BigInteger.valueOf(number)
        : timestamp instanceof BigInteger large ? large : null;
  }

  private void countDisorder() {
    BigInteger before = null;
    for (Number number : numbers.values()) {
      if (number.time != null) {
        disordered += before != null && number.time.compareTo(before) <= 0 ? 1 : 0;
        before = number.time;
      }
    }
  }

  // ---- adds of unknown outcome

  /** A number shows that the one before it was inserted, even if nobody saw that. */
  private void fillGaps(int most) {
    if (numbers.isEmpty()) {
      return;
    }
    lowest = Math.min(lowest, numbers.firstKey());
    int left = most;
    for (long seen : List.copyOf(numbers.keySet())) {
      for (long v = seen; v > lowest && left > 0 && !numbers.containsKey(v - 1); v--) {
        number(v - 1);
        left--;
      }
    }
  }

  private int firstUnknown() {
    Map<Long, Integer> open = new HashMap<>();
    int first = ops.size();
    for (int i = 0; i < ops.size(); i++) {
      JepsenOp op = ops.get(i);
      if (isAdd(op) && op.type == JepsenOp.Type.INVOKE) {
        Integer left = open.put(op.process, i);
        first = left == null ? first : Math.min(first, left);
      } else if (isAdd(op)) {
        Integer begin = open.remove(op.process);
        if (isUnknown(op)) {
          first = Math.min(first, begin == null ? i : begin);
        }
      }
    }
    return open.values().stream().reduce(first, Math::min);
  }

  private static boolean isUnknown(JepsenOp op) {
    return op.type == JepsenOp.Type.INFO || (op.type == JepsenOp.Type.OK && op.form == null);
  }

  /** How many adds may have inserted a row that is not on record. */
  private int unknown() {
    Set<Long> open = new HashSet<>();
    int unknown = 0;
    for (JepsenOp op : ops) {
      if (isAdd(op) && op.type == JepsenOp.Type.INVOKE) {
        unknown += open.add(op.process) ? 0 : 1;
      } else if (isAdd(op)) {
        open.remove(op.process);
        unknown += isUnknown(op) ? 1 : 0;
      }
    }
    return unknown + open.size();
  }

  private void addUnknown(int unknown, List<JepsenOp> begins, List<JepsenOp> ends) {
    int left = unknown;
    for (Map.Entry<Long, Number> entry : numbers.entrySet()) {
      Number number = entry.getValue();
      for (int i = number.writers; i < number.needed(seesInserted) && left > 0; i++) {
        left--;
        String name = "unknown add of " + entry.getKey() + (i == 0 ? "" : " (" + (i + 1) + ")");
        begins.add(unknownAdd(JepsenOp.Type.INVOKE, name));
        JepsenOp end = unknownAdd(JepsenOp.Type.INFO, name);
        add(end, entry.getKey());
        ends.add(end);
      }
    }
  }

  private JepsenOp unknownAdd(JepsenOp.Type type, String name) {
    JepsenOp op = new JepsenOp();
    op.clear(ops.get(ops.size() - 1).line, 1);
    op.type = type;
    op.process = scalars.of(name);
    op.otherFunction = ":add";
    op.hasValue = true;
    return op;
  }

  // ---- what it means

  private void fill(JepsenOp op) {
    boolean understood = isAdd(op) || isRead(op);
    if (added(op)) {
      add(op, inserted(op));
    } else if (isAdd(op)) {
      understood = op.type != JepsenOp.Type.OK || op.form == null;
    } else if (isRead(op) && op.type == JepsenOp.Type.OK) {
      understood = understoodRead(op);
      if (understood) {
        readAll(op);
      }
    }
    if (understood) {
      op.hasValue = true;
      op.problem = null;
    }
  }

  /** Sees the row before, no row of this number, and inserts one. */
  private void add(JepsenOp op, long value) {
    if (!seesInserted) {
      // The first number was inserted by one who saw the row that the test begins with.
      boolean first = value <= lowest;
      Number before = first ? null : numbers.get(value - 1);
      if (before != null && before.isAmbiguous()) {
        op.ops.aggregate(
            "{\"select\":[\"max\",\"v\"],\"where\":[\"=\",\"v\",%d]}".formatted(value - 1),
            scalars.of(value - 1));
      } else if (!first) {
        op.ops.add(OpKind.READ, scalars.of(value - 1), scalars.of(value - 1));
      }
      op.ops.select("{\"where\":[\"=\",\"v\",%d]}".formatted(value));
    }
    op.ops.add(OpKind.WRITE, key(value), scalars.of(value));
  }

  private long key(long value) {
    Number number = number(value);
    number.keys++;
    return number.isAmbiguous() ? scalars.of(value + " (" + number.keys + ")") : scalars.of(value);
  }

  private void readAll(JepsenOp op) {
    Map<Long, Integer> counts = new TreeMap<>();
    List<?> rows = (List<?>) op.form;
    rows.stream()
        .filter(row -> !isFirst(row))
        .map(MonotonicRows::value)
        .sorted(Comparator.naturalOrder())
        .forEach(value -> counts.merge(value, 1, Integer::sum));
    counts.forEach(
        (value, count) -> {
          if (!number(value).isAmbiguous()) {
            op.ops.element(scalars.of(value));
            op.ops.element(scalars.of(value));
          }
        });
    StringBuilder others = new StringBuilder();
    for (long value : ambiguous) {
      others.append(others.isEmpty() ? "" : ",").append(value);
    }
    op.ops.select(
        others.isEmpty() ? "{}" : "{\"where\":[\"not\",[\"in\",\"v\",%s]]}".formatted(others));
    for (long value : ambiguous) {
      op.ops.aggregate(
          "{\"select\":[\"count\"],\"where\":[\"=\",\"v\",%d]}".formatted(value),
          scalars.of((long) counts.getOrDefault(value, 0)));
    }
  }
}
