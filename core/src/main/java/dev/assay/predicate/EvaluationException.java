package dev.assay.predicate;

/**
 * A condition has no value for some row: a text compared with a number, a result beyond 64 bits, a
 * remainder of a division by zero, or a row that does not have the columns it should.
 */
public final class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  EvaluationException(String message) {
    super(message);
  }

  private EvaluationException(String message, EvaluationException cause) {
    super(message, cause);
  }

  /** The same, with the row. */
  EvaluationException inRow(Object key, Object value) {
    String row = SentenceText.value(key) + ": " + SentenceText.value(value);
    return new EvaluationException(getMessage() + ", in the row " + SentenceText.cut(row), this);
  }
}
