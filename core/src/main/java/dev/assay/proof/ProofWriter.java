package dev.assay.proof;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.check.Verdict;
import dev.assay.proof.Argument.Pair;
import dev.assay.proof.Argument.Step;
import dev.assay.proof.Graph.Edge;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a proof as JSON; docs/proofs.md has the format. */
public final class ProofWriter {
  private static final int VERSION = 1;

  private final JsonGenerator json;

  private ProofWriter(JsonGenerator json) {
    this.json = json;
  }

  /** The proof as text, one order, argument or claim a line. */
  public static String text(Proof proof) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      new ProofWriter(json).write(proof);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private void write(Proof proof) throws IOException {
    json.writeStartObject();
    json.writeNumberField("assay-proof", VERSION);
    json.writeNumberField("transactions", proof.transactions());
    boolean anyGiven = !proof.given().get(0).isNothing();
    if (anyGiven) {
      startLines("given");
      for (GivenOrders given : proof.given()) {
        line();
        write(given);
      }
      json.writeEndArray();
    }
    startLines("levels");
    for (Proof.Claim claim : proof.claims()) {
      line();
      write(claim, anyGiven);
    }
    json.writeEndArray();
    startLines("orders");
    for (Proof.Order order : proof.orders()) {
      line();
      write(order);
    }
    json.writeEndArray();
    startLines("arguments");
    for (Argument argument : proof.arguments()) {
      line();
      write(argument);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(GivenOrders given) throws IOException {
    json.writeStartObject();
    json.writeStringField("by", given.by());
    json.writeFieldName("committed");
    writeInts(given.committed());
    json.writeArrayFieldStart("versions");
    for (int[] writes : given.versions()) {
      writeInts(writes);
    }
    json.writeEndArray();
    if (given.order().length > 0) {
      json.writeFieldName("order");
      writeInts(given.order());
    }
    json.writeEndObject();
  }

  private void startLines(String name) throws IOException {
    json.writeArrayFieldStart(name);
  }

  private void line() throws IOException {
    json.writeRaw("\n");
  }

  private void write(Proof.Claim claim, boolean anyGiven) throws IOException {
    json.writeStartObject();
    json.writeStringField("level", claim.level().id());
    json.writeStringField("verdict", claim.verdict().id());
    if (claim.isProven()) {
      boolean holds = claim.verdict() instanceof Verdict.Holds;
      json.writeNumberField(holds ? "order" : "argument", claim.proof());
      if (anyGiven) {
        json.writeNumberField("given", claim.given());
      }
    } else if (claim.unproven() != null) {
      json.writeStringField("unproven", claim.unproven());
    } else {
      json.writeStringField("why", claim.verdict().why());
    }
    json.writeEndObject();
  }

  private void write(Proof.Order order) throws IOException {
    json.writeStartObject();
    if (!order.from().isEmpty()) {
      json.writeArrayFieldStart("from");
      for (Map.Entry<Sources.Place, Integer> choice : order.from().entrySet()) {
        Sources.Place place = choice.getKey();
        writeInts(place.op(), place.element(), choice.getValue());
      }
      json.writeEndArray();
    }
    json.writeFieldName("order");
    writeInts(order.order());
    json.writeEndObject();
  }

  private void writeInts(int... numbers) throws IOException {
    json.writeStartArray();
    for (int number : numbers) {
      json.writeNumber(number);
    }
    json.writeEndArray();
  }

  private void write(Argument argument) throws IOException {
    json.writeStartObject();
    if (argument instanceof Argument.OfRead read) {
      json.writeStringField("read", read.anomaly());
      json.writeNumberField("at", read.op());
    } else if (argument instanceof Argument.Split split) {
      json.writeFieldName("split");
      writeInts(split.read().op(), split.read().element());
      json.writeFieldName("writes");
      writeInts(split.writes());
      json.writeArrayFieldStart("cases");
      for (Argument each : split.cases()) {
        write(each);
      }
      json.writeEndArray();
    } else if (argument instanceof Argument.Replay replay) {
      write("replay", replay.cycle());
    } else if (argument instanceof Argument.Steps steps) {
      json.writeArrayFieldStart("steps");
      for (Step step : steps.steps()) {
        write(step);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void write(Step step) throws IOException {
    json.writeStartObject();
    if (step.pair() != null) {
      json.writeFieldName("before");
      writeInts(step.pair().first(), step.pair().second());
    }
    if (!step.assumptions().isEmpty()) {
      json.writeArrayFieldStart("if");
      for (Pair pair : step.assumptions()) {
        writeInts(pair.first(), pair.second());
      }
      json.writeEndArray();
    }
    if (step.sum() != null) {
      json.writeNumberField("sum", step.sum().read());
    } else {
      write("cycle", step.cycle());
    }
    json.writeEndObject();
  }

  private void write(String name, List<Edge> cycle) throws IOException {
    json.writeArrayFieldStart(name);
    for (Edge edge : cycle) {
      json.writeStartArray();
      json.writeString(edge.kind().name().toLowerCase(Locale.ROOT));
      json.writeNumber(edge.from());
      json.writeNumber(edge.to());
      if (edge.op() >= 0) {
        json.writeNumber(edge.op());
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }
}
