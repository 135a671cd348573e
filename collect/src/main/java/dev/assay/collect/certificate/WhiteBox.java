package dev.assay.collect.certificate;

import dev.assay.collect.client.Client;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The databases that certificates can be recovered from. */
public enum WhiteBox {
  POSTGRES("postgres", Map.of("wal_level", "logical")) {
    @Override
    public CertificateSource open(Connector connector, JdbcIsolation isolation) {
      return new PostgresSource(connector, isolation);
    }
  },
  MARIADB(
      "mariadb",
      Map.of(
          "log-bin", "assay-bin",
          "server-id", "1",
          "binlog-format", "ROW",
          "binlog-row-image", "FULL")) {
    @Override
    public CertificateSource open(Connector connector, JdbcIsolation isolation) {
      return new MariaDbSource(connector, isolation);
    }
  },
  /** Not covered by tests, which have no such server. */
  COCKROACHDB("cockroachdb", Map.of()) {
    @Override
    public CertificateSource open(Connector connector, JdbcIsolation isolation) {
      return new CockroachSource(connector, isolation);
    }
  },
  /** Not covered by tests, which have no such server. */
  TIDB("tidb", Map.of()) {
    @Override
    public CertificateSource open(Connector connector, JdbcIsolation isolation) {
      return new TiDbSource(connector, isolation);
    }
  };

  private final String database;
  private final Map<String, String> serverOptions;

  WhiteBox(String database, Map<String, String> serverOptions) {
    this.database = database;
    this.serverOptions = serverOptions;
  }

  public static Optional<WhiteBox> of(Client database) {
    return Arrays.stream(values()).filter(one -> one.database.equals(database.id())).findFirst();
  }

  /** The names of the databases on the command line. */
  public static List<String> databases() {
    return Arrays.stream(values()).map(one -> one.database).toList();
  }

  /** Settings that the server Assay starts needs for it. */
  public Map<String, String> serverOptions() {
    return serverOptions;
  }

  public abstract CertificateSource open(Connector connector, JdbcIsolation isolation);
}
