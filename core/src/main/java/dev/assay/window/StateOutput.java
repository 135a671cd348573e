package dev.assay.window;

import dev.assay.check.Verdict;
import dev.assay.history.RawScalars;
import dev.assay.level.Level;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/** What is saved of a monitor; {@link StateInput} reads it. */
final class StateOutput extends DataOutputStream {
  private final RawScalars scalars;

  /** Scalars that are not integers are entries of a dictionary, which must be saved, too. */
  StateOutput(OutputStream out, RawScalars scalars) {
    super(out);
    this.scalars = scalars;
  }

  void text(String text) throws IOException {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  void bytes(byte[] bytes) throws IOException {
    writeInt(bytes.length);
    write(bytes);
  }

  /** A key, value, or name of a session. */
  void scalar(Object scalar) throws IOException {
    writeLong(scalars.of(scalar));
  }

  /** Some constants of an enumeration, by their names. */
  void names(Collection<? extends Enum<?>> constants) throws IOException {
    writeInt(constants.size());
    for (Enum<?> constant : constants) {
      text(constant.name());
    }
  }

  void texts(Map<String, String> texts) throws IOException {
    writeInt(texts.size());
    for (Map.Entry<String, String> entry : texts.entrySet()) {
      text(entry.getKey());
      text(entry.getValue());
    }
  }

  /** Levels that are unknown, and why. */
  void unknowns(Map<Level, Verdict.Unknown> verdicts) throws IOException {
    writeInt(verdicts.size());
    for (Map.Entry<Level, Verdict.Unknown> entry : verdicts.entrySet()) {
      text(entry.getKey().name());
      unknown(entry.getValue());
    }
  }

  void unknown(Verdict.Unknown verdict) throws IOException {
    text(verdict.reason().name());
    text(verdict.why());
  }
}
