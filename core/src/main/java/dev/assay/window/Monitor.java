package dev.assay.window;

import dev.assay.Report;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Judges a history while it is recorded.
 *
 * <pre>{@code
 * try (Monitor monitor = Monitor.open(MonitorOptions.of(Level.surveyed()))) {
 *   Monitor.Client client = monitor.client("client 1"); // one for each session
 *   client.begin(System.nanoTime());
 *   client.read("x", null); // nothing was written to it yet
 *   client.write("y", 2);
 *   client.end(Outcome.COMMITTED, System.nanoTime());
 *   ...
 *   monitor.soFar().strongest();
 *   Report report = monitor.finish();
 * }
 * }</pre>
 *
 * <p>Transactions are accepted when they have ended, from any thread. Those of one session must be
 * accepted in session order. Times are of one clock.
 */
public final class Monitor implements AutoCloseable {
  /** Transactions of each session that are judged with those after them; see {@link Engine}. */
  private static final double LAG = 2;

  /** The limits of the number of transactions that wait before those who have more must, too. */
  private static final int SHORTEST_BACKLOG = 1_000;

  private static final int LONGEST_BACKLOG = 100_000;

  private static final int TRANSACTION_BYTES = 1_000;

  private static final long PAUSE_MILLIS = 20;

  private final Engine engine;
  private final Consumer<Violation> listener;
  private final Deque<History> arriving = new ArrayDeque<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final Thread thread;
  private final long longestBacklog;
  private volatile int backlog;
  private boolean ended;
  private RuntimeException defect;
  private Report report;
  private volatile Standing standing;

  /** What is to be saved with the state, until that is done. */
  private byte[] toSave;

  private Monitor(MonitorOptions options) {
    engine = new Engine(options.listener(this::announce), LAG);
    listener = options.listener();
    longestBacklog =
        Math.max(SHORTEST_BACKLOG, Math.min(LONGEST_BACKLOG, options.memory() / TRANSACTION_BYTES));
    engine.onChange(this::refresh);
    refresh();
    thread = new Thread(this::judge, "monitor");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Begins to judge, on a thread of its own; or goes on, if the options name a folder with a state.
   *
   * @throws java.io.UncheckedIOException if there is a state that cannot be used
   */
  public static Monitor open(MonitorOptions options) {
    return new Monitor(options);
  }

  /**
   * What was saved with the state in a folder; null if there is none.
   *
   * @throws java.io.UncheckedIOException if there is a state that cannot be used
   */
  public static byte[] note(Path state) {
    return StateFolder.note(state);
  }

  /** What was saved with the state from which this monitor goes on; null if there was none. */
  public byte[] note() {
    return engine.note();
  }

  /**
   * Saves the state in the folder that the options name, with all that was accepted so far, so that
   * a monitor that is opened later goes on from there. Waits until that is done. If it is cut
   * short, the state that was saved before remains.
   *
   * @param note what the caller needs to go on, such as a place in a file
   */
  public synchronized void save(byte[] note) {
    requireOpen();
    toSave = note.clone();
    notifyAll();
    while (toSave != null && thread.isAlive() && defect == null) {
      pause(PAUSE_MILLIS);
    }
    if (defect != null) {
      throw defect;
    }
  }

  /**
   * Accepts finished transactions. Waits if too many are not judged yet. What the first ones
   * declare about the initial state holds for all.
   */
  public synchronized void accept(History finished) {
    requireOpen();
    while (backlog > longestBacklog && thread.isAlive()) {
      pause(PAUSE_MILLIS);
    }
    if (finished.transactionCount() > 0) {
      arriving.add(finished);
      backlog += finished.transactionCount();
      notifyAll();
    }
  }

  /** What is known about the history beside its transactions, such as its final session. */
  public synchronized void metadata(String name, String text) {
    requireOpen();
    metadata.put(name, text);
  }

  /** A session to record transactions in; for one thread at a time. */
  public Client client(Object session) {
    return new Client(this, session);
  }

  /** The verdict so far. */
  public Standing soFar() {
    Standing known = standing;
    return known.and(backlog);
  }

  /** Judges what is left; nothing may be accepted afterwards. */
  public Report finish() {
    end();
    synchronized (this) {
      if (defect != null) {
        throw defect;
      }
      if (report == null) {
        try {
          takeAll();
          report = engine.finish();
        } finally {
          engine.close();
        }
        refresh();
      }
      return report;
    }
  }

  /** Makes {@link #finish} give what is known soon; levels that are not violated are unknown. */
  public void giveUp() {
    engine.abandon();
  }

  /** Ends without a verdict on what is left, and removes what was kept. */
  @Override
  public void close() {
    // What is being judged may take longer than anyone wants to wait for nothing.
    engine.abandon();
    end();
    engine.close();
  }

  private void end() {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("the monitor is closed");
    }
  }

