package dev.assay.format;

/**
 * An input that is not a history, with everything a person needs to correct it. {@link
 * #getMessage()} says what was found.
 */
public final class ParseException extends Exception {
  private static final long serialVersionUID = 1;

  /** A line, column or offset that does not apply. */
  public static final long NONE = -1;

  private final String file;
  private final long line;
  private final long column;
  private final long offset;
  private final String expected;
  private final String hint;

  private ParseException(
      String file,
      long line,
      long column,
      long offset,
      String found,
      String expected,
      String hint) {
    super(Excerpt.shortened(found));
    this.file = file;
    this.line = line;
    this.column = column;
    this.offset = offset;
    this.expected = Excerpt.shortened(expected);
    this.hint = hint;
  }

  /** Something wrong at a line and column, both counted from 1. */
  public static ParseException atLine(
      String file, long line, long column, String found, String expected, String hint) {
    return new ParseException(file, line, column, NONE, found, expected, hint);
  }

  /** Something wrong at a byte offset of a binary file, counted from 0. */
  public static ParseException atOffset(
      String file, long offset, String found, String expected, String hint) {
    return new ParseException(file, NONE, NONE, offset, found, expected, hint);
  }

  /** Something wrong with the input as a whole. */
  public static ParseException ofFile(String file, String found, String expected, String hint) {
    return new ParseException(file, NONE, NONE, NONE, found, expected, hint);
  }

  /** The same in a file of which the lines it was found in are only part. */
  public ParseException after(long lines) {
    long place = line == NONE ? NONE : line + lines;
    return new ParseException(file, place, column, offset, getMessage(), expected, hint);
  }

  public String file() {
    return file;
  }

  /** The line from 1, or {@link #NONE}. */
  public long line() {
    return line;
  }

  /** The column in bytes from 1, or {@link #NONE}. */
  public long column() {
    return column;
  }

  /** The byte offset from 0, or {@link #NONE}. */
  public long offset() {
    return offset;
  }

  /** What should have been there, or null. */
  public String expected() {
    return expected;
  }

  /** What to do about it, or null. */
  public String hint() {
    return hint;
  }

  /** File and place, as compilers print them: {@code run.txt:3:7} or {@code h.bincode@64}. */
  public String place() {
    if (line != NONE) {
      return column == NONE ? file + ":" + line : file + ":" + line + ":" + column;
    }
    return offset == NONE ? file : file + "@" + offset;
  }
}
