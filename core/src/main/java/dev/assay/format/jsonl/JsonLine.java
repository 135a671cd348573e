package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.assay.format.JsonProblem;
import dev.assay.format.LineReader;
import dev.assay.format.ParseException;
import dev.assay.history.RawScalars;
import java.io.IOException;

/** One JSON object on one line of a file, and what is wrong where it is not. */
final class JsonLine {
  private JsonLine() {}

  /** Reads what is inside the object, up to and with its closing brace. */
  interface Content {
    void read(AssayJsonlValues values) throws IOException, ParseException, AssayJsonlValues.Wrong;
  }

  static JsonParser parser(LineReader lines) throws IOException {
    return AssayJsonlReader.JSON.createParser(
        lines.bytes(), lines.start(), lines.end() - lines.start());
  }

  /** Reads the line at hand. */
  static void read(String file, LineReader lines, RawScalars scalars, Content content)
      throws IOException, ParseException {
    try (JsonParser json = parser(lines)) {
      AssayJsonlValues values = new AssayJsonlValues(json, scalars);
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw values.wrong("one JSON object per line");
      }
      content.read(values);
      if (json.nextToken() != null) {
        throw values.wrong("the end of the line after its object");
      }
    } catch (AssayJsonlValues.Wrong e) {
      throw ParseException.atLine(
          file, lines.line(), e.column(), e.getMessage(), e.expected(), e.hint());
    } catch (JsonEOFException e) {
      throw ParseException.atLine(
          file,
          lines.line(),
          lines.end() - lines.start() + 1L,
          "the line ends within its object",
          "one whole JSON object per line",
          null);
    } catch (JsonProcessingException e) {
      throw ParseException.atLine(
          file,
          lines.line(),
          e.getLocation() == null
              ? ParseException.NONE
              : Math.max(1, e.getLocation().getColumnNr()),
          JsonProblem.of(e),
          "one JSON object per line",
          null);
    }
  }
}
