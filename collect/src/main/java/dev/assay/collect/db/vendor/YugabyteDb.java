package dev.assay.collect.db.vendor;

import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.ServerException;
import java.util.List;

/**
 * YugabyteDB (YSQL), over PostgreSQL's wire protocol, written from its documentation. Its
 * repeatable read is snapshot isolation, as PostgreSQL's. Not run in the tests: no server is
 * available there.
 */
final class YugabyteDb extends Postgres {
  @Override
  public String id() {
    return "yugabytedb";
  }

  @Override
  public String title() {
    return "YugabyteDB";
  }

  /** A URL alone does not distinguish it from PostgreSQL: {@code assay run yugabytedb URL}. */
  @Override
  public List<String> urlPrefixes() {
    return List.of();
  }

  @Override
  public boolean isEmbedded() {
    return false;
  }

  @Override
  public Server start(Setup setup) throws ServerException {
    throw new ServerException(
        "Assay does not start YugabyteDB; give the JDBC URL of a running one");
  }
}
