package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Assay's format for people and tools: one JSON object per line and transaction, specified in
 * {@code docs/assay-jsonl.md}. It keeps everything a history has.
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
  public PieceReader pieces(String name) {
    return new AssayJsonlPieces(name);
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    return lostMetadata(history);
  }

  static List<String> lostMetadata(History history) {
    int unspeakable = 0;
    for (String name : history.metadata().keySet()) {
      unspeakable += isFieldName(name) ? 0 : 1;
    }
    return unspeakable == 0
        ? List.of()
        : List.of("metadata whose names have half a surrogate pair (" + unspeakable + ")");
  }

  /** Whether parsers take a text for the name of a field: most refuse half a surrogate pair. */
  static boolean isFieldName(String name) {
    return StandardCharsets.UTF_16LE.newEncoder().canEncode(name);
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new AssayJsonlWriter(history).write(out);
  }
}
