package dev.assay.web.http;

/** A request that cannot be met; the message goes to the client. */
final class RequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;

  RequestException(int status, String message) {
    super(message);
    this.status = status;
  }

  static RequestException notFound() {
    return new RequestException(404, "there is no page at this address");
  }

  int status() {
    return status;
  }
}
