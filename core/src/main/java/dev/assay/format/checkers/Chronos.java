package dev.assay.format.checkers;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.Losses;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Origin;
import dev.assay.history.Values;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The histories of Chronos and Aion (TimeKiller): a JSON array of committed transactions with the
 * database's timestamps of their snapshot and commit, each a hybrid logical clock.
 *
 * <pre>
 * {"tid": 67, "sid": 19, "sts": {"p": 1691420095436341, "l": 61}, "cts": {"p": …, "l": 18},
 *  "ops": [{"t": "w", "k": 7, "v": 2}, {"t": "r", "k": 8, "v": 3}]}
 * </pre>
 *
 * <p>Registers have reads and writes, lists reads and appends ({@code "a"}). The initial value is
 * null; in a history in which no read saw null it is 0.
 */
public final class Chronos implements HistoryFormat {
  /** Says how many low bits of the timestamps are the logical part of the clock. */
  static final String LOGICAL_BITS = "timestamps.logical-bits";

  private static final Set<String> FIELDS = Set.of("tid", "sid", "sts", "cts", "ops", "rtts");

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(50).maxDocumentLength(-1).build())
          .build();

  @Override
  public String id() {
    return "chronos";
  }

  @Override
  public String title() {
    return "Chronos, Aion: a JSON array of transactions with start and commit timestamps";
  }

  @Override
  public List<String> extensions() {
    return List.of(".chronos.json");
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    if (input.isFolder()) {
      return false;
    }
    int known = 0;
    try (JsonParser json = JSON.createParser(input.head())) {
      if (json.nextToken() != JsonToken.START_ARRAY || json.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        if (!FIELDS.contains(json.currentName())) {
          return false;
        }
        known++;
        json.nextToken();
        json.skipChildren();
      }
    } catch (JacksonException | CharConversionException e) {
      // Not JSON, or the first transaction is longer than the part that was given.
      return known > 1;
    }
    return known > 1;
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), id(), Origin.Unit.LINE, List.of()));
    try (InputStream in = input.open();
        JsonParser json = JSON.createParser(in)) {
      new ChronosReader(json, input.name(), builder).read();
    } catch (CharConversionException e) {
      throw ParseException.ofFile(
          input.name(), "text that is not UTF-8", "JSON in UTF-8", "convert the file to UTF-8");
    }
    return builder.build();
  }

  // ---- writing

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    Losses losses = new Losses(history).timestampedIntegersOnly().withoutInitialState();
    if (!readsNil(history)) {
      losses.zeroIsInitial();
    }
    List<String> phrases = new ArrayList<>(losses.phrases());
    phrases.removeIf(phrase -> phrase.contains(LOGICAL_BITS));
    ChronosWriter.Clock clock = ChronosWriter.Clock.of(history);
    if (clock != ChronosWriter.Clock.DATABASE) {
      phrases.add("that the database gave no timestamps: " + clock.meaning() + " stand in");
    }
    return phrases;
  }

  /** Whether a read saw nil, and 0 is a value like any other. */
  static boolean readsNil(History history) {
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.READ && history.value(op) == Values.NIL) {
        return !history.zeroIsInitial();
      }
    }
    return false;
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new ChronosWriter(history).write(out);
  }
}
