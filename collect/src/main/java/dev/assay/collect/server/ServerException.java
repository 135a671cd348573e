package dev.assay.collect.server;

import java.io.IOException;

/** A database that cannot be reached, started or fetched; the message says what to do. */
public final class ServerException extends IOException {
  private static final long serialVersionUID = 1;

  public ServerException(String message) {
    super(message);
  }

  public ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
