package dev.assay.check.strong;

import dev.assay.history.History;
import dev.assay.solve.Polygraph;
import dev.assay.solve.PolygraphBuilder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/** Makes the {@link Polygraph} of an {@link Instance} at a level. */
final class Encoding implements Instance.KeyVisitor {
  private final Instance instance;
  private final Model model;
  private final Choices choices;
  private final Assumptions assumed;
  private final PolygraphBuilder builder;
  private final BooleanSupplier expired;
  private int keys;

  // The current key.
  private int[] writers = new int[16];
  private int writerCount;
  private int[] readers = new int[16];
  private int[] sources = new int[16];
  private int readCount;
  private int[] choiceMembers = new int[4];
  private int[] choiceOps = new int[4];
  private int choiceCount;
  private int[] orderFirst = new int[4];
  private int[] orderSecond = new int[4];
  private int orderCount;
  private boolean initialRead;

  private Encoding(
      Instance instance,
      Model model,
      Choices choices,
      Assumptions assumed,
      BooleanSupplier expired) {
    this.assumed = assumed;
    this.expired = expired;
    this.instance = instance;
    this.model = model;
    this.choices = choices;
    this.builder = new PolygraphBuilder(model.shape(), instance.size());
  }

  private static final BitSet NONE_FREE = new BitSet();

  /** Keys between two looks at the budget. */
  private static final int KEYS_AT_A_TIME = 64;

  /** There is no time to go over all keys. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stopped() {
      super("no time left", null, false, false);
    }
  }

  /** The problem, or null where there was no time to state it. */
  static Polygraph of(Instance instance, Model model, Choices choices, BooleanSupplier expired) {
    return of(instance, model, choices, Assumptions.NOTHING, expired);
  }

  /** The problem of finding an order that respects more than it has to. */
  static Polygraph of(
      Instance instance,
      Model model,
      Choices choices,
      Assumptions assumed,
      BooleanSupplier expired) {
    Encoding encoding = new Encoding(instance, model, choices, assumed, expired);
    try {
      return encoding.encode();
    } catch (Stopped e) {
      return null;
    }
  }

  private Polygraph encode() {
    addLikely();
    if (model.sessions() || assumed.sessions()) {
      addSessions(model.sessions() ? NONE_FREE : assumed.free());
    }
    if (model.realTime() || assumed.realTime()) {
      addRealTime(model.realTime() ? NONE_FREE : assumed.free());
    }
    if (model.facts() == Model.Facts.FLOW) {
      addFlow();
    }
    instance.visit(this);
    return builder.build();
  }

