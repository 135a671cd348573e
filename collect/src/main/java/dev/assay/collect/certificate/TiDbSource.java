package dev.assay.collect.certificate;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Table;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TiDB, written from its documentation and not run in the tests: the status port reports for every
 * row which transactions wrote it and when they committed, by their start timestamps, and
 * {@code @@tidb_current_ts} gives a transaction its own. Rows only. Versions older than {@code
 * tidb_gc_life_time} are gone, so it must be longer than the run.
 *
 * <p>At repeatable read, which is snapshot isolation, reads without locks look at the start
 * timestamp; updates look at what is there, and at read committed so does everything, by timestamps
 * that nothing reports.
 */
final class TiDbSource implements CertificateSource {
  private static final Pattern URL = Pattern.compile("jdbc:mysql://([^:/,?]+)(?::\\d+)?/([^?]+).*");
  private static final int STATUS_PORT = 10080;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int OK = 200;

  private final Connector connector;
  private final Tracing tracing;
  private final MvccVersions versions = new MvccVersions();
  private CommitLog log = new CommitLog();

  TiDbSource(Connector connector, JdbcIsolation isolation) {
    this.connector = connector;
    boolean snapshots = isolation.jdbcLevel() == Connection.TRANSACTION_REPEATABLE_READ;
    this.tracing =
        new Tracing(new StartTimestamp(snapshots ? Probe.Coverage.READS : Probe.Coverage.NOTHING));
  }

  private record StartTimestamp(Coverage coverage) implements Probe {
    @Override
    public String atEnd(long id, boolean predicates, boolean deletes) {
      return "SELECT CAST(@@tidb_current_ts AS CHAR)";
    }
  }

  @Override
  public Tracing tracing() {
    return tracing;
  }

  @Override
  public void begin() {
    // Every row keeps its versions by itself.
  }

  @Override
  public void read(int rows) throws IOException {
    Matcher url = URL.matcher(connector.url());
    if (!url.matches()) {
      throw new CertificateException("the URL does not name a host and a database");
    }
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    for (int key = 0; key < rows; key++) {
      String path = "/mvcc/key/" + url.group(2) + "/" + Table.ROWS.sqlName() + "/" + key;
      versions.accept(
          key, get(client, URI.create("http://" + url.group(1) + ":" + STATUS_PORT + path)));
    }
    log = versions.log(tracing.idsBySnapshot());
  }

  private static String get(HttpClient client, URI uri) throws IOException {
    try {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != OK) {
        throw new CertificateException(
            "TiDB's status port answers " + response.statusCode() + " to " + uri.getPath());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CertificateException("interrupted", e);
    }
  }

  @Override
  public CommitLog log() {
    return log;
  }

  @Override
  public Snapshots snapshots() {
    OrderedSnapshots timestamps = new OrderedSnapshots(log.transactions());
    return (text, own) -> {
      try {
        return timestamps.upTo(Long.parseLong(text));
      } catch (NumberFormatException e) {
        throw new CertificateException("'" + text + "' is not a timestamp of TiDB", e);
      }
    };
  }

  @Override
  public void close() {
    // Connections do not outlive what they were made for.
  }
}
