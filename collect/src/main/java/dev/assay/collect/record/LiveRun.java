package dev.assay.collect.record;

import dev.assay.collect.certificate.CertificateException;
import dev.assay.collect.certificate.CertificateSource;
import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Faults;
import dev.assay.collect.client.RunData;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.history.OpKind;
import dev.assay.predicate.Columns;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * One run of a workload on a database. Whatever happens in between, it ends with a recording that
 * can be checked: clients finish the transaction they are in, those that hang are cut off, and
 * unknown outcomes are recorded as such.
 */
public final class LiveRun {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration SHORT_PATIENCE = Duration.ofSeconds(1);
  private static final long SLICE_MILLIS = 50;

  private final OpenStore store;
  private final Cluster cluster;
  private final RunSpec spec;
  private final LiveWorkload workload;
  private final Recorder recorder;
  private final Tally tally = new Tally();
  private final Stop stop;
  private FaultPlan faults = FaultPlan.NONE;
  private Faults ownFaults;
  private Duration patience = PATIENCE;
  private Duration readPatience = FinalReads.PATIENCE;
  private CertificateSource certificate;
  private Tracing tracing = Tracing.NONE;
  private Duration recovery = Duration.ZERO;
  private Duration reachPatience = Reach.PATIENCE;
  private String unread;

  /** Why the server counts as gone, or null. */
  private String gone;

  private volatile long startNanos;
  private volatile Phase phase = Phase.WORK;

  /** What a run is at. */
  public enum Phase {
    WORK,
    FINAL_READS,
    LOG
  }

  /** A run that leaves nothing behind. */
  public LiveRun(
      Cluster cluster, RunSpec spec, LiveWorkload workload, Recorder recorder, Stop stop) {
    this(new OpenStore(cluster, false), spec, workload, recorder, stop);
  }

  public LiveRun(
      OpenStore store, RunSpec spec, LiveWorkload workload, Recorder recorder, Stop stop) {
    this.store = store;
    this.cluster = store.cluster();
    this.spec = spec;
    this.workload = workload;
    this.recorder = recorder;
    this.stop = stop;
  }

  /** Makes the server fail while the run goes on. */
  public void faults(FaultPlan plan) {
    faults = plan;
  }

  /** Makes the store fail by other means than its own. */
  public void faults(FaultPlan plan, Faults means) {
    faults = plan;
    ownFaults = means;
  }

  private Optional<Faults> faulty() {
    return ownFaults == null ? cluster.faults() : Optional.of(ownFaults);
  }

  /** Reads the database's log after the run, so that a certificate can be made of it. */
  public void certificate(CertificateSource source) {
    certificate = source;
    tracing = source.tracing();
  }

  /** Keeps what a reader of the recording needs: the parts from the one with this number on. */
  public void keepFrom(IntSupplier part) {
    recorder.keepFrom(part);
  }

  /** How long it took to read the database's log. */
  public Duration recovery() {
    return recovery;
  }

  /** How long clients may take to finish before they are cut off, and the last reads may take. */
  public void patience(Duration newPatience) {
    patience = newPatience;
    readPatience = newPatience;
    reachPatience = newPatience;
  }

  /** Why the last look did not read everything, or null if it did. */
  public String unread() {
    return unread;
  }

  /** What happened so far. */
  public Tally tally() {
    return tally;
  }

  public Phase phase() {
    return phase;
  }

  /** How long ago clients began to work. */
  public Duration elapsed() {
    return Duration.ofNanos(startNanos == 0 ? 0 : System.nanoTime() - startNanos);
  }

  /** When clients began to work, by the clock of the recording; 0 if they have not yet. */
  public long began() {
    return startNanos == 0 ? 0 : recorder.at(startNanos);
  }

  /** The {@link System#nanoTime} of a moment after clients began. */
  public long nanoTime(long sinceClientsBegan) {
    return startNanos + sinceClientsBegan;
  }

