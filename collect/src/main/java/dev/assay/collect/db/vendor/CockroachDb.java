package dev.assay.collect.db.vendor;

import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.ServerException;
import java.util.List;

/**
 * CockroachDB, over PostgreSQL's wire protocol, written from its documentation. Its errors are
 * PostgreSQL's: 40001 asks to retry, 40003 says that the result of a commit is ambiguous. Not run
 * in the tests: no server is available there.
 */
final class CockroachDb extends Postgres {
  @Override
  public String id() {
    return "cockroachdb";
  }

  @Override
  public String title() {
    return "CockroachDB";
  }

  /** A URL alone does not distinguish it from PostgreSQL: {@code assay run cockroachdb URL}. */
  @Override
  public List<String> urlPrefixes() {
    return List.of();
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return List.of(READ_COMMITTED, SERIALIZABLE);
  }

  @Override
  public boolean isEmbedded() {
    return false;
  }

  @Override
  public Server start(Setup setup) throws ServerException {
    throw new ServerException(
        "Assay does not start CockroachDB; give the JDBC URL of a running one");
  }
}
