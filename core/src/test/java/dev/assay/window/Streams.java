package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OpKind.Type;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Seeded recordings of a simulated store, long enough for a monitor to forget most of what it has
 * judged. Nearly all reads see what the store promises; a few see something else, most often an old
 * version, so that levels fail one by one and far apart.
 */
final class Streams {
  /** How the store isolates transactions. */
  enum Store {
    SERIAL,
    SNAPSHOT,
    READ_COMMITTED
  }

  /** What clients know of time. */
  enum Clock {
    NONE,
    FINE,
    /** Many times are equal, and transactions of unknown outcome have no end. */
    COARSE,
    /** Some times are missing or wrong by a little. */
    BAD
  }

  /**
   * What to record.
   *
   * @param keys the number of keys in use at a time
   * @param writesPerKey after how many writes another key takes a key's place; 0 for never
   * @param disturbed one read in this many is wrong; 0 for none
   * @param outcomes whether some transactions abort or have an unknown outcome
   * @param repeats one write in this many repeats a value; 0 for none
   * @param slowReplies whether others run between a commit and the end that its client sees, so
   *     that transactions often end in another order than they committed
   */
  record Shape(
      Store store,
      List<Type> types,
      int clients,
      int keys,
      int writesPerKey,
      int disturbed,
      boolean outcomes,
      Clock clock,
      int repeats,
      boolean slowReplies) {
    static Shape any(Random random) {
      List<List<Type>> types =
          List.of(
              List.of(Type.REGISTER),
              List.of(Type.LIST),
              List.of(Type.SET),
              List.of(Type.REGISTER, Type.LIST),
              List.of(Type.REGISTER, Type.LIST, Type.SET));
      return new Shape(
          Store.values()[random.nextInt(3)],
          types.get(random.nextInt(types.size())),
          1 + random.nextInt(6),
          1 + random.nextInt(6),
          random.nextInt(3) == 0 ? 0 : 5 + random.nextInt(20),
          random.nextInt(3) == 0 ? 0 : 40 << random.nextInt(5),
          random.nextInt(3) > 0,
          Clock.values()[random.nextInt(Clock.values().length)],
          0,
          random.nextBoolean());
    }

    Shape ofRegisters() {
      List<Type> registers = List.of(Type.REGISTER);
      return new Shape(
          store,
          registers,
          clients,
          keys,
          writesPerKey,
          disturbed,
          outcomes,
          clock,
          repeats,
          slowReplies);
    }

    Shape timed() {
      return new Shape(
          store,
          types,
          clients,
          keys,
          writesPerKey,
          disturbed,
          outcomes,
          Clock.FINE,
          repeats,
          slowReplies);
    }

    Shape withRepeats(int newRepeats) {
      return new Shape(
          store,
          types,
          clients,
          keys,
          writesPerKey,
          disturbed,
          outcomes,
          clock,
          newRepeats,
          slowReplies);
    }
  }

  /** The versions of a key: values of a register, elements of a list or set in their order. */
  private static final class Item {
    private final String name;
    private final Type type;
    private final List<Object> versions = new ArrayList<>();
    private final List<Object> refused = new ArrayList<>();
    private Running lock;

    Item(String name, Type type) {
      this.name = name;
      this.type = type;
    }
  }

  /** A transaction that runs. */
  private static final class Running {
    private final int client;
    private final long start;
    private final Map<Item, Integer> snapshot = new HashMap<>();
    private final List<Operation> ops = new ArrayList<>();
    private final Map<Item, List<Object>> written = new HashMap<>();
    private final Set<Item> locks = new HashSet<>();
    private int left;
    private boolean refused;

    /** How it ended, before its client has seen that; else null. */
    private Line ended;

    Running(int client, long start, int left) {
      this.client = client;
      this.start = start;
      this.left = left;
    }
  }

  private final Shape shape;
  private final Random random;
  private final List<Item> items = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final Running[] running;
  private final long[] session;
  private long nextSession;
  private long nextValue = 1;
  private int nextKey;
  private long clock;

  private Streams(Shape shape, Random random) {
    this.shape = shape;
    this.random = random;
    this.running = new Running[shape.clients];
    this.session = new long[shape.clients];
    for (int i = 0; i < shape.clients; i++) {
      session[i] = nextSession++;
    }
    for (int i = 0; i < shape.keys; i++) {
      items.add(newItem());
    }
  }

  /** The transactions that clients of the store record, in the order they end. */
  static List<Line> record(Shape shape, int transactions, Random random) {
    Streams streams = new Streams(shape, random);
    streams.run(transactions);
    return streams.lines;
  }

  /** A history that declares nothing. */
  static History nothing() {
    return new HistoryBuilder().build();
  }

  private Item newItem() {
    Type type = shape.types.get(nextKey % shape.types.size());
    return new Item("k" + nextKey++, type);
  }

  private void run(int transactions) {
    while (lines.size() < transactions) {
      // The first client is slow, so that its transactions span many others.
      int client = random.nextInt(shape.clients);
      if (client == 0 && shape.clients > 1 && random.nextInt(10) > 0) {
        continue;
      }
      clock += 1 + random.nextInt(3);
      if (running[client] == null) {
        running[client] = new Running(client, clock, 1 + random.nextInt(4));
        for (Item item : items) {
          running[client].snapshot.put(item, item.versions.size());
        }
      } else if (running[client].ended != null || advance(running[client])) {
        report(client);
      }
    }
    for (int client = 0; client < shape.clients; client++) {
      if (running[client] != null && running[client].ended != null) {
        clock++;
        report(client);
      }
    }
  }

  private void report(int client) {
    Running txn = running[client];
    if (txn.ended == null) {
      txn.ended = end(txn);
      if (shape.slowReplies && random.nextBoolean()) {
        return;
      }
    }
    lines.add(timed(txn.ended.during(txn.start, clock)));
    running[client] = null;
  }