  /** A member without a place in its session is a chain of its own. */
  private void addSessions(BitSet without) {
    History history = instance.history;
    int[] chain = new int[instance.size()];
    int[] place = new int[instance.size()];
    int chains = 0;
    for (int session = 0; session < history.sessionCount(); session++) {
      int previous = Instance.NONE;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int member = instance.number[history.sessionTransaction(session, i)];
        if (member == Instance.NONE) {
          continue;
        }
        if (without.get(member)) {
          chain[member] = chains++;
          continue;
        }
        if (previous == Instance.NONE) {
          chain[member] = chains++;
        } else {
          builder.before(previous, member);
          chain[member] = chain[previous];
          place[member] = place[previous] + 1;
        }
        previous = member;
      }
    }
    builder.chains(chain, place);
  }

  /** Sessions go on one transaction after another, whether a level asks for it or not. */
  private void addLikely() {
    History history = instance.history;
    for (int session = 0; session < history.sessionCount(); session++) {
      int previous = Instance.NONE;
      for (int i = 0; i < history.sessionSize(session); i++) {
        int member = instance.number[history.sessionTransaction(session, i)];
        if (member != Instance.NONE && previous != Instance.NONE) {
          builder.likely(previous, member, history.sessionSize(session));
        }
        previous = member == Instance.NONE ? previous : member;
      }
    }
  }

  private void addFlow() {
    Flow flow = new Flow(instance);
    flow.forEach((writer, member, op) -> builder.before(writer, member));
    if (flow.hasAmbiguous()) {
      choices.ignore();
    }
  }

  /** Instants at which something had ended before something began; one chain of them. */
  private void addRealTime(BitSet without) {
    RealTime time = new RealTime(instance);
    int[] ends = Arrays.stream(time.byEnd()).filter(member -> !without.get(member)).toArray();
    int[] starts = Arrays.stream(time.byStart()).filter(member -> !without.get(member)).toArray();
    int instant = Instance.NONE;
    int ended = 0;
    for (int txn : starts) {
      int from = ended;
      while (ended < ends.length && time.end(ends[ended]) < time.start(txn)) {
        ended++;
      }
      if (ended > from) {
        int now = builder.instant();
        if (instant != Instance.NONE) {
          builder.instants(instant, now);
        }
        instant = now;
        for (int i = from; i < ended; i++) {
          builder.until(ends[i], instant);
        }
      }
      if (instant != Instance.NONE) {
        builder.since(instant, txn);
      }
    }
  }

  @Override
  public void startKey(int started) {
    if (keys++ % KEYS_AT_A_TIME == 0 && expired.getAsBoolean()) {
      throw new Stopped();
    }
    writerCount = 0;
    readCount = 0;
    choiceCount = 0;
    orderCount = 0;
    initialRead = false;
  }

  @Override
  public void write(int member) {
    writers = grown(writers, writerCount);
    writers[writerCount++] = member;
  }

  @Override
  public void read(int member, int source, int op) {
    readers = grown(readers, readCount);
    sources = grown(sources, readCount);
    readers[readCount] = member;
    sources[readCount++] = source;
    initialRead |= source == Instance.NONE;
  }

  @Override
  public void choice(int member, int op) {
    int[] candidates = choices.candidates(op);
    if (candidates.length == 1) {
      read(member, candidates[0], op);
      return;
    }
    if (candidates.length == 0) {
      return;
    }
    choiceMembers = grown(choiceMembers, choiceCount);
    choiceOps = grown(choiceOps, choiceCount);
    choiceMembers[choiceCount] = member;
    choiceOps[choiceCount++] = op;
  }

  @Override
  public void order(int first, int second) {
    orderFirst = grown(orderFirst, orderCount);
    orderSecond = grown(orderSecond, orderCount);
    orderFirst[orderCount] = first;
    orderSecond[orderCount++] = second;
  }

  @Override
  public void endKey() {
    if (model.facts() != Model.Facts.ALL) {
      for (int i = 0; i < orderCount; i++) {
        builder.before(orderFirst[i], orderSecond[i]);
      }
      return;
    }
    boolean matters =
        writerCount > 1
            || (writerCount == 1 && initialRead)
            || choiceCount > 0
            || model.shape() == Polygraph.Shape.ATOMIC;
    if (!matters) {
      for (int i = 0; i < readCount; i++) {
        if (sources[i] != Instance.NONE) {
          builder.before(sources[i], readers[i]);
        }
      }
      return;
    }
    builder.startKey();
    for (int i = 0; i < writerCount; i++) {
      builder.writer(writers[i]);
    }
    for (int i = 0; i < readCount; i++) {
      builder.read(readers[i], sources[i]);
    }
    for (int i = 0; i < choiceCount; i++) {
      int[] candidates = choices.candidates(choiceOps[i]);
      choices.encoded(choiceOps[i]);
      builder.choice(choiceMembers[i], candidates);
    }
    for (int i = 0; i < orderCount; i++) {
      builder.order(orderFirst[i], orderSecond[i]);
    }
    builder.endKey();
  }

  private static int[] grown(int[] array, int size) {
    return size < array.length ? array : Arrays.copyOf(array, size * 2);
  }
}
