package dev.assay.collect.client;

/**
 * What a store does proves nothing from here on, such as when its transactions have another level
 * than the one asked for. The run ends; the message says why.
 */
public final class UnusableException extends ClientException {
  private static final long serialVersionUID = 1L;

  public UnusableException(String message, Throwable cause) {
    super(Failure.LOST, null, false, message, cause);
  }
}