  // ---- the thread that judges

  private void judge() {
    try {
      while (await()) {
        saveIfAsked(takeAll());
        engine.round();
        refresh();
      }
    } catch (RuntimeException e) {
      synchronized (this) {
        defect = e;
        notifyAll();
      }
    }
  }

  private void saveIfAsked(byte[] note) {
    if (note != null) {
      engine.save(note);
      synchronized (this) {
        toSave = null;
        notifyAll();
      }
    }
  }

  private void refresh() {
    standing = engine.standing();
  }

  /** Hands a violation on when {@link #soFar} has it. */
  private void announce(Violation violation) {
    refresh();
    listener.accept(violation);
  }

  /** Waits for transactions; false if there will be none. */
  private synchronized boolean await() {
    while (!ended && arriving.isEmpty() && toSave == null && standing.waiting() == 0) {
      pause(0);
    }
    if (!ended && arriving.isEmpty() && toSave == null) {
      // Those that wait may be judged when enough time has passed.
      pause(PAUSE_MILLIS);
    }
    return !ended;
  }

  private synchronized void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = true;
    }
  }

  /** Takes what was accepted; what is to be saved with it, or null if it need not be saved. */
  private byte[] takeAll() {
    List<History> taken;
    byte[] note;
    synchronized (this) {
      note = toSave;
      taken = List.copyOf(arriving);
      arriving.clear();
      backlog = 0;
      metadata.forEach(engine::metadata);
      notifyAll();
    }
    taken.forEach(engine::accept);
    return note;
  }

  /** Records the transactions of one session. */
  public static final class Client {
    private final Monitor monitor;
    private final Object session;
    private HistoryBuilder open;

    private Client(Monitor monitor, Object session) {
      this.monitor = monitor;
      this.session = session;
    }

    /** Begins a transaction. */
    public void begin(long start) {
      if (open != null) {
        throw new IllegalStateException(
            "the last transaction of session " + session + " has not ended: end it before begin()");
      }
      open = new HistoryBuilder();
      open.start(open.begin(open.session(session), Outcome.INDETERMINATE), start);
    }

    private HistoryBuilder open() {
      if (open == null) {
        throw new IllegalStateException(
            "session " + session + " has no transaction: call begin() first");
      }
      return open;
    }

    public void read(Object key, Object value) {
      open().read(key, value);
    }

    public void write(Object key, Object value) {
      open().write(key, value);
    }

    public void append(Object key, Object element) {
      open().append(key, element);
    }

    public void readList(Object key, List<?> elements) {
      open().readList(key, elements);
    }

    public void add(Object key, Object element) {
      open().add(key, element);
    }

    public void readSet(Object key, List<?> elements) {
      open().readSet(key, elements);
    }

    /** Ends the transaction, which is accepted. */
    public void end(Outcome outcome, long end) {
      open().outcome(0, outcome);
      open.end(0, end);
      monitor.accept(open.build());
      open = null;
    }
  }
}
