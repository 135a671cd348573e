package dev.assay.history;

/** What a history says cannot be: about its initial state, or about the type of a key. */
public final class InvalidHistoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String expected;

  InvalidHistoryException(String message, String expected) {
    super(message);
    this.expected = expected;
  }

  /** What would be accepted. */
  public String expected() {
    return expected;
  }
}
