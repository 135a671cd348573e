package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import java.io.Closeable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all windows of one history share: names of keys and sessions, and the past. */
final class Context implements Closeable {
  final RawScalars scalars = new RawScalars();
  final Past past;
  final Map<String, String> metadata = new LinkedHashMap<>();
  final KeyStore keys;
  private final Scratch scratch;
  private final Map<Object, SessionState> sessions = new HashMap<>();

  /** Keys with values that were written more than once, numbered. */
  private final Map<List<Object>, Integer> repeated = new HashMap<>();

  private int repeats;

  /** Where the first block is from; null before there is one. */
  private Origin origin;

  /** What the first block declares as the initial value of registers. */
  private Object initialOfAll;

  Context(MonitorOptions options) {
    scratch = new Scratch(options.folder());
    long memoryOfKeys = options.memory() / 4;
    keys = new KeyStore(scalars, scratch, memoryOfKeys);
    past = new Past(this, scratch, options.memory() - memoryOfKeys);
  }

  /** Removes what is on disk. */
  @Override
  public void close() {
    scratch.close();
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

  /** A value was written to a key again. */
  void repeat(KeyState key, Object value) {
    repeated.put(Arrays.asList(key.key, value), ++repeats);
  }

  /** The number of times that values were written again. */
  int repeats() {
    return repeats;
  }

  /** Whether a value was written to a key again since the count of repeats was this. */
  boolean isRepeatedSince(int since, Object key, Object value) {
    return repeats > since && repeated.getOrDefault(Arrays.asList(key, value), 0) > since;
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
    return scalars.of(history.values(), code);
  }
}
