package dev.assay.drivertest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Lets one of several threads run at a time, from one call of the database to the next, and draws
 * which. What happens so depends on the seed alone, and happens again with it.
 */
final class Turns {
  /** Milliseconds after which the database is asked whether a call waits for another. */
  private static final long PATIENCE = 2;

  private static final ThreadLocal<Player> CURRENT = new ThreadLocal<>();

  private enum State {
    READY,
    RUNNING,
    ENDED
  }

  /** What a thread does. */
  interface Work {
    void run() throws Exception;
  }

  private final class Player {
    final int process;
    final Semaphore turn = new Semaphore(0);
    volatile State state = State.RUNNING;

    Player(int process) {
      this.process = process;
    }

    void await() {
      become(State.READY);
      turn.acquireUninterruptibly();
    }

    private void become(State next) {
      synchronized (Turns.this) {
        state = next;
        Turns.this.notifyAll();
      }
    }

    private void play(Work work) {
      CURRENT.set(this);
      await();
      try {
        work.run();
      } catch (Throwable e) {
        synchronized (failures) {
          failures.add(e);
        }
      } finally {
        CURRENT.remove();
        become(State.ENDED);
      }
    }
  }

  private final Connection admin;
  private final Random random;
  private final List<Player> players = new ArrayList<>();
  private final List<Work> works = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  /** The turns of those that wait for others in the database, the last at the end. */
  private final List<Player> waiting = new ArrayList<>();

  Turns(Connection admin, long seed) {
    this.admin = admin;
    this.random = new Random(seed);
  }

  /** Adds a thread whose connection is served by a process of the database. */
  void add(int process, Work work) {
    players.add(new Player(process));
    works.add(work);
  }

  /** The turn of this thread ends, if it is one of those that take turns. */
  static void pause() {
    Player player = CURRENT.get();
    if (player != null) {
      player.await();
    }
  }

  /** Runs all threads to their end; returns what they failed with. */
  List<Throwable> play() throws SQLException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < players.size(); i++) {
      Player player = players.get(i);
      Work work = works.get(i);
      Thread thread = new Thread(() -> player.play(work), "player " + i);
      threads.add(thread);
      thread.start();
    }
    while (players.stream().anyMatch(player -> player.state != State.ENDED)) {
      for (Player player : players) {
        settle(player);
      }
      List<Player> ready = players.stream().filter(player -> player.state == State.READY).toList();
      if (!ready.isEmpty()) {
        Player next = ready.get(random.nextInt(ready.size()));
        next.state = State.RUNNING;
        next.turn.release();
        settle(next);
      } else if (!waiting.isEmpty()) {
        // All wait for each other; the last one gives up, which no timer decides.
        cancel(waiting.remove(waiting.size() - 1));
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return failures;
  }

  /** Waits until a player has made its turn or waits for another. */
  private void settle(Player player) throws SQLException, InterruptedException {
    while (true) {
      synchronized (this) {
        if (player.state == State.RUNNING) {
          wait(PATIENCE);
        }
        if (player.state != State.RUNNING) {
          waiting.remove(player);
          return;
        }
      }
      if (isBlocked(player)) {
        if (!waiting.contains(player)) {
          waiting.add(player);
        }
        return;
      }
    }
  }

  private boolean isBlocked(Player player) throws SQLException {
    return ask("select cardinality(pg_blocking_pids(?)) > 0", player.process);
  }

  private void cancel(Player player) throws SQLException, InterruptedException {
    ask("select pg_cancel_backend(?)", player.process);
    synchronized (this) {
      while (player.state == State.RUNNING) {
        wait();
      }
    }
  }

  private boolean ask(String sql, int process) throws SQLException {
    try (PreparedStatement statement = admin.prepareStatement(sql)) {
      statement.setInt(1, process);
      try (ResultSet answer = statement.executeQuery()) {
        return answer.next() && answer.getBoolean(1);
      }
    }
  }
}
