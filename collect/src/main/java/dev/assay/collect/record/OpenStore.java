package dev.assay.collect.record;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.RunData;
import dev.assay.collect.client.SessionSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A store that runs work on, one after another. Short runs spend most of their time on connections
 * and tables, so these can stay from one run to the next: the tables are emptied instead of
 * dropped, and idle sessions are used again.
 */
public final class OpenStore implements AutoCloseable {
  private final Cluster cluster;
  private final boolean keeps;

  /** Open sessions that no one uses; guarded by itself. */
  private final Map<Purpose, Deque<ClientSession>> idle = new HashMap<>();

  /** The data of the current run, or what was kept for the next; null if there is none. */
  private RunData data;

  private String description;
  private boolean closed;

  private record Purpose(int node, SessionSpec spec) {}

  /**
   * A store that is open.
   *
   * @param keeps whether data and sessions stay for the next run
   */
  public OpenStore(Cluster cluster, boolean keeps) {
    this.cluster = cluster;
    this.keeps = keeps;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** Name and version as the store reports them. */
  public String describe() throws ClientException {
    if (description == null || !keeps) {
      description = cluster.describe();
    }
    return description;
  }

  /** Makes ready the empty data of a run. */
  void prepare() throws ClientException {
    if (data == null) {
      data = cluster.newData();
      data.create();
    }
  }

  RunData data() {
    return data;
  }

  /** What is done in a session. */
  interface Work {
    void run(ClientSession session) throws ClientException;
  }

  /** Does something in a session, which is closed if that fails. */
  void with(int node, SessionSpec spec, Work work) throws ClientException {
    ClientSession session = open(node, spec);
    boolean worked = false;
    try {
      work.run(session);
      worked = true;
    } finally {
      if (worked) {
        release(node, spec, session);
      } else {
        session.close();
      }
    }
  }

  /** A session for this purpose, to be released or closed. */
  ClientSession open(int node, SessionSpec spec) throws ClientException {
    ClientSession kept = idle(node, spec);
    return kept == null ? cluster.open(node, spec) : kept;
  }

  private ClientSession idle(int node, SessionSpec spec) {
    synchronized (idle) {
      Deque<ClientSession> sessions = idle.get(new Purpose(node, spec));
      return sessions == null ? null : sessions.poll();
    }
  }

  /** Takes back a session that has no open transaction. */
  void release(int node, SessionSpec spec, ClientSession session) {
    synchronized (idle) {
      if (keeps && !closed) {
        idle.computeIfAbsent(new Purpose(node, spec), purpose -> new ArrayDeque<>()).add(session);
        return;
      }
    }
    session.close();
  }

  /** Ends a run; says whether the data was still its own. */
  boolean leave(SessionSpec spec) {
    if (keeps && empty(spec)) {
      return true;
    }
    closeSessions();
    RunData left = data;
    data = null;
    return left.dropIfOurs();
  }

  /** Ends a run whose server is gone: there is nothing to drop, only to wait for. */
  void abandon() {
    data = null;
  }

  /** Empties the data in place; false if that is not possible. */
  private boolean empty(SessionSpec spec) {
    boolean[] emptied = new boolean[1];
    try {
      with(0, spec, session -> emptied[0] = data.empty(session));
    } catch (ClientException | RuntimeException e) {
      // Then it is made anew.
      return false;
    }
    return emptied[0];
  }

  private void closeSessions() {
    synchronized (idle) {
      idle.values().forEach(sessions -> sessions.forEach(ClientSession::close));
      idle.clear();
    }
  }

  /** Closes sessions, drops what was kept, and ends the store. */
  @Override
  public void close() {
    synchronized (idle) {
      closed = true;
    }
    closeSessions();
    if (data != null) {
      data.dropIfOurs();
      data = null;
    }
    cluster.close();
  }
}
