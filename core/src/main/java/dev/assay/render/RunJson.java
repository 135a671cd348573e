package dev.assay.render;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.history.History;
import dev.assay.infer.ConcurrentConflicts;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The parts of the JSON report that are about a recorded run. */
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

  /** Writes the field {@code violations}: when which levels were found to be violated. */
  static void violations(JsonGenerator json, LiveFacts live) throws IOException {
    json.writeArrayFieldStart("violations");
    for (LiveFacts.Moment moment : live.moments()) {
      json.writeStartObject();
      if (moment.nanos() >= 0) {
        json.writeNumberField("seconds", seconds(moment.nanos()));
      }
      if (moment.foundNanos() >= 0) {
        json.writeNumberField("foundSeconds", seconds(moment.foundNanos()));
      }
      json.writeNumberField("transactions", moment.transactions());
      JsonRenderer.ids(json, "levels", moment.levels());
      JsonRenderer.strings(json, "anomalies", JsonRenderer.ids(moment.anomalies()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static double seconds(long nanos) {
    return Math.round(nanos / 1e6) / 1e3;
  }

  private static void write(JsonGenerator json, Map<String, Long> numbers) throws IOException {
    for (Map.Entry<String, Long> entry : numbers.entrySet()) {
      json.writeNumberField(entry.getKey(), entry.getValue());
    }
  }
}