  private boolean advance(Running txn) {
    do {
      if (txn.left > 0) {
        txn.left--;
        operate(txn, items.get(random.nextInt(items.size())));
      }
    } while (shape.store == Store.SERIAL && txn.left > 0);
    return txn.left == 0;
  }

  private void operate(Running txn, Item item) {
    if (random.nextBoolean()) {
      write(txn, item);
    } else {
      txn.ops.add(Line.op(item.type.readKind(), item.name, seen(txn, item)));
    }
  }

  private void write(Running txn, Item item) {
    int known = txn.snapshot.getOrDefault(item, 0);
    boolean conflicts = shape.store == Store.SNAPSHOT && known != item.versions.size();
    boolean locked = item.lock != null && item.lock != txn;
    if (shape.store != Store.SERIAL && item.type != Type.SET && (conflicts || locked)) {
      if (!isDisturbed() || locked) {
        txn.refused = true;
        txn.left = 0;
        return;
      }
    }
    if (item.type != Type.SET) {
      item.lock = txn;
      txn.locks.add(item);
    }
    boolean repeats = shape.repeats > 0 && random.nextInt(shape.repeats) == 0;
    Object value = repeats && nextValue > 1 ? 1 + random.nextLong(nextValue - 1) : nextValue++;
    txn.written.computeIfAbsent(item, i -> new ArrayList<>()).add(value);
    txn.ops.add(Line.op(item.type.writeKind(), item.name, value));
  }

  private boolean isDisturbed() {
    return shape.disturbed > 0 && random.nextInt(shape.disturbed) == 0;
  }

  /** What a read shows: the version the store promises, or now and then another one. */
  private Object seen(Running txn, Item item) {
    int known = txn.snapshot.getOrDefault(item, 0);
    int version = shape.store == Store.SNAPSHOT ? known : item.versions.size();
    List<Object> own = txn.written.getOrDefault(item, List.of());
    if (isDisturbed()) {
      switch (random.nextInt(8)) {
        case 0 -> own = List.of();
        case 1 -> {
          if (!item.refused.isEmpty()) {
            own = List.of(item.refused.get(random.nextInt(item.refused.size())));
          }
        }
        case 2, 3 -> version = Math.max(0, version - 1 - random.nextInt(3));
        case 4 -> version = item.versions.size();
        default -> version = random.nextInt(item.versions.size() + 1);
      }
    }
    if (item.type == Type.REGISTER) {
      List<Object> values = own.isEmpty() ? item.versions.subList(0, version) : own;
      return values.isEmpty() ? null : values.get(values.size() - 1);
    }
    List<Object> elements = new ArrayList<>(item.versions.subList(0, version));
    elements.addAll(own);
    return item.type == Type.LIST ? elements : new ArrayList<>(new TreeSet<>(elements));
  }

  private Line end(Running txn) {
    Outcome outcome = txn.refused ? Outcome.ABORTED : Outcome.COMMITTED;
    boolean applied = !txn.refused;
    if (shape.outcomes && random.nextInt(10) == 0) {
      outcome = random.nextBoolean() ? Outcome.ABORTED : Outcome.INDETERMINATE;
      applied &= outcome == Outcome.INDETERMINATE && random.nextBoolean();
    }
    for (Map.Entry<Item, List<Object>> entry : ordered(txn)) {
      install(entry.getKey(), entry.getValue(), applied);
    }
    txn.locks.forEach(item -> item.lock = null);
    List<Operation> ops = new ArrayList<>(txn.ops);
    if (outcome == Outcome.INDETERMINATE) {
      ops.replaceAll(
          op -> op.kind().isWrite() || random.nextBoolean() ? op : unseen(op.kind(), op.key()));
    }
    Line line = new Line(session[txn.client], outcome, txn.start, clock, ops);
    if (outcome == Outcome.INDETERMINATE) {
      session[txn.client] = nextSession++;
    }
    return line;
  }

  private Line timed(Line line) {
    return switch (shape.clock) {
      case NONE -> line.during(History.ABSENT, History.ABSENT);
      case FINE -> line;
      case COARSE -> {
        boolean known = line.outcome() != Outcome.INDETERMINATE;
        yield line.during(line.start() / 8, known ? line.end() / 8 : History.ABSENT);
      }
      case BAD ->
          switch (random.nextInt(20)) {
            case 0 -> line.during(line.start(), History.ABSENT);
            case 1 -> line.during(History.ABSENT, line.end());
            case 2 -> line.during(line.start() - random.nextInt(30), line.end());
            case 3 -> line.during(line.start(), line.end() + random.nextInt(30));
            case 4 -> line.during(line.start(), line.end() - random.nextInt(30));
            default -> line;
          };
    };
  }

  private static Operation unseen(OpKind kind, Object key) {
    return Line.unseen(kind, key);
  }

  /** By the names of keys, so that the same seed gives the same history. */
  private static List<Map.Entry<Item, List<Object>>> ordered(Running txn) {
    return txn.written.entrySet().stream()
        .sorted(Map.Entry.comparingByKey((a, b) -> a.name.compareTo(b.name)))
        .toList();
  }

  private void install(Item item, List<Object> values, boolean applied) {
    if (!applied) {
      item.refused.addAll(values);
      return;
    }
    if (item.type == Type.REGISTER) {
      item.versions.add(values.get(values.size() - 1));
    } else {
      item.versions.addAll(values);
    }
    if (shape.writesPerKey > 0 && item.versions.size() >= shape.writesPerKey) {
      int place = items.indexOf(item);
      if (place >= 0) {
        items.set(place, newItem());
      }
    }
  }
}
