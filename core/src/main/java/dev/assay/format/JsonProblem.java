package dev.assay.format;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with a text that is not JSON, without mention of the parser. */
public final class JsonProblem {
  /** Options of the parser, which users of Assay cannot set. */
  private static final Pattern ADVICE =
      Pattern.compile(":? enable `JsonReadFeature.*| \\(not recognized as one since Feature .*");

  private static final Pattern SIZES =
      Pattern.compile("\\((\\d+)\\) exceeds the maximum allowed \\((\\d+)");

  private JsonProblem() {}

  public static String of(JacksonException e) {
    String message = e.getOriginalMessage().lines().findFirst().orElse("");
    if (e instanceof StreamConstraintsException) {
      return beyond(message);
    }
    String problem = ADVICE.matcher(message).replaceFirst("");
    boolean internal = problem.isEmpty() || problem.contains("Feature");
    return Excerpt.found(internal ? "something that is not JSON" : problem);
  }

  private static String beyond(String message) {
    Matcher sizes = SIZES.matcher(message);
    String size = sizes.find() ? sizes.group(1) + " of at most " + sizes.group(2) : "too many";
    if (message.contains("nesting depth")) {
      return "arrays and objects nested too deep, " + size + " levels";
    }
    String what =
        message.startsWith("Number")
            ? "a number"
            : message.startsWith("Name") ? "a field name" : "a text";
    return what + " that is too long, " + size + " characters";
  }
}
