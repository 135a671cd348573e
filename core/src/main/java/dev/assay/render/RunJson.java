package dev.assay.render;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.history.History;
import dev.assay.infer.ConcurrentConflicts;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The part of the JSON report that counts what happened in a recorded run. */
final class RunJson {
  private static final Pattern COUNT = Pattern.compile("\\d{1,18}");

  private RunJson() {}

  /** Writes the field {@code run}, or nothing for a history that counts nothing. */
  static void write(JsonGenerator json, CheckResult result) throws IOException {
    History history = result.history();
    Map<String, Long> counts = new LinkedHashMap<>();
    Map<String, Long> errors = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : history.metadata().entrySet()) {
      String name = entry.getKey();
      if (name.startsWith(History.RUN) && COUNT.matcher(entry.getValue()).matches()) {
        boolean error = name.startsWith(History.RUN_ERROR);
        (error ? errors : counts)
            .put(
                name.substring((error ? History.RUN_ERROR : History.RUN).length()),
                Long.parseLong(entry.getValue()));
      }
    }
    if (counts.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart("run");
    write(json, counts);
    json.writeObjectFieldStart("errors");
    write(json, errors);
    json.writeEndObject();
    ConcurrentConflicts concurrentConflicts = result.concurrentConflicts();
    if (concurrentConflicts != null) {
      json.writeNumberField("concurrentConflicts", concurrentConflicts.pairs());
      json.writeBooleanField("concurrentConflictsIsLowerBound", concurrentConflicts.isLowerBound());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Map<String, Long> numbers) throws IOException {
    for (Map.Entry<String, Long> entry : numbers.entrySet()) {
      json.writeNumberField(entry.getKey(), entry.getValue());
    }
  }
}
