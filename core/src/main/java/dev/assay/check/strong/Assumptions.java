package dev.assay.check.strong;

import java.util.BitSet;

/**
 * What an order is asked to respect beyond what its level asks for, because most orders of real
 * databases do and it narrows the search.
 *
 * @param sessions whether it respects sessions
 * @param realTime whether it respects real time
 * @param free members of which this is not asked
 */
record Assumptions(boolean sessions, boolean realTime, BitSet free) {
  static final Assumptions NOTHING = new Assumptions(false, false, new BitSet());
}
