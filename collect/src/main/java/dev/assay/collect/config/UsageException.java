package dev.assay.collect.config;

/** What a user asks for cannot be done; the message says why and what can. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }
}
