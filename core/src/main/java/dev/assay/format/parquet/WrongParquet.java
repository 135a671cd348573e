package dev.assay.format.parquet;

import dev.assay.format.ParseException;
import java.io.IOException;

/** A Parquet file that is damaged, or not a history. */
public final class WrongParquet extends IOException {
  private static final long serialVersionUID = 1;

  private final String expected;
  private final String hint;

  WrongParquet(String found) {
    this(found, "a whole Parquet file", null);
  }

  public WrongParquet(String found, String expected, String hint) {
    super(found);
    this.expected = expected;
    this.hint = hint;
  }

  /** The same about a file. */
  public ParseException of(String file) {
    return ParseException.ofFile(file, getMessage(), expected, hint);
  }
}
