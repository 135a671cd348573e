package dev.assay.collect.certificate;

import java.io.IOException;

/** A certificate cannot be made, and why. */
public final class CertificateException extends IOException {
  private static final long serialVersionUID = 1;

  public CertificateException(String message) {
    super(message);
  }

  public CertificateException(String message, Throwable cause) {
    super(message, cause);
  }
}
