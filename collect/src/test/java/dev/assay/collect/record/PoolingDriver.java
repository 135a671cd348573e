package dev.assay.collect.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 behind a driver that after some transactions gives a session with another level. */
public final class PoolingDriver extends StandInDriver {
  /** How many transactions of a client have the level that was set; the first only asks for it. */
  static volatile int transactions;

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    Connection real = DriverManager.getConnection(url, info);
    AtomicInteger ended = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            PoolingDriver.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                boolean ends =
                    method.getName().equals("commit") || method.getName().equals("rollback");
                boolean sets = method.getName().equals("setTransactionIsolation");
                if ((ends ? ended.incrementAndGet() : ended.get()) >= transactions
                    && (ends || sets)) {
                  real.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
