package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.UnusableException;
import dev.assay.collect.db.JdbcSession;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.SplitMix;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One client: a thread that runs transaction after transaction, over a connection to each node that
 * it works on, and records each. A write is recorded before it is asked for, so that it is in the
 * history whatever happens then.
 *
 * <p>The journal is guarded by its own lock, because a client that hangs in its driver has to be
 * given up by another thread.
 */
final class Session implements Runnable {
  /** Different draws of a level. */
  private static final int DRAWS = 1 << 20;

  private static final int NONE = -1;
  private static final long RECONNECT_MILLIS = 100;
  private final OpenStore store;
  private final Cluster cluster;
  private final ErrorText errors;
  private final List<Node> nodes;
  private final RunSpec spec;
  private final Recorder recorder;
  private final AssayBinaryJournal journal;
  private final Tally tally;
  private final Stop stop;
  private final Tracing tracing;
  private final Pace pace;
  private final StartLine startLine;
  private final AtomicInteger working;
  private final int client;
  private final LiveWorkload.Client workload;
  private final SplitMix random;
  private final Recording recording;

  /** What is open to each node at each level, and the one that is in use. */
  private final Link[] links;

  private volatile ClientSession connection;
  private final Route route;
  private int node;

  /** Which part of the isolation level the transaction has. */
  private int part;

  /** In the history; none before the first transaction: clients that never ran have none. */
  private int session = NONE;

  private boolean began;
  private long start;
  private long values;

  /**
   * Whether a transaction is open, and whether this client was given up. Guarded by the journal.
   */
  private boolean open;

  private boolean abandoned;
  private volatile boolean cutOff;
  private volatile boolean done;

  Session(Environment environment, int client) {
    this.store = environment.store();
    this.cluster = store.cluster();
    this.errors = new ErrorText(cluster);
    this.nodes = cluster.nodes();
    this.links = new Link[nodes.size() * environment.spec().isolation().parts().size()];
    this.spec = environment.spec();
    this.recorder = environment.recorder();
    this.journal = recorder.journal();
    this.recording = new Recording(recorder, journal, this::unique);
    this.tally = environment.tally();
    this.stop = environment.stop();
    this.tracing = environment.tracing();
    this.pace = environment.pace();
    this.startLine = environment.startLine();
    this.working = environment.working();
    this.client = client;
    this.random = new SplitMix(spec.seed() * 1_000_003 + client);
    this.workload = environment.workload().client(random);
    this.route = new Route(nodes, spec.routing(), client, random);
  }

  /** An open session, and what works on rows over it, if it can. */
  private record Link(ClientSession session, RowSession rows) {}

  @Override
  public void run() {
    try {
      node = route.draw(workload);
      part = drawPart();
      connect();
      startLine.await(stop);
      for (int i = 0; i < spec.transactions() && !stop.isAsked(); i++) {
        recorder.awaitRoom(stop);
        pace.await(stop);
        if (i > 0) {
          node = route.draw(workload);
          part = drawPart();
        }
        Outcome outcome = attempt();
        for (int retry = 0; retry < spec.retries() && mayRetry(outcome); retry++) {
          tally.retried();
          outcome = attempt();
        }
      }
    } catch (RuntimeException | Error e) {
      // Its transaction may have committed all the same.
      abandon("the client failed: " + e);
      stop.failed("a client failed: " + e, e);
    } finally {
      leaveAll();
      if (working.decrementAndGet() == 0) {
        stop.because("all transactions are done");
      }
    }
  }

  /** Without a draw where there is one level, so that seeds give the transactions they gave. */
  private int drawPart() {
    boolean mixed = spec.isolation().parts().size() > 1;
    return mixed ? spec.isolation().part(random.below(DRAWS) / (double) DRAWS) : 0;
  }

  /** The place of the connection to the node in use, at the level in use. */
  private int link() {
    return node * spec.isolation().parts().size() + part;
  }

  /** Whether it is done, and the store answered to the end. */
  boolean isDone() {
    return done;
  }

  private boolean mayRetry(Outcome outcome) {
    return outcome == Outcome.ABORTED && !stop.isAsked();
  }

  /** Runs a transaction to its end; null if no connection could be made before the end. */
  private Outcome attempt() {
    if (!connected()) {
      return null;
    }
    long id = begin();
    boolean committing = false;
    RowSession rows = links[link()].rows();
    try {
      connection.begin();
      if (rows != null) {
        rows.begin(id);
      }
      recording.begin(connection, rows);
      workload.run(recording);
      if (spec.abortRate() > 0 && random.chance(spec.abortRate())) {
        connection.rollback();
        return end(Outcome.ABORTED, "rolled back by the client");
      }
      if (rows != null) {
        rows.beforeCommit();
      }
      connection.confirm();
      failIfAbandoned();
      committing = true;
      connection.commit();
      workload.committed();
      if (recording.hasNumberedWrites()) {
        numberWrites(id);
      }
      return end(Outcome.COMMITTED, null);
    } catch (ClientException e) {
      return failed(e, committing);
    } catch (RuntimeException | StackOverflowError e) {
      // Drivers and databases in this process may fail in unexpected ways.
      return failed(new ClientException(Failure.LOST, e.toString()), committing);
    }
  }

  private Outcome failed(ClientException e, boolean committing) {
    Failure failure = e.failure();
    String message = errors.message(e);
    tally.error(errors.kind(e), message);
    if (failure == Failure.REFUSED) {
      tally.refused();
    }
    boolean unknown = committing && failure != Failure.REFUSED;
    if (e instanceof UnusableException || failure == Failure.WRONG) {
      stop.failed(errors.titled(e), e);
    }
    if (failure == Failure.LOST) {
      disconnect();
    } else {
      rollBack();
    }
    return end(unknown ? Outcome.INDETERMINATE : Outcome.ABORTED, message);
  }

