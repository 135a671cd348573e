package dev.assay.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.history.History;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Our format for people and tools: one JSON object a line and transaction, specified in {@code
 * docs/assay-jsonl.md}. It keeps everything a history has.
 */
public final class AssayJsonl implements HistoryFormat {
  static final String ID = "assay-jsonl";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "Assay's own JSON lines, one transaction each, for people and tools";
  }

  @Override
  public List<String> extensions() {
    return List.of(".jsonl");
  }

  /** Whether the first object has one of the fields that no other format has. */
  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    byte[] head = input.head();
    int start = AssayJsonlReader.startsWithByteOrderMark(head) ? 3 : 0;
    try (JsonParser parser = AssayJsonlReader.JSON.createParser(head, start, head.length - start)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (name.equals(AssayJsonlReader.HEADER_MARK) || name.equals(AssayJsonlReader.OPS)) {
          return true;
        }
        parser.nextToken();
        parser.skipChildren();
      }
      return false;
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    return new AssayJsonlReader(input, ID).read();
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new AssayJsonlWriter(history).write(out);
  }
}
