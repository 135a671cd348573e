package dev.assay.check.weak;

import dev.assay.check.Edge;
import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.level.AnomalyType;
import dev.assay.level.Axiom;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;

/**
 * Gives an instance its most specific name: h before k before m, i before l before n. A {@code -cm}
 * name says that a commit order puts t1 before t2: that of read atomic for i and l, otherwise that
 * of causal consistency, which gives n whatever t3 read.
 */
final class Labels {
  private final Causality causality;
  private final AxiomPremises premises;
  private final Loaders loaders;
  private final Axiom axiom;
  private final Order causal;
  private final Order atomic;

  /** Some order of transactions. */
  interface Order {
    boolean has(int earlier, int later);
  }

  /**
   * Prepares.
   *
   * @param axiom what forced t2 before t1
   * @param causal causal order
   * @param atomic the order of two transactions in every commit order of read atomic, for two in a
   *     cycle
   */
  Labels(OrderSearch search, Axiom axiom, Order causal, Order atomic) {
    this.causality = search.causality();
    History history = causality.history();
    this.loaders = new Loaders(history);
    this.premises = search.premises();
    this.axiom = axiom;
    this.causal = causal;
    this.atomic = atomic;
  }

  AnomalyType of(Patterns.Instance instance) {
    int t1 = instance.t1();
    int t2 = instance.t2();
    int t3 = instance.t3();
    boolean co = isCausal(instance);
    int other = premises.otherKeyRead(t2, t3, instance.key());
    boolean later = other >= 0 && other < premises.lastRead(t1, t3, instance.key());
    boolean ordered = co || Axiom.READ_ATOMIC.includes(axiom) || atomic.has(t1, t2);
    if (later && ordered) {
      return co ? AnomalyType.NON_MONOTONIC_READ_CO : AnomalyType.NON_MONOTONIC_READ_CM;
    }
    boolean part = other >= 0 || causality.precedesInSession(t2, t3);
    if (part && ordered) {
      return co ? AnomalyType.FRACTURED_READ_CO : AnomalyType.FRACTURED_READ_CM;
    }
    boolean onlyRead = !part && causality.readsFrom(t3, t2) && !reachesOtherwise(t2, t3);
    if (onlyRead && readsDiffer(t3, instance.key())) {
      return AnomalyType.NON_REPEATABLE_READ;
    }
    return co ? AnomalyType.CO_CONFLICT : AnomalyType.CM_CONFLICT;
  }

  /** The level that requires t3 to see t2 in instances of this type. */
  static Level level(AnomalyType type) {
    return switch (type) {
      case NON_MONOTONIC_READ_CO, NON_MONOTONIC_READ_CM -> Level.READ_COMMITTED;
      case FRACTURED_READ_CO, FRACTURED_READ_CM -> Level.READ_ATOMIC;
      default -> Level.CAUSAL;
    };
  }

  /** Whether t1 causally precedes t2. */
  boolean isCausal(Patterns.Instance instance) {
    return instance.t1() == Edge.INITIAL || causal.has(instance.t1(), instance.t2());
  }

  /**
   * C4's letters. C4 distinguishes whether t3 reads another key from t2, not when it does so, and
   * also calls every stale read of an initial version j.
   */
  String c4(Patterns.Instance instance) {
    AnomalyType type = of(instance);
    boolean read = premises.otherKeyRead(instance.t2(), instance.t3(), instance.key()) >= 0;
    boolean co = isCausal(instance);
    String letter =
        type == AnomalyType.NON_REPEATABLE_READ
            ? type.c4()
            : read ? (co ? "h" : "i") : (co ? "k" : "l");
    return isInitial(instance) && type != AnomalyType.NON_REPEATABLE_READ ? letter + ", j" : letter;
  }

  /** Whether t3 read the initial version of a key, or one that a loader wrote. */
  boolean isInitial(Patterns.Instance instance) {
    return instance.t1() == Edge.INITIAL || loaders.isLoader(instance.t1());
  }

  /** Whether two reads of a key with no own write in between saw different versions. */
  private boolean readsDiffer(int txn, int key) {
    History history = causality.history();
    int last = ReadsFrom.NONE;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.key(op) != key) {
        continue;
      }
      int source = history.kind(op).isWrite() ? ReadsFrom.NONE : causality.sourceOf(op);
      if (last != ReadsFrom.NONE && source != ReadsFrom.NONE && source != last) {
        return true;
      }
      last = source;
    }
    return false;
  }

  /** Whether t2 also precedes t3 other than by being read by it. */
  private boolean reachesOtherwise(int t2, int t3) {
    if (axiom != Axiom.CAUSAL) {
      return false;
    }
    int previous = causality.previous(t3);
    if (previous != Causality.NONE && causal.has(t2, previous)) {
      return true;
    }
    for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
      if (causality.source(i) != t2 && causal.has(t2, causality.source(i))) {
        return true;
      }
    }
    return false;
  }
}
