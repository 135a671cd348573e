package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What all windows of one history share: names of keys and sessions, and the past. */
final class Context {
  final RawScalars scalars = new RawScalars();
  final Past past = new Past();
  final Map<String, String> metadata = new LinkedHashMap<>();
  private final Map<Object, KeyState> keys = new HashMap<>();
  private final Map<Object, SessionState> sessions = new HashMap<>();

  /** The first block, which declares the initial state and the origin. */
  private History first;

  /** Whether everything was accepted. */
  private boolean complete;

  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  /** A block whose keys are known here. */
  Block block(History history) {
    if (first == null) {
      first = history;
      metadata.putAll(history.metadata());
    }
    KeyState[] states = new KeyState[history.keys().count()];
    for (int key = 0; key < states.length; key++) {
      int declared = history.declaredInitial(key);
      Object initial =
          declared == Values.UNKNOWN || declared == Values.NIL
              ? null
              : history.values().get(declared);
      states[key] =
          keys.computeIfAbsent(
              history.keys().get(key), name -> new KeyState(keys.size(), name, initial));
    }
    return new Block(history, states);
  }

  KeyState key(Object name) {
    return keys.get(name);
  }

  int sessions() {
    return sessions.size();
  }

  SessionState session(Object name) {
    return sessions.computeIfAbsent(name, SessionState::new);
  }

  /** What registers hold before the first transaction, unless declared otherwise; null for nil. */
  Object initialOfAll() {
    return first.values().get(first.initialOfAll());
  }

  /** Gives a history that is under construction what is not in its transactions. */
  void describe(HistoryBuilder builder) {
    builder.origin(first.origin());
    metadata.forEach(builder::metadata);
    builder.initially(initialOfAll());
  }

  /** A value as a raw scalar that is the same in all windows. */
  long raw(History history, int code) {
    Values values = history.values();
    return values.isInteger(code) ? scalars.of(values.asLong(code)) : scalars.of(values.get(code));
  }
}
