package dev.assay.bench;

import dev.assay.graph.IntList;
import dev.assay.solve.OrderSolver;
import dev.assay.solve.Search;
import org.sat4j.minisat.core.ILits;
import org.sat4j.minisat.core.Undoable;
import org.sat4j.specs.Constr;
import org.sat4j.specs.IVecInt;
import org.sat4j.specs.MandatoryLiteralListener;
import org.sat4j.specs.Propagatable;
import org.sat4j.specs.UnitPropagationListener;
import org.sat4j.specs.VarMapper;

/**
 * The theory of {@link OrderSolver} as a constraint of Sat4j: a literal that becomes true adds its
 * edges, and literals whose edges form a cycle are a conflict. Variable v is v + 1 in Sat4j, so
 * that literals differ by two.
 */
final class AcyclicConstraint implements Constr, Propagatable, Undoable {
  private static final int SHIFT = 2;

  private final ILits vocabulary;
  private final Search.Theory theory;
  private final IntList marks = new IntList(64);
  private final IntList together = new IntList(16);
  private int watched;

  AcyclicConstraint(ILits vocabulary, Search.Theory theory) {
    this.vocabulary = vocabulary;
    this.theory = theory;
  }

  /** Takes notice of variables up to a number of them. */
  void watch(int variables) {
    for (; watched < variables; watched++) {
      vocabulary.watch(2 * watched + SHIFT, this);
      vocabulary.watch(2 * watched + 1 + SHIFT, this);
    }
  }

  int watched() {
    return watched;
  }

  @Override
  public boolean propagate(UnitPropagationListener solver, int literal) {
    vocabulary.watch(literal, this);
    vocabulary.undos(literal).push(this);
    marks.add(theory.mark());
    together.clear();
    return theory.take(literal - SHIFT, together);
  }

  @Override
  public void undo(int literal) {
    theory.giveBackTo(marks.removeLast());
  }

  /** The literals that cannot all be true. */
  @Override
  public void calcReason(int literal, IVecInt reason) {
    for (int i = 0; i < together.size(); i++) {
      reason.push(together.get(i) + SHIFT);
    }
  }

  @Override
  public void calcReasonOnTheFly(int literal, IVecInt trail, IVecInt reason) {
    calcReason(literal, reason);
  }

  @Override
  public Constr toConstraint() {
    return this;
  }

  @Override
  public boolean canBePropagatedMultipleTimes() {
    return true;
  }

  @Override
  public int size() {
    return together.size();
  }

  @Override
  public int get(int index) {
    return together.get(index) + SHIFT;
  }

  // Learned clauses need what follows; this constraint does not.

  @Override
  public boolean propagatePI(MandatoryLiteralListener listener, int literal) {
    return true;
  }

  @Override
  public void remove(UnitPropagationListener solver) {}

  @Override
  public boolean simplify() {
    return false;
  }

  @Override
  public void incActivity(double increment) {}

  @Override
  @SuppressWarnings("deprecation")
  public void forwardActivity(double increment) {}

  @Override
  public boolean locked() {
    return true;
  }

  @Override
  public void setLearnt() {}

  @Override
  public void register() {}

  @Override
  public void rescaleBy(double factor) {}

  @Override
  public void setActivity(double activity) {}

  @Override
  public void assertConstraint(UnitPropagationListener solver) {}

  @Override
  public void assertConstraintIfNeeded(UnitPropagationListener solver) {}

  @Override
  public boolean canBeSatisfiedByCountingLiterals() {
    return false;
  }

  @Override
  public int requiredNumberOfSatisfiedLiterals() {
    return 0;
  }

  @Override
  public boolean isSatisfied() {
    return false;
  }

  @Override
  public int getAssertionLevel(IVecInt trail, int decisionLevel) {
    return decisionLevel;
  }

  @Override
  public boolean learnt() {
    return false;
  }

  @Override
  public double getActivity() {
    return 0;
  }

  @Override
  public String toString(VarMapper names) {
    return dump();
  }

  @Override
  public String dump() {
    return "acyclic";
  }
}
