package dev.assay.drivertest;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Logger;
import org.postgresql.PGConnection;

/**
 * A driver behind the recording one, at whose calls {@linkplain Turns turns} end: before the
 * database works, and after it before the recording driver learns of it.
 */
final class SteppedDriver implements Driver {
  static final String PREFIX = "jdbc:stepped:";

  private static final Set<String> CALLS =
      Set.of(
          "commit",
          "rollback",
          "setSavepoint",
          "setAutoCommit",
          "execute",
          "executeQuery",
          "executeUpdate",
          "executeBatch");

  static {
    try {
      DriverManager.registerDriver(new SteppedDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static int process;

  private static volatile Runnable afterCommit = () -> {};

  /** Does something when the next commit has been made and the recording driver is not told. */
  static void afterCommit(Runnable what) {
    afterCommit = what;
  }

  /** The process of the database that serves the connection made last. */
  static int process() {
    return process;
  }

  /** Makes it known to those who look for drivers. */
  static void register() {
    // Once, when this class is first used.
  }

  @Override
  public boolean acceptsURL(String url) {
    return url != null && url.startsWith(PREFIX);
  }

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    String behind = "jdbc:" + url.substring(PREFIX.length());
    Connection connection = DriverManager.getConnection(behind, info);
    if (connection.isWrapperFor(PGConnection.class)) {
      process = connection.unwrap(PGConnection.class).getBackendPID();
    }
    return stepped(Connection.class, connection);
  }

  private static <T> T stepped(Class<T> type, Object behind) {
    InvocationHandler handler = (self, method, arguments) -> call(behind, method, arguments);
    ClassLoader loader = SteppedDriver.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  private static Object call(Object behind, Method method, Object[] arguments) throws Throwable {
    boolean turn = CALLS.contains(method.getName());
    if (turn) {
      Turns.pause();
    }
    Object result;
    try {
      result = method.invoke(behind, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      if (turn) {
        Turns.pause();
      }
    }
    if (method.getName().equals("commit")) {
      Runnable what = afterCommit;
      afterCommit = () -> {};
      what.run();
    }
    if (result instanceof CallableStatement) {
      return stepped(CallableStatement.class, result);
    }
    if (result instanceof PreparedStatement) {
      return stepped(PreparedStatement.class, result);
    }
    return result instanceof Statement ? stepped(Statement.class, result) : result;
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
    return Logger.getLogger("dev.assay");
  }
}
