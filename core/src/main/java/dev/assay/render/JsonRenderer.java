package dev.assay.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.explain.Explanation.Step;
import dev.assay.format.ParseException;
import dev.assay.history.Calls;
import dev.assay.history.History;
import dev.assay.history.Keyword;
import dev.assay.history.Nodes;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.infer.Stats;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.type.KnownOrders;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** One JSON object a line for each input; {@code docs/cli.md} describes the fields. */
public final class JsonRenderer {
  /** The stage of reading a certificate. */
  public static final String CERTIFICATE = "certificate";

  private static final int SCHEMA = 1;
  private static final JsonFactory FACTORY = new JsonFactory();

  private final String version;
  private final Appendable out;

  /** Fields that come first. */
  private final Map<String, ?> leading;

  /**
   * @param version the version of Assay, for the {@code assay} field
   * @param out where the lines go
   */
  public JsonRenderer(String version, Appendable out) {
    this(version, out, Map.of());
  }

  private JsonRenderer(String version, Appendable out, Map<String, ?> leading) {
    this.version = version;
    this.out = out;
    this.leading = leading;
  }

  /** The same, where objects begin with more fields: numbers, texts or lists of texts. */
  public JsonRenderer leading(Map<String, ?> fields) {
    return new JsonRenderer(version, out, fields);
  }

  /** An object with no other fields. */
  public void render(String file) throws IOException {
    object(file, json -> {});
  }

