package dev.assay.junit;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.Use;
import dev.assay.collect.config.ValueType;

/** Values that the code of a test gives; its attributes and calls are named like parameters. */
final class Values {
  private Values() {}

  /**
   * Refuses a wrong value.
   *
   * @throws IllegalArgumentException with the name of the attribute or call, and what it takes
   */
  static void require(Parameter<?> parameter, String text) {
    String problem =
        parameter == Parameters.DURATION && text.equals(ValueType.FOREVER)
            ? "a test needs an end; write 500ms, 60s, 10m or 1h"
            : parameter.problem(text, Use.RUN);
    if (problem != null) {
      throw new IllegalArgumentException(parameter + ": " + problem);
    }
  }
}
