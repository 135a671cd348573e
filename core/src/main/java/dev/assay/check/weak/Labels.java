package dev.assay.check.weak;

import dev.assay.check.Edge;
import dev.assay.level.AnomalyType;

/** Gives an instance its most specific name: h before k before m, i before l before n. */
final class Labels {
  private final Causality causality;
  private final Premises premises;
  private final OrderSearch search;
  private final Axiom axiom;

  Labels(OrderSearch search, Axiom axiom) {
    this.causality = search.causality();
    this.premises = search.premises();
    this.search = search;
    this.axiom = axiom;
  }

  AnomalyType of(Patterns.Instance instance) {
    int t2 = instance.t2();
    int t3 = instance.t3();
    boolean causal = instance.t1() == Edge.INITIAL || precedes(instance.t1(), t2);
    int other = premises.otherKeyRead(t2, t3, instance.key());
    if (other >= 0 && other < premises.lastRead(instance.t1(), t3, instance.key())) {
      return causal ? AnomalyType.NON_MONOTONIC_READ_CO : AnomalyType.NON_MONOTONIC_READ_CM;
    }
    if (other >= 0 || causality.precedesInSession(t2, t3)) {
      return causal ? AnomalyType.FRACTURED_READ_CO : AnomalyType.FRACTURED_READ_CM;
    }
    if (causality.readsFrom(t3, t2) && !reachesOtherwise(t2, t3)) {
      return AnomalyType.NON_REPEATABLE_READ;
    }
    return causal ? AnomalyType.CO_CONFLICT : AnomalyType.CM_CONFLICT;
  }

  /**
   * C4's letters. C4 tells apart whether t3 reads another key from t2, not when it does so, and
   * calls every stale read of an initial version j as well.
   */
  String c4(Patterns.Instance instance) {
    AnomalyType type = of(instance);
    String letter =
        switch (type) {
          case FRACTURED_READ_CO, FRACTURED_READ_CM -> {
            boolean causal = type == AnomalyType.FRACTURED_READ_CO;
            boolean read = premises.otherKeyRead(instance.t2(), instance.t3(), instance.key()) >= 0;
            yield read ? (causal ? "h" : "i") : (causal ? "k" : "l");
          }
          default -> type.c4();
        };
    boolean initial = instance.t1() == Edge.INITIAL && type != AnomalyType.NON_REPEATABLE_READ;
    return initial ? letter + ", j" : letter;
  }

  /** Whether t2 also precedes t3 by other ways than being read by it. */
  private boolean reachesOtherwise(int t2, int t3) {
    if (axiom != Axiom.CAUSAL) {
      return false;
    }
    int previous = causality.previous(t3);
    if (previous != Causality.NONE && precedes(t2, previous)) {
      return true;
    }
    for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
      if (causality.source(i) != t2 && precedes(t2, causality.source(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean precedes(int earlier, int later) {
    return search.precedes(earlier, later);
  }
}
