package dev.assay.collect.db;

import java.sql.SQLException;

/** A transaction runs at another level than the one asked for: what it sees proves nothing. */
public final class OtherIsolationException extends SQLException {
  private static final long serialVersionUID = 1L;

  OtherIsolationException(String asked, String given) {
    super(
        "asked for "
            + asked
            + ", and inside a transaction it is "
            + given
            + ": a pool or proxy in between (PgBouncer, ProxySQL and the like) may hand out server"
            + " connections by the transaction, each with its own settings; name the database's"
            + " own address, or let the pool work by session");
  }
}
