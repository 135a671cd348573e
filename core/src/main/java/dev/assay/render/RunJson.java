package dev.assay.render;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.history.History;
import dev.assay.history.RecordedFault;
import dev.assay.history.RunActivity;
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
    news(json, RunNews.of(result));
    json.writeEndObject();
  }

  /** Writes the fields {@code lostWrites} and {@code faults}, where there are some. */
  private static void news(JsonGenerator json, RunNews news) throws IOException {
    RunActivity activity = news.activity();
    if (news.lost() != null) {
      json.writeObjectFieldStart("lostWrites");
      json.writeNumberField("count", news.lost().count());
      if (activity != null && news.lost().first() != History.ABSENT) {
        json.writeNumberField("firstSeconds", round(activity.seconds(news.lost().first())));
        json.writeNumberField("lastSeconds", round(activity.seconds(news.lost().last())));
      }
      json.writeEndObject();
    }
    if (activity == null || news.faults().isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("faults");
    for (RecordedFault fault : news.faults()) {
      json.writeStartObject();
      json.writeStringField("what", fault.what());
      json.writeNumberField("beginSeconds", round(activity.seconds(fault.begin())));
      if (fault.end() != History.ABSENT) {
        json.writeNumberField("endSeconds", round(activity.seconds(fault.end())));
      }
      RunActivity.Availability fared = activity.during(fault, news.faults());
      if (fared != null) {
        json.writeNumberField("available", round(fared.available()));
        json.writeNumberField("committedPerSecond", round(fared.perSecond()));
        json.writeNumberField("longestSilenceSeconds", round(fared.silentSeconds()));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static double round(double value) {
    return Math.round(value * 1e3) / 1e3;
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
    return round(nanos / 1e9);
  }

  private static void write(JsonGenerator json, Map<String, Long> numbers) throws IOException {
    for (Map.Entry<String, Long> entry : numbers.entrySet()) {
      json.writeNumberField(entry.getKey(), entry.getValue());
    }
  }
}
