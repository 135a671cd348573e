package dev.assay.collect.judge;

import dev.assay.SoundPredicates;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.history.History;

/** Reads a history for a command. */
public final class Reading {
  private Reading() {}

  /**
   * Reads a history with at least one transaction. Too little memory is reported like any other
   * reason why an input cannot be read.
   */
  public static History read(Input input, ReadOptions options) throws ParseException {
    try {
      return readIfItFits(input, options);
    } catch (OutOfMemoryError e) {
      throw tooLarge(input);
    }
  }

  /** The error of an input that does not fit into memory. */
  public static ParseException tooLarge(Input input) {
    return ParseException.ofFile(
        input.name(),
        "is too large for the memory given",
        "a history that fits",
        "give more with ASSAY_JAVA_OPTS=-Xmx16g");
  }

  /** The same, but throws an OutOfMemoryError. */
  static History readIfItFits(Input input, ReadOptions options) throws ParseException {
    History history = Formats.read(input, options);
    if (history.transactionCount() == 0) {
      throw ParseException.ofFile(
          input.name(), "is a history without transactions", "at least one transaction", null);
    }
    SoundPredicates.require(history);
    return history;
  }
}
