package dev.assay.history;

/** The declared initial state of a history is impossible. */
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
