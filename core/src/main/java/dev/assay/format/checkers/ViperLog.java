package dev.assay.format.checkers;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.JsonProblem;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The JSON logs of Viper's clients: a folder of {@code J*.log}, one file per session and one object
 * a transaction and line. Operations are arrays, or in its second dialect objects:
 *
 * <pre>
 * ["r", key, value, isDead]                        {"opType": "r", "key": …, "value": …}
 * ["w", key, value, succeeded]                     the same with "succ"
 * ["i", key, value, valueRead, isDead, succeeded]  an insert: reads, then writes
 * ["d", key, tombstone, valueRead, isDead, succeeded]
 * </pre>
 *
 * <p>The fourth field of a read says that it saw a tombstone. That is a version like any other, so
 * the field is not needed, and above all it does not mean that a read with {@code false} failed.
 * Viper's null value is 0. A transaction with {@code "isInitial": true} holds the initial state and
 * precedes all others; in logs without one, values that are written nowhere were there before.
 */
public final class ViperLog implements HistoryFormat {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

  private static final String PREFIX = "J";

  @Override
  public String id() {
    return "viper-log";
  }

  @Override
  public String title() {
    return "Viper: a folder of J*.log, one JSON object per transaction, one file per session";
  }

  @Override
  public List<String> extensions() {
    return List.of();
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    byte[] head = LogFolder.of(input, PREFIX).head();
    String text = new String(head, StandardCharsets.UTF_8).replace("\ufeff", "").stripLeading();
    return text.startsWith("{") && text.contains("\"value\"");
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    LogFolder folder = LogFolder.of(input, PREFIX);
    folder.requireFiles("a folder of J*.log files");
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(folder.origin(id(), Origin.Unit.LINE));
    builder.zeroIsInitial(true);
    UnwrittenValues values = new UnwrittenValues();
    long committedWithFailures = 0;
    boolean initialState = false;
    for (int i = 0; i < folder.size(); i++) {
      ViperParser parser = readFile(folder, i, builder, values);
      committedWithFailures += parser.committedWithFailures();
      initialState |= parser.hasInitialState();
    }
    if (!initialState) {
      values.declare(builder);
    }
    if (committedWithFailures > 0) {
      builder.metadata("note.failed-events", Dbcop.failedEvents(committedWithFailures));
    }
    return builder.build();
  }

  /** Reads a file and returns its parser, which has seen all of it. */
  private static ViperParser readFile(
      LogFolder folder, int index, HistoryBuilder builder, UnwrittenValues values)
      throws ParseException {
    Input part = folder.part(index);
    try (InputStream in = part.open();
        ViperParser parser = new ViperParser(JSON.createParser(in), part.name(), builder, values)) {
      readTransactions(parser, folder, index, builder);
      return parser;
    } catch (JsonProcessingException e) {
      throw notJson(part.name(), e, e.getLocation());
    } catch (IOException e) {
      throw part.explained(e);
    }
  }

  private static void readTransactions(
      ViperParser parser, LogFolder folder, int index, HistoryBuilder builder)
      throws IOException, ParseException {
    try {
      int session = -1;
      while (parser.nextTransaction()) {
        session = session < 0 ? folder.session(index, builder) : session;
        parser.readTransaction(session, index);
      }
    } catch (StreamConstraintsException e) {
      // It alone does not know its place.
      throw notJson(folder.part(index).name(), e, parser.place());
    }
  }

  private static ParseException notJson(String file, JsonProcessingException e, JsonLocation at) {
    boolean located = at != null && at.getLineNr() > 0;
    return ParseException.atLine(
        file,
        located ? at.getLineNr() : ParseException.NONE,
        located ? at.getColumnNr() : ParseException.NONE,
        "not JSON: " + JsonProblem.of(e),
        "one JSON object per line, each a transaction",
        "a log whose last line was cut short needs that line completed or removed");
  }
}
