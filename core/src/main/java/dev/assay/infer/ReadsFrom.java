package dev.assay.infer;

import dev.assay.history.History;

/** Who wrote what each read saw. */
public final class ReadsFrom {
  private ReadsFrom() {}

  public static ReadsFrom of(History history) {
    return new ReadsFrom();
  }
}
