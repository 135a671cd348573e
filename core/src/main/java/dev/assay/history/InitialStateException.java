package dev.assay.history;

/** What a history declares about its initial state cannot be. */
public final class InitialStateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String expected;

  InitialStateException(String message, String expected) {
    super(message);
    this.expected = expected;
  }

  /** What would be accepted. */
  public String expected() {
    return expected;
  }
}
