package dev.assay.collect.client;

/** A store, or the way to it, did not do what was asked. */
public class ClientException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Failure failure;
  private final String kind;
  private final boolean unanswered;

  /**
   * @param failure what it means for the transaction
   * @param message for people; what is secret in it is taken out before it is shown
   */
  public ClientException(Failure failure, String message) {
    this(failure, null, false, message, null);
  }

  /**
   * @param kind a short name under which such errors are counted, or null for the beginning of the
   *     message
   * @param unanswered whether it means that no server answered
   */
  public ClientException(
      Failure failure, String kind, boolean unanswered, String message, Throwable cause) {
    super(message, cause);
    this.failure = failure;
    this.kind = kind;
    this.unanswered = unanswered;
  }

  /** No server answered. */
  public static ClientException unanswered(String message, Throwable cause) {
    return new ClientException(Failure.LOST, null, true, message, cause);
  }

  public Failure failure() {
    return failure;
  }

  public String kind() {
    return kind;
  }

  public boolean isUnanswered() {
    return unanswered;
  }
}
