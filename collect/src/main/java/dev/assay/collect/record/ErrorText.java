package dev.assay.collect.record;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;

/** What is recorded of the errors of a store: short, and without secrets. */
record ErrorText(Cluster cluster) {
  private static final int MAX_ERROR_LENGTH = 200;
  private static final int MAX_KIND_LENGTH = 40;

  /** The message of an error. */
  String message(ClientException e) {
    return shortened(cluster.redact(e.getMessage()));
  }

  /** The whole message, and the store it comes from. */
  String titled(ClientException e) {
    return cluster.client().title() + ": " + cluster.redact(e.getMessage());
  }

  /** What the client calls it, or else the beginning of its message. */
  String kind(ClientException e) {
    if (e.kind() != null) {
      return e.kind();
    }
    String head = message(e).split(":", 2)[0];
    return head.length() > MAX_KIND_LENGTH ? head.substring(0, MAX_KIND_LENGTH) : head;
  }

  private static String shortened(String message) {
    if (message == null) {
      return "an error without a message";
    }
    String line = message.lines().findFirst().orElse("");
    return line.length() > MAX_ERROR_LENGTH ? line.substring(0, MAX_ERROR_LENGTH) : line;
  }
}