  private interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  private void object(String file, Body body) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("schema", SCHEMA);
      json.writeStringField("assay", version);
      json.writeStringField("file", file);
      for (Map.Entry<String, ?> field : leading.entrySet()) {
        leading(json, field.getKey(), field.getValue());
      }
      body.write(json);
      json.writeEndObject();
    }
    out.append(text.getBuffer()).append('\n');
  }

  private static void leading(JsonGenerator json, String name, Object value) throws IOException {
    if (value instanceof Long number) {
      json.writeNumberField(name, number);
    } else if (value instanceof Collection<?> texts) {
      strings(json, name, texts.stream().map(Object::toString).toList());
    } else {
      json.writeStringField(name, value.toString());
    }
  }

  /** The object for an input that could not be read. */
  public void render(ParseException e) throws IOException {
    object(
        e.file(),
        json -> {
          json.writeObjectFieldStart("error");
          json.writeStringField("message", e.getMessage());
          place(json, "line", e.line());
          place(json, "column", e.column());
          place(json, "offset", e.offset());
          json.writeStringField("expected", e.expected());
          json.writeStringField("hint", e.hint());
          json.writeEndObject();
        });
  }

  private static void place(JsonGenerator json, String name, long number) throws IOException {
    if (number != ParseException.NONE) {
      json.writeNumberField(name, number);
    }
  }

  /** The object for an input that was checked. */
  public void render(CheckResult result) throws IOException {
    object(
        result.file(),
        json -> {
          json.writeStringField("format", result.history().origin().format());
          if (result.isUnread()) {
            json.writeObjectFieldStart("history");
            json.writeBooleanField("unread", true);
          } else {
            history(json, result.totals());
          }
          json.writeEndObject();
          levels(json, result.report().verdicts());
          RunJson.write(json, result);
          if (result.incomplete() != null) {
            json.writeStringField("incomplete", result.incomplete());
          }
          ids(json, "strongest", result.report().strongest());
          ids(json, "weakestViolated", result.report().weakestViolated());
          anomalies(json, result);
          if (result.live() != null) {
            RunJson.violations(json, result.live());
          }
          if (!result.forbidden().isEmpty()) {
            strings(json, "forbidden", ids(new TreeSet<>(result.forbidden())));
            strings(json, "forbiddenFound", ids(result.forbiddenFound()));
          }
          inferred(json, result.report());
          strings(json, "notes", result.notes());
          timing(json, result);
        });
  }

  /**
   * The object of {@code assay stats}.
   *
   * @param constraints what strong levels leave open, or null if that was not asked for
   */
  public void render(
      String file,
      History history,
      Stats stats,
      List<OpenConstraints.Count> constraints,
      long parseMillis)
      throws IOException {
    object(
        file,
        json -> {
          json.writeStringField("format", history.origin().format());
          history(json, Totals.of(history));
          new StatsJson(json, history, stats).write();
          json.writeEndObject();
          if (constraints != null) {
            StatsJson.constraints(json, constraints);
          }
          json.writeObjectFieldStart("metadata");
          for (Map.Entry<String, String> entry : history.metadata().entrySet()) {
            json.writeStringField(entry.getKey(), entry.getValue());
          }
          json.writeEndObject();
          strings(json, "notes", CheckResult.notesOf(history));
          json.writeObjectFieldStart("timing");
          json.writeNumberField("parseMillis", parseMillis);
          json.writeEndObject();
        });
  }

  /** Leaves the object open, for what {@code stats} adds. */
  private static void history(JsonGenerator json, Totals totals) throws IOException {
    json.writeObjectFieldStart("history");
    json.writeNumberField("transactions", totals.transactions());
    for (Outcome outcome : Outcome.values()) {
      json.writeNumberField(outcome.id(), totals.count(outcome));
    }
    json.writeNumberField("operations", totals.operations());
    json.writeNumberField("keys", totals.keys());
    json.writeNumberField("sessions", totals.sessions());
  }

  private static void levels(JsonGenerator json, Map<Level, Verdict> verdicts) throws IOException {
    json.writeObjectFieldStart("levels");
    for (Map.Entry<Level, Verdict> entry : verdicts.entrySet()) {
      json.writeObjectFieldStart(entry.getKey().id());
      json.writeStringField("verdict", entry.getValue().id());
      json.writeStringField("why", entry.getValue().why());
      if (entry.getValue() instanceof Verdict.Unknown unknown) {
        json.writeStringField("reason", unknown.reason().id());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  static void ids(JsonGenerator json, String name, Iterable<Level> levels) throws IOException {
    json.writeArrayFieldStart(name);
    for (Level level : levels) {
      json.writeString(level.id());
    }
    json.writeEndArray();
  }

  static List<String> ids(Collection<AnomalyType> types) {
    return types.stream().map(AnomalyType::id).toList();
  }

  static void strings(JsonGenerator json, String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  // ---- anomalies

  private static void anomalies(JsonGenerator json, CheckResult result) throws IOException {
    Explainer explainer = new Explainer(result.history());
    json.writeArrayFieldStart("anomalies");
    for (Anomaly anomaly : result.report().anomalies()) {
      json.writeStartObject();
      json.writeStringField("type", anomaly.type().id());
      json.writeStringField("name", anomaly.type().title());
      json.writeStringField("tap", anomaly.type().plume());
      json.writeStringField("c4", anomaly.type().c4());
      json.writeStringField("elle", anomaly.type().elle());
      ids(json, "violates", anomaly.violates());
      json.writeNumberField("count", anomaly.count());
      json.writeBooleanField("countIsLowerBound", anomaly.countIsLowerBound());
      json.writeArrayFieldStart("witnesses");
      for (Evidence evidence : anomaly.witnesses()) {
        witness(json, result, anomaly, evidence, explainer);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void witness(
      JsonGenerator json,
      CheckResult result,
      Anomaly anomaly,
      Evidence evidence,
      Explainer explainer)
      throws IOException {
    History history = result.history();
    Explanation explanation = explainer.explain(anomaly, evidence);
    json.writeStartObject();
    json.writeStringField("name", explainer.name(anomaly.type(), evidence));
    json.writeStringField("c4", evidence.c4(anomaly.type()));
    json.writeArrayFieldStart("transactions");
    for (int txn : explanation.transactions()) {
      transaction(json, history, txn, result.places().of(txn));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("edges");
    for (Step step : explanation.steps()) {
      edge(json, history, step);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("text");
    json.writeString(explanation.headline());
    for (Step step : explanation.allSteps()) {
      json.writeString(step.sentence());
    }
    if (!explanation.shownBy().isEmpty()) {
      json.writeString("seen in: " + explanation.shownBy());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void transaction(JsonGenerator json, History history, int txn, long[] places)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", history.label(txn));
    json.writeStringField("session", history.sessionText(history.session(txn)));
    String node = Nodes.of(history).address(txn);
    if (node != null) {
      json.writeStringField("node", node);
    }
    json.writeStringField("outcome", history.outcome(txn).id());
    List<String> calls = Calls.of(history).ofAll(txn);
    if (!calls.isEmpty()) {
      json.writeArrayFieldStart("calls");
      for (String call : calls) {
        json.writeString(call);
      }
      json.writeEndArray();
    }
    Origin origin = history.origin();
    if (origin.unit() != Origin.Unit.NONE && history.hasPlace(txn)) {
      boolean lines = origin.unit() == Origin.Unit.LINE;
      json.writeNumberField(lines ? "line" : "offset", history.position(txn));
      if (!origin.files().isEmpty()) {
        json.writeStringField("part", origin.files().get(history.file(txn)));
      }
    }
    json.writeArrayFieldStart("ops");
    for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
      operation(json, history.operation(op));
    }
    json.writeEndArray();
    if (places != null) {
      boolean lines = origin.unit() == Origin.Unit.LINE;
      json.writeFieldName(lines ? "opLines" : "opOffsets");
      json.writeArray(places, 0, places.length);
    }
    json.writeEndObject();
  }

  private static void operation(JsonGenerator json, Operation operation) throws IOException {
    json.writeStartArray();
    json.writeString(operation.kind().symbol());
    if (operation.kind().isPredicate()) {
      json.writeRawValue((String) operation.key());
    } else {
      scalar(json, operation.key());
    }
    // A read whose result the client never saw has no third element; null would say nil.
    if (operation.known()) {
      value(json, operation.kind(), operation.value());
    }
    json.writeEndArray();
  }

  private static void value(JsonGenerator json, OpKind kind, Object value) throws IOException {
    if (!kind.isPredicate() || !(value instanceof List<?> items)) {
      scalar(json, value);
      return;
    }
    json.writeStartArray();
    for (Object item : items) {
      // An unknown aggregate may have returned a vector.
      if (item instanceof Operation.Row row) {
        json.writeStartArray();
        scalar(json, row.key());
        scalar(json, row.value());
        json.writeEndArray();
      } else {
        scalar(json, item);
      }
    }
    json.writeEndArray();
  }

  static void scalar(JsonGenerator json, Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof BigInteger number) {
      json.writeNumber(number);
    } else if (value instanceof BigDecimal number) {
      json.writeNumber(number);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof Keyword keyword) {
      json.writeString(keyword.toString());
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        scalar(json, element);
      }
      json.writeEndArray();
    } else {
      json.writeString(value.toString());
    }
  }

  /** A step between transactions; those about a single operation have no edge. */
  private static void edge(JsonGenerator json, History history, Step step) throws IOException {
    Edge edge = step.edge();
    if (edge == null) {
      return;
    }
    json.writeStartObject();
    json.writeStringField("step", step.number());
    json.writeStringField("from", id(history, edge.from()));
    json.writeStringField("to", id(history, edge.to()));
    json.writeStringField("kind", edge.kind().id());
    if (edge.key() >= 0) {
      json.writeFieldName("key");
      scalar(json, history.keys().get(edge.key()));
    }
    if (edge.byPredicate()) {
      json.writeBooleanField("predicate", true);
    }
    json.writeStringField("why", step.sentence());
    if (step.supposed()) {
      json.writeBooleanField("supposed", true);
    }
    if (!step.sameAs().isEmpty()) {
      json.writeStringField("sameAs", step.sameAs());
    }
    if (!step.because().isEmpty()) {
      json.writeArrayFieldStart("because");
      for (Step reason : step.because()) {
        edge(json, history, reason);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Null for the transaction that wrote all initial versions, which no source gives an id. */
  private static String id(History history, int txn) {
    return txn == Edge.INITIAL ? null : history.label(txn);
  }

  // ---- the rest

  private static void inferred(JsonGenerator json, Report report) throws IOException {
    KnownOrders orders = report.inferred();
    json.writeObjectFieldStart("inferred");
    json.writeNumberField("keysTotal", orders.total());
    json.writeNumberField("keysPartial", orders.partial());
    json.writeNumberField("keysNone", orders.none());
    json.writeEndObject();
  }

  private static void timing(JsonGenerator json, CheckResult result) throws IOException {
    Map<String, Long> stages = result.report().stageMillis();
    long infer = stages.getOrDefault("infer", 0L);
    long all = 0;
    for (long millis : stages.values()) {
      all += millis;
    }
    json.writeObjectFieldStart("timing");
    json.writeNumberField("parseMillis", result.parseMillis());
    json.writeNumberField("inferMillis", infer);
    long certificate = stages.getOrDefault(CERTIFICATE, 0L);
    json.writeNumberField("checkMillis", all - infer - certificate);
    json.writeObjectFieldStart("stages");
    for (Map.Entry<String, Long> stage : stages.entrySet()) {
      if (!stage.getKey().equals("infer")) {
        json.writeNumberField(stage.getKey(), stage.getValue());
      }
    }
    json.writeEndObject();
    if (result.peakHeapBytes() >= 0) {
      json.writeNumberField("peakHeapBytes", result.peakHeapBytes());
    }
    json.writeEndObject();
  }
}
