package dev.assay.bench;

import dev.assay.collect.BinarySink;
import dev.assay.collect.Generator;
import dev.assay.collect.TransactionSink;
import dev.assay.format.Formats;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes generated histories to files, without holding them in memory where the format allows. */
final class Sinks {
  private Sinks() {}

  static void write(Generator generator, String name, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      if (name.endsWith(".txt")) {
        generator.generate(new PlumeSink(out));
      } else if (name.endsWith(".assay")) {
        try (BinarySink sink = new BinarySink(out, Map.of())) {
          generator.generate(sink);
        }
      } else {
        Formats.byName(name).orElseThrow().write(generator.history(), out);
      }
    }
  }

  /** Committed transactions of registers as plume-text. */
  private static final class PlumeSink implements TransactionSink {
    private final PrintStream out;
    private final StringBuilder line = new StringBuilder();
    private long session;
    private long transaction;

    PlumeSink(OutputStream out) {
      this.out = new PrintStream(out, false, StandardCharsets.US_ASCII);
    }

    @Override
    public void begin(long inSession) {
      session = inSession;
      transaction++;
      line.setLength(0);
    }

    @Override
    public void op(OpKind kind, long key, long value) {
      line.append(kind.isWrite() ? "w(" : "r(").append(key).append(',').append(value).append(',');
      line.append(session).append(',').append(transaction).append(")\n");
    }

    @Override
    public void listRead(long key, long[] elements, int length) {
      throw new IllegalArgumentException("plume-text has no lists");
    }

    @Override
    public void end(Outcome outcome, long start, long end) {
      out.append(line);
      out.flush();
    }
  }
}
