package dev.assay.window;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges a history while it is recorded.
 *
 * <pre>{@code
 * try (Monitor monitor = Monitor.open(MonitorOptions.of(Level.surveyed()))) {
 *   Monitor.Client client = monitor.client("client 1"); // one for each session
 *   client.begin(System.nanoTime());
 *   client.read("x", 1);
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
  private final MonitorOptions options;
  private HistoryBuilder all = new HistoryBuilder();
  private long committed;
  private Report report;

  private Monitor(MonitorOptions options) {
    this.options = options;
  }

  public static Monitor open(MonitorOptions options) {
    return new Monitor(options);
  }

  /** Accepts finished transactions. What the first block declares about the initial state holds. */
  public synchronized void accept(History finished) {
    if (all.transactionCount() == 0) {
      finished.metadata().forEach(all::metadata);
      all.initialStateOf(finished);
      all.origin(finished.origin());
    }
    OperationCopy copy = new OperationCopy(finished, all);
    for (int from = 0; from < finished.transactionCount(); from++) {
      int txn = copy.begin(from);
      if (finished.ownId(from) != null) {
        all.id(txn, all.scalars().of(finished.ownId(from)));
      }
      for (int op = finished.firstOp(from); op < finished.endOp(from); op = finished.nextOp(op)) {
        copy.add(op);
      }
      committed += finished.isCommitted(from) ? 1 : 0;
    }
  }

  /** What is known about the history beside its transactions, such as its final session. */
  public synchronized void metadata(String name, String text) {
    all.metadata(name, text);
  }

  /** A session to record transactions in; for one thread at a time. */
  public Client client(Object session) {
    return new Client(this, session);
  }

  /** The verdict so far. */
  public synchronized Standing soFar() {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    Map<AnomalyType, Long> anomalies = new EnumMap<>(AnomalyType.class);
    for (Level level : options.levels()) {
      verdicts.put(level, new Verdict.Holds("nothing judged yet"));
    }
    if (report != null) {
      verdicts.putAll(report.verdicts());
      report.anomalies().forEach(anomaly -> anomalies.put(anomaly.type(), anomaly.count()));
    }
    long accepted = report == null ? all.transactionCount() : report.history().transactionCount();
    return new Standing(accepted, committed, report == null ? 0 : accepted, verdicts, anomalies, 0);
  }

  /** Judges what is left; nothing may be accepted afterwards. */
  public synchronized Report finish() {
    if (report == null) {
      report = Assay.check(all.build(), options.levels(), Budget.unlimited());
      Set<Level> violated = EnumSet.noneOf(Level.class);
      options.levels().stream().filter(report::violated).forEach(violated::add);
      if (!violated.isEmpty()) {
        options
            .listener()
            .accept(
                new Violation(
                    violated,
                    Set.of(),
                    report,
                    History.ABSENT,
                    report.history().transactionCount()));
      }
    }
    return report;
  }

  /** Ends without a verdict on what is left, and removes what was kept. */
  @Override
  public void close() {}

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
      open = new HistoryBuilder();
      open.start(open.begin(open.session(session), Outcome.INDETERMINATE), start);
    }

    public void read(Object key, Object value) {
      open.read(key, value);
    }

    public void write(Object key, Object value) {
      open.write(key, value);
    }

    public void append(Object key, Object element) {
      open.append(key, element);
    }

    public void readList(Object key, List<?> elements) {
      open.readList(key, elements);
    }

    public void add(Object key, Object element) {
      open.add(key, element);
    }

    public void readSet(Object key, List<?> elements) {
      open.readSet(key, elements);
    }

    /** Ends the transaction, which is accepted. */
    public void end(Outcome outcome, long end) {
      open.outcome(0, outcome);
      open.end(0, end);
      monitor.accept(open.build());
      open = null;
    }
  }
}
