package dev.assay.window;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** What all windows of one history share: names of keys and sessions, and the past. */
final class Context implements Closeable {
  private static final HistoryFormat DICTIONARY = Formats.byId("assay").orElseThrow();

  /** The entries before are nil and the unknown value. */
  private static final int FIRST_ENTRY = 2;

  /** About what a value takes that is not an integer. */
  private static final long SCALAR_BYTES = 120;

  private static final long ENOUGH = 64L << 20;

  final RawScalars scalars = new RawScalars();
  final Past past;
  final Map<String, String> metadata = new LinkedHashMap<>();
  final KeyStore keys;
  private final MonitorOptions options;
  private final StateFolder state;
  private final Scratch scratch;
  private final Map<Object, SessionState> sessions = new HashMap<>();

  /** Keys with values that were written more than once, numbered. */
  private final Map<List<Object>, Integer> repeated = new HashMap<>();

  private int repeats;

  /** Where the first block is from; null before there is one. */
  private Origin origin;

  /** What the first block declares as the initial value of registers. */
  private Object initialOfAll;

  /** The number of blocks so far. */
  private long blocks;

  /** Finds the first block that has a transaction which waits; given the number of the next. */
  private LongUnaryOperator oldestWaiting = next -> next;

  /** Begins, or opens the folder of a state that {@link #restore} reads. */
  Context(MonitorOptions options) {
    this.options = options;
    try {
      state = options.state() == null ? null : StateFolder.open(options.state());
    } catch (IOException e) {
      throw StateFolder.unusable(options.state(), e);
    }
    scratch = new Scratch(options.folder(), state);
    long memoryOfKeys = options.memory() / 4;
    long keep = options.keep() / 2;
    keys = new KeyStore(scalars, scratch, memoryOfKeys, keep);
    past = new Past(this, scratch, options.memory() - memoryOfKeys, keep);
  }

  /** Removes what is on disk, but for the state that was saved. */
  @Override
  public void close() {
    scratch.close();
  }

  void oldestWaiting(LongUnaryOperator finder) {
    oldestWaiting = finder;
  }

  void windowClosed() {
    keys.windowClosed(() -> past.oldestBlock(oldestWaiting.applyAsLong(blocks)));
  }

  /** Whether there are too many values and keys that are not counted up. */
  boolean isTooMuch() {
    long bytes = SCALAR_BYTES * scalars.size() + keys.bytes();
    return options.keep() < Long.MAX_VALUE && bytes > Math.max(ENOUGH, 4 * options.memory());
  }

  /** Whether something was needed that had been dropped. */
  boolean isLost() {
    return past.isLost() || keys.isLost();
  }

  /** A time at which transactions were accepted that need not wait for others. */
  long longAgo() {
    return System.nanoTime() - options.lateness().toNanos();
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
      states[key].lastBlock = blocks;
    }
    return new Block(history, states, nanos, blocks++);
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

  // ---- states

  /** Writes something of a state, or reads it. */
  interface Part<S> {
    void apply(S stream) throws IOException;
  }

  /**
   * Saves the state.
   *
   * @param head what can be read without the rest
   * @param rest what is not known here
   */
  void save(Part<StateOutput> head, Part<StateOutput> rest) {
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      StateOutput out = new StateOutput(body, scalars);
      scratch.save(out);
      saveDescription(out);
      keys.save(out);
      past.save(out);
      rest.apply(out);
      // The dictionary is complete now.
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      StateOutput first = new StateOutput(all, scalars);
      head.apply(first);
      saveDictionary(first);
      body.writeTo(all);
      state.write(all, scratch.names());
    } catch (IOException e) {
      throw StateFolder.unusable(options.state(), e);
    }
  }

  /** Goes on with the state that was saved; false if there is none. */
  boolean restore(Part<StateInput> head, Part<StateInput> rest) {
    try {
      StateInput in = state == null ? null : state.read();
      if (in == null) {
        return false;
      }
      head.apply(in);
      in.scalars(scalars);
      restoreDictionary(in);
      scratch.restore(in);
      state.keep(scratch.names());
      restoreDescription(in);
      keys.restore(in);
      past.restore(in);
      rest.apply(in);
      return true;
    } catch (IOException e) {
      close();
      throw StateFolder.unusable(options.state(), e);
    }
  }

  private void saveDescription(StateOutput out) throws IOException {
    out.texts(metadata);
    out.writeBoolean(origin != null);
    if (origin != null) {
      out.text(origin.name());
      out.text(origin.format());
      out.text(origin.unit().name());
      out.writeInt(origin.files().size());
      for (String file : origin.files()) {
        out.text(file);
      }
    }
    out.scalar(initialOfAll);
    out.writeInt(sessions.size());
    for (SessionState session : sessions.values()) {
      out.scalar(session.name);
      out.writeLong(session.accepted);
      out.writeLong(session.time);
    }
    out.writeInt(repeats);
    out.writeInt(repeated.size());
    for (Map.Entry<List<Object>, Integer> pair : repeated.entrySet()) {
      out.scalar(pair.getKey().get(0));
      out.scalar(pair.getKey().get(1));
      out.writeInt(pair.getValue());
    }
  }

  private void restoreDescription(StateInput in) throws IOException {
    metadata.putAll(in.texts());
    if (in.readBoolean()) {
      String name = in.text();
      String format = in.text();
      Origin.Unit unit = in.name(Origin.Unit.class);
      List<String> files = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        files.add(in.text());
      }
      origin = new Origin(name, format, unit, files);
    }
    initialOfAll = in.scalar();
    for (int i = in.readInt(); i > 0; i--) {
      SessionState session = session(in.scalar());
      session.accepted = in.readLong();
      session.time = in.readLong();
    }
    repeats = in.readInt();
    for (int i = in.readInt(); i > 0; i--) {
      repeated.put(Arrays.asList(in.scalar(), in.scalar()), in.readInt());
    }
  }

  /** The dictionary is the values of a history, which formats can write. */
  private void saveDictionary(StateOutput out) throws IOException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.begin(builder.session(0L), Outcome.COMMITTED);
    for (int i = FIRST_ENTRY; i < scalars.size(); i++) {
      builder.write((long) i, scalars.get(Long.MIN_VALUE + i));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DICTIONARY.write(builder.build(), bytes);
    out.bytes(bytes.toByteArray());
  }

  private void restoreDictionary(StateInput in) throws IOException {
    try {
      History entries = Formats.read(Input.of("state", in.bytes()), DICTIONARY);
      for (int op = 0; op < entries.operationCount(); op++) {
        scalars.of(entries.values().get(entries.value(op)));
      }
    } catch (ParseException e) {
      throw new IOException("its values cannot be read: " + e.getMessage(), e);
    }
  }
}
