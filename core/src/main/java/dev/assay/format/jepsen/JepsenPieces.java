package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Reads a Jepsen history in pieces of whole operations. Invocations that are open at the end of a
 * piece are carried over to the next.
 */
final class JepsenPieces implements PieceReader {
  /** A piece in one of the two notations. */
  interface Notation {
    /** How many of these bytes are whole operations. */
    int whole(byte[] bytes, int from, int to);

    /**
     * Reads whole operations.
     *
     * @param before lines of the file before them
     */
    void read(byte[] bytes, int from, int to, long before, JepsenOps ops, RawScalars scalars)
        throws IOException, ParseException;

    /** Ends the input. */
    void finish(JepsenOps ops) throws ParseException;

    /** Another file follows. */
    void nextFile();
  }

  private final Origin origin;
  private final Notation notation;
  private final JepsenOps ops;
  private HistoryBuilder builder = new HistoryBuilder();

  /** Line ends of the file so far. */
  private long lines;

  JepsenPieces(String name, String format, Notation notation) {
    this.origin = new Origin(name, format, Origin.Unit.LINE, List.of());
    this.notation = notation;
    this.ops = new JepsenOps(name, builder, true);
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    return notation.whole(bytes, from, to);
  }

  @Override
  public History read(byte[] bytes, int from, int to) throws ParseException {
    readOperations(bytes, from, to);
    return handOver();
  }

  private void readOperations(byte[] bytes, int from, int to) throws ParseException {
    try {
      notation.read(bytes, from, to, lines, ops, builder.scalars());
    } catch (IOException e) {
      // Nothing is read but bytes in memory.
      throw new UncheckedIOException(e);
    }
    for (int i = from; i < to; i++) {
      lines += bytes[i] == '\n' ? 1 : 0;
    }
  }

  private History handOver() {
    HistoryBuilder complete = builder;
    builder = new HistoryBuilder();
    ops.continueIn(builder);
    complete.origin(origin);
    return complete.build();
  }

  @Override
  public History finish(byte[] bytes, int from, int to) throws ParseException {
    readOperations(bytes, from, to);
    notation.finish(ops);
    ops.finish();
    return handOver();
  }

  @Override
  public void nextFile() {
    lines = 0;
    notation.nextFile();
  }

  /** Times are the order of invocations and completions. */
  @Override
  public boolean isInOrder() {
    return true;
  }
}
