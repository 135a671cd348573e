package dev.assay.collect.record;

import dev.assay.collect.db.Database;
import dev.assay.collect.db.Databases;
import dev.assay.collect.db.Dialect;
import dev.assay.collect.db.Failure;
import dev.assay.collect.db.Isolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

/** H2 behind a driver that fails when a test says so. */
public final class FaultyDriver implements Driver {
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
    /** The server dies at the first such commit and does not come back. */
    DIES
  }

  static volatile Fault fault;
  static volatile boolean dead;
  static final CountDownLatch FOREVER = new CountDownLatch(1);

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    failIfDead();
    Connection real = DriverManager.getConnection(url, info);
    AtomicInteger commits = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            FaultyDriver.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              failIfDead();
              if (method.getName().equals("commit") && commits.incrementAndGet() % 10 == 0) {
                fail(real);
              }
              if (method.getName().equals("abort")) {
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
      case HANGS -> FOREVER.await();
      case DIES -> dead = true;
    }
  }

  private static void failIfDead() throws SQLException {
    if (dead) {
      throw new SQLException("connection refused, password=hunter2", "08001");
    }
  }

  @Override
  public boolean acceptsURL(String url) {
    return true;
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  /** The adapter of H2, with this driver. */
  static final class FaultyH2 implements Database {
    private final Database h2 = Databases.standard();

    @Override
    public String id() {
      return "faulty";
    }

    @Override
    public String title() {
      return "faulty H2";
    }

    @Override
    public List<String> urlPrefixes() {
      return List.of();
    }

    @Override
    public String driverClass() {
      return FaultyDriver.class.getName();
    }

    @Override
    public List<String> artifacts(String version, boolean embedded) {
      return List.of();
    }

    @Override
    public List<Isolation> isolations() {
      return h2.isolations();
    }

    @Override
    public Dialect dialect() {
      return h2.dialect();
    }

    @Override
    public Server start(Setup setup) throws IOException {
      return h2.start(setup);
    }

    @Override
    public Failure classify(SQLException e) {
      return h2.classify(e);
    }
  }
}
