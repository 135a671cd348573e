package dev.assay.resolve;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What the user may assume about the version order of each register. Only {@link #INITIAL} holds in
 * every system; a verdict that rests on one of the others is a verdict about the history
 * <em>and</em> that assumption.
 */
public enum Assumption {
  /** The initial version comes before all others. */
  INITIAL("the initial version comes first (always assumed)"),
  /** Versions follow the commit order that the source of the history expects. */
  TRANSACTION_ORDER("versions follow the expected serialization order of the history"),
  /** A transaction that read a version and then wrote the key wrote a later one. */
  WRITES_FOLLOW_READS("what a transaction writes is newer than what it read of the key before"),
  /** Each key is sequentially consistent: a session sees its versions in order. */
  SEQUENTIAL_KEYS("a session sees the versions of each key in order"),
  /** Each key is linearizable: real time orders its versions. */
  LINEARIZABLE_KEYS("real time orders the versions of each key"),
  /** The database's commit timestamps order versions; a snapshot sees all earlier commits. */
  TIMESTAMPS("the commit timestamps of the database order the versions of each key");

  /** What is assumed unless the user says more. */
  public static final Set<Assumption> DEFAULT = Collections.unmodifiableSet(EnumSet.of(INITIAL));

  private final String meaning;

  Assumption(String meaning) {
    this.meaning = meaning;
  }

  /** The name used on the command line and in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it says, in one clause. */
  public String meaning() {
    return meaning;
  }
}
