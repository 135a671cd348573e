package dev.assay.check.strong;

import dev.assay.graph.IntList;
import dev.assay.graph.RealTimeChain;
import dev.assay.history.History;
import dev.assay.solve.Polygraph;
import dev.assay.solve.PolygraphBuilder;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * Encodes an {@link Instance} at a level as a {@link Polygraph}: writers, reads and known version
 * orders of every key, ambiguous reads as choices, and session order and real time where the level
 * or the assumptions require them.
 */
final class Encoding implements Instance.KeyVisitor {
  private final Instance instance;
  private final Model model;
  private final Choices choices;
  private final Assumptions assumed;
  private final PolygraphBuilder builder;
  private final BooleanSupplier expired;
  private int keys;

  // The current key.
  private final IntList writers = new IntList();
  private final IntList readers = new IntList();
  private final IntList sources = new IntList();
  private final IntList choiceMembers = new IntList();
  private final IntList choiceOps = new IntList();
  private final IntList orderFirst = new IntList();
  private final IntList orderSecond = new IntList();
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

  /** The budget expired while the keys were visited. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    Stopped() {
      super("no time left", null, false, false);
    }
  }

  /** The problem, or null if the budget expired while it was built. */
  static Polygraph of(Instance instance, Model model, Choices choices, BooleanSupplier expired) {
    return of(instance, model, choices, Assumptions.NOTHING, expired);
  }

  /** The problem of finding an order that also respects these assumptions. */
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

  /** A member exempt from session order is a separate chain. */
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

  /** Adds session order as likely, even if the level does not require it. */
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

  private void addRealTime(BitSet without) {
    RealTime time = new RealTime(instance);
    RealTimeChain.build(
        time.begun(without),
        time::start,
        time.ended(without),
        time::end,
        new RealTimeChain.Sink() {
          @Override
          public int instant(int before) {
            int instant = builder.instant();
            if (before >= 0) {
              builder.instants(before, instant);
            }
            return instant;
          }

          @Override
          public void ended(int member, int instant) {
            builder.until(member, instant);
          }

          @Override
          public void began(int instant, int member) {
            builder.since(instant, member);
          }
        });
  }

  @Override
  public void startKey(int started) {
    if (keys++ % KEYS_AT_A_TIME == 0 && expired.getAsBoolean()) {
      throw new Stopped();
    }
    writers.clear();
    readers.clear();
    sources.clear();
    choiceMembers.clear();
    choiceOps.clear();
    orderFirst.clear();
    orderSecond.clear();
    initialRead = false;
  }

  @Override
  public void write(int member) {
    writers.add(member);
  }

  @Override
  public void read(int member, int source, int op) {
    readers.add(member);
    sources.add(source);
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
    choiceMembers.add(member);
    choiceOps.add(op);
  }

  @Override
  public void order(int first, int second) {
    orderFirst.add(first);
    orderSecond.add(second);
  }

  @Override
  public void endKey() {
    if (model.facts() != Model.Facts.ALL) {
      for (int i = 0; i < orderFirst.size(); i++) {
        builder.before(orderFirst.get(i), orderSecond.get(i));
      }
      return;
    }
    boolean matters =
        writers.size() > 1
            || (writers.size() == 1 && initialRead)
            || !choiceOps.isEmpty()
            || model.shape() == Polygraph.Shape.ATOMIC;
    if (!matters) {
      for (int i = 0; i < readers.size(); i++) {
        if (sources.get(i) != Instance.NONE) {
          builder.before(sources.get(i), readers.get(i));
        }
      }
      return;
    }
    builder.startKey();
    for (int i = 0; i < writers.size(); i++) {
      builder.writer(writers.get(i));
    }
    for (int i = 0; i < readers.size(); i++) {
      builder.read(readers.get(i), sources.get(i));
    }
    for (int i = 0; i < choiceOps.size(); i++) {
      int[] candidates = choices.candidates(choiceOps.get(i));
      choices.encoded(choiceOps.get(i));
      builder.choice(choiceMembers.get(i), candidates);
    }
    for (int i = 0; i < orderFirst.size(); i++) {
      builder.order(orderFirst.get(i), orderSecond.get(i));
    }
    builder.endKey();
  }
}
