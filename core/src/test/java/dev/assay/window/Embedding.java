package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.OpKind.Type;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A small history inside a long one: ordinary transactions on other keys before, between and after
 * its own, and perhaps on the same keys, so that its ends are judged in different windows. What its
 * reads see of the initial state becomes what the transactions before them left.
 */
final class Embedding {
  /** The time between two transactions of the surroundings. */
  private static final long STEP = 10;

  private final History small;
  private final Random random;
  private final List<Line> own;
  private final Map<Object, Type> types = new LinkedHashMap<>();
  private final Map<Object, Object> before = new LinkedHashMap<>();
  private final Map<Object, Object> other = new LinkedHashMap<>();
  private final List<Line> lines = new ArrayList<>();
  private final boolean timed;
  private final boolean sameKeys;
  private long clock;
  private long next = 1_000_000;
  private int session;

  private Embedding(History small, boolean timed, boolean sameKeys, Random random) {
    this.small = small;
    this.random = random;
    this.own = Line.of(small);
    this.timed = timed || own.stream().anyMatch(Line::isTimed);
    this.sameKeys = sameKeys;
    for (int key = 0; key < small.keys().count(); key++) {
      types.put(small.keys().get(key), type(key));
    }
  }

  private Type type(int key) {
    for (int op = 0; op < small.operationCount(); op++) {
      if (small.key(op) == key) {
        return small.kind(op).type();
      }
    }
    return Type.REGISTER;
  }

  /**
   * The transactions, in the order they end.
   *
   * @param timed whether they have times where those of the small history have none
   * @param sameKeys whether some of the others are on the same keys
   * @param spread the maximum number of others between two of the small history
   */
  static List<Line> of(History small, boolean timed, boolean sameKeys, int spread, Random random) {
    return new Embedding(small, timed, sameKeys, random).lines(spread);
  }

  private List<Line> lines(int spread) {
    others(spread);
    if (sameKeys) {
      types.forEach(this::prepare);
    }
    others(spread);
    List<Line> inside = own.stream().anyMatch(Line::isTimed) ? own : interleaved();
    if (inside == own) {
      stretched(spread);
    } else {
      for (Line line : inside) {
        clock += STEP;
        long start = clock - 1 - random.nextLong(3 * STEP);
        add(onState(line).during(start, clock));
        others(random.nextInt(spread + 1));
      }
    }
    others(spread);
    if (sameKeys) {
      types.forEach(this::overwrite);
    }
    others(2 * spread);
    lines.sort(Comparator.comparingLong(Line::end));
    if (!timed) {
      lines.replaceAll(line -> line.during(History.ABSENT, History.ABSENT));
    }
    return lines;
  }

  private void add(Line line) {
    lines.add(line);
  }

  /** Transactions of sessions in a random order of the sessions. */
  private List<Line> interleaved() {
    Map<Object, List<Line>> sessions = new LinkedHashMap<>();
    own.forEach(line -> sessions.computeIfAbsent(line.session(), s -> new ArrayList<>()).add(line));
    List<List<Line>> open = new ArrayList<>(sessions.values());
    List<Line> result = new ArrayList<>();
    while (!open.isEmpty()) {
      int which = random.nextInt(open.size());
      result.add(open.get(which).remove(0));
      open.removeIf(List::isEmpty);
    }
    return result;
  }

  /** Keeps the times of the small history, with room for others between them. */
  private void stretched(int spread) {
    long first = own.stream().filter(Line::isTimed).mapToLong(Line::start).min().orElseThrow();
    long last = own.stream().filter(Line::isTimed).mapToLong(Line::end).max().orElseThrow();
    long factor = STEP * Math.max(1, spread / 4);
    long origin = clock + STEP;
    for (Line line : own) {
      long start = origin + (line.start() - first) * factor;
      add(onState(line).during(start, origin + (line.end() - first) * factor));
    }
    while (clock < origin + (last - first) * factor) {
      others(1);
    }
  }

  /** Ordinary transactions, one after another, each on what the one before it left. */
  private void others(int count) {
    for (int i = 0; i < count; i++) {
      clock += STEP;
      Object key = "other " + random.nextInt(3);
      List<Operation> ops = new ArrayList<>();
      ops.add(Line.op(OpKind.READ, key, other.get(key)));
      if (random.nextBoolean()) {
        other.put(key, next);
        ops.add(Line.op(OpKind.WRITE, key, next++));
      }
      String client = "other " + (session++ % 3);
      add(new Line(client, Outcome.COMMITTED, clock - 8, clock - 1, ops));
    }
  }

  /** Gives a key a state before the small history begins. */
  private void prepare(Object key, Type type) {
    if (type == Type.REGISTER && small.declaresInitial()) {
      return;
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      clock += STEP;
      Operation write = Line.op(type.writeKind(), key, next);
      if (type == Type.REGISTER) {
        before.put(key, next);
      } else if (type.hasElements()) {
        List<Object> elements = new ArrayList<>((List<?>) before.getOrDefault(key, List.of()));
        elements.add(next);
        before.put(key, elements);
      } else {
        return;
      }
      next++;
      add(new Line("before", Outcome.COMMITTED, clock - 8, clock - 1, List.of(write)));
      others(random.nextInt(2));
    }
  }

  /** Writes a key again, without looking, and reads what was written. */
  private void overwrite(Object key, Type type) {
    if (type == Type.REGISTER) {
      clock += STEP;
      Operation write = Line.op(OpKind.WRITE, key, next);
      add(new Line("after", Outcome.COMMITTED, clock - 8, clock - 1, List.of(write)));
      clock += STEP;
      Operation read = Line.op(OpKind.READ, key, next++);
      add(new Line("after", Outcome.COMMITTED, clock - 8, clock - 1, List.of(read)));
    }
  }

  private Line onState(Line line) {
    return line.with(line.ops().stream().map(this::onState).toList());
  }

  private Operation onState(Operation op) {
    Object state = before.get(op.key());
    if (state == null || !op.known() || op.kind().isWrite()) {
      return op;
    }
    if (op.kind() == OpKind.READ) {
      boolean initial = op.value() == null || (small.zeroIsInitial() && op.value().equals(0L));
      return initial ? Line.op(op.kind(), op.key(), state) : op;
    }
    List<Object> elements = new ArrayList<>((List<?>) state);
    elements.addAll((List<?>) op.value());
    return Line.op(op.kind(), op.key(), elements);
  }
}
