package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import java.io.Closeable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What all windows of one history share: names of keys and sessions, and the past. */
final class Context implements Closeable {
  final RawScalars scalars = new RawScalars();
  final Past past;
  final Map<String, String> metadata = new LinkedHashMap<>();
  final KeyStore keys;
  private final Scratch scratch;
  private final Map<Object, SessionState> sessions = new HashMap<>();

  /** Where the first block is from; null before there is one. */
  private Origin origin;

  /** What the first block declares as the initial value of registers. */
  private Object initialOfAll;

  /** Whether everything was accepted. */
  private boolean complete;

  Context(MonitorOptions options) {
    scratch = new Scratch(options.folder());
    long memoryOfKeys = options.memory() / 4;
    keys = new KeyStore(scratch, memoryOfKeys);
    past = new Past(this, scratch, options.memory() - memoryOfKeys);
  }

  /** Removes what is on disk. */
  @Override
  public void close() {
    scratch.close();
  }

  boolean isComplete() {
    return complete;
  }

  void complete() {
    complete = true;
  }

  /** A block whose keys are known here. */
  Block block(History history) {
    if (origin == null) {
      origin = history.origin();
      initialOfAll = history.values().get(history.initialOfAll());
      metadata.putAll(history.metadata());
    }
    return block(history, System.nanoTime());
  }

  /** A block that was accepted at some time before. */
  Block block(History history, long nanos) {
    KeyState[] states = new KeyState[history.keys().count()];
    for (int key = 0; key < states.length; key++) {
      int declared = history.declaredInitial(key);
      Object initial =
          declared == Values.UNKNOWN || declared == Values.NIL
              ? null
              : history.values().get(declared);
      states[key] = keys.of(history.keys().get(key), initial);
    }
    return new Block(history, states, nanos);
  }

  KeyState key(Object name) {
    return keys.get(name);
  }

  Origin origin() {
    return origin;
  }

  int sessions() {
    return sessions.size();
  }

  SessionState session(Object name) {
    return sessions.computeIfAbsent(name, SessionState::new);
  }

  /** What registers hold before the first transaction, unless declared otherwise; null for nil. */
  Object initialOfAll() {
    return initialOfAll;
  }

  /** Gives a history that is under construction what is not in its transactions. */
  void describe(HistoryBuilder builder) {
    builder.origin(origin);
    metadata.forEach(builder::metadata);
    builder.initially(initialOfAll());
  }

  /** A value as a raw scalar that is the same in all windows. */
  long raw(History history, int code) {
    Values values = history.values();
    return values.isInteger(code) ? scalars.of(values.asLong(code)) : scalars.of(values.get(code));
  }
}