  /**
   * Runs to the end.
   *
   * @return how long clients were at work
   * @throws ClientException if the data of the run cannot be made, or proves nothing
   * @throws IOException if the history cannot be written
   */
  public Duration run() throws ClientException, IOException {
    boolean byId = spec.routing() != Routing.STAY;
    recorder.nodes(cluster.nodes(), byId);
    store.prepare();
    if (!spec.upserts()) {
      loadInitialVersions();
    }
    beginCertificate();
    if (workload.rows() > 0) {
      recorder.metadata(Columns.METADATA, RowSession.COLUMNS);
      InitialRows.load(store, spec, workload, recorder, tracing);
    }
    List<Session> sessions = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    Environment environment =
        new Environment(
            store,
            spec,
            workload,
            recorder,
            tally,
            stop,
            tracing,
            new Pace(spec.rate()),
            new StartLine(spec.sessions()),
            new AtomicInteger(spec.sessions()));
    for (int client = 0; client < spec.sessions(); client++) {
      sessions.add(new Session(environment, client));
      threads.add(new Thread(sessions.get(client), "client " + client));
      threads.get(client).setDaemon(true);
    }
    threads.forEach(Thread::start);
    environment.startLine().begin(stop, () -> startNanos = System.nanoTime());
    Thread nemesis = faulty().map(s -> faults.start(s, spec.warmup(), recorder, stop)).orElse(null);
    awaitEnd();
    Duration worked = elapsed();
    join(nemesis);
    gather(sessions, threads);
    if (stop.failure() == null) {
      sleep(spec.quiet().toMillis());
      phase = Phase.FINAL_READS;
      FinalReads reads = new FinalReads(store, spec, workload, recorder, tracing);
      unread = reads.run(readPatience, gone);
      if (unread != null && gone == null) {
        gone = Reach.begin(cluster, reachPatience).gone();
      }
    }
    recorder.unanswered().record(recorder);
    RunCounts.of(spec, tally).record(recorder);
    recorder.nodesOfSessions(cluster.nodes(), byId);
    try {
      if (certificate != null && stop.failure() == null) {
        readLog();
      }
    } finally {
      leave();
    }
    recorder.failIfAny();
    return worked;
  }

  private void beginCertificate() throws ClientException, IOException {
    if (certificate != null) {
      try {
        certificate.begin();
      } catch (SQLException e) {
        throw new ClientException(Failure.WRONG, null, false, e.getMessage(), e);
      }
    }
  }

  /** Of every key that is in use at the beginning; sets have none. */
  private void loadInitialVersions() throws ClientException {
    for (OpKind.Type type : OpKind.Type.values()) {
      if (type != OpKind.Type.PREDICATE && type != OpKind.Type.SET) {
        List<Long> keys = new ArrayList<>();
        workload.forEachKey(
            (ofType, key) -> {
              if (ofType == type) {
                keys.add(key);
              }
            });
        if (!keys.isEmpty()) {
          store.data().load(type, keys.stream().mapToLong(Long::longValue).toArray());
        }
      }
    }
  }

  /** Leaves the data, unless it is another run's by now: what was seen in it is void then. */
  private void leave() throws ClientException, IOException {
    if (gone != null) {
      store.abandon();
    } else if (!store.leave(spec.session(0, false))) {
      recorder.metadata("note.tables", RunData.NOT_OURS);
      throw new ClientException(Failure.WRONG, RunData.NOT_OURS);
    }
  }

  private void readLog() throws IOException {
    phase = Phase.LOG;
    if (gone != null) {
      throw new CertificateException("the log cannot be read: " + gone);
    }
    long begin = System.nanoTime();
    try {
      certificate.read(workload.rows());
    } catch (SQLException e) {
      String message = cluster.redact(e.getMessage());
      throw new CertificateException("the log cannot be read: " + message, e);
    }
    recovery = Duration.ofNanos(System.nanoTime() - begin);
  }

  /** Waits until the time is over, a stop is requested, or all clients are done. */
  private void awaitEnd() {
    long deadline = startNanos + spec.warmup().plus(spec.duration()).toNanos();
    try {
      while (!stop.isAsked()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          stop.because("the time is up");
        } else if (recorder.failure() != null) {
          stop.failed("the history cannot be written", recorder.failure());
        } else {
          stop.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop.because("interrupted");
    }
  }

  private void gather(List<Session> sessions, List<Thread> threads) {
    if (sessions.stream().allMatch(Session::isDone)) {
      // Each got an answer to the last thing it asked.
      joinAll(threads, patience, null);
      return;
    }
    Reach reach = Reach.begin(cluster, reachPatience);
    joinAll(threads, patience, reach);
    for (int i = 0; i < threads.size(); i++) {
      if (threads.get(i).isAlive()) {
        sessions.get(i).cutOff();
      }
    }
    gone = reach.gone();
    joinAll(threads, gone == null ? patience.dividedBy(3) : SHORT_PATIENCE, null);
    for (int i = 0; i < threads.size(); i++) {
      if (threads.get(i).isAlive()) {
        sessions.get(i).abandon("the client did not answer when the run ended");
      }
    }
  }

  /** Waits for all, unless the server turns out to be gone, which none of them will notice soon. */
  private static void joinAll(List<Thread> threads, Duration patience, Reach reach) {
    long deadline = System.nanoTime() + patience.toNanos();
    for (Thread thread : threads) {
      while (thread.isAlive()
          && System.nanoTime() < deadline
          && (reach == null || !reach.isGone())) {
        join(thread, SLICE_MILLIS);
      }
    }
  }

  private static void join(Thread thread) {
    if (thread != null) {
      join(thread, 0);
    }
  }

  static void join(Thread thread, long millis) {
    try {
      thread.join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
