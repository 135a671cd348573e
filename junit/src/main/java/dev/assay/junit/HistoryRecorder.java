package dev.assay.junit;

import dev.assay.Report;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.window.Monitor;
import dev.assay.window.MonitorOptions;
import dev.assay.window.Standing;
import dev.assay.window.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Records what clients written by hand saw, and judges it while they go on:
 *
 * <pre>{@code
 * try (HistoryRecorder recorder = HistoryRecorder.open()) {
 *   HistoryRecorder.Client client = recorder.client("alice"); // one for each thread
 *   client.begin();
 *   client.read("x", null); // nothing has been written yet
 *   client.write("y", 2);
 *   client.commit(); // or abort(), or unknown() if the answer to the commit was lost
 *   recorder.check().assertHolds(Level.SERIALIZABLE);
 * }
 * }</pre>
 *
 * <p>Each write needs its own value, so that a read says which one it saw.
 */
public final class HistoryRecorder implements AutoCloseable {
  private final Monitor monitor;
  private final List<Client> clients = new CopyOnWriteArrayList<>();

  private HistoryRecorder(Consumer<Violation> listener) {
    monitor = Monitor.open(MonitorOptions.of(Set.copyOf(Level.surveyed())).listener(listener));
  }

  /** Begins to record. */
  public static HistoryRecorder open() {
    return open(violation -> {});
  }

  /** The same, with something to do as soon as a violation is found. */
  public static HistoryRecorder open(Consumer<Violation> listener) {
    return new HistoryRecorder(listener);
  }

  /** A session; for one thread at a time. */
  public Client client(Object session) {
    Client client = new Client(monitor.client(session));
    clients.add(client);
    return client;
  }

  /** The verdict so far. */
  public Standing soFar() {
    return monitor.soFar();
  }

  /**
   * The final verdict; nothing can be recorded afterwards. Transactions that have not ended are of
   * unknown outcome.
   */
  public CheckedRun check() {
    for (Client client : clients) {
      if (client.open) {
        client.unknown();
      }
    }
    Report report = monitor.finish();
    try {
      return new CheckedRun(
          new CheckResult("history", report, List.of(Level.SERIALIZABLE), true, 0, -1),
          "the recorded history",
          null,
          Folders.next(null),
          clients.stream().anyMatch(client -> client.committed));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    monitor.close();
  }

  /** A session of a client written by hand. */
  public static final class Client {
    private final Monitor.Client client;
    private volatile boolean open;
    private volatile boolean committed;

    private Client(Monitor.Client client) {
      this.client = client;
    }

    /** To be called before the transaction begins. */
    public void begin() {
      client.begin(System.nanoTime());
      open = true;
    }

    /** A register was read; null for a key without a value. */
    public void read(Object key, Object value) {
      client.read(key, value);
    }

    /** A register was written. */
    public void write(Object key, Object value) {
      client.write(key, value);
    }

    /** An element was appended to a list. */
    public void append(Object key, Object element) {
      client.append(key, element);
    }

    /** A list was read. */
    public void readList(Object key, List<?> elements) {
      client.readList(key, elements);
    }

    /** An element was added to a set. */
    public void add(Object key, Object element) {
      client.add(key, element);
    }

    /** A set was read. */
    public void readSet(Object key, List<?> elements) {
      client.readSet(key, elements);
    }

    /** To be called after the commit succeeded. */
    public void commit() {
      end(Outcome.COMMITTED);
    }

    /** The transaction has certainly not taken effect. */
    public void abort() {
      end(Outcome.ABORTED);
    }

    /** The commit was asked for, and its result is not known. */
    public void unknown() {
      end(Outcome.INDETERMINATE);
    }

    private void end(Outcome outcome) {
      client.end(outcome, System.nanoTime());
      open = false;
      committed |= outcome == Outcome.COMMITTED;
    }
  }
}
