package dev.assay.driver;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;

/** The driver for those who configure a class; distributed transactions are refused. */
public final class AssayDataSource implements DataSource, XADataSource {
  private static final String NO_XA =
      "assay records no distributed transactions: their commit is decided elsewhere, and a branch"
          + " alone says nothing about isolation; use the database's own data source for XA";

  private String url;
  private String user;
  private String password;
  private PrintWriter log;
  private int timeout;

  /** A URL that begins with {@code jdbc:assay:}. */
  public void setUrl(String url) {
    this.url = url;
  }

  public void setUser(String user) {
    this.user = user;
  }

  public void setPassword(String password) {
    this.password = password;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return getConnection(user, password);
  }

  @Override
  public Connection getConnection(String name, String secret) throws SQLException {
    Properties info = new Properties();
    if (name != null) {
      info.setProperty("user", name);
    }
    if (secret != null) {
      info.setProperty("password", secret);
    }
    Connection connection = new AssayDriver().connect(url, info);
    if (connection == null) {
      throw new SQLException("the URL " + url + " does not begin with " + Settings.PREFIX);
    }
    return connection;
  }

  @Override
  public XAConnection getXAConnection() throws SQLException {
    throw new SQLFeatureNotSupportedException(NO_XA);
  }

  @Override
  public XAConnection getXAConnection(String name, String secret) throws SQLException {
    throw new SQLFeatureNotSupportedException(NO_XA);
  }

  static SQLException noXa() {
    return new SQLFeatureNotSupportedException(NO_XA);
  }

  @Override
  public PrintWriter getLogWriter() {
    return log;
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    log = out;
  }

  @Override
  public void setLoginTimeout(int seconds) {
    timeout = seconds;
  }

  @Override
  public int getLoginTimeout() {
    return timeout;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("nothing is logged");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (!isWrapperFor(type)) {
      throw new SQLException("this is no " + type.getName());
    }
    return type.cast(this);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
