package dev.assay.window;

import dev.assay.check.Verdict;
import dev.assay.history.RawScalars;
import dev.assay.level.Level;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What {@link StateOutput} wrote. */
final class StateInput extends DataInputStream {
  private RawScalars scalars;

  StateInput(InputStream in) {
    super(in);
  }

  /** The dictionary, once it is read. */
  void scalars(RawScalars dictionary) {
    scalars = dictionary;
  }

  String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  byte[] bytes() throws IOException {
    byte[] bytes = new byte[readInt()];
    readFully(bytes);
    return bytes;
  }

  Object scalar() throws IOException {
    return scalars.get(readLong());
  }

  <E extends Enum<E>> Set<E> names(Class<E> type) throws IOException {
    Set<E> constants = EnumSet.noneOf(type);
    for (int i = readInt(); i > 0; i--) {
      constants.add(name(type));
    }
    return constants;
  }

  <E extends Enum<E>> E name(Class<E> type) throws IOException {
    return Enum.valueOf(type, text());
  }

  Map<String, String> texts() throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = readInt(); i > 0; i--) {
      texts.put(text(), text());
    }
    return texts;
  }

  Map<Level, Verdict.Unknown> unknowns() throws IOException {
    Map<Level, Verdict.Unknown> verdicts = new EnumMap<>(Level.class);
    for (int i = readInt(); i > 0; i--) {
      verdicts.put(name(Level.class), unknown());
    }
    return verdicts;
  }

  Verdict.Unknown unknown() throws IOException {
    return new Verdict.Unknown(name(Verdict.Reason.class), text());
  }
}