  /** Begins a record; returns the transaction's id, which is recorded once it is asked for. */
  private long begin() {
    long id = tracing.newId();
    if (!began) {
      began = true;
      tally.clientBegan();
    }
    if (recorder.discards()) {
      return id;
    }
    synchronized (journal) {
      boolean stays = spec.routing() == Routing.STAY;
      if (session == NONE) {
        session = stays ? recorder.newSession(node) : recorder.newSession();
      }
      beginRecord(id, stays);
      open = true;
      start = recorder.now();
    }
    return id;
  }

  private void beginRecord(long id, boolean stays) {
    journal.begin(session);
    journal.level(spec.levelOf(part));
    if (tracing.isOn()) {
      journal.id(id);
    } else if (!stays) {
      journal.id(recorder.newId(node));
    }
  }

  /** Makes the record anew, now that the numbers of what was written are known. */
  private void numberWrites(long id) {
    synchronized (journal) {
      if (!abandoned) {
        beginRecord(id, spec.routing() == Routing.STAY);
        recording.recordNumbered();
      }
    }
  }

  private Outcome end(Outcome outcome, String error) {
    if (!recorder.discards()) {
      long end = outcome == Outcome.INDETERMINATE ? History.ABSENT : recorder.now();
      synchronized (journal) {
        if (abandoned) {
          return outcome;
        }
        record(end, outcome, error);
        tally.took(recorder.now() - start);
      }
    }
    tally.ended(outcome);
    if (outcome == Outcome.INDETERMINATE) {
      // What comes next must not depend on an unknown outcome.
      session = NONE;
      disconnect();
    }
    return outcome;
  }

  /** Ends the open transaction of a client that is given up; its outcome is unknown. */
  void abandon(String why) {
    synchronized (journal) {
      abandoned = true;
      if (open) {
        record(History.ABSENT, Outcome.INDETERMINATE, why);
        tally.ended(Outcome.INDETERMINATE);
      }
    }
  }

  /** What a client did after it was given up is not on record, and so must not take effect. */
  private void failIfAbandoned() {
    if (isAbandoned()) {
      throw new IllegalStateException("the client was given up");
    }
  }

  private boolean isAbandoned() {
    synchronized (journal) {
      return abandoned;
    }
  }

  private void record(long end, Outcome outcome, String error) {
    journal.times(start, end);
    journal.error(error);
    recorder.end(journal, outcome);
    open = false;
  }

  /** Takes the connection away from a client that hangs in it. */
  void cutOff() {
    cutOff = true;
    ClientSession current = connection;
    if (current != null) {
      // Some drivers wait then for the very call that hangs.
      Thread thread = new Thread(current::cutOff, "end of client " + client);
      thread.setDaemon(true);
      thread.start();
    }
  }

  private boolean connected() {
    connection = links[link()] == null ? null : links[link()].session();
    if (connection == null) {
      connect();
    }
    while (connection == null && !stop.isAsked()) {
      pause();
      connect();
    }
    return connection != null && !stop.isAsked();
  }

  /** Tries to connect to the node, once. */
  private void connect() {
    try {
      connection = store.open(node, purpose(node));
      links[link()] = new Link(connection, rows(connection));
      if (store.data().areAnothers(connection)) {
        stop.failed(RunData.NOT_OURS, new IllegalStateException(RunData.NOT_OURS));
      }
      tally.connected();
    } catch (UnusableException e) {
      stop.failed(errors.titled(e), e);
    } catch (ClientException | RuntimeException e) {
      disconnect();
      ClientException why =
          e instanceof ClientException c ? c : new ClientException(Failure.LOST, e.toString());
      tally.notConnected(errors.kind(why), errors.message(why));
      // Later on, as in a fault, another attempt may succeed.
      if (why.failure() == Failure.WRONG && tally.connections() == 0) {
        stop.failed(errors.titled(why), why);
      }
    }
  }

  private SessionSpec purpose(int at) {
    return spec.session(part, nodes.get(at).isReadOnly());
  }

  /** What works on rows knows SQL. */
  private RowSession rows(ClientSession fresh) {
    return fresh instanceof JdbcSession jdbc
        ? new RowSession(jdbc, spec, recorder, journal, tracing)
        : null;
  }

  private void pause() {
    try {
      stop.await(RECONNECT_MILLIS * 1_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop.because("interrupted");
    }
  }

  private void rollBack() {
    try {
      connection.rollback();
    } catch (ClientException | RuntimeException e) {
      disconnect();
    }
  }

  /** Ends the connection that is in use. */
  private void disconnect() {
    ClientSession old = connection;
    if (old != null) {
      old.close();
    }
    // Not before: where a rollback hangs, the connection can still be taken away.
    connection = null;
    links[link()] = null;
  }

  /** Gives back what is in order, and ends the rest. */
  private void leaveAll() {
    boolean answered = connection != null && !cutOff && !isAbandoned();
    for (node = 0; node < nodes.size(); node++) {
      for (part = 0; part < spec.isolation().parts().size(); part++) {
        leave(answered);
      }
    }
    done = answered;
  }

  private void leave(boolean inOrder) {
    connection = links[link()] == null ? null : links[link()].session();
    if (connection != null && inOrder) {
      store.release(node, purpose(node), connection);
      connection = null;
      links[link()] = null;
    } else {
      disconnect();
    }
  }

  /** A number that no other write of the run has. */
  private long unique() {
    return ++values * spec.sessions() + client;
  }
}
