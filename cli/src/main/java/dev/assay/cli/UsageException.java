package dev.assay.cli;

/** Arguments that make no sense; the message says why and what would. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}
