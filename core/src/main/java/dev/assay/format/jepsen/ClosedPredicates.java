package dev.assay.format.jepsen;

import dev.assay.history.Keyword;
import java.util.List;

/**
 * The predicates of Elle's closed-predicate workload, as conditions of predicate operations on the
 * value {@code v} of a row.
 */
final class ClosedPredicates {
  private ClosedPredicates() {}

  /** The condition of a predicate such as {@code [:mod 2 0]}; null if it is none that is known. */
  static String condition(Object predicate) {
    if (predicate instanceof Keyword all) {
      return all.equals(new Keyword("true")) ? "{}" : null;
    }
    if (!(predicate instanceof List<?> form)
        || !form.stream().skip(1).allMatch(Long.class::isInstance)) {
      return null;
    }
    if (form.size() == 2 && new Keyword("=").equals(form.get(0))) {
      return "{\"where\":[\"=\",\"v\",%d]}".formatted(form.get(1));
    }
    boolean mod = form.size() == 3 && new Keyword("mod").equals(form.get(0));
    if (!mod || (Long) form.get(1) <= 0) {
      return null;
    }
    // Clojure's mod is never negative; a remainder has the sign of the value.
    return "{\"where\":[\"=\",[\"%%\",[\"+\",[\"%%\",\"v\",%1$d],%1$d],%1$d],%2$d]}"
        .formatted(form.get(1), form.get(2));
  }
}
