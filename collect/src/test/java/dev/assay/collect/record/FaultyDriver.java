package dev.assay.collect.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 behind a driver that fails when a test says so. */
public final class FaultyDriver extends StandInDriver {
  /** What happens at every tenth commit of a client. */
  enum Fault {
    /** The commit takes effect, but its answer is lost. */
    COMMITTED_AND_LOST,
    /** The commit takes effect, and then the driver falls apart. */
    COMMITTED_AND_BROKEN,
    /** The commit is refused. */
    REFUSED,
    /** The commit never comes back. */
    HANGS,
    /** The commit never comes back, and taking the connection away has to wait for it. */
    HANGS_FOR_GOOD,
    /** The server dies at the first such commit and does not come back. */
    DIES,
    /** The server stops at the first such commit: it takes whatever comes and answers nothing. */
    STOPS
  }

  static volatile Fault fault;
  static volatile boolean dead;
  static final CountDownLatch FOREVER = new CountDownLatch(1);

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    try {
      failIfDead();
    } catch (InterruptedException e) {
      throw new SQLException(e);
    }
    Connection real = DriverManager.getConnection(url, info);
    AtomicInteger commits = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            FaultyDriver.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) {
                failIfDead();
              }
              if (method.getName().equals("commit") && commits.incrementAndGet() % 10 == 0) {
                fail(real);
              }
              if (method.getName().equals("abort")) {
                if (fault == Fault.HANGS_FOR_GOOD) {
                  FOREVER.await();
                }
                return null;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void fail(Connection real) throws SQLException, InterruptedException {
    switch (fault) {
      case COMMITTED_AND_LOST -> {
        real.commit();
        throw new SQLException("connection reset, password=hunter2", "08006");
      }
      case COMMITTED_AND_BROKEN -> {
        real.commit();
        throw new LinkageError("no such class");
      }
      case REFUSED -> throw new SQLException("could not serialize access", "40001");
      case HANGS, HANGS_FOR_GOOD -> FOREVER.await();
      case DIES -> dead = true;
      case STOPS -> {
        dead = true;
        FOREVER.await();
      }
    }
  }

  private static void failIfDead() throws SQLException, InterruptedException {
    if (dead && fault == Fault.STOPS) {
      FOREVER.await();
    }
    if (dead) {
      throw new SQLException("connection refused, password=hunter2", "08001");
    }
  }
}
