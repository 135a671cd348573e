package dev.assay.format.jepsen;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.JsonProblem;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * Jepsen operations as JSON, the way elle-cli takes them: an array of objects or one object after
 * another, with the field names of {@link JepsenEdn}. A string such as {@code ":x"} is the keyword.
 */
public final class JepsenJson implements HistoryFormat {
  /** Lists of any length, but no nesting that a stack could not hold. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(EdnScanner.MAX_DEPTH)
                  .maxStringLength(1 << 26)
                  .maxNumberLength(1000)
                  .maxDocumentLength(-1)
                  .build())
          .build();

  @Override
  public String id() {
    return "jepsen-json";
  }

  @Override
  public String title() {
    return "elle-cli: Jepsen operations as JSON objects, in an array or one per line";
  }

  @Override
  public List<String> extensions() {
    return List.of(".json");
  }

  // ---- detection

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    if (input.isFolder() || !startsLikeJson(input.head())) {
      return false;
    }
    try (JsonParser json = FACTORY.createParser(input.head())) {
      if (json.nextToken() == JsonToken.START_ARRAY) {
        json.nextToken();
      }
      return json.currentToken() == JsonToken.START_OBJECT && isOperation(json);
    } catch (JacksonException | CharConversionException e) {
      return false;
    }
  }

  private static boolean startsLikeJson(byte[] head) {
    for (byte b : head) {
      if (b == '{' || b == '[') {
        return true;
      }
      // White space or a byte order mark.
      if (b > ' ') {
        return false;
      }
    }
    return false;
  }

  /** Whether the object that begins here has the fields of an operation. */
  private static boolean isOperation(JsonParser json) throws IOException {
    boolean process = false;
    try {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = JsonOps.bare(json.currentName());
        boolean text = json.nextToken() == JsonToken.VALUE_STRING;
        if (name.equals("type")) {
          return text && JepsenOp.Type.of(JsonOps.bare(json.getText())) != null;
        }
        process |= name.equals("process") || name.equals("f");
        json.skipChildren();
      }
    } catch (JacksonException e) {
      // The first operation may be longer than the part that was given.
      return process;
    }
    return false;
  }

  // ---- reading

  @Override
  public History read(Input input) throws IOException, ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), id(), Origin.Unit.LINE, List.of()));
    try (InputStream in = input.open();
        JsonParser json = FACTORY.createParser(in)) {
      JepsenOps ops = new JepsenOps(input.name(), builder, false);
      readOperations(input.name(), json, ops, builder.scalars(), 0);
      ops.finish();
    } catch (CharConversionException e) {
      throw ParseException.ofFile(
          input.name(), "text that is not UTF-8", "JSON in UTF-8", "convert the file to UTF-8");
    }
    return builder.build();
  }

  /**
   * Reads all operations.
   *
   * @param before lines of a larger input before the first of this one
   */
  static void readOperations(
      String file, JsonParser json, JepsenOps ops, RawScalars scalars, long before)
      throws IOException, ParseException {
    try {
      readAllOperations(new JsonOps(file, json, scalars, before), json, ops);
    } catch (StreamConstraintsException e) {
      // It alone does not know its place.
      throw explained(file, e, json.currentLocation()).after(before);
    } catch (JacksonException e) {
      throw explained(file, e, e.getLocation()).after(before);
    }
  }

  private static void readAllOperations(JsonOps reader, JsonParser json, JepsenOps ops)
      throws IOException, ParseException {
    JepsenOp op = new JepsenOp();
    boolean inArray = false;
    for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
      if (token == JsonToken.START_OBJECT) {
        reader.read(op);
        ops.accept(op);
      } else if (token == JsonToken.START_ARRAY && !inArray) {
        inArray = true;
      } else if (token == JsonToken.END_ARRAY) {
        inArray = false;
      } else {
        throw reader.error(
            json.getText() + " between operations",
            "an object such as {\"type\": \"ok\", …}",
            null);
      }
    }
  }

  private static ParseException explained(String file, JacksonException e, JsonLocation at) {
    // Jackson has an exception for this, but does not always throw it.
    boolean cut = e.getOriginalMessage().startsWith("Unexpected end-of-input");
    String found = cut ? "the file ends inside an operation" : JsonProblem.of(e);
    String expected = "operations as JSON objects";
    String hint = cut ? "the file may be cut short" : null;
    return at == null
        ? ParseException.ofFile(file, found, expected, hint)
        : ParseException.atLine(file, at.getLineNr(), at.getColumnNr(), found, expected, hint);
  }

  @Override
  public PieceReader pieces(String name) {
    return new JepsenPieces(name, id(), new JsonPiece(name));
  }

  // ---- writing

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    return JepsenLosses.of(history, JepsenSyntax.JSON);
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new JepsenWriter(history, JepsenSyntax.JSON, out).write();
  }
}
