package dev.assay.history;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Seeded random histories for tests of formats: any mix of operations, scalars, outcomes, times.
 * They need not be possible histories of any database. The same seed and limits give the same
 * history.
 *
 * <pre>{@code
 * History any = new RandomHistories(seed).next();
 * History plain =
 *     new RandomHistories(seed).types(OpKind.Type.REGISTER).integersOnly().bare().next();
 * }</pre>
 */
public final class RandomHistories {
  private static final long[] EDGES = {
    0,
    -1,
    1L << 30,
    (1L << 30) - 1,
    -(1L << 30) - 1,
    1L << 31,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 2,
    Long.MIN_VALUE + (1L << 31)
  };

  private static final String[] CONDITIONS = {
    "{\"where\":[\"=\",\"v\",1]}",
    "{}",
    "{\"where\":{\"a\":[1,2.50,-3e7],\"b\":null},\"c\":\"x\\\"y\\\\z\\n\u00e9\"}",
    "{\"all\":true}"
  };

  private final Random random;
  private final Set<OpKind.Type> types = EnumSet.allOf(OpKind.Type.class);
  private boolean integersOnly;
  private boolean bare;
  private int maxTransactions = 40;
  private int maxOperations = 8;

  public RandomHistories(long seed) {
    random = new Random(seed);
  }

  /** Only operations on these types. */
  public RandomHistories types(OpKind.Type... only) {
    types.clear();
    types.addAll(List.of(only));
    return this;
  }

  /** Only integers of 64 bits as keys, values, ids and session names; nil still is a value. */
  public RandomHistories integersOnly() {
    integersOnly = true;
    return this;
  }

  /** No times, timestamps, positions, errors or metadata. */
  public RandomHistories bare() {
    bare = true;
    return this;
  }

  public RandomHistories size(int transactions, int operationsEach) {
    maxTransactions = transactions;
    maxOperations = operationsEach;
    return this;
  }

  /** The next history. */
  public History next() {
    return new Draw().draw();
  }

  /** One history in the making. */
  private final class Draw {
    private final HistoryBuilder builder = new HistoryBuilder();
    private final List<Object> keys = new ArrayList<>();
    private final List<List<Object>> lists = new ArrayList<>();
    private final Map<Long, OpKind.Type> written = new HashMap<>();
    private final boolean exotic = !integersOnly && random.nextBoolean();
    private final boolean times = !bare && random.nextBoolean();
    private final boolean rare = !bare && random.nextInt(3) == 0;
    private final boolean ids = random.nextBoolean();
    private long clock = random.nextInt(1000);

    History draw() {
      builder.zeroIsInitial(random.nextInt(4) == 0);
      if (rare) {
        builder.metadata("database", text());
        builder.metadata("seed", "7");
      }
      int sessions = 1 + random.nextInt(6);
      for (int i = 0; i < sessions; i++) {
        builder.session(exotic ? scalar(2) : Long.valueOf(i));
      }
      int keyCount = 1 + random.nextInt(12);
      for (int i = 0; i < keyCount; i++) {
        keys.add(exotic && random.nextBoolean() ? scalar(2) : Long.valueOf(random.nextInt(50)));
        lists.add(new ArrayList<>());
      }
      int transactions = random.nextInt(maxTransactions + 1);
      for (int i = 0; i < transactions; i++) {
        transaction();
      }
      if (transactions > 0 && random.nextInt(4) == 0) {
        builder.resume(random.nextInt(transactions));
        operation();
      }
      return builder.build();
    }

    private void transaction() {
      int sessions = random.nextInt(8) == 0 ? builder.session(scalar(2)) + 1 : knownSessions();
      Outcome outcome = Outcome.of(random.nextInt(5) == 0 ? 1 + random.nextInt(2) : 0);
      int txn = builder.begin(random.nextInt(sessions), outcome);
      if (ids && random.nextInt(10) > 0) {
        builder.id(txn, builder.scalars().of(exotic ? scalar(1) : Long.valueOf(txn)));
      }
      if (times && random.nextInt(20) > 0) {
        builder.start(txn, clock += random.nextInt(100));
        builder.end(txn, clock += random.nextInt(100));
      }
      if (rare) {
        details(txn);
      }
      int operations = random.nextInt(maxOperations + 1);
      for (int i = 0; i < operations; i++) {
        operation();
      }
    }

    private int knownSessions() {
      return 1 + builder.session(0L);
    }

