package dev.assay.check.strong;

import java.util.BitSet;

/**
 * What an order must respect beyond what its level requires. Most orders of real databases do, and
 * it narrows the search.
 *
 * @param sessions whether it respects sessions
 * @param realTime whether it respects real time
 * @param free members that are exempt from this
 */
record Assumptions(boolean sessions, boolean realTime, BitSet free) {
  static final Assumptions NOTHING = new Assumptions(false, false, new BitSet());
}
