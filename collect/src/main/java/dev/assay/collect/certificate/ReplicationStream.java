package dev.assay.collect.certificate;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The replication interface of PostgreSQL's JDBC driver, reached by name: the driver is fetched
 * when it is first needed and lives in a class loader of its own, so nothing here can be compiled
 * against it.
 */
final class ReplicationStream implements AutoCloseable {
  private static final String PACKAGE = "org.postgresql.";
  private static final String STREAM = "replication.PGReplicationStream";
  private static final String LOGICAL = "replication.fluent.logical.ChainedLogicalStreamBuilder";

  private final ClassLoader driver;
  private final Object stream;

  /** Begins to read what a logical slot kept, on a connection made for replication. */
  ReplicationStream(Connection connection, String slot) throws SQLException {
    driver = connection.getClass().getClassLoader();
    Object builder = connection.unwrap(type("PGConnection"));
    builder = call("PGConnection", builder, "getReplicationAPI");
    builder = call("replication.PGReplicationConnection", builder, "replicationStream");
    builder = call("replication.fluent.ChainedStreamBuilder", builder, "logical");
    builder = call(LOGICAL, builder, "withSlotName", slot);
    stream = call(LOGICAL, builder, "start");
  }

  /** The next line of the output plugin; waits for it. */
  String read() throws SQLException {
    ByteBuffer buffer = (ByteBuffer) call(STREAM, stream, "read");
    int offset = buffer.arrayOffset() + buffer.position();
    return new String(buffer.array(), offset, buffer.remaining(), StandardCharsets.UTF_8);
  }

  /** Lets the server discard what was read. */
  void acknowledge() throws SQLException {
    Object last = call(STREAM, stream, "getLastReceiveLSN");
    for (String method : List.of("setAppliedLSN", "setFlushedLSN")) {
      call(STREAM, stream, method, last);
    }
  }

  @Override
  public void close() throws SQLException {
    call(STREAM, stream, "close");
  }

  private Class<?> type(String name) throws SQLException {
    try {
      return Class.forName(PACKAGE + name, true, driver);
    } catch (ClassNotFoundException e) {
      throw new SQLException("the JDBC driver has no replication interface: " + e, e);
    }
  }

  /** Calls a method that an interface of the driver declares. */
  private Object call(String type, Object target, String method, Object... arguments)
      throws SQLException {
    try {
      for (java.lang.reflect.Method candidate : type(type).getMethods()) {
        if (candidate.getName().equals(method)
            && candidate.getParameterCount() == arguments.length) {
          return candidate.invoke(target, arguments);
        }
      }
      throw new SQLException("the JDBC driver has no method " + method + " in " + type);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new SQLException(String.valueOf(e.getCause()), e.getCause());
    } catch (IllegalAccessException e) {
      throw new SQLException("the JDBC driver does not allow " + method + ": " + e, e);
    }
  }
}
