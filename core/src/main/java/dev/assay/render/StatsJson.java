package dev.assay.render;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Stats;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** What {@code stats} adds to the {@code history} object. */
final class StatsJson {
  private static final int HOTTEST = 5;

  private final JsonGenerator json;
  private final History history;
  private final Stats stats;

  StatsJson(JsonGenerator json, History history, Stats stats) {
    this.json = json;
    this.history = history;
    this.stats = stats;
  }

  void write() throws IOException {
    json.writeObjectFieldStart("operationKinds");
    for (OpKind kind : OpKind.values()) {
      if (stats.operations(kind) > 0) {
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        json.writeNumberField(name, stats.operations(kind));
      }
    }
    json.writeEndObject();
    distribution("transactionSizes", stats.transactionSizes());
    distribution("sessionSizes", stats.sessionSizes());
    json.writeNumberField("unknownReads", stats.unknownReads());
    json.writeNumberField("initialReads", stats.initialReads());
    json.writeNumberField("readNeverWritten", stats.versionsNeverWritten());
    json.writeNumberField("writtenNeverRead", stats.versionsNeverRead());
    json.writeNumberField("duplicateWrites", stats.duplicateVersions());
    json.writeArrayFieldStart("hottestKeys");
    for (int key : stats.hottestKeys(HOTTEST)) {
      json.writeStartObject();
      json.writeFieldName("key");
      JsonRenderer.scalar(json, history.keys().get(key));
      json.writeNumberField("operations", stats.operationsOn(key));
      json.writeEndObject();
    }
    json.writeEndArray();
    time("firstTime", stats.firstTime());
    time("lastTime", stats.lastTime());
  }

  /** An object for each level; what saturation did not reach has no number. */
  static void constraints(JsonGenerator json, List<OpenConstraints.Count> counts)
      throws IOException {
    json.writeObjectFieldStart("constraints");
    for (OpenConstraints.Count count : counts) {
      json.writeObjectFieldStart(count.level().id());
      json.writeStringField("saturation", count.outcome().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("pairs", count.pairs());
      json.writeNumberField("ambiguousReads", count.ambiguousReads());
      if (count.outcome() == OpenConstraints.Outcome.COUNTED) {
        json.writeNumberField("openPairs", count.openPairs());
        json.writeNumberField("openReads", count.openReads());
        json.writeNumberField("parts", count.parts());
        json.writeNumberField("pairsInLargestPart", count.largestPart());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void distribution(String name, int[] ascending) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("min", Stats.percentile(ascending, 0));
    json.writeNumberField("median", Stats.percentile(ascending, 50));
    json.writeNumberField("p90", Stats.percentile(ascending, 90));
    json.writeNumberField("p99", Stats.percentile(ascending, 99));
    json.writeNumberField("max", Stats.percentile(ascending, 100));
    json.writeEndObject();
  }

  private void time(String name, long time) throws IOException {
    if (time != History.ABSENT) {
      json.writeNumberField(name, time);
    }
  }
}
