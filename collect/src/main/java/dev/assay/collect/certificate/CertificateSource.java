package dev.assay.collect.certificate;

import java.io.IOException;
import java.sql.SQLException;

/**
 * Where the certificate of a run comes from. It is {@linkplain #begin begun} when the tables are
 * there and {@linkplain #read read} when the last client is done; sessions only know its {@link
 * #tracing}.
 */
public interface CertificateSource extends AutoCloseable {
  Tracing tracing();

  /** From here on the log matters. */
  void begin() throws SQLException, IOException;

  /**
   * Reads the log up to now.
   *
   * @param rows keys of rows are below this
   */
  void read(int rows) throws SQLException, IOException;

  /** What was read. */
  CommitLog log();

  /** What the snapshots that sessions saw contain of what was read. */
  Snapshots snapshots();

  @Override
  void close();
}
