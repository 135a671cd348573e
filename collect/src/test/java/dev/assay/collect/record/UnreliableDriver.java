package dev.assay.collect.record;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Properties;

/**
 * A driver to which {@link Mishap}s happen. What really became of transactions is noted in their
 * {@link Attempt}s. Transactions take turns, so that the database behind it is strictly
 * serializable whatever it promises.
 */
public final class UnreliableDriver extends StandInDriver {
  /** What the driver does now; drivers are made by their class alone. */
  static volatile Mishaps mishaps;

  @Override
  public Connection connect(String url, Properties info) throws SQLException {
    Mishaps now = mishaps;
    Mishap mishap = now.draw(Mishap.At.CONNECT);
    if (mishap == Mishap.CONNECTING_BREAKS) {
      throw new IllegalStateException("the driver lost its head");
    }
    if (mishap != null) {
      throw now.error(mishap);
    }
    return proxy(Connection.class, new Client(DriverManager.getConnection(url, info), now));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    ClassLoader loader = UnreliableDriver.class.getClassLoader();
    return type.cast(Proxy.newProxyInstance(loader, new Class<?>[] {type}, handler));
  }

  private static Object call(Object real, Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** One connection. */
  private static final class Client implements InvocationHandler {
    private final Connection real;
    private final Mishaps mishaps;
    private boolean gone;

    /** Whether it is this connection's turn, which it is while a transaction is open. */
    private boolean open;

    Client(Connection real, Mishaps mishaps) {
      this.real = real;
      this.mishaps = mishaps;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "close" -> close();
        case "abort" -> lose();
        case "commit" -> commit();
        case "rollback" -> rollBack();
        case "prepareStatement", "createStatement" -> {
          failIfGone();
          if (mishaps.draw(Mishap.At.PREPARE) != null) {
            throw mishaps.error(Mishap.CANNOT_PREPARE);
          }
          Class<?> type = method.getReturnType();
          return proxy(type, new Asking((Statement) call(real, method, arguments)));
        }
        default -> {
          failIfGone();
          return call(real, method, arguments);
        }
      }
      return null;
    }

    private static Attempt attempt() {
      return TrackedWorkload.CURRENT.get();
    }

    private void noteCall() {
      if (attempt() != null) {
        attempt().called(mishaps.now());
      }
    }

    private void failIfGone() throws SQLException {
      if (gone) {
        throw mishaps.error(Mishap.LOST_BEFORE_STATEMENT);
      }
    }

    private void begin() throws SQLException {
      if (!open && !real.getAutoCommit()) {
        mishaps.turn().acquireUninterruptibly();
        open = true;
      }
    }

    private void end() {
      if (open) {
        open = false;
        noteCall();
        mishaps.turn().release();
      }
    }

    /** The server notices at once, and forgets the transaction. */
    private void lose() throws SQLException {
      if (!gone) {
        gone = true;
        if (!real.getAutoCommit()) {
          real.rollback();
        }
        real.close();
        end();
      }
    }

    private void apply() throws SQLException {
      apply(attempt());
    }

    private void apply(Attempt attempt) throws SQLException {
      long began = mishaps.now();
      real.commit();
      if (attempt != null && open) {
        attempt.commitBegan = began;
        attempt.commitEnded = mishaps.now();
        attempt.committed = true;
      }
      end();
    }

    private void commit() throws SQLException {
      failIfGone();
      Attempt attempt = attempt();
      Mishap mishap = mishaps.draw(Mishap.At.COMMIT);
      if (mishap == null) {
        apply();
        answer(attempt, Attempt.Answer.DONE);
        return;
      }
      answer(attempt, Attempt.Answer.UNCLEAR);
      switch (mishap) {
        case SLOW_COMMIT -> {
          mishaps.dawdle();
          apply();
          mishaps.dawdle();
          answer(attempt, Attempt.Answer.DONE);
          return;
        }
        case COMMIT_REFUSED -> {
          real.rollback();
          end();
          answer(attempt, Attempt.Answer.REFUSED);
        }
        case COMMIT_REFUSED_FOR_NOW -> answer(attempt, Attempt.Answer.REFUSED);
        case LOST_BEFORE_COMMIT -> lose();
        case LOST_AFTER_COMMIT -> {
          apply();
          lose();
        }
        case LATE_COMMIT -> commitLater(attempt);
        case COMMITTED_UNSURE -> apply();
        case NOT_COMMITTED_UNSURE -> {
          real.rollback();
          end();
        }
        case COMMITTED_AND_BREAKS -> {
          apply();
          throw new IllegalStateException("the driver lost its head");
        }
        default -> throw new AssertionError(mishap);
      }
      throw mishaps.error(mishap);
    }

    private static void answer(Attempt attempt, Attempt.Answer answer) {
      if (attempt != null) {
        attempt.answer = answer;
      }
    }

    private void commitLater(Attempt attempt) {
      gone = true;
      Thread later =
          new Thread(
              () -> {
                try {
                  mishaps.dawdle();
                  apply(attempt);
                  real.close();
                } catch (SQLException e) {
                  throw new AssertionError(e);
                }
              });
      later.start();
    }

    private void rollBack() throws SQLException {
      failIfGone();
      Mishap mishap = mishaps.draw(Mishap.At.ROLLBACK);
      if (mishap == null) {
        real.rollback();
        end();
        return;
      }
      if (mishap == Mishap.LOST_AT_ROLLBACK) {
        lose();
      }
      throw mishaps.error(mishap);
    }

    /** What is open is rolled back, or committed where that is the habit of the database. */
    private void close() throws SQLException {
      if (gone) {
        return;
      }
      boolean fails = mishaps.draw(Mishap.At.CLOSE) != null;
      if (open && mishaps.closingCommits()) {
        apply();
      }
      lose();
      if (fails) {
        throw mishaps.error(Mishap.CLOSE_FAILS);
      }
    }

    /** One statement. */
    private final class Asking implements InvocationHandler {
      private final Statement statement;

      Asking(Statement statement) {
        this.statement = statement;
      }

      @Override
      public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        noteCall();
        try {
          if (method.getName().equals("close")) {
            return gone ? null : call(statement, method, arguments);
          }
          failIfGone();
          if (!method.getName().startsWith("execute")) {
            return call(statement, method, arguments);
          }
          begin();
          Mishap mishap = mishaps.draw(Mishap.At.STATEMENT);
          if (mishap != null) {
            before(mishap);
          }
          Object result = call(statement, method, arguments);
          if (mishap != null) {
            after(mishap);
          }
          return result instanceof ResultSet rows && attempt() != null
              ? proxy(ResultSet.class, new Rows(rows))
              : result;
        } finally {
          noteCall();
        }
      }

      private void before(Mishap mishap) throws SQLException {
        switch (mishap) {
          case LOST_BEFORE_STATEMENT -> lose();
          case STATEMENT_FAILS, LOCK_TIMEOUT -> {}
          case DEADLOCK -> {
            real.rollback();
            end();
          }
          case SLOW_STATEMENT -> {
            mishaps.dawdle();
            return;
          }
          default -> {
            return;
          }
        }
        throw mishaps.error(mishap);
      }

      private void after(Mishap mishap) throws SQLException {
        switch (mishap) {
          case LOST_AFTER_STATEMENT -> {
            lose();
            throw mishaps.error(mishap);
          }
          case STATEMENT_UNANSWERED -> throw mishaps.error(mishap);
          case STATEMENT_BREAKS -> throw new IllegalStateException("the driver lost its head");
          default -> {}
        }
      }
    }

    /** What a query of a client gives. */
    private final class Rows implements InvocationHandler {
      private final ResultSet rows;
      private final Attempt.Result handedOut = attempt().newResult();

      Rows(ResultSet rows) {
        this.rows = rows;
      }

      @Override
      public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        noteCall();
        if (method.getName().equals("close")) {
          if (!gone) {
            call(rows, method, arguments);
            handedOut.complete = !handedOut.failed;
          }
          return null;
        }
        failIfGone();
        if (method.getName().equals("next")) {
          Mishap mishap = mishaps.draw(Mishap.At.RESULT);
          if (mishap == Mishap.LOST_IN_RESULT) {
            lose();
          }
          if (mishap != null) {
            handedOut.failed = true;
            throw mishaps.error(mishap);
          }
        }
        Object value = call(rows, method, arguments);
        switch (method.getName()) {
          case "next" -> {
            if ((boolean) value) {
              handedOut.rows.add(new ArrayList<>());
            }
          }
          case "wasNull" -> {
            if ((boolean) value) {
              handedOut.wasNull();
            }
          }
          default -> handedOut.handedOut(value);
        }
        return value;
      }
    }
  }
}
