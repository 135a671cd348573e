package dev.assay.format.jepsen;

import com.fasterxml.jackson.core.JsonParser;
import dev.assay.format.ParseException;
import dev.assay.history.RawScalars;
import java.io.IOException;

/** Pieces of a history in JSON. */
final class JsonPiece implements JepsenPieces.Notation {
  private final String name;
  private final TopLevel topLevel = new TopLevel(false);

  JsonPiece(String name) {
    this.name = name;
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    return topLevel.whole(bytes, from, to);
  }

  @Override
  public void read(byte[] bytes, int from, int to, long before, JepsenOps ops, RawScalars scalars)
      throws IOException, ParseException {
    byte[] piece = topLevel.sideBySide(bytes, from, to);
    try (JsonParser json = JepsenJson.FACTORY.createParser(piece)) {
      JepsenJson.readOperations(name, json, ops, scalars, before);
    }
  }

  @Override
  public void finish(JepsenOps ops) throws ParseException {
    if (topLevel.inVector()) {
      throw ParseException.ofFile(
          name, "the file ends inside its array", "] at its end", "the file may be cut short");
    }
  }

  @Override
  public void nextFile() {
    topLevel.nextFile();
  }
}
