package dev.assay.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.io.Serializable;
import java.io.StringWriter;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the reports on many histories add up to: how many hold and violate each level, and how many
 * have each anomaly. Summaries of parts of them can be added.
 */
public final class Summary implements Serializable {
  private static final long serialVersionUID = 1;
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Counts judged = new Counts();
  private final TreeMap<Level, Counts> levels = new TreeMap<>();
  private final TreeMap<AnomalyType, Found> anomalies = new TreeMap<>();
  private long unreadable;
  private long transactions;
  private long operations;

  /** Numbers of histories by verdict. */
  private static final class Counts implements Serializable {
    private static final long serialVersionUID = 1;

    long hold;
    long violate;
    long unknown;

    void add(Counts other) {
      hold += other.hold;
      violate += other.violate;
      unknown += other.unknown;
    }

    long all() {
      return hold + violate + unknown;
    }
  }

  /** In how many histories an anomaly was found, and how many instances of it. */
  private static final class Found implements Serializable {
    private static final long serialVersionUID = 1;

    long histories;
    long instances;
    boolean isLowerBound;

    void add(Found other) {
      histories += other.histories;
      instances += other.instances;
      isLowerBound |= other.isLowerBound;
    }
  }

  /** Adds the result of one history. */
  public void add(CheckResult result) {
    if (result.violated()) {
      judged.violate++;
    } else if (result.unknown()) {
      judged.unknown++;
    } else {
      judged.hold++;
    }
    transactions += result.totals().transactions();
    operations += result.totals().operations();
    result.report().verdicts().forEach(this::add);
    for (Anomaly anomaly : result.report().anomalies()) {
      Found found = anomalies.computeIfAbsent(anomaly.type(), type -> new Found());
      found.histories++;
      found.instances += anomaly.count();
      found.isLowerBound |= anomaly.countIsLowerBound();
    }
  }

  private void add(Level level, Verdict verdict) {
    Counts counts = levels.computeIfAbsent(level, l -> new Counts());
    if (verdict instanceof Verdict.Holds) {
      counts.hold++;
    } else if (verdict instanceof Verdict.Violated) {
      counts.violate++;
    } else {
      counts.unknown++;
    }
  }

  /** Adds a history that could not be read. */
  public void addUnreadable() {
    unreadable++;
  }

  /** Adds what other histories add up to. */
  public void add(Summary other) {
    judged.add(other.judged);
    unreadable += other.unreadable;
    transactions += other.transactions;
    operations += other.operations;
    other.levels.forEach(
        (level, counts) -> levels.computeIfAbsent(level, l -> new Counts()).add(counts));
    other.anomalies.forEach(
        (type, found) -> anomalies.computeIfAbsent(type, t -> new Found()).add(found));
  }

  /** As tables; levels strongest first, as in a report. */
  public void text(Appendable out) throws IOException {
    out.append(
        "%s, %s, %s\n"
            .formatted(
                judged.all() == 1 ? "1 history" : Plain.number(judged.all()) + " histories",
                Plain.count(transactions, "transaction"),
                Plain.count(operations, "operation")));
    out.append(
        "judged: %s hold, %s violated, %s unknown, %s unreadable\n"
            .formatted(
                Plain.number(judged.hold),
                Plain.number(judged.violate),
                Plain.number(judged.unknown),
                Plain.number(unreadable)));
    if (!levels.isEmpty()) {
      out.append("\n%-34s %10s %10s %10s\n".formatted("level", "holds", "violated", "unknown"));
    }
    for (Map.Entry<Level, Counts> entry : levels.entrySet()) {
      Counts counts = entry.getValue();
      out.append(
          "%-34s %10s %10s %10s\n"
              .formatted(
                  entry.getKey(),
                  Plain.number(counts.hold),
                  Plain.number(counts.violate),
                  Plain.number(counts.unknown)));
    }
    if (!anomalies.isEmpty()) {
      out.append("\n%-34s %10s %10s\n".formatted("anomaly", "histories", "instances"));
    }
    for (Map.Entry<AnomalyType, Found> entry : anomalies.entrySet()) {
      Found found = entry.getValue();
      String instances = Plain.number(found.instances) + (found.isLowerBound ? "+" : "");
      out.append(
          "%-34s %10s %10s\n"
              .formatted(entry.getKey().id(), Plain.number(found.histories), instances));
    }
  }

  /** As one JSON object on a line; {@code docs/cli.md} describes the fields. */
  public void json(String version, Appendable out) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("schema", 1);
      json.writeStringField("assay", version);
      json.writeNumberField("histories", judged.all());
      json.writeNumberField("unreadable", unreadable);
      json.writeNumberField("transactions", transactions);
      json.writeNumberField("operations", operations);
      counts(json, "judged", judged);
      json.writeObjectFieldStart("levels");
      for (Map.Entry<Level, Counts> entry : levels.entrySet()) {
        counts(json, entry.getKey().id(), entry.getValue());
      }
      json.writeEndObject();
      json.writeObjectFieldStart("anomalies");
      for (Map.Entry<AnomalyType, Found> entry : anomalies.entrySet()) {
        Found found = entry.getValue();
        json.writeObjectFieldStart(entry.getKey().id());
        json.writeNumberField("histories", found.histories);
        json.writeNumberField("instances", found.instances);
        json.writeBooleanField("countIsLowerBound", found.isLowerBound);
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    out.append(text.getBuffer()).append('\n');
  }

  private static void counts(JsonGenerator json, String name, Counts counts) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("holds", counts.hold);
    json.writeNumberField("violated", counts.violate);
    json.writeNumberField("unknown", counts.unknown);
    json.writeEndObject();
  }
}
