package dev.assay.collect.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 behind a driver that takes only a few connections at a time. */
public final class FullDriver extends StandInDriver {
  static final int MOST = 3;
  private static final AtomicInteger OPEN = new AtomicInteger();

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    if (OPEN.incrementAndGet() > MOST) {
      OPEN.decrementAndGet();
      throw new SQLException("sorry, too many clients already", "53300");
    }
    Connection real = DriverManager.getConnection(url, info);
    return (Connection)
        Proxy.newProxyInstance(
            FullDriver.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                OPEN.decrementAndGet();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
