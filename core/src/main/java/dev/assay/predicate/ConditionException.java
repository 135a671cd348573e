package dev.assay.predicate;

/**
 * A text that is not a condition, or a condition on columns that do not exist. {@link
 * #getMessage()} is a whole sentence; its parts can be had separately.
 */
public final class ConditionException extends Exception {
  private static final long serialVersionUID = 1;

  private final String place;
  private final String found;
  private final String expected;
  private final boolean unsupported;

  ConditionException(String place, String found, String expected) {
    this(place, found, expected, false);
  }

  ConditionException(String place, String found, String expected, boolean unsupported) {
    super(
        (place.isEmpty() ? "" : "at " + place + ": ")
            + "found "
            + found
            + ", expected "
            + expected);
    this.place = place;
    this.found = found;
    this.expected = expected;
    this.unsupported = unsupported;
  }

  /** Whether this may be a condition all the same, with an operator that is not supported. */
  public boolean isUnsupported() {
    return unsupported;
  }

  /**
   * The path to what was found, such as {@code where[2][1]} where array elements count from 0;
   * {@code character 7}, counted from 1, in what is not JSON; the empty text for the condition as a
   * whole.
   */
  public String place() {
    return place;
  }

  /** What was found. */
  public String found() {
    return found;
  }

  /** What should have been there. */
  public String expected() {
    return expected;
  }
}