    private void details(int txn) {
      if (random.nextBoolean()) {
        builder.shownStart(txn, random.nextLong() >> random.nextInt(63));
        builder.shownEnd(txn, random.nextInt());
      }
      if (random.nextBoolean()) {
        builder.snapshotTs(txn, random.nextInt(1000));
      }
      if (random.nextBoolean()) {
        builder.commitTs(txn, random.nextLong() >>> random.nextInt(63));
      }
      if (random.nextBoolean()) {
        builder.serialPosition(txn, txn);
      }
      if (random.nextBoolean()) {
        builder.level(txn, random.nextBoolean() ? "serializable" : "of its \"own\"");
      }
      if (random.nextBoolean()) {
        builder.error(txn, text());
      }
    }

    private void operation() {
      int index;
      OpKind kind;
      do {
        index = random.nextInt(keys.size());
        kind = kind();
      } while (kind.isWrite() && kind != OpKind.UPDATE && !isWrittenAs(kind.type(), index));
      long key = builder.scalars().of(keys.get(index));
      boolean unknown = !kind.isWrite() && random.nextInt(6) == 0;
      switch (kind) {
        case LIST_READ, SET_READ -> {
          if (unknown) {
            builder.op(kind, key, RawScalars.UNKNOWN);
          } else if (kind == OpKind.LIST_READ) {
            builder.readList(keys.get(index), list(lists.get(index)));
          } else {
            builder.readSet(keys.get(index), elements());
          }
        }
        case SELECT, UPDATE -> {
          builder.predicate(kind, CONDITIONS[random.nextInt(CONDITIONS.length)]);
          for (int rows = random.nextInt(4); rows > 0; rows--) {
            int row = random.nextInt(keys.size());
            if (kind == OpKind.SELECT || isWrittenAs(OpKind.Type.REGISTER, row)) {
              builder.row(builder.scalars().of(keys.get(row)), value());
            }
          }
        }
        case COUNTER_READ, INCREMENT ->
            builder.op(kind, key, unknown ? RawScalars.UNKNOWN : random.nextInt(100) - 20);
        case APPEND -> {
          Object element = exotic ? scalar(2) : Long.valueOf(random.nextInt(1000));
          lists.get(index).add(element);
          builder.append(keys.get(index), element);
        }
        default -> builder.op(kind, key, unknown ? RawScalars.UNKNOWN : value());
      }
    }

    /** Whether all writes of a key may be of a type: a history has one for each key. */
    private boolean isWrittenAs(OpKind.Type type, int index) {
      OpKind.Type earlier = written.putIfAbsent(builder.scalars().of(keys.get(index)), type);
      return earlier == null || earlier == type;
    }

    private OpKind kind() {
      while (true) {
        OpKind kind = OpKind.of(random.nextInt(OpKind.values().length));
        if (types.contains(kind.type())) {
          return kind;
        }
      }
    }

    private long value() {
      return builder.scalars().of(exotic ? scalar(2) : integer());
    }

    /** Mostly a prefix of what was appended, sometimes not. */
    private List<Object> list(List<Object> appended) {
      List<Object> list = new ArrayList<>(appended.subList(0, random.nextInt(appended.size() + 1)));
      if (random.nextInt(8) == 0) {
        list.addAll(elements());
      }
      if (random.nextInt(8) == 0 && !list.isEmpty()) {
        list.remove(random.nextInt(list.size()));
      }
      return list;
    }

    private List<Object> elements() {
      List<Object> elements = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        elements.add(exotic ? scalar(2) : Long.valueOf(random.nextInt(1000)));
      }
      return elements;
    }
  }

  private Object integer() {
    return switch (random.nextInt(12)) {
      case 0 -> null;
      case 1 -> EDGES[random.nextInt(EDGES.length)];
      case 2 -> random.nextLong();
      default -> (long) random.nextInt(100);
    };
  }

  private Object scalar(int depth) {
    return switch (random.nextInt(14)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> EDGES[random.nextInt(EDGES.length)];
      case 3 -> new BigInteger(1 + random.nextInt(200), random).negate();
      case 4 -> random.nextInt(40) / 8.0;
      case 5 -> Double.longBitsToDouble(random.nextLong());
      case 6 -> new BigDecimal(new BigInteger(90, random), random.nextInt(40) - 10);
      case 7, 8, 9 -> text();
      case 10 -> new Keyword(text());
      case 11 -> depth == 0 ? Long.valueOf(1) : vector(depth - 1);
      default -> (long) random.nextInt(30);
    };
  }

  private List<Object> vector(int depth) {
    List<Object> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(scalar(depth));
    }
    return elements;
  }

  private String text() {
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> "line\nbreak \"quoted\" \\ \t\u0001\r";
      case 2 -> "gr\u00fc\u00df \u6f22\u5b57 \ud83d\ude00";
      case 3 -> "half " + (char) (0xd800 + random.nextInt(0x800)) + " pair";
      case 4 -> Integer.toString(random.nextInt(20));
      default -> "k" + random.nextInt(20);
    };
  }
}
